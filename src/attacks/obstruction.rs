//! Obstruction difference: sliding attacks by arithmetic on whole lines, with a table of four kilobytes.
//! Slower than a lookup in a large table that is in the cache, faster than one in a table that is not;
//! the method is Gerd Isenberg's (chessprogramming.org, "Obstruction Difference").

use super::{Sliders, ray_walk};
use crate::board::{Bitboard, Square};

/// A line through a square: what lies on it before and after the square.
#[derive(Copy, Clone)]
struct Line {
    lower: u64,
    upper: u64,
}

/// Rank, file and both diagonals of a square.
#[derive(Copy, Clone)]
struct Lines([Line; 4]);

/// Each direction with more of the board after the square; the other way is the opposite one.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

static LINES: [Lines; 64] = {
    let mut lines = [Lines([Line { lower: 0, upper: 0 }; 4]); 64];
    let mut at = 0;
    while at < 4 * 64 {
        let (square, (file, rank)) = (at / 4, DIRECTIONS[at % 4]);
        lines[square].0[at % 4] = Line {
            lower: ray_walk::ray(square, (-file, -rank), 0),
            upper: ray_walk::ray(square, (file, rank), 0),
        };
        at += 1;
    }
    lines
};

impl Line {
    /// The squares up to the nearest occupied one on each side.
    #[inline(always)]
    fn attacks(self, occupied: Bitboard) -> Bitboard {
        let (lower, upper) = (self.lower & occupied.0, self.upper & occupied.0);
        // All from the nearest piece below on, as a negative number: there a1 stands for no piece.
        let below = u64::MAX << (63 - (lower | 1).leading_zeros());
        let nearest_above = upper & upper.wrapping_neg();
        let seen = nearest_above.wrapping_mul(2).wrapping_add(below);
        Bitboard((self.lower | self.upper) & seen)
    }
}

/// Obstruction difference as a method.
#[derive(Copy, Clone, Debug)]
pub struct Obstruction;

impl Sliders for Obstruction {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[square.index()].0;
        lines[0].attacks(occupied) | lines[1].attacks(occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[square.index()].0;
        lines[2].attacks(occupied) | lines[3].attacks(occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::first_difference;

    #[test]
    fn it_equals_ray_walking_on_every_relevant_occupancy() {
        assert_eq!(first_difference(Obstruction), None);
    }
}
