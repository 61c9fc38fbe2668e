//! Exact bulk perft.
pub mod attacks;
pub mod board;
pub mod movegen;
pub mod parse;
pub mod position;
