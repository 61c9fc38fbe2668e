//! The board of a FEN, read two letters at a time. Made for millions of lines: a rank is always four
//! lookups, with no branch on what its letters are, as no processor can foresee that.

use crate::board::{Color, Piece, Role};
use crate::position::{RankPlanes, on_a_file};

/// What some letters come to: in the high half the pieces, from the a-file on, in the low half the number
/// of squares.
type Squares = u64;

/// ASCII.
const LETTER_BITS: u32 = 7;

const SLASH: u8 = b'/';

/// What one letter comes to, by its difference from a slash, which stands for no letter: none is inside a
/// rank.
const LETTERS: [Squares; 1 << LETTER_BITS] = {
    // Too many squares for a rank.
    let mut letters = [64; 1 << LETTER_BITS];
    letters[0] = 0;
    let mut empty = 1;
    while empty <= 8 {
        letters[((b'0' + empty) ^ SLASH) as usize] = empty as Squares;
        empty += 1;
    }
    let names = *b"pnbrqk";
    let mut index = 0;
    while index < names.len() {
        let role = Role::ALL[index];
        let (lower, upper) = (names[index], names[index].to_ascii_uppercase());
        letters[(lower ^ SLASH) as usize] = one(Color::Black, role);
        letters[(upper ^ SLASH) as usize] = one(Color::White, role);
        index += 1;
    }
    letters
};

const fn one(color: Color, role: Role) -> Squares {
    (on_a_file(Piece { color, role }) as Squares) << RankPlanes::BITS | 1
}

/// What two letters come to, the second one in the high bits of the index.
static PAIRS: [Squares; 1 << (2 * LETTER_BITS)] = {
    let mut pairs = [0; 1 << (2 * LETTER_BITS)];
    let mut index = 0;
    while index < pairs.len() {
        let first = LETTERS[index % LETTERS.len()];
        let second = LETTERS[index / LETTERS.len()];
        let (pieces, squares) = (second >> RankPlanes::BITS, second as RankPlanes as Squares);
        // What comes too late to be on the rank is not put on it.
        let late = first as RankPlanes >= 8;
        let behind = if late {
            0
        } else {
            pieces << first as RankPlanes
        };
        pairs[index] = (first + squares) | (behind << RankPlanes::BITS);
        index += 1;
    }
    pairs
};

/// The ranks of a board, the first one first, and where the board ends; a blank must stand there.
///
/// `None` if it is not eight ranks of eight squares each.
#[inline(always)]
pub(super) fn read_ranks(text: &[u8]) -> Option<([RankPlanes; 8], usize)> {
    let mut reader = Reader {
        rest: text,
        seen: 0,
        wrong: 0,
    };
    let mut ranks = [0; 8];
    for rank in ranks[1..].iter_mut().rev() {
        *rank = reader.rank(SLASH)?;
    }
    ranks[0] = reader.rank(b' ')?;
    let ascii = reader.seen & splat(0x80) == 0;
    let length = text.len() - reader.rest.len() - 1;
    (ascii && reader.wrong == 0).then_some((ranks, length))
}

/// Reads ranks, and remembers what is wrong with them.
struct Reader<'a> {
    rest: &'a [u8],
    /// All letters, less a slash, laid over each other in eight columns.
    seen: u64,
    /// Not 0 if a rank did not have eight squares, or not the right letter behind it.
    wrong: u64,
}

impl Reader<'_> {
    /// The next rank; this letter must follow, and is read over.
    #[inline(always)]
    fn rank(&mut self, end_letter: u8) -> Option<RankPlanes> {
        let ahead = ahead(self.rest);
        let [first_eight @ .., _] = ahead;
        let word = u64::from_le_bytes(first_eight);
        let from_slash = word ^ splat(SLASH);
        let end = first_zero(word ^ splat(end_letter));
        // Up to the end, which may be behind all eight.
        let before_end = (end >> 7).wrapping_sub(1);
        let letters = from_slash & before_end;
        if end_letter != SLASH {
            self.wrong |= first_zero(from_slash) & before_end;
        }
        let length = (end.trailing_zeros() / 8) as usize;
        self.rest = self.rest.get(length + 1..)?;
        let [first, second, third, fourth] = pairs(letters);
        let mut squares = first;
        let mut all = first;
        for pair in [second, third, fourth] {
            // The number of squares is below what is asked for of the result.
            all |= pair.wrapping_shl(squares as u32);
            squares = squares.wrapping_add(pair);
        }
        self.seen |= letters;
        self.wrong |= u64::from(ahead[length] ^ end_letter) | (squares as u16 ^ 8) as u64;
        Some((all >> RankPlanes::BITS) as RankPlanes)
    }
}

/// The first nine letters; what is missing is 0.
#[inline(always)]
fn ahead(text: &[u8]) -> [u8; 9] {
    match text.first_chunk() {
        Some(letters) => *letters,
        None => few_letters(text),
    }
}

#[cold]
fn few_letters(text: &[u8]) -> [u8; 9] {
    let mut letters = [0; 9];
    letters[..text.len()].copy_from_slice(text);
    letters
}

/// Eight times the same letter.
const fn splat(letter: u8) -> u64 {
    u64::from_le_bytes([letter; 8])
}

/// The highest bit of the first byte that is 0; 0 if there is none.
#[inline(always)]
fn first_zero(bytes: u64) -> u64 {
    // Bytes behind the first may be marked for nothing.
    let marked = bytes.wrapping_sub(splat(1)) & !bytes & splat(0x80);
    marked & marked.wrapping_neg()
}

/// What each two of eight letters come to.
#[inline(always)]
fn pairs(letters: u64) -> [Squares; 4] {
    let first = letters & 0x007f_007f_007f_007f;
    let second = letters & 0x7f00_7f00_7f00_7f00;
    let indices = first | second >> 1;
    std::array::from_fn(|pair| PAIRS[(indices >> (16 * pair)) as usize % PAIRS.len()])
}
