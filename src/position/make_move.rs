//! What a move changes: the one place where pieces move, for lists of moves and for fast counting.

use super::{Pieces, Position, zobrist};
use crate::attacks::Magic;
use crate::board::{
    Bitboard, BlackSide, CASTLING_PATHS, Color, Move, MoveKind, Role, Side, WhiteSide,
};

impl Pieces {
    /// The pieces after a legal move of `Us`.
    ///
    /// `role`, `kind` and `captures` are constants wherever this is called from the move generator,
    /// and with it inlined only the lines that matter remain. `captures` must be true if an enemy
    /// piece stands on `to`; an e.p. capture is told by its kind. Without `CASTLING` nobody has a
    /// right left to lose.
    #[inline(always)]
    pub fn after<Us: Side, const CASTLING: bool>(
        &self,
        role: Role,
        kind: MoveKind,
        captures: bool,
        from: Bitboard,
        to: Bitboard,
    ) -> Pieces {
        let mut after = *self;
        after.ep = Bitboard::EMPTY;
        if let MoveKind::Castle = kind {
            after.castle::<Us>(from, to);
            return after;
        }
        if captures {
            after.remove_enemy::<Us>(to);
        }
        match kind {
            MoveKind::Promotion(promoted) => {
                after.toggle(Us::COLOR, Role::Pawn, from);
                after.toggle(Us::COLOR, promoted, to);
            }
            _ => after.toggle(Us::COLOR, role, from | to),
        }
        if CASTLING {
            after.castling_rooks &= !(from | to);
            if let Role::King = role {
                after.castling_rooks &= !Us::BACK_RANK;
            }
        }
        match kind {
            MoveKind::EnPassant => {
                after.pawns[Us::Them::COLOR as usize] ^= Us::backward(to);
            }
            MoveKind::DoublePush => {
                let beside = to.east() | to.west();
                if (beside & self.pawns[Us::Them::COLOR as usize]).any() {
                    after.ep = Us::forward(from);
                }
            }
            _ => {}
        }
        after
    }

    #[inline(always)]
    fn remove_enemy<Us: Side>(&mut self, to: Bitboard) {
        let them = Us::Them::COLOR as usize;
        self.pawns[them] &= !to;
        self.knights[them] &= !to;
        self.diagonal[them] &= !to;
        self.orthogonal[them] &= !to;
    }

    #[inline(always)]
    fn castle<Us: Side>(&mut self, king: Bitboard, rook: Bitboard) {
        let path = &CASTLING_PATHS[king.first().file().index()][rook.first().file().index()];
        let shift = match Us::COLOR {
            Color::White => 0,
            Color::Black => 56,
        };
        let us = Us::COLOR as usize;
        self.kings[us] = Bitboard(path.king_target.0 << shift);
        self.orthogonal[us] ^= rook;
        self.orthogonal[us] |= Bitboard(path.rook_target.0 << shift);
        self.castling_rooks &= !Us::BACK_RANK;
    }
}

impl Position {
    /// The position after a move that must be legal here.
    ///
    /// An illegal move gives a position that breaks the promises of this type; a move of unknown
    /// origin must be looked for among the legal moves first.
    #[must_use]
    pub fn play_unchecked(&self, legal: Move) -> Position {
        match self.side_to_move {
            Color::White => self.play_as::<WhiteSide>(legal),
            Color::Black => self.play_as::<BlackSide>(legal),
        }
    }

    fn play_as<Us: Side>(&self, legal: Move) -> Position {
        let (from, to, kind) = (legal.from(), legal.to(), legal.kind());
        let role = self
            .pieces
            .piece_on(from)
            .map_or(Role::King, |piece| piece.role);
        let captures = self.pieces.of(Us::Them::COLOR).contains(to);
        let mut pieces = self
            .pieces
            .after::<Us, true>(role, kind, captures, from.bit(), to.bit());
        if pieces.ep.any() && pieces.ep_capturers::<Us::Them>(Magic::new()).is_empty() {
            pieces.ep = Bitboard::EMPTY;
        }
        let resets = captures || role == Role::Pawn;
        Position {
            pieces,
            side_to_move: !self.side_to_move,
            halfmove_clock: if resets {
                0
            } else {
                self.halfmove_clock.saturating_add(1)
            },
            fullmove_number: self.fullmove_number.saturating_add(Us::COLOR as u32),
            key: Some(self.key() ^ zobrist::change(&self.pieces, &pieces)),
            castling_mode: self.castling_mode,
            pushed_over: match kind {
                MoveKind::DoublePush => Us::forward(from.bit()).single(),
                _ => None,
            },
        }
    }
}
