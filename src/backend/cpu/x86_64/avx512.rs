//! Eight boards in a vector of AVX-512.

use std::arch::x86_64::*;

use super::Bmi2;
use super::lockstep::{Vectors, bitwise};
use crate::board::Side;
use crate::movegen::lanes::{LANES_MAX, Lanes, Siblings, count_replies};
use crate::position::Pieces;

/// Proof that the processor has AVX-512, and what [`Bmi2`] needs.
#[derive(Copy, Clone)]
pub(super) struct Avx512 {
    scalar: Bmi2,
}

impl Avx512 {
    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && Bmi2::is_available()
    }

    pub(super) fn new() -> Option<Avx512> {
        let scalar = Bmi2::new()?;
        Avx512::is_available().then_some(Avx512 { scalar })
    }
}

impl Vectors for Avx512 {
    #[inline(always)]
    fn scalar(self) -> Bmi2 {
        self.scalar
    }

    #[inline(always)]
    fn count_siblings<Us: Side, const CASTLING: bool>(
        self,
        parent: &Pieces,
        siblings: &Siblings,
    ) -> u32 {
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { count_siblings::<Us, CASTLING>(self, parent, siblings) }
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
#[inline(never)]
fn count_siblings<Us: Side, const CASTLING: bool>(
    proof: Avx512,
    parent: &Pieces,
    siblings: &Siblings,
) -> u32 {
    count_replies::<Eight, Us, CASTLING>(proof, parent, siblings)
}

/// A set of squares of each of eight boards. In all functions below a value of this type, or an [`Avx512`],
/// is the proof that the processor has AVX-512.
#[derive(Copy, Clone)]
struct Eight(__m512i);

bitwise!(Eight: _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512, _mm512_set1_epi64);

impl Lanes for Eight {
    type Proof = Avx512;

    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, set: u64) -> Eight {
        // SAFETY: there is an `Avx512`.
        Eight(unsafe { _mm512_set1_epi64(set as i64) })
    }

    #[inline(always)]
    fn load(_: Avx512, sets: &[u64]) -> Eight {
        let sets = sets.first_chunk::<8>().expect("eight sets");
        // SAFETY: there is an `Avx512`, and there are eight sets to read.
        Eight(unsafe { _mm512_loadu_si512(sets.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self) -> [u64; LANES_MAX] {
        let mut sets = [0; LANES_MAX];
        // SAFETY: there is an `Eight`, and room for eight sets.
        unsafe { _mm512_storeu_si512(sets.as_mut_ptr().cast(), self.0) }
        sets
    }

    #[inline(always)]
    fn up(self, by: u32) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe { _mm512_sllv_epi64(self.0, _mm512_set1_epi64(by.into())) })
    }

    #[inline(always)]
    fn down(self, by: u32) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe { _mm512_srlv_epi64(self.0, _mm512_set1_epi64(by.into())) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: there is an `Eight`.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn where_empty(self) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe { _mm512_movm_epi64(_mm512_testn_epi64_mask(self.0, self.0)) })
    }

    #[inline(always)]
    fn first(self) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe { _mm512_and_si512(self.0, _mm512_sub_epi64(_mm512_setzero_si512(), self.0)) })
    }

    #[inline(always)]
    fn last_by_rank(self) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe {
            // A shift by 64, of an empty lane, leaves nothing.
            _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(self.0))
        })
    }

    #[inline(always)]
    fn last_on_rank(self) -> Eight {
        self.last_by_rank()
    }

    #[inline(always)]
    fn see_east(self, occupied: Eight) -> Eight {
        // Less twice a rook, a rank borrows from its next piece: what changes is what the rook sees.
        // SAFETY: there is an `Eight`.
        Eight(unsafe {
            let doubled = _mm512_add_epi8(self.0, self.0);
            _mm512_xor_si512(occupied.0, _mm512_sub_epi8(occupied.0, doubled))
        })
    }

    /// Lane by lane.
    #[inline(always)]
    fn counts(self) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe { _mm512_popcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn plus(self, counts: Eight) -> Eight {
        // SAFETY: there is an `Eight`.
        Eight(unsafe { _mm512_add_epi64(self.0, counts.0) })
    }

    #[inline(always)]
    fn total(self, lanes: usize) -> u32 {
        let counted = ((1_u32 << lanes) - 1) as __mmask8;
        // SAFETY: there is an `Eight`.
        unsafe { _mm512_mask_reduce_add_epi64(counted, self.0) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::InLockstep;
    use super::*;
    use crate::backend::cpu::check;

    fn processor() -> Avx512 {
        Avx512::new().expect("a processor with AVX-512")
    }

    #[test]
    #[cfg_attr(not(has_avx512), ignore = "this processor lacks AVX-512")]
    fn avx512_sets_behave_like_plain_ones() {
        assert_eq!(check::unlike_plain_sets::<Eight>(processor()), None);
    }

    #[test]
    #[cfg_attr(not(has_avx512), ignore = "this processor lacks AVX-512")]
    fn avx512_counts_every_number_of_siblings() {
        let counter = InLockstep(processor());
        assert_eq!(check::first_wrong_siblings(counter, 8), None);
    }

    #[test]
    #[cfg_attr(not(has_avx512), ignore = "this processor lacks AVX-512")]
    fn avx512_counts_like_the_plain_perft() {
        assert_eq!(check::first_wrong_count(InLockstep(processor())), None);
    }
}
