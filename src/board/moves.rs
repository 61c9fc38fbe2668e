//! Moves, lists of them, and their UCI text.

use super::{CastlingMode, Role, Square, castling};

/// What a move does besides going from one square to another.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Any move, capture or not, that is none of the others.
    Normal,
    /// A pawn's double push: the only move that can set an e.p. square.
    DoublePush,
    /// A capture en passant.
    EnPassant,
    /// Castling. `to` is the square of the castling rook, in standard chess too.
    Castle,
    /// A pawn reaches the last rank, capturing or not, and becomes this.
    Promotion(Role),
}

/// A move in 16 bits. It is legal or not only together with a position.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Move(u16);

const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Move {
    /// A move; for [`MoveKind::Castle`] `to` is the rook's square.
    #[inline(always)]
    pub fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let code = match kind {
            MoveKind::Normal => 0,
            MoveKind::DoublePush => 1,
            MoveKind::EnPassant => 2,
            MoveKind::Castle => 3,
            MoveKind::Promotion(Role::Knight) => 4,
            MoveKind::Promotion(Role::Bishop) => 5,
            MoveKind::Promotion(Role::Rook) => 6,
            MoveKind::Promotion(_) => 7,
        };
        Move(from.index() as u16 | (to.index() as u16) << 6 | code << 12)
    }

    /// The move as a number: origin in bits 0 to 5, [`Move::to`] in 6 to 11, then its kind (0 to 3 as
    /// in [`MoveKind`], 4 to 7 promotion to knight, bishop, rook, queen).
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Where the moving piece (the king, when castling) stands.
    pub fn from(self) -> Square {
        Square::from_low_bits(u32::from(self.0))
    }

    /// Where it goes; when castling, where the rook stands.
    pub fn to(self) -> Square {
        Square::from_low_bits(u32::from(self.0) >> 6)
    }

    /// What else it does.
    pub fn kind(self) -> MoveKind {
        match self.0 >> 12 {
            0 => MoveKind::Normal,
            1 => MoveKind::DoublePush,
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castle,
            code => MoveKind::Promotion(PROMOTIONS[usize::from(code & 3)]),
        }
    }

    /// What a pawn becomes by this move, if it promotes.
    pub fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The square the moving piece stands on afterwards: unlike [`Move::to`], where the king lands.
    pub fn landing(self) -> Square {
        match self.kind() {
            MoveKind::Castle => castling::king_target(self.from(), self.to()),
            _ => self.to(),
        }
    }

    /// The square the rook stands on after castling; `None` for all other moves.
    pub fn rook_landing(self) -> Option<Square> {
        let castles = self.kind() == MoveKind::Castle;
        castles.then(|| castling::rook_target(self.from(), self.to()))
    }

    /// UCI text: `e2e4`, `a7a8q`; castling as `e1g1` in standard mode, `e1h1` in Chess960 mode.
    pub fn uci(self, mode: CastlingMode) -> String {
        let to = match mode {
            CastlingMode::Standard => self.landing(),
            CastlingMode::Chess960 => self.to(),
        };
        match self.promotion() {
            Some(role) => format!("{}{}{}", self.from(), to, role.letter()),
            None => format!("{}{}", self.from(), to),
        }
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.uci(CastlingMode::Chess960))
    }
}

/// No board with one king a side has more legal moves than this.
///
/// A move arrives on a square that holds none of our pieces. Along each of the eight directions at
/// most one of our pieces, the nearest, can arrive, and at most eight knights can jump there: 16
/// moves for each such square. On the last rank three of the directions may be promoting pawns
/// with four choices each: 9 more a square, 72 in all. Castling adds 2. So with `n` pieces there
/// are at most `16 * (64 - n) + 74` moves, and also at most 27 for each piece (a queen in the
/// middle; a pawn has 12). The smaller of the two is greatest at n = 26.
pub const MOVES_MAX: usize = {
    let (mut most, mut pieces) = (0, 1);
    while pieces < 64 {
        let by_target = 16 * (64 - pieces) + 74;
        let by_piece = 27 * pieces + 2;
        let bound = if by_target < by_piece {
            by_target
        } else {
            by_piece
        };
        if bound > most {
            most = bound;
        }
        pieces += 1;
    }
    most
};

const _: () = assert!(MOVES_MAX == 682);

/// The legal moves of one position: a fixed buffer that no accepted board can overflow.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MOVES_MAX],
    count: usize,
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList {
            moves: [Move(0); MOVES_MAX],
            count: 0,
        }
    }
}

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Adds a move.
    ///
    /// # Panics
    /// Beyond [`MOVES_MAX`] moves, which no board with one king a side has.
    #[inline(always)]
    pub fn push(&mut self, new: Move) {
        self.moves[self.count] = new;
        self.count += 1;
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

impl std::ops::DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.count]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_packing() {
        let mut kinds = vec![
            MoveKind::Normal,
            MoveKind::DoublePush,
            MoveKind::EnPassant,
            MoveKind::Castle,
        ];
        kinds.extend(PROMOTIONS.map(MoveKind::Promotion));
        for from in Square::all() {
            for to in Square::all() {
                for &kind in &kinds {
                    let packed = Move::new(from, to, kind);
                    assert_eq!(
                        (packed.from(), packed.to(), packed.kind()),
                        (from, to, kind)
                    );
                }
            }
        }
    }

    #[test]
    fn castling_text_depends_on_the_mode() {
        let square = |text: &str| text.parse().unwrap();
        let long = Move::new(square("e8"), square("a8"), MoveKind::Castle);
        assert_eq!(long.uci(CastlingMode::Standard), "e8c8");
        assert_eq!(long.uci(CastlingMode::Chess960), "e8a8");
    }
}
