//! What sliders see, on all boards at once, a line at a time.
//!
//! Reach doubles in each of three steps (Kogge-Stone). Which squares lie open for one, two and four
//! steps depends on the occupancy alone, so the sliders of both sides share it.

use super::Lanes;
use crate::board::Bitboard;

/// Squares that lie open in one direction, for one, two and four steps of `STEP` places each.
#[derive(Copy, Clone)]
struct Open<L, const UP: bool, const STEP: u32>([L; 3]);

impl<L: Lanes, const UP: bool, const STEP: u32> Open<L, UP, STEP> {
    /// `empty`: the empty squares that one step can reach.
    #[inline(always)]
    fn new(empty: L) -> Self {
        let two = empty & Self::step(empty, 1);
        Open([empty, two, two & Self::step(two, 2)])
    }

    #[inline(always)]
    fn step(set: L, steps: u32) -> L {
        if UP {
            set.up(steps * STEP)
        } else {
            set.down(steps * STEP)
        }
    }

    /// The squares of `landing` that sliders on `set` see, up to the first piece. One step must be able to
    /// reach all of `landing`.
    #[inline(always)]
    fn see(&self, set: L, landing: L) -> L {
        let [one, two, four] = self.0;
        let reached = set | one & Self::step(set, 1);
        let reached = reached | two & Self::step(reached, 2);
        let reached = reached | four & Self::step(reached, 4);
        landing & Self::step(reached, 1)
    }
}

/// Where moves may end: anywhere of a set, by whether they lead eastward or westward. What comes round the
/// edge of the board is left out.
#[derive(Copy, Clone)]
pub(super) struct Landing<L> {
    pub(super) any: L,
    pub(super) eastward: L,
    pub(super) westward: L,
}

impl<L: Lanes> Landing<L> {
    #[inline(always)]
    pub(super) fn new(proof: L::Proof, on: L) -> Landing<L> {
        Landing {
            any: on,
            eastward: on & L::splat(proof, !Bitboard::FILE_A.0),
            westward: on & L::splat(proof, !Bitboard::FILE_H.0),
        }
    }

    /// These squares and their neighbours to both sides that lie in the landing.
    #[inline(always)]
    pub(super) fn beside(&self, set: L) -> L {
        set.up(1) & self.eastward | set.down(1) & self.westward
    }
}

/// The four lines through each square, as far as they lie open. What is seen along a line comes in its two
/// directions, the one towards higher squares first.
#[derive(Copy, Clone)]
pub(super) struct Ways<L> {
    occupied: L,
    north: Open<L, true, 8>,
    south: Open<L, false, 8>,
    west: Open<L, false, 1>,
    north_east: Open<L, true, 9>,
    south_west: Open<L, false, 9>,
    north_west: Open<L, true, 7>,
    south_east: Open<L, false, 7>,
}

impl<L: Lanes> Ways<L> {
    #[inline(always)]
    pub(super) fn new(proof: L::Proof, occupied: L) -> Ways<L> {
        let empty = Landing::new(proof, !occupied);
        Ways {
            occupied,
            north: Open::new(empty.any),
            south: Open::new(empty.any),
            west: Open::new(empty.westward),
            north_east: Open::new(empty.eastward),
            south_west: Open::new(empty.westward),
            north_west: Open::new(empty.westward),
            south_east: Open::new(empty.eastward),
        }
    }

    #[inline(always)]
    pub(super) fn files(&self, set: L, landing: &Landing<L>) -> [L; 2] {
        [
            self.north.see(set, landing.any),
            self.south.see(set, landing.any),
        ]
    }

    #[inline(always)]
    pub(super) fn ranks(&self, set: L, landing: &Landing<L>) -> [L; 2] {
        [
            set.see_east(self.occupied) & landing.any,
            self.west.see(set, landing.westward),
        ]
    }

    #[inline(always)]
    pub(super) fn rising(&self, set: L, landing: &Landing<L>) -> [L; 2] {
        [
            self.north_east.see(set, landing.eastward),
            self.south_west.see(set, landing.westward),
        ]
    }

    #[inline(always)]
    pub(super) fn falling(&self, set: L, landing: &Landing<L>) -> [L; 2] {
        [
            self.north_west.see(set, landing.westward),
            self.south_east.see(set, landing.eastward),
        ]
    }
}
