//! `Rows`: the board of a FEN while it is read in the order of its letters, and the sets it comes to.
//! Made for millions of lines: one store a letter and no branch, as no processor can foresee what the
//! next letter is. Whether a rank is too long is found out once, at the end.

use super::{Pieces, code};
use crate::board::{Bitboard, Piece};

/// What one letter does to the board.
///
/// The low byte goes into the next slot, the high one says how many slots to go on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step(u16);

/// Eight squares, the slash behind them, and seven slots that stay empty.
const ROW_SLOTS: usize = 16;
const UNUSED_SLOTS: u16 = ROW_SLOTS as u16 - 8;
const SLOTS: usize = 8 * ROW_SLOTS;
const SLASH: u8 = 0x80;
const SPOILT: u8 = 0x40;
const WIDTH_SHIFT: u32 = 8;

impl Step {
    /// Not a letter of a board: it spoils the board.
    pub(crate) const WRONG: Step = Step(SPOILT as u16 | 1 << WIDTH_SHIFT);

    /// The end of a rank.
    pub(crate) const RANK_END: Step = Step(SLASH as u16 | UNUSED_SLOTS << WIDTH_SHIFT);

    /// Some empty squares.
    pub(crate) const fn empty(squares: u8) -> Step {
        Step((squares as u16) << WIDTH_SHIFT)
    }

    /// A piece.
    pub(crate) const fn piece(piece: Piece) -> Step {
        Step(code(piece) as u16 | 1 << WIDTH_SHIFT)
    }
}

/// A board that is being read.
pub(crate) struct Rows {
    /// From a8 on, [`ROW_SLOTS`] a rank.
    slots: [u8; SLOTS],
    passed: usize,
}

impl Rows {
    #[inline(always)]
    pub(crate) fn new() -> Rows {
        Rows {
            slots: [0; SLOTS],
            passed: 0,
        }
    }

    /// Takes the next letter.
    #[inline(always)]
    pub(crate) fn take(&mut self, step: Step) {
        // What goes beyond the board overwrites its beginning, but the board is too long then.
        self.slots[self.passed % SLOTS] = step.0 as u8;
        self.passed += usize::from(step.0 >> WIDTH_SHIFT);
    }

    /// The board without castling rights and e.p. square, if each of eight ranks has eight squares.
    #[inline(always)]
    pub(crate) fn pieces(&self) -> Option<Pieces> {
        let words = self.slots.as_chunks::<8>().0;
        let mut rows = [0; 8];
        let mut wrong = 0;
        for (rank, row) in rows.iter_mut().enumerate() {
            let at = 2 * (7 - rank);
            let end = if rank == 0 { 0 } else { u64::from(SLASH) };
            *row = u64::from_le_bytes(words[at]);
            // A slash stands behind eight squares, and nowhere else.
            wrong |= u64::from_le_bytes(words[at + 1]) ^ end;
            wrong |= *row & u64::from_le_bytes([SLASH | SPOILT; 8]);
        }
        let whole = wrong == 0 && self.passed == SLOTS - usize::from(UNUSED_SLOTS);
        whole.then(|| pieces(planes(rows)))
    }
}

/// The sets of a board, given the planes of its codes: three as in [`super::PackedPosition`], and the
/// pieces of White.
#[inline(always)]
pub(super) fn pieces([low, mid, high, white]: [u64; 4]) -> Pieces {
    let (low, mid, high, white) = (
        Bitboard(low),
        Bitboard(mid),
        Bitboard(high),
        Bitboard(white),
    );
    let split = |set: Bitboard| [set & white, set & !white];
    Pieces {
        pawns: split(low & !mid & !high),
        knights: split(low & mid & !high),
        diagonal: split(mid & !low),
        orthogonal: split(high & !(low & mid)),
        kings: split(low & mid & high),
        castling_rooks: Bitboard::EMPTY,
        ep: Bitboard::EMPTY,
    }
}

/// The four planes of a board, given its ranks from the first on, a byte a square with the code in its
/// low half.
///
/// A word of two ranks is a matrix of 8 by 8 bits, and turning it over gives the planes of both.
#[inline(always)]
pub(super) fn planes(rows: [u64; 8]) -> [u64; 4] {
    let mut words = [0; 4];
    for (rank, word) in words.iter_mut().enumerate() {
        *word = turned(rows[rank] | rows[rank + 4] << 4);
    }
    // Each half of a word now holds a byte of each plane; gather those of one plane.
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

/// A matrix of 8 by 8 bits, turned over: bit `i` of byte `j` becomes bit `j` of byte `i` (Warren,
/// Hacker's Delight, 7-3).
#[inline(always)]
fn turned(mut word: u64) -> u64 {
    for (shift, mask) in [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ] {
        let change = (word ^ word >> shift) & mask;
        word ^= change ^ change << shift;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_hold_each_bit_of_each_square() {
        for square in 0..64 {
            for bit in 0..4 {
                let mut rows = [0; 8];
                rows[square / 8] = 1 << (8 * (square % 8) + bit);
                let mut expected = [0; 4];
                expected[bit] = 1 << square;
                assert_eq!(planes(rows), expected, "square {square}, bit {bit}");
            }
        }
    }
}
