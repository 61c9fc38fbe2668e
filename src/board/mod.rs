//! Squares, sets of squares, pieces and moves: the vocabulary every other room speaks.
//!
//! Nothing here knows a rule of chess beyond geometry, and nothing reads or prints more than a
//! single token (`e4`, `e2e4`, `K`).

mod bitboard;
mod castling;
mod moves;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use castling::{CASTLING_PATHS, CastlingMode, CastlingPath, CastlingSide};
pub use moves::{MOVES_MAX, Move, MoveKind, MoveList};
pub use piece::{BlackSide, Color, Piece, Role, Side, WhiteSide};
pub use square::{File, Rank, Square};
