//! The geometry of castling, for every pair of king and rook file.
//!
//! The rights themselves are a set of rooks (at most one a side of each king, so four bits): see
//! `position/pieces.rs`. Standard chess is the case of a king on e and rooks on a and h; nothing
//! else in the program distinguishes it, except how moves and FENs are written.

use super::{Bitboard, File, Square};

/// How castling is validated and written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// King on e, rooks on a and h; written as the king's move, `e1g1`.
    Standard,
    /// Any files, double Chess960 included; written king-takes-rook, `e1h1`.
    Chess960,
}

/// Which way the king castles.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Towards the h-file: the king lands on g, the rook on f.
    King,
    /// Towards the a-file: the king lands on c, the rook on d.
    Queen,
}

impl CastlingSide {
    /// The side of the king on which its rook stands.
    pub const fn of(king: File, rook: File) -> CastlingSide {
        if rook.index() > king.index() {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        }
    }

    const fn king_target(self) -> usize {
        match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        }
    }

    const fn rook_target(self) -> usize {
        match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        }
    }
}

/// What one castling move needs and does, as squares of the first rank; shift left by 56 for Black.
///
/// For the king on e1 and the rook on a1 the two conditions differ on b1, a classic bug:
///
/// ```text
///   empty: . x x x . . . .      safe: . . x x x . . .
/// ```
#[derive(Copy, Clone, Debug)]
pub struct CastlingPath {
    /// Squares that must be empty: all that king or rook crosses or lands on, less the two pieces.
    pub empty: Bitboard,
    /// Squares that must not be attacked: where the king stands, passes and lands.
    pub safe: Bitboard,
    /// Where the king lands.
    pub king_target: Bitboard,
    /// Where the rook lands.
    pub rook_target: Bitboard,
}

/// [`CastlingPath`] by king file, then rook file.
pub static CASTLING_PATHS: [[CastlingPath; 8]; 8] = {
    let unused = CastlingPath {
        empty: Bitboard::EMPTY,
        safe: Bitboard::EMPTY,
        king_target: Bitboard::EMPTY,
        rook_target: Bitboard::EMPTY,
    };
    let mut paths = [[unused; 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            if king != rook {
                paths[king][rook] = path(king, rook);
            }
            rook += 1;
        }
        king += 1;
    }
    paths
};

const fn path(king: usize, rook: usize) -> CastlingPath {
    let side = if rook > king {
        CastlingSide::King
    } else {
        CastlingSide::Queen
    };
    let (king_target, rook_target) = (side.king_target(), side.rook_target());
    let crossed = span(king, king_target) | span(rook, rook_target);
    CastlingPath {
        empty: Bitboard(crossed & !(1 << king) & !(1 << rook)),
        safe: Bitboard(span(king, king_target)),
        king_target: Bitboard(1 << king_target),
        rook_target: Bitboard(1 << rook_target),
    }
}

/// All squares from one file to another, both included.
const fn span(a: usize, b: usize) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (2u64 << high) - (1u64 << low)
}

/// Where the king on `king` lands when it castles with the rook on `rook`.
pub(super) fn king_target(king: Square, rook: Square) -> Square {
    let file = CastlingSide::of(king.file(), rook.file()).king_target();
    Square::from_low_bits((king.rank().index() * 8 + file) as u32)
}

/// Where that rook lands.
pub(super) fn rook_target(king: Square, rook: Square) -> Square {
    let file = CastlingSide::of(king.file(), rook.file()).rook_target();
    Square::from_low_bits((king.rank().index() * 8 + file) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_castling_keeps_empty_and_safe_apart() {
        let kingside = &CASTLING_PATHS[4][7];
        assert_eq!(
            (kingside.empty.0, kingside.safe.0),
            (0b0110_0000, 0b0111_0000)
        );
        let queenside = &CASTLING_PATHS[4][0];
        assert_eq!(
            (queenside.empty.0, queenside.safe.0),
            (0b0000_1110, 0b0001_1100)
        );
    }

    #[test]
    fn pieces_already_on_their_targets_need_nothing_empty() {
        let path = &CASTLING_PATHS[2][0];
        assert_eq!(path.empty.0, 0b0000_1010, "king c1, rook a1: b1 and d1");
        assert_eq!(
            CASTLING_PATHS[6][7].empty.0, 0b0010_0000,
            "king g1, rook h1: f1 alone"
        );
        assert_eq!(
            CASTLING_PATHS[6][7].safe.0, 0b0100_0000,
            "the king stays on g1"
        );
    }
}
