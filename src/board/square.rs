//! One square, its file and its rank. Not sets of squares: those are `bitboard.rs`.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// A column of the board, `a` to `h`, held as 0 to 7.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

/// A row of the board, 1 to 8, held as 0 to 7.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// One of the 64 squares: a1 = 0, b1 = 1, ..., h8 = 63.
///
/// ```
/// use hyperft::board::Square;
///
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square.index(), 28);
/// assert_eq!(square.flip_rank().to_string(), "e5");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl File {
    /// The file with this index, 0 for `a`; `None` above 7.
    pub const fn new(index: u8) -> Option<File> {
        if index < 8 { Some(File(index)) } else { None }
    }

    /// 0 for `a` to 7 for `h`.
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The file named by a letter of either case, `a` to `h`.
    pub fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            lower @ 'a'..='h' => Some(File(lower as u8 - b'a')),
            _ => None,
        }
    }

    /// The lower-case letter of this file.
    pub fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// All eight files from `a` to `h`.
    pub fn all() -> impl DoubleEndedIterator<Item = File> {
        (0..8).map(File)
    }
}

impl Rank {
    /// The rank with this index, 0 for rank 1; `None` above 7.
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 8 { Some(Rank(index)) } else { None }
    }

    /// 0 for rank 1 to 7 for rank 8.
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The rank as one side sees it: unchanged for White, counted from the top for Black.
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank(7 - self.0),
        }
    }

    /// All eight ranks from 1 to 8.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..8).map(Rank)
    }
}

impl Square {
    /// The name, as `Display` writes it: `e4`.
    pub fn name(self) -> [u8; 2] {
        [b'a' + (self.0 & 7), b'1' + (self.0 >> 3)]
    }

    /// The square with this index; `None` above 63.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square whose index is the low six bits of `index`.
    ///
    /// For code that has an index below 64 by construction, such as the position of a set bit.
    #[inline(always)]
    pub const fn from_low_bits(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The square where this file and this rank meet.
    pub const fn at(file: File, rank: Rank) -> Square {
        Square(rank.0 * 8 + file.0)
    }

    /// 0 for a1 to 63 for h8. The mask lets the compiler drop bounds checks on 64-entry tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set that holds this square alone.
    #[inline(always)]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// Its column.
    pub const fn file(self) -> File {
        File(self.0 & 7)
    }

    /// Its row.
    pub const fn rank(self) -> Rank {
        Rank((self.0 & 63) >> 3)
    }

    /// The square mirrored between White's and Black's side: e1 becomes e8.
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// True for a1, c1, b2 and the other dark squares.
    pub const fn is_dark(self) -> bool {
        (self.file().0 + self.rank().0) & 1 == 0
    }

    /// All 64 squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square: a lower-case letter `a` to `h` and a digit 1 to 8.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square, a1 to h8")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square((rank - b'1') * 8 + (file - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}
