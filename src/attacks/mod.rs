//! Which squares a piece hits, given what stands on the board.
//!
//! `ray_walk` is the plain truth for sliders; `sliders` holds the fast methods, all behind one
//! trait; `tables` holds everything that does not depend on the occupancy.

pub mod fills;
mod magics;
mod quintessence;
pub mod ray_walk;
mod sliders;
mod tables;

pub use quintessence::Quintessence;
pub use sliders::{Magic, Magic32, RayWalk, SliderEntry, SliderTable, Sliders, first_difference};
pub use tables::{AttackTables, TABLES};

use crate::board::{Bitboard, Color, Square};

/// Where a knight on `square` jumps.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    TABLES.knight[square.index()]
}

/// The neighbours of `square`.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    TABLES.king[square.index()]
}

/// What a pawn of this colour on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    TABLES.pawn[color as usize][square.index()]
}

/// Squares strictly between two squares of one rank, file or diagonal; empty otherwise.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    TABLES.between[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares; empty if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    TABLES.line[a.index()][b.index()]
}
