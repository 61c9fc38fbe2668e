//! Sliding attacks one step at a time: slow, plain, and the oracle for every other slider method.

use crate::board::{Bitboard, Square};

/// Steps as (file, rank).
pub(super) type Directions = [(i32, i32); 4];
pub(super) const ORTHOGONAL: Directions = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(super) const DIAGONAL: Directions = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The square one step away, if it is on the board.
pub(super) const fn step(square: usize, direction: (i32, i32)) -> Option<usize> {
    let file = (square % 8) as i32 + direction.0;
    let rank = (square / 8) as i32 + direction.1;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        None
    } else {
        Some((rank * 8 + file) as usize)
    }
}

/// Squares met going in one direction, the first occupied one included.
pub(crate) const fn ray(square: usize, direction: (i32, i32), occupied: u64) -> u64 {
    let mut reached = 0;
    let mut at = square;
    while let Some(next) = step(at, direction) {
        reached |= 1 << next;
        if occupied >> next & 1 != 0 {
            break;
        }
        at = next;
    }
    reached
}

pub(super) const fn rays(square: usize, directions: &Directions, occupied: u64) -> u64 {
    let mut reached = 0;
    let mut i = 0;
    while i < directions.len() {
        reached |= ray(square, directions[i], occupied);
        i += 1;
    }
    reached
}

/// Squares a rook on `square` attacks, walking each ray to its first blocker.
pub const fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(rays(square.index(), &ORTHOGONAL, occupied.0))
}

/// Squares a bishop on `square` attacks, walking each ray to its first blocker.
pub const fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(rays(square.index(), &DIAGONAL, occupied.0))
}
