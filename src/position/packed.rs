//! `PackedPosition`: 32 bytes that are a position. Frontier record, merge key and what every
//! backend is handed.

use super::Pieces;
use crate::board::{Bitboard, Color, Side};

/// A position in four 64-bit planes, seen from the side to move.
///
/// The board is mirrored when Black is to move, so the side to move always plays up the board and
/// code that counts needs one colour only. Three planes hold a code for each square:
///
/// | code | piece | code | piece |
/// | --- | --- | --- | --- |
/// | 000 | empty | 001 | pawn |
/// | 010 | bishop | 011 | knight |
/// | 100 | rook | 101 | rook that may castle |
/// | 110 | queen | 111 | king |
///
/// (bits from plane 2 to plane 0). The codes are chosen so that each slider set falls out of the
/// planes in one or two operations. The fourth plane marks the pieces of the side to move; its bit
/// on an *empty* square marks the e.p. square, set only if an e.p. capture is legal.
///
/// Two positions (with the same side to move) are the same position exactly when their 32 bytes are
/// equal: merging compares these, and no hash can collide.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(8))]
pub struct PackedPosition {
    /// The three code planes, lowest bit first.
    pub code: [u64; 3],
    /// Pieces of the side to move, and the e.p. square.
    pub ours: u64,
}

const _: () = assert!(size_of::<PackedPosition>() == 32);

impl PackedPosition {
    /// Packs a position in which `Us` is to move.
    ///
    /// `pieces.ep` must be empty unless an e.p. capture is legal.
    #[inline(always)]
    pub fn pack<Us: Side>(pieces: &Pieces) -> PackedPosition {
        let pawns = pieces.pawns[0] | pieces.pawns[1];
        let knights = pieces.knights[0] | pieces.knights[1];
        let kings = pieces.kings[0] | pieces.kings[1];
        let diagonal = pieces.diagonal[0] | pieces.diagonal[1];
        let orthogonal = pieces.orthogonal[0] | pieces.orthogonal[1];
        let view = |set: Bitboard| match Us::COLOR {
            Color::White => set.0,
            Color::Black => set.flip_ranks().0,
        };
        PackedPosition {
            code: [
                view(pawns | knights | kings | pieces.castling_rooks),
                view(diagonal | knights | kings),
                view(orthogonal | kings),
            ],
            ours: view(pieces.of(Us::COLOR) | pieces.ep),
        }
    }

    /// The pieces, with White as the side to move (mirrored if it was Black).
    #[inline(always)]
    pub fn unpack(&self) -> Pieces {
        let [low, mid, high] = self.code;
        Pieces {
            ep: Bitboard(self.ours & !(low | mid | high)),
            ..Pieces::of_planes(self.code, self.ours)
        }
    }
}

impl Pieces {
    /// The pieces that three planes of codes stand for, without an e.p. square; `white` is all of White's,
    /// whatever it says of empty squares.
    #[inline(always)]
    pub(super) fn of_planes(code: [u64; 3], white: u64) -> Pieces {
        let ([low, mid, high], white) = (code.map(Bitboard), Bitboard(white));
        let split = |set: Bitboard| [set & white, set & !white];
        Pieces {
            pawns: split(low & !mid & !high),
            knights: split(low & mid & !high),
            diagonal: split(mid & !low),
            orthogonal: split(high & !(low & mid)),
            kings: split(low & mid & high),
            castling_rooks: low & !mid & high,
            ep: Bitboard::EMPTY,
        }
    }
}
