//! Text to positions: FEN, EPD, perft suites, moves; files and streams of them.
//!
//! Text becomes a [`crate::position::Setup`], which is judged into a position. Every refusal names
//! the field, the offending text and the reason; the readers of whole files add file and line.

mod fen;

pub use fen::{
    FenError, FenOptions, FenWarning, FenWriting, ParsedFen, parse_fen, read_fen, write_fen,
};
