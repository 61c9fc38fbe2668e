//! Sets of squares in 64 bits: set operators, shifts by direction, iteration, an 8x8 picture.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{File, Rank, Square};

/// A set of squares: bit 0 is a1, bit 7 is h1, bit 63 is h8.
///
/// ```
/// use hyperft::board::{Bitboard, Square};
///
/// let e4: Square = "e4".parse().unwrap();
/// let around = e4.bit() | e4.bit().north() | e4.bit().east();
/// assert_eq!(around.count(), 3);
/// assert_eq!(around.iter().map(|sq| sq.to_string()).collect::<Vec<_>>(), ["e4", "f4", "e5"]);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The a-file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The h-file.
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// The first rank.
    pub const RANK_1: Bitboard = Bitboard(0xff);
    /// The eighth rank.
    pub const RANK_8: Bitboard = Bitboard(0xff << 56);
    /// a1, c1, ..., b2, ...: the dark squares.
    pub const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

    /// All squares of one file.
    pub const fn of_file(file: File) -> Bitboard {
        Bitboard(Self::FILE_A.0 << file.index())
    }

    /// All squares of one rank.
    pub const fn of_rank(rank: Rank) -> Bitboard {
        Bitboard(Self::RANK_1.0 << (8 * rank.index()))
    }

    /// True if no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if at least one square is in the set.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// True if two squares or more are in the set.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// True if `square` is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The square with the lowest index; a1 for the empty set, so ask only when not empty.
    #[inline(always)]
    pub const fn first(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros())
    }

    /// The set that holds only the lowest square, empty for the empty set.
    #[inline(always)]
    pub const fn first_bit(self) -> Bitboard {
        Bitboard(self.0 & self.0.wrapping_neg())
    }

    /// The set without its lowest square.
    #[inline(always)]
    pub const fn without_first(self) -> Bitboard {
        Bitboard(self.0 & self.0.wrapping_sub(1))
    }

    /// The single square of a one-square set, `None` otherwise.
    pub fn single(self) -> Option<Square> {
        (self.any() && !self.more_than_one()).then(|| self.first())
    }

    /// Mirrored between White's and Black's side: rank 1 becomes rank 8.
    #[inline(always)]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// One step towards rank 8.
    #[inline(always)]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// One step towards rank 1.
    #[inline(always)]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// One step towards the h-file; squares on it drop off.
    #[inline(always)]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_H.0) << 1)
    }

    /// One step towards the a-file; squares on it drop off.
    #[inline(always)]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_A.0) >> 1)
    }

    /// The squares of the set, lowest index first.
    #[inline(always)]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a [`Bitboard`], lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    /// The board as a diagram, rank 8 on top, `x` for a square in the set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for rank in Rank::all().rev() {
            for file in File::all() {
                f.write_str(if self.contains(Square::at(file, rank)) {
                    "x "
                } else {
                    ". "
                })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_never_wrap_around_the_edge() {
        for square in Square::all() {
            let bit = square.bit();
            assert_eq!(
                bit.east().is_empty(),
                square.file().index() == 7,
                "{square}"
            );
            assert_eq!(
                bit.west().is_empty(),
                square.file().index() == 0,
                "{square}"
            );
            assert_eq!(
                bit.north().is_empty(),
                square.rank().index() == 7,
                "{square}"
            );
            assert_eq!(
                bit.south().is_empty(),
                square.rank().index() == 0,
                "{square}"
            );
        }
    }

    #[test]
    fn dark_squares_agree_with_the_set() {
        let dark: Bitboard = Square::all().filter(|square| square.is_dark()).collect();
        assert_eq!(dark, Bitboard::DARK);
    }

    #[test]
    fn iteration_gives_back_the_set() {
        for set in [
            0,
            1,
            1 << 63,
            0x8000_0000_0000_0001,
            0x00ff_0081_1818_00ff,
            !0,
        ] {
            let set = Bitboard(set);
            assert_eq!(set.iter().collect::<Bitboard>(), set);
            assert_eq!(set.iter().count() as u32, set.count());
        }
    }
}
