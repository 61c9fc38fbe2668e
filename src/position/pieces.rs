//! `Pieces`: everything legal moves depend on except whose turn it is. The working form of move
//! generation; its compact form is `packed.rs`.

use crate::attacks::{self, Quintessence, Sliders};
use crate::board::{Bitboard, Color, Piece, Role, Side, Square};

/// Where the pieces of both sides stand, which rooks may still castle, and the e.p. square.
///
/// Each field with two sets is indexed by colour, White first. A queen stands in both slider sets,
/// so that "attacks along diagonals" is one set. There is no halfmove clock here: perft ignores it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// Pawns.
    pub pawns: [Bitboard; 2],
    /// Knights.
    pub knights: [Bitboard; 2],
    /// Bishops and queens.
    pub diagonal: [Bitboard; 2],
    /// Rooks and queens.
    pub orthogonal: [Bitboard; 2],
    /// Kings: exactly one square each.
    pub kings: [Bitboard; 2],
    /// The castling rights: rooks that may still castle, at most one on each side of each king.
    /// Rights are only ever lost: when the rook moves or is captured (`castling_rooks & !(from |
    /// to)`) and when the king moves (all rooks of its back rank).
    pub castling_rooks: Bitboard,
    /// The square behind a pawn that has just moved two squares, or empty. Inside the move
    /// generator it is kept if an enemy pawn stands beside that pawn (`PseudoLegal`); in a
    /// [`super::Position`] only if some e.p. capture is legal (`Legal`).
    pub ep: Bitboard,
}

impl Pieces {
    /// True if promotion cannot explain what a side has.
    #[inline(always)]
    pub(crate) fn has_too_much_material(&self, color: Color) -> bool {
        let side = color as usize;
        let (diagonal, orthogonal) = (self.diagonal[side], self.orthogonal[side]);
        let bishops = diagonal & !orthogonal;
        // Hardly any board has a promoted piece: then the pawns alone could be too many.
        let promoted = (diagonal & orthogonal).without_first()
            | (bishops & Bitboard::DARK).without_first()
            | (bishops & !Bitboard::DARK).without_first()
            | (orthogonal & !diagonal).without_first().without_first()
            | self.knights[side].without_first().without_first();
        let pawns = self.pawns[side].count();
        pawns > 8 || promoted.any() && pawns + self.promoted(color) > 8
    }

    /// The least number of promotions that explains what a side has.
    fn promoted(&self, color: Color) -> u32 {
        let count = |role| self.of_role(color, role).count();
        let bishops = self.of_role(color, Role::Bishop);
        let (dark, light) = (bishops & Bitboard::DARK, bishops & !Bitboard::DARK);
        count(Role::Queen).saturating_sub(1)
            + count(Role::Rook).saturating_sub(2)
            + count(Role::Knight).saturating_sub(2)
            + dark.count().saturating_sub(1)
            + light.count().saturating_sub(1)
    }

    /// All pieces of one colour.
    #[inline(always)]
    pub fn of(&self, color: Color) -> Bitboard {
        let side = color as usize;
        self.pawns[side]
            | self.knights[side]
            | self.diagonal[side]
            | self.orthogonal[side]
            | self.kings[side]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.of(Color::White) | self.of(Color::Black)
    }

    /// Where this side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color as usize].first()
    }

    /// All pieces of one kind and colour.
    pub fn of_role(&self, color: Color, role: Role) -> Bitboard {
        let side = color as usize;
        match role {
            Role::Pawn => self.pawns[side],
            Role::Knight => self.knights[side],
            Role::Bishop => self.diagonal[side] & !self.orthogonal[side],
            Role::Rook => self.orthogonal[side] & !self.diagonal[side],
            Role::Queen => self.orthogonal[side] & self.diagonal[side],
            Role::King => self.kings[side],
        }
    }

    /// The letter of what stands on each square, as in a FEN; 0 where nothing does.
    pub fn letters(&self) -> [u8; 64] {
        let mut letters = [0; 64];
        for color in Color::ALL {
            for role in Role::ALL {
                let letter = Piece { color, role }.letter() as u8;
                for square in self.of_role(color, role) {
                    letters[square.index()] = letter;
                }
            }
        }
        letters
    }

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Color::ALL.into_iter().find_map(|color| {
            Role::ALL
                .into_iter()
                .find(|&role| self.of_role(color, role).contains(square))
                .map(|role| Piece { color, role })
        })
    }

    /// Adds (or, where it stands, takes away) a piece of this kind on each square of `squares`.
    #[inline(always)]
    pub(super) fn toggle(&mut self, color: Color, role: Role, squares: Bitboard) {
        let side = color as usize;
        match role {
            Role::Pawn => self.pawns[side] ^= squares,
            Role::Knight => self.knights[side] ^= squares,
            Role::Bishop => self.diagonal[side] ^= squares,
            Role::Rook => self.orthogonal[side] ^= squares,
            Role::Queen => {
                self.diagonal[side] ^= squares;
                self.orthogonal[side] ^= squares;
            }
            Role::King => self.kings[side] ^= squares,
        }
    }

    /// Pieces of `color` that attack `square` when the board is occupied as given.
    #[inline(always)]
    pub fn attackers(
        &self,
        sliders: impl Sliders,
        color: Color,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let side = color as usize;
        (attacks::pawn_attacks(!color, square) & self.pawns[side])
            | (attacks::knight_attacks(square) & self.knights[side])
            | (attacks::king_attacks(square) & self.kings[side])
            | (sliders.rook(square, occupied) & self.orthogonal[side])
            | (sliders.bishop(square, occupied) & self.diagonal[side])
    }

    /// Pieces of `color` that attack `square`: [`Pieces::attackers`] on the board as it is, without
    /// touching the large tables of the sliders.
    #[inline(always)]
    pub(super) fn attackers_now(&self, color: Color, square: Square) -> Bitboard {
        self.attackers(Quintessence, color, square, self.occupied())
    }

    /// Pawns of `Us` that may legally capture onto the e.p. square.
    ///
    /// The capture takes two pawns off the board at once, so neither is pinned alone when a rook
    /// looks along their rank. This asks the question itself: is the king attacked once both have
    /// gone and the capturer stands on the e.p. square? Rank, file and diagonal discoveries, checks
    /// by the pushed pawn (gone) and checks by another piece (blocked or not) are all one case.
    #[inline(always)]
    pub fn ep_capturers<Us: Side>(&self, sliders: impl Sliders) -> Bitboard {
        let them = Us::Them::COLOR as usize;
        let captured = Us::backward(self.ep);
        let king = self.king(Us::COLOR);
        let mut legal = Bitboard::EMPTY;
        let mut candidates = (captured.east() | captured.west()) & self.pawns[Us::COLOR as usize];
        while candidates.any() {
            let from = candidates.first_bit();
            candidates ^= from;
            let occupied = (self.occupied() ^ from ^ captured) | self.ep;
            let attackers = (sliders.rook(king, occupied) & self.orthogonal[them])
                | (sliders.bishop(king, occupied) & self.diagonal[them])
                | (attacks::knight_attacks(king) & self.knights[them])
                | (attacks::pawn_attacks(Us::COLOR, king) & self.pawns[them] & !captured);
            if attackers.is_empty() {
                legal |= from;
            }
        }
        legal
    }
}
