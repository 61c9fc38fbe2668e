//! `Squares`: what stands on each square, a byte each. The form in which any board can be written down,
//! legal or not; sets of squares are made of it in one go.

use super::{Pieces, on_a_file, pieces_of_ranks};
use crate::board::{Color, Piece, Role, Square};

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
}

const WHITE: u8 = 8;

/// The codes of the kinds of pieces, by [`Role::ALL`].
const CODES: [u8; 6] = [1, 3, 2, 4, 6, 7];

/// The byte for a piece.
pub(super) const fn code(piece: Piece) -> u8 {
    CODES[piece.role as usize]
        | match piece.color {
            Color::White => WHITE,
            Color::Black => 0,
        }
}

impl Squares {
    /// No piece.
    pub const EMPTY: Squares = Squares { codes: [0; 64] };

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
        self.codes[square.index()] = piece.map_or(0, code);
    }

    /// The pieces in sets, without rights and e.p. square.
    pub(crate) fn pieces(&self) -> Pieces {
        let mut ranks = [0; 8];
        for square in Square::all() {
            if let Some(piece) = self.on(square) {
                ranks[square.rank().index()] |= on_a_file(piece) << square.file().index();
            }
        }
        pieces_of_ranks(ranks)
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
