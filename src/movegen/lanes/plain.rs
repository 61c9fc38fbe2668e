//! One lane: a plain `u64`.

use super::{LANES_MAX, Lanes};
use crate::attacks::fills;
use crate::board::Bitboard;

impl Lanes for u64 {
    type Proof = ();

    const COUNT: usize = 1;

    #[inline(always)]
    fn splat((): (), set: u64) -> u64 {
        set
    }

    #[inline(always)]
    fn load((): (), sets: &[u64]) -> u64 {
        sets[0]
    }

    #[inline(always)]
    fn store(self) -> [u64; LANES_MAX] {
        let mut sets = [0; LANES_MAX];
        sets[0] = self;
        sets
    }

    #[inline(always)]
    fn up(self, by: u32) -> u64 {
        self << by
    }

    #[inline(always)]
    fn down(self, by: u32) -> u64 {
        self >> by
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn where_empty(self) -> u64 {
        if self == 0 { !0 } else { 0 }
    }

    #[inline(always)]
    fn first(self) -> u64 {
        Bitboard(self).first_bit().0
    }

    #[inline(always)]
    fn last_by_rank(self) -> u64 {
        self.swap_bytes().first().swap_bytes()
    }

    #[inline(always)]
    fn last_on_rank(self) -> u64 {
        self.reverse_bits().first().reverse_bits()
    }

    #[inline(always)]
    fn see_east(self, occupied: u64) -> u64 {
        fills::fill_east(Bitboard(self), !Bitboard(occupied)).0
    }

    #[inline(always)]
    fn counts(self) -> u64 {
        self.count_ones().into()
    }

    #[inline(always)]
    fn plus(self, counts: u64) -> u64 {
        self + counts
    }

    #[inline(always)]
    fn total(self, lanes: usize) -> u32 {
        if lanes == 0 { 0 } else { self as u32 }
    }
}
