//! The rays of a king over an empty board.

use crate::attacks::ray_walk::ray;
use crate::board::Square;

/// The two rays of each line through a square, the one towards higher squares first.
#[derive(Copy, Clone)]
pub(super) struct KingRays {
    pub(super) file: [u64; 2],
    pub(super) rank: [u64; 2],
    /// Along the line from a1 to h8, or one beside it.
    pub(super) rising: [u64; 2],
    /// Along the line from h1 to a8, or one beside it.
    pub(super) falling: [u64; 2],
}

impl KingRays {
    #[inline(always)]
    pub(super) fn of(king: Square) -> &'static KingRays {
        static RAYS: [KingRays; 64] = KingRays::by_square();
        &RAYS[king.index()]
    }

    const fn by_square() -> [KingRays; 64] {
        let unset = KingRays {
            file: [0; 2],
            rank: [0; 2],
            rising: [0; 2],
            falling: [0; 2],
        };
        let mut rays = [unset; 64];
        let mut square = 0;
        while square < 64 {
            rays[square] = KingRays {
                file: [ray(square, (0, 1), 0), ray(square, (0, -1), 0)],
                rank: [ray(square, (1, 0), 0), ray(square, (-1, 0), 0)],
                rising: [ray(square, (1, 1), 0), ray(square, (-1, -1), 0)],
                falling: [ray(square, (-1, 1), 0), ray(square, (1, -1), 0)],
            };
            square += 1;
        }
        rays
    }
}
