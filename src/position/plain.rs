//! Positions that are as they should be, judged fast. What this accepts, [`super::Setup`] accepts
//! without a warning and makes the same position of; what this refuses may still be a position.

use super::setup::{CLAIMS, castling_rights, impossible_check, legal_ep, possible_ep};
use super::{Pieces, Position, SetupWarning};
use crate::attacks::Quintessence;
use crate::board::{Bitboard, CastlingMode, Color, Square};

/// What a FEN in good order says, not judged yet.
pub(crate) struct PlainSetup {
    /// Without castling rights and e.p. square.
    pub(crate) pieces: Pieces,
    pub(crate) side_to_move: Color,
    /// The castling field: `K` is bit 0, then `Q`, `k` and `q`.
    pub(crate) castling: usize,
    pub(crate) ep_square: Option<Square>,
    pub(crate) halfmove_clock: u32,
    pub(crate) fullmove_number: u32,
}

/// Where kings and rooks of both sides stand for a set of castling letters in standard chess.
#[derive(Copy, Clone)]
struct Homes {
    kings: [Bitboard; 2],
    rooks: [Bitboard; 2],
}

static HOMES: [Homes; 16] = {
    let none = Homes {
        kings: [Bitboard::EMPTY; 2],
        rooks: [Bitboard::EMPTY; 2],
    };
    let mut homes = [none; 16];
    let mut at = 0;
    while at < 4 * 16 {
        let (set, letter) = (at / 4, at % 4);
        if set >> letter & 1 == 1 {
            let (color, corner) = (letter / 2, if letter % 2 == 0 { 7 } else { 0 });
            homes[set].kings[color].0 |= 1 << (56 * color + 4);
            homes[set].rooks[color].0 |= 1 << (56 * color + corner);
        }
        at += 1;
    }
    homes
};

impl PlainSetup {
    /// The position, if there is nothing to say about it.
    #[inline(always)]
    pub(crate) fn judge(&self, mode: CastlingMode) -> Option<Position> {
        if !self.is_sound() {
            return None;
        }
        let mut pieces = self.pieces;
        let mut warnings = Vec::new();
        let castling_mode = self.castle(&mut pieces, mode, &mut warnings);
        let mut pushed_over = None;
        if let Some(square) = self.ep_square {
            pushed_over = possible_ep(square, &pieces, self.side_to_move, &mut warnings);
            pieces.ep = legal_ep(pushed_over, &pieces, self.side_to_move);
        }
        if !warnings.is_empty() {
            return None;
        }
        Some(Position {
            pieces,
            side_to_move: self.side_to_move,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            key: None,
            castling_mode,
            pushed_over,
        })
    }

    /// True if nothing is wrong or odd about the board.
    #[inline(always)]
    fn is_sound(&self) -> bool {
        let (pieces, us, them) = (&self.pieces, self.side_to_move, !self.side_to_move);
        let [white, black] = pieces.kings;
        let pawns = pieces.pawns[0] | pieces.pawns[1];
        let surplus = white.without_first()
            | black.without_first()
            | (pawns & (Bitboard::RANK_1 | Bitboard::RANK_8));
        let flawed = white.is_empty() | black.is_empty() | surplus.any();
        if flawed | pieces.has_too_much_material(us) | pieces.has_too_much_material(them) {
            return false;
        }
        // Kings that touch attack each other.
        let occupied = pieces.occupied();
        let attackers = |color, king| pieces.attackers(Quintessence, color, king, occupied);
        if attackers(us, pieces.king(them)).any() {
            return false;
        }
        let checkers = attackers(them, pieces.king(us));
        !checkers.more_than_one() || !impossible_check(pieces, us)
    }

    /// Sets the castling rights, and says which mode they need.
    #[inline(always)]
    fn castle(
        &self,
        pieces: &mut Pieces,
        mode: CastlingMode,
        warnings: &mut Vec<SetupWarning>,
    ) -> CastlingMode {
        let homes = &HOMES[self.castling % HOMES.len()];
        let missing = |color: usize| {
            let rooks = pieces.orthogonal[color] & !pieces.diagonal[color];
            (homes.kings[color] & !pieces.kings[color]) | (homes.rooks[color] & !rooks)
        };
        if (missing(0) | missing(1)).is_empty() {
            pieces.castling_rooks = homes.rooks[0] | homes.rooks[1];
            return mode;
        }
        let letters = CLAIMS.iter().enumerate();
        let claims: Vec<_> = letters
            .filter_map(|(bit, claim)| (self.castling >> bit & 1 == 1).then_some(*claim))
            .collect();
        castling_rights(&claims, pieces, mode, warnings)
    }
}
