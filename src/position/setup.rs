//! `Setup`: whatever a FEN can say. Judging it gives a `Position`, or every reason why it is none.

use std::borrow::Cow;

use super::{Pieces, Position, Squares};
use crate::attacks::{self, Magic};
use crate::board::{
    Bitboard, BlackSide, CastlingMode, CastlingSide, Color, File, Role, Square, WhiteSide,
};

/// One letter of a FEN's castling field.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CastlingClaim {
    /// `K` or `k`, `Q` or `q`: in Chess960 the outermost rook on that side (X-FEN).
    Side(CastlingSide),
    /// `A` to `H` or `a` to `h`: the rook on that file (Shredder-FEN).
    File(File),
}

/// The letters `KQkq`.
pub(super) const CLAIMS: [(Color, CastlingClaim); 4] = {
    const KING: CastlingClaim = CastlingClaim::Side(CastlingSide::King);
    const QUEEN: CastlingClaim = CastlingClaim::Side(CastlingSide::Queen);
    [
        (Color::White, KING),
        (Color::White, QUEEN),
        (Color::Black, KING),
        (Color::Black, QUEEN),
    ]
};

/// A board and the other fields of a FEN, not judged yet: any fields, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square.
    pub board: Squares,
    /// Whose turn it is.
    pub side_to_move: Color,
    /// The letters of the castling field, in order.
    pub castling: Cow<'static, [(Color, CastlingClaim)]>,
    /// The e.p. field.
    pub ep_square: Option<Square>,
    /// Plies since a capture or pawn move.
    pub halfmove_clock: u32,
    /// Number of the move, from 1.
    pub fullmove_number: u32,
}

/// A position, and what had to be overlooked to accept it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The legal position.
    pub position: Position,
    /// What was odd about the setup; a strict reader refuses it for any of these.
    pub warnings: Vec<SetupWarning>,
}

/// A reason why a setup is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum SetupError {
    #[error("{color} king is missing")]
    KingMissing { color: Color },
    #[error("{count} {color} kings, expected one")]
    TooManyKings { color: Color, count: u32 },
    #[error("pawn on {square}: no pawn can stand on rank 1 or 8")]
    PawnOnBackRank { square: Square },
    #[error("the kings on {white} and {black} touch")]
    KingsTouch { white: Square, black: Square },
    #[error("the side not to move ({color}) is in check")]
    OpponentInCheck { color: Color },
}

impl SetupError {
    /// The FEN field that is to blame, from 1.
    pub fn field(&self) -> usize {
        match self {
            SetupError::OpponentInCheck { .. } => 2,
            _ => 1,
        }
    }
}

/// Why an e.p. square is impossible.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum EpReason {
    #[error("it is not on the rank a pawn of the other side jumps over")]
    WrongRank,
    #[error("it is occupied")]
    Occupied,
    #[error("no pawn that could have jumped over it stands in front of it")]
    NoPawn,
    #[error("the square the pawn must have come from is occupied")]
    OriginOccupied,
}

/// Something odd that does not keep a setup from being counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum SetupWarning {
    #[error("castling right {letter} ignored: {reason}")]
    CastlingIgnored { letter: char, reason: &'static str },
    #[error("castling right {letter} repeated")]
    CastlingRepeated { letter: char },
    #[error("e.p. square {square} ignored: {reason}")]
    EpIgnored { square: Square, reason: EpReason },
    #[error("e.p. square {square} kept, though {color} was in check before the double push")]
    EpAfterCheck { square: Square, color: Color },
    #[error("more {color} material than eight pawns can become")]
    TooMuchMaterial { color: Color },
    #[error("no move can give this check")]
    ImpossibleCheck,
}

impl SetupWarning {
    /// The FEN field it is about, from 1.
    pub fn field(&self) -> usize {
        match self {
            SetupWarning::CastlingIgnored { .. } | SetupWarning::CastlingRepeated { .. } => 3,
            SetupWarning::EpIgnored { .. } | SetupWarning::EpAfterCheck { .. } => 4,
            _ => 1,
        }
    }
}

impl Setup {
    /// An empty board with White to move.
    pub fn empty() -> Setup {
        Setup {
            board: Squares::EMPTY,
            side_to_move: Color::White,
            castling: Cow::Borrowed(&[]),
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Judges the setup: a legal position with warnings, or every reason against it.
    ///
    /// In [`CastlingMode::Standard`] a Shredder-FEN letter that does not mean a standard castle
    /// makes this one position a Chess960 position. `K` with a king off e1 does not: the right is
    /// ignored with a warning.
    pub fn judge(&self, mode: CastlingMode) -> Result<Judged, Vec<SetupError>> {
        let mut pieces = self.board.pieces();
        let errors = self.errors(&pieces);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut warnings = Vec::new();
        for color in Color::ALL {
            if pieces.has_too_much_material(color) {
                warnings.push(SetupWarning::TooMuchMaterial { color });
            }
        }
        if impossible_check(&pieces, self.side_to_move) {
            warnings.push(SetupWarning::ImpossibleCheck);
        }
        let castling_mode = castling_rights(&self.castling, &mut pieces, mode, &mut warnings);
        let pushed_over = self
            .ep_square
            .and_then(|square| possible_ep(square, &pieces, self.side_to_move, &mut warnings));
        pieces.ep = legal_ep(pushed_over, &pieces, self.side_to_move);
        let position = Position {
            pieces,
            side_to_move: self.side_to_move,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            key: None,
            castling_mode,
            pushed_over,
        };
        Ok(Judged { position, warnings })
    }

    fn errors(&self, pieces: &Pieces) -> Vec<SetupError> {
        let mut errors = Vec::new();
        for color in Color::ALL {
            let kings = pieces.kings[color as usize];
            if kings.is_empty() {
                errors.push(SetupError::KingMissing { color });
            } else if kings.more_than_one() {
                let count = kings.count();
                errors.push(SetupError::TooManyKings { color, count });
            }
        }
        let pawns = pieces.pawns[0] | pieces.pawns[1];
        for square in pawns & (Bitboard::RANK_1 | Bitboard::RANK_8) {
            errors.push(SetupError::PawnOnBackRank { square });
        }
        let [white, black] = pieces.kings;
        if let (Some(white), Some(black)) = (white.single(), black.single()) {
            let waiting = !self.side_to_move;
            if attacks::king_attacks(white).contains(black) {
                errors.push(SetupError::KingsTouch { white, black });
            }
            let king = pieces.king(waiting);
            let attackers = pieces.attackers_now(self.side_to_move, king);
            if (attackers & !pieces.kings[self.side_to_move as usize]).any() {
                errors.push(SetupError::OpponentInCheck { color: waiting });
            }
        }
        errors
    }
}

/// Sets the rights that exist, warns of those that do not, and says which mode this needs.
pub(super) fn castling_rights(
    claims: &[(Color, CastlingClaim)],
    pieces: &mut Pieces,
    mode: CastlingMode,
    warnings: &mut Vec<SetupWarning>,
) -> CastlingMode {
    let named_file = |claim: &(Color, CastlingClaim)| {
        let (color, CastlingClaim::File(file)) = *claim else {
            return false;
        };
        let king = pieces.king(color).file().index();
        king != 4 || (file.index() != 0 && file.index() != 7)
    };
    let mode = match mode {
        CastlingMode::Standard if claims.iter().any(named_file) => CastlingMode::Chess960,
        mode => mode,
    };
    for &(color, claim) in claims {
        let letter = claim_letter(color, claim);
        match castling_rook(pieces, color, claim, mode) {
            Err(reason) => warnings.push(SetupWarning::CastlingIgnored { letter, reason }),
            Ok(rook) if pieces.castling_rooks.contains(rook) => {
                warnings.push(SetupWarning::CastlingRepeated { letter });
            }
            Ok(rook) => {
                let king = pieces.king(color).file();
                let side = CastlingSide::of(king, rook.file());
                let taken = (pieces.castling_rooks & color.back_rank())
                    .iter()
                    .any(|other| CastlingSide::of(king, other.file()) == side);
                if taken {
                    let reason = "that side of the king already has a castling rook";
                    warnings.push(SetupWarning::CastlingIgnored { letter, reason });
                } else {
                    pieces.castling_rooks |= rook.bit();
                }
            }
        }
    }
    mode
}

fn castling_rook(
    pieces: &Pieces,
    color: Color,
    claim: CastlingClaim,
    mode: CastlingMode,
) -> Result<Square, &'static str> {
    let king = pieces.king(color);
    if !color.back_rank().contains(king) {
        return Err("the king is not on its back rank");
    }
    let rooks = pieces.of_role(color, Role::Rook) & color.back_rank();
    match (claim, mode) {
        (CastlingClaim::Side(side), CastlingMode::Standard) => {
            if king.file().index() != 4 {
                return Err("the king is not on the e-file (for Chess960 say so)");
            }
            let corner = match side {
                CastlingSide::King => rooks & Bitboard::FILE_H,
                CastlingSide::Queen => rooks & Bitboard::FILE_A,
            };
            corner.single().ok_or("no rook on its corner")
        }
        (CastlingClaim::Side(side), CastlingMode::Chess960) => {
            let mut on_side = rooks
                .iter()
                .filter(|rook| CastlingSide::of(king.file(), rook.file()) == side);
            match side {
                CastlingSide::King => on_side.last(),
                CastlingSide::Queen => on_side.next(),
            }
            .ok_or("no rook on that side of the king")
        }
        (CastlingClaim::File(file), _) => (rooks & Bitboard::of_file(file))
            .single()
            .ok_or("no rook on that file"),
    }
}

/// The e.p. square, if a double push could have jumped over it.
pub(super) fn possible_ep(
    square: Square,
    pieces: &Pieces,
    us: Color,
    warnings: &mut Vec<SetupWarning>,
) -> Option<Square> {
    // As seen by the side to move the square is on the sixth rank, the pawn on the fifth.
    let (pawn, origin) = match us {
        Color::White => (square.bit().south(), square.bit().north()),
        Color::Black => (square.bit().north(), square.bit().south()),
    };
    let occupied = pieces.occupied();
    let reason = if square.rank().relative_to(us).index() != 5 {
        Some(EpReason::WrongRank)
    } else if occupied.contains(square) {
        Some(EpReason::Occupied)
    } else if (pawn & pieces.pawns[!us as usize]).is_empty() {
        Some(EpReason::NoPawn)
    } else if (origin & occupied).any() {
        Some(EpReason::OriginOccupied)
    } else {
        None
    };
    if let Some(reason) = reason {
        warnings.push(SetupWarning::EpIgnored { square, reason });
        return None;
    }
    let mut before = *pieces;
    before.toggle(!us, Role::Pawn, pawn | origin);
    let king = pieces.king(us);
    if before.attackers_now(!us, king).any() {
        warnings.push(SetupWarning::EpAfterCheck { square, color: us });
    }
    Some(square)
}

/// The e.p. square as a set, if a pawn may legally capture there.
pub(super) fn legal_ep(square: Option<Square>, pieces: &Pieces, us: Color) -> Bitboard {
    let Some(square) = square else {
        return Bitboard::EMPTY;
    };
    let claimed = Pieces {
        ep: square.bit(),
        ..*pieces
    };
    let capturers = match us {
        Color::White => claimed.ep_capturers::<WhiteSide>(Magic::new()),
        Color::Black => claimed.ep_capturers::<BlackSide>(Magic::new()),
    };
    if capturers.any() {
        claimed.ep
    } else {
        Bitboard::EMPTY
    }
}

fn claim_letter(color: Color, claim: CastlingClaim) -> char {
    let lower = match claim {
        CastlingClaim::Side(CastlingSide::King) => 'k',
        CastlingClaim::Side(CastlingSide::Queen) => 'q',
        CastlingClaim::File(file) => file.letter(),
    };
    match color {
        Color::White => lower.to_ascii_uppercase(),
        Color::Black => lower,
    }
}

/// True if the side to move stands in a check that no single move can give.
pub(super) fn impossible_check(pieces: &Pieces, us: Color) -> bool {
    let king = pieces.king(us);
    let checkers = pieces.attackers_now(!us, king);
    if !checkers.more_than_one() {
        return false;
    }
    let sliders = pieces.diagonal[!us as usize] | pieces.orthogonal[!us as usize];
    let (first, second) = (checkers.first(), checkers.without_first().first());
    checkers.count() > 2
        || (checkers & sliders).is_empty()
        || attacks::line(first, second).contains(king)
}
