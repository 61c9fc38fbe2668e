//! Hyperbola quintessence: sliding attacks by subtraction, with tables of two kilobytes. Slower
//! than a lookup in a large table that is in the cache, faster than one in a table that is not; the method is
//! Gerd Isenberg's and Aleks Peshkov's (chessprogramming.org, "Hyperbola Quintessence").

use super::{Sliders, ray_walk};
use crate::board::{Bitboard, Square};

/// The other squares of a square's file, of its diagonal and of its antidiagonal.
static LINES: [[u64; 3]; 64] = {
    let mut lines = [[0; 3]; 64];
    let mut at = 0;
    while at < 3 * 64 {
        let (square, (file, rank)) = (at / 3, [(0, 1), (1, 1), (-1, 1)][at % 3]);
        lines[square][at % 3] =
            ray_walk::ray(square, (file, rank), 0) | ray_walk::ray(square, (-file, -rank), 0);
        at += 1;
    }
    lines
};

/// Attacks along the first rank, by file and by what stands on the b-file to the g-file: pieces on the
/// edge hide nothing.
static FIRST_RANK: [[u8; 64]; 8] = {
    let mut attacks = [[0; 64]; 8];
    let mut at = 0;
    while at < 8 * 64 {
        let (file, inner) = (at / 64, at % 64);
        let occupied = (inner as u64) << 1;
        attacks[file][inner] =
            (ray_walk::ray(file, (1, 0), occupied) | ray_walk::ray(file, (-1, 0), occupied)) as u8;
        at += 1;
    }
    attacks
};

/// The squares up to the nearest occupied one on each side of a square. No two squares of the line may be
/// on one rank.
#[inline(always)]
fn along(line: u64, square: Square, occupied: Bitboard) -> Bitboard {
    // Taking the square away twice leaves a borrow that runs up to the next piece: once as the line is,
    // and once with the last rank first.
    let (bit, turned_bit) = (square.bit().0, square.bit().0.swap_bytes());
    let up = occupied.0 & line;
    let down = up.swap_bytes().wrapping_sub(turned_bit << 1);
    Bitboard((up.wrapping_sub(bit << 1) ^ down.swap_bytes()) & line)
}

/// Hyperbola quintessence as a method.
#[derive(Copy, Clone, Debug)]
pub struct Quintessence;

impl Sliders for Quintessence {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let rank_shift = square.index() & 56;
        let inner = (occupied.0 >> rank_shift >> 1) as usize % 64;
        let on_rank = u64::from(FIRST_RANK[square.index() % 8][inner]) << rank_shift;
        along(LINES[square.index()][0], square, occupied) | Bitboard(on_rank)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let [_, diagonal, antidiagonal] = LINES[square.index()];
        along(diagonal, square, occupied) | along(antidiagonal, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::first_difference;

    #[test]
    fn it_equals_ray_walking_on_every_relevant_occupancy() {
        assert_eq!(first_difference(Quintessence), None);
    }
}
