//! Exact bulk perft: counts chess positions to great depth, holds perft suites against their known
//! counts, and helps to find the first wrong move of a move generator. Beside it, facts of positions by the
//! million: what can be played, and whether the game is over.
//!
//! Data flows left to right. A module may use what is to its left and the chess core below it, never
//! what is to its right; `tests/tidy.rs` enforces this.
//!
//! ```text
//!  FEN, EPD, stdin                                                      text, JSON
//!        |                                                                   ^
//!     parse ----> expand ----> backend ----> reduce ----> report ------------'
//!     Job         Chunk        counts        Totals       Report
//!       |         '------------- pipeline ------------'      ^
//!       '--------> analyse ----------------------------------'
//!                  Facts, records
//!  ------------------------------------------------------------------------------
//!  chess core:  board <- attacks <- position <- movegen     (no text, no threads)
//! ```
//!
//! | the line mentions | room |
//! | --- | --- |
//! | `1 << sq`, file and rank arithmetic | [`board`] |
//! | which squares a piece hits, given the occupancy | [`attacks`] |
//! | "a pawn on the back rank is illegal", the halfmove clock | [`position`] |
//! | pins, checks, legality, counting moves | [`movegen`] |
//! | a character, a token, a line number of input | [`parse`] |
//! | what a position is: checks, mates, draws, repetition; a record and its columns | [`analyse`] |
//! | plies from a root, weights, the memory budget | [`expand`] |
//! | several boards at once, a lane each, whatever the vectors | [`movegen::lanes`] |
//! | instruction sets, `is_x86_feature_detected!` | [`backend`]`::cpu` |
//! | `wgpu::`, a limit, a dispatch; what a shader computes | [`backend`]`::gpu`; `shaders/` |
//! | sums by root | [`reduce`] |
//! | which backend counts which part of the frontier, and what if it fails | [`pipeline`] |
//! | column widths, units, nodes per second | [`report`] |
//! | a flag name, an exit status, `eprintln!` | [`commands`] |
//!
//! The seam is [`backend::LeafCounter`]: a slice of [`position::PackedPosition`] in, a slice of
//! counts out, and [`backend::FactFinder`] for facts. perft(10) of one position and a suite of ten thousand positions are the same work to
//! a backend. Backends pull from one queue: several GPUs and the processor count at their own speed, and
//! one that fails gives its work back. The slow, plain truth that everything fast is held against is [`movegen::perft`].

pub mod analyse;
pub mod attacks;
pub mod backend;
pub mod board;
pub mod commands;
pub mod expand;
pub mod movegen;
pub mod parse;
pub mod pipeline;
mod pool;
pub mod position;
pub mod reduce;
pub mod report;

/// The examples of `README.md`, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So that unit tests can share `tests/common` with the integration tests.
#[cfg(test)]
extern crate self as hyperft;
