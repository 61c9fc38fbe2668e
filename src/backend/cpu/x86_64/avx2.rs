//! Four boards in a vector of AVX2.

use std::arch::x86_64::*;

use super::Bmi2;
use super::lockstep::{Vectors, bitwise};
use crate::board::Side;
use crate::movegen::lanes::{LANES_MAX, Lanes, Siblings, count_replies};
use crate::position::Pieces;

/// Proof that the processor has AVX2, and what [`Bmi2`] needs.
#[derive(Copy, Clone)]
pub(super) struct Avx2 {
    scalar: Bmi2,
}

impl Avx2 {
    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("avx2") && Bmi2::is_available()
    }

    pub(super) fn new() -> Option<Avx2> {
        let scalar = Bmi2::new()?;
        Avx2::is_available().then_some(Avx2 { scalar })
    }
}

impl Vectors for Avx2 {
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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn count_siblings<Us: Side, const CASTLING: bool>(
    proof: Avx2,
    parent: &Pieces,
    siblings: &Siblings,
) -> u32 {
    count_replies::<Four, Us, CASTLING>(proof, parent, siblings)
}

/// A set of squares of each of four boards. In all functions below a value of this type, or an [`Avx2`],
/// is the proof that the processor has AVX2.
#[derive(Copy, Clone)]
struct Four(__m256i);

bitwise!(Four: _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_set1_epi64x);

impl Lanes for Four {
    type Proof = Avx2;

    const COUNT: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, set: u64) -> Four {
        // SAFETY: there is an `Avx2`.
        Four(unsafe { _mm256_set1_epi64x(set as i64) })
    }

    #[inline(always)]
    fn load(_: Avx2, sets: &[u64]) -> Four {
        let sets = sets.first_chunk::<4>().expect("four sets");
        // SAFETY: there is an `Avx2`, and there are four sets to read.
        Four(unsafe { _mm256_loadu_si256(sets.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self) -> [u64; LANES_MAX] {
        let mut sets = [0; LANES_MAX];
        // SAFETY: there is a `Four`, and room for four sets.
        unsafe { _mm256_storeu_si256(sets.as_mut_ptr().cast(), self.0) }
        sets
    }

    #[inline(always)]
    fn up(self, by: u32) -> Four {
        // SAFETY: there is a `Four`.
        Four(unsafe { _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(by.into())) })
    }

    #[inline(always)]
    fn down(self, by: u32) -> Four {
        // SAFETY: there is a `Four`.
        Four(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(by.into())) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: there is a `Four`.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn where_empty(self) -> Four {
        // SAFETY: there is a `Four`.
        Four(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) })
    }

    #[inline(always)]
    fn first(self) -> Four {
        // SAFETY: there is a `Four`.
        Four(unsafe { _mm256_and_si256(self.0, _mm256_sub_epi64(_mm256_setzero_si256(), self.0)) })
    }

    #[inline(always)]
    fn last_by_rank(self) -> Four {
        // SAFETY: there is a `Four`.
        unsafe {
            let flip = _mm256_set_epi64x(
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
            );
            let flipped = Four(_mm256_shuffle_epi8(self.0, flip));
            Four(_mm256_shuffle_epi8(flipped.first().0, flip))
        }
    }

    #[inline(always)]
    fn last_on_rank(self) -> Four {
        let below = self | self.down(1);
        let below = below | below.down(2);
        let below = below | below.down(4);
        below.without(below.down(1))
    }

    #[inline(always)]
    fn see_east(self, occupied: Four) -> Four {
        // Less twice a rook, a rank borrows from its next piece: what changes is what the rook sees.
        // SAFETY: there is a `Four`.
        Four(unsafe {
            let doubled = _mm256_add_epi8(self.0, self.0);
            _mm256_xor_si256(occupied.0, _mm256_sub_epi8(occupied.0, doubled))
        })
    }

    /// Byte by byte.
    #[inline(always)]
    fn counts(self) -> Four {
        // SAFETY: there is a `Four`.
        Four(unsafe {
            let of_nibble = _mm256_set_epi64x(
                0x0403_0302_0302_0201,
                0x0302_0201_0201_0100,
                0x0403_0302_0302_0201,
                0x0302_0201_0201_0100,
            );
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_and_si256(self.0, nibble);
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble);
            _mm256_add_epi8(
                _mm256_shuffle_epi8(of_nibble, low),
                _mm256_shuffle_epi8(of_nibble, high),
            )
        })
    }

    #[inline(always)]
    fn plus(self, counts: Four) -> Four {
        // SAFETY: there is a `Four`.
        Four(unsafe { _mm256_add_epi8(self.0, counts.0) })
    }

    #[inline(always)]
    fn total(self, lanes: usize) -> u32 {
        // SAFETY: there is a `Four`.
        let sums = Four(unsafe { _mm256_sad_epu8(self.0, _mm256_setzero_si256()) });
        sums.store()[..lanes].iter().sum::<u64>() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::InLockstep;
    use super::*;
    use crate::backend::cpu::check;

    fn processor() -> Avx2 {
        Avx2::new().expect("a processor with AVX2")
    }

    #[test]
    #[cfg_attr(not(has_avx2), ignore = "this processor lacks AVX2")]
    fn avx2_sets_behave_like_plain_ones() {
        assert_eq!(check::unlike_plain_sets::<Four>(processor()), None);
    }

    #[test]
    #[cfg_attr(not(has_avx2), ignore = "this processor lacks AVX2")]
    fn avx2_counts_every_number_of_siblings() {
        let counter = InLockstep(processor());
        assert_eq!(check::first_wrong_siblings(counter, 4), None);
    }

    #[test]
    #[cfg_attr(not(has_avx2), ignore = "this processor lacks AVX2")]
    fn avx2_counts_like_the_plain_perft() {
        assert_eq!(check::first_wrong_count(InLockstep(processor())), None);
    }
}
