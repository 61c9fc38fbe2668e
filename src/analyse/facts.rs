//! `Facts`: everything a record says of a position: its moves by kind, and whether the game is over.

use super::insufficient_material;
use crate::movegen::MoveFacts;
use crate::position::Position;

/// Plies without a capture or pawn move after which a draw can be claimed.
pub const CLAIM_PLIES: u32 = 100;
/// The same after which the game is drawn without a claim.
pub const DRAW_PLIES: u32 = 150;

/// How a position ends the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can be mated; see [`insufficient_material`].
    InsufficientMaterial,
    /// 150 plies without a capture or pawn move.
    SeventyFiveMoves,
    /// The position has occurred five times.
    FivefoldRepetition,
}

impl Outcome {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient-material",
            Outcome::SeventyFiveMoves => "seventy-five-moves",
            Outcome::FivefoldRepetition => "fivefold-repetition",
        }
    }
}

/// What a position is.
///
/// ```
/// use hyperft::{analyse::{Facts, Outcome}, parse::parse_fen};
///
/// let mate = parse_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 90").unwrap();
/// assert_eq!(Facts::of(&mate).outcome(), Some(Outcome::Checkmate));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The legal moves.
    pub moves: MoveFacts,
    /// Nobody can be mated.
    pub insufficient_material: bool,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
}

impl Facts {
    /// The facts of a position.
    pub fn of(position: &Position) -> Facts {
        Facts {
            moves: MoveFacts::of(position),
            ..Facts::without_moves(position)
        }
    }

    /// All but the moves, which stay empty.
    pub(super) fn without_moves(position: &Position) -> Facts {
        Facts {
            moves: MoveFacts::default(),
            insufficient_material: insufficient_material(position.pieces()),
            halfmove_clock: position.halfmove_clock(),
        }
    }

    /// The side to move stands in check.
    pub fn in_check(&self) -> bool {
        self.moves.checkers.any()
    }

    /// In check and no legal move.
    pub fn checkmate(&self) -> bool {
        self.moves.legal_moves == 0 && self.in_check()
    }

    /// Not in check and no legal move.
    pub fn stalemate(&self) -> bool {
        self.moves.legal_moves == 0 && !self.in_check()
    }

    /// A draw by the 50-move rule can be claimed: 100 plies, and the board has not ended the game.
    pub fn fifty_moves(&self) -> bool {
        self.halfmove_clock >= CLAIM_PLIES && self.moves.legal_moves > 0
    }

    /// The game is drawn by the 75-move rule: 150 plies, and the board has not ended the game.
    pub fn seventy_five_moves(&self) -> bool {
        self.halfmove_clock >= DRAW_PLIES && self.moves.legal_moves > 0
    }

    /// What has ended the game, repetition apart. Mate comes first, then stalemate.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.checkmate() {
            Some(Outcome::Checkmate)
        } else if self.stalemate() {
            Some(Outcome::Stalemate)
        } else if self.insufficient_material {
            Some(Outcome::InsufficientMaterial)
        } else if self.seventy_five_moves() {
            Some(Outcome::SeventyFiveMoves)
        } else {
            None
        }
    }
}
