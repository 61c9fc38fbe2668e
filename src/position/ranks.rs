//! A board as eight ranks with the bits of its codes side by side, and the sets it comes to. A rank is put
//! together by shifting and merging alone.

use super::{Pieces, code};
use crate::board::Piece;

/// A rank: byte `k` is bit `k` of the codes of its squares, the a-file lowest.
pub(crate) type RankPlanes = u32;

/// A rank with nothing but this piece, on the a-file. Shifted by a number of files it stands there.
pub(crate) const fn on_a_file(piece: Piece) -> RankPlanes {
    let code = code(piece) as u32;
    code & 1 | (code & 2) << 7 | (code & 4) << 14 | (code & 8) << 21
}

/// The sets of a board without castling rights and e.p. square, given its ranks from the first on.
#[inline(always)]
pub(crate) fn pieces_of_ranks(ranks: [RankPlanes; 8]) -> Pieces {
    let [low, mid, high, white] = planes(ranks);
    Pieces::of_planes([low, mid, high], white)
}

/// The four planes of a board: byte `r` of plane `k` is byte `k` of rank `r`.
#[inline(always)]
fn planes(ranks: [RankPlanes; 8]) -> [u64; 4] {
    let mut words = [0; 4];
    for (rank, word) in words.iter_mut().enumerate() {
        *word = u64::from(ranks[rank]) | u64::from(ranks[rank + 4]) << 32;
    }
    // Each half is a matrix of four by four bytes, and is turned over.
    for (left, right) in [(0, 1), (2, 3)] {
        swap(&mut words, left, right, 8, 0x00ff_00ff_00ff_00ff);
    }
    for (left, right) in [(0, 2), (1, 3)] {
        swap(&mut words, left, right, 16, 0x0000_ffff_0000_ffff);
    }
    words
}

/// Swaps what `mask` shows of the right word with what it shows of the left one, shifted down.
#[inline(always)]
fn swap(words: &mut [u64; 4], left: usize, right: usize, shift: u32, mask: u64) {
    let change = (words[left] >> shift ^ words[right]) & mask;
    words[right] ^= change;
    words[left] ^= change << shift;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_hold_each_bit_of_each_square() {
        for square in 0..64 {
            for bit in 0..4 {
                let mut ranks = [0; 8];
                ranks[square / 8] = 1 << (8 * bit + square % 8);
                let mut expected = [0; 4];
                expected[bit] = 1 << square;
                assert_eq!(planes(ranks), expected, "square {square}, bit {bit}");
            }
        }
    }
}
