//! `Squares`: what stands on each square, a byte each. The form in which a board is read; sets of
//! squares are made of it in one go.

use super::{Pieces, zobrist};
use crate::board::{Bitboard, Color, Piece, Role, Square};

/// The pieces of a board, one square after the other; nothing is judged yet.
///
/// A byte holds 0 for an empty square, or the kind of piece in three bits, as in
/// [`super::PackedPosition`], and a fourth bit if it is White's.
///
/// ```
/// use hyperft::{board::{Color, Piece, Role, Square}, position::Squares};
///
/// let (mut squares, e4) = (Squares::EMPTY, "e4".parse::<Square>().unwrap());
/// let pawn = Piece { color: Color::White, role: Role::Pawn };
/// squares.put(e4, Some(pawn));
/// assert_eq!(squares.on(e4), Some(pawn));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squares {
    codes: [u8; 64],
    /// What the pieces contribute to the Zobrist key: summed up while they are put down, as a board
    /// is read piece by piece anyway.
    key: u64,
}

const WHITE: u8 = 8;

/// The codes of the kinds of pieces, by [`Role::ALL`].
const CODES: [u8; 6] = [1, 3, 2, 4, 6, 7];

/// The byte for a piece.
pub(crate) const fn code(piece: Piece) -> u8 {
    CODES[piece.role as usize]
        | match piece.color {
            Color::White => WHITE,
            Color::Black => 0,
        }
}

impl Squares {
    /// No piece.
    pub const EMPTY: Squares = Squares {
        codes: [0; 64],
        key: 0,
    };

    /// Puts a code, made by [`code`] or 0, on an empty square, of which the six lowest bits count.
    #[inline(always)]
    pub(crate) fn put_code(&mut self, square: usize, code: u8) {
        self.codes[square & 63] = code;
        self.key ^= zobrist::piece_key(code, square);
    }

    /// What stands on a square.
    pub fn on(&self, square: Square) -> Option<Piece> {
        let byte = self.codes[square.index()];
        let color = match byte & WHITE {
            0 => Color::Black,
            _ => Color::White,
        };
        let role = CODES.iter().position(|&code| code == byte & !WHITE)?;
        let role = Role::ALL[role];
        Some(Piece { color, role })
    }

    /// Puts a piece on a square, or takes away what is there.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        let before = self.codes[square.index()];
        self.key ^= zobrist::piece_key(before, square.index());
        self.put_code(square.index(), piece.map_or(0, code));
    }

    /// What the pieces contribute to the Zobrist key.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// The pieces in sets, without rights and e.p. square.
    pub(super) fn pieces(&self) -> Pieces {
        let mut planes = [0; 4];
        for (rank, bytes) in self.codes.as_chunks::<8>().0.iter().enumerate() {
            let bytes = u64::from_le_bytes(*bytes);
            for (bit, plane) in planes.iter_mut().enumerate() {
                // The lowest bit of each byte, moved to the bits of the highest byte in order.
                let lowest = bytes >> bit & 0x0101_0101_0101_0101;
                let row = lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56;
                *plane |= row << (8 * rank);
            }
        }
        let [low, mid, high, white] = planes.map(Bitboard);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_each_piece_where_it_was_put() {
        for square in Square::all() {
            for color in Color::ALL {
                for role in Role::ALL {
                    let mut squares = Squares::EMPTY;
                    squares.put(square, Some(Piece { color, role }));
                    assert_eq!(squares.on(square), Some(Piece { color, role }));
                    let pieces = squares.pieces();
                    assert_eq!(pieces.piece_on(square), Some(Piece { color, role }));
                    assert_eq!(pieces.occupied(), square.bit());
                    assert_eq!(pieces.of_role(color, role), square.bit());
                    squares.put(square, None);
                    assert_eq!((&squares, squares.on(square)), (&Squares::EMPTY, None));
                }
            }
        }
    }
}
