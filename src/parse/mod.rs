//! Text to positions: FEN, EPD, perft suites, moves; files and streams of them.
//!
//! Text becomes a [`crate::position::Setup`], which is judged into a position. Every refusal names
//! the field, the offending text and the reason; the readers of whole files add file and line.

mod batches;
mod epd;
mod fen;
mod input;
mod lines;
mod moves;
mod named;
mod place;
mod plain;
mod ranks;
mod records;
mod san;
mod source;
mod suite;
mod tokens;
mod unpack;
mod zip;

pub use batches::{BatchReader, Entries, Entry, LineBatch, PlainLine, open_batches};
pub use epd::{EpdRecord, Operand, Operation, read_epd, with_id, write_epd};
pub use fen::{
    FenError, FenOptions, FenWarning, FenWriting, ParsedFen, castling_text, parse_fen,
    push_castling, push_fen, read_fen, write_fen,
};
pub use input::{InputError, Job, JobReader, Origin, open_jobs};
pub use lines::LINE_BYTES_MAX;
pub use moves::{PlayError, operation_moves, play_moves};
pub use named::{NAMED_POSITIONS, NamedPosition, named_fen, named_position};
pub use place::{EXCERPT_CHARS_MAX, Fault, Place, Reason, excerpt, harmless};
pub use san::{MoveError, parse_move, parse_move_strict, san};
pub use source::{Source, SourceError};
pub use suite::{ExpectedCount, ExpectedCounts, expected_counts};
