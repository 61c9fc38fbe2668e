//! Positions: a [`Setup`] is whatever a FEN can say, a [`Position`] is known to be legal.

mod make_move;
mod packed;
mod pieces;
mod plain;
mod ranks;
mod setup;
mod squares;
mod zobrist;

pub use packed::PackedPosition;
pub use pieces::Pieces;
pub(crate) use plain::PlainSetup;
pub(crate) use ranks::{RankPlanes, on_a_file, pieces_of_ranks};
pub use setup::{CastlingClaim, EpReason, Judged, Setup, SetupError, SetupWarning};
pub use squares::Squares;
use squares::code;

use crate::board::{Bitboard, BlackSide, CastlingMode, Color, Piece, Square, WhiteSide};

/// When an e.p. square counts as being there.
///
/// Programs differ in what they write after a double push. All three forms are read; identity, keys
/// and merging always use [`EnPassantMode::Legal`], which is also what is written by default.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum EnPassantMode {
    /// After every double push.
    Always,
    /// If an enemy pawn attacks the square, pinned or not.
    PseudoLegal,
    /// If some e.p. capture is legal.
    Legal,
}

/// A legal position, with its clocks.
///
/// It can only be made from a [`Setup`] that passed judgement or by playing moves from another
/// position, so code that is handed one checks nothing again.
///
/// ```
/// use hyperft::parse::parse_fen;
///
/// let position = parse_fen("8/5k2/8/3p4/3P4/8/4K3/8 w - - 12 34").unwrap();
/// assert_eq!(position.halfmove_clock(), 12);
/// assert_eq!(position.to_string(), "8/5k2/8/3p4/3P4/8/4K3/8 w - - 12 34");
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pieces: Pieces,
    side_to_move: Color,
    halfmove_clock: u32,
    fullmove_number: u32,
    /// Kept up from move to move; computed only if it is asked for, as most positions that are read are
    /// not asked.
    key: Option<u64>,
    castling_mode: CastlingMode,
    /// The square behind the pawn that just moved two squares, whether or not it can be captured.
    pushed_over: Option<Square>,
}

impl Position {
    /// The pieces, castling rights and (legal) e.p. square.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Plies since the last capture or pawn move; may exceed 100.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// Starts at 1, rises after each move of Black.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The Zobrist key: equal for equal positions (same pieces, side to move, castling rights and
    /// legal e.p. square), whatever the clocks.
    pub fn key(&self) -> u64 {
        self.key.unwrap_or_else(|| self.key_from_scratch())
    }

    /// How castling is written in this position.
    pub fn castling_mode(&self) -> CastlingMode {
        self.castling_mode
    }

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces.piece_on(square)
    }

    /// The e.p. square, kept by the rule of `mode`.
    pub fn ep_square(&self, mode: EnPassantMode) -> Option<Square> {
        match mode {
            EnPassantMode::Legal => self.pieces.ep.single(),
            EnPassantMode::Always => self.pushed_over,
            EnPassantMode::PseudoLegal => self.pushed_over.filter(|&square| {
                let us = self.side_to_move;
                let beside = crate::attacks::pawn_attacks(!us, square);
                (beside & self.pieces.pawns[us as usize]).any()
            }),
        }
    }

    /// Pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.pieces.attackers_now(!us, self.pieces.king(us))
    }

    /// The 32-byte form, seen from the side to move.
    pub fn packed(&self) -> PackedPosition {
        match self.side_to_move {
            Color::White => PackedPosition::pack::<WhiteSide>(&self.pieces),
            Color::Black => PackedPosition::pack::<BlackSide>(&self.pieces),
        }
    }

    /// The position in 32 bytes, as seen from the side to move: White is to move here, and if it was
    /// Black the board is mirrored. The clocks are not part of the 32 bytes and start afresh.
    ///
    /// The 32 bytes must have been packed from a legal position: nothing is judged.
    pub fn from_packed_unchecked(packed: &PackedPosition) -> Position {
        let pieces = packed.unpack();
        Position {
            pieces,
            side_to_move: Color::White,
            halfmove_clock: 0,
            fullmove_number: 1,
            key: None,
            castling_mode: CastlingMode::Chess960,
            pushed_over: pieces.ep.single(),
        }
    }

    /// The key computed from scratch; always equal to [`Position::key`].
    pub fn key_from_scratch(&self) -> u64 {
        zobrist::key(&self.pieces, self.side_to_move)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let all_but_key = |it: &Position| {
            let counters = (it.halfmove_clock, it.fullmove_number);
            (it.side_to_move, counters, it.castling_mode, it.pushed_over)
        };
        self.pieces == other.pieces && all_but_key(self) == all_but_key(other)
    }
}

impl Eq for Position {}
