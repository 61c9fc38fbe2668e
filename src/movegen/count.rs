//! Bulk counting: the number of legal moves without making or listing one.

use super::Masks;
use super::legal::{PawnMoves, castling_rooks};
use crate::attacks::{self, Sliders};
use crate::board::{Bitboard, Side};
use crate::position::Pieces;

/// The number of legal moves of `Us`.
///
/// `EP` must be true if `pieces.ep` is set (it need not be legal), `CASTLING` if anyone has a
/// castling right left.
#[inline(always)]
pub fn count_legal<Us: Side, const EP: bool, const CASTLING: bool>(
    sliders: impl Sliders,
    pieces: &Pieces,
) -> u32 {
    let masks = Masks::new::<Us, CASTLING>(sliders, pieces);
    count_and_look::<Us, EP, CASTLING>(sliders, pieces, &masks).0
}

/// The number of legal moves of `Us`, whose masks are at hand, and the squares its unpinned sliders see.
#[inline(always)]
pub(super) fn count_and_look<Us: Side, const EP: bool, const CASTLING: bool>(
    sliders: impl Sliders,
    pieces: &Pieces,
    masks: &Masks,
) -> (u32, Bitboard) {
    let us = Us::COLOR as usize;
    let mut count = masks.king_targets.count();
    let mut looked_at = Bitboard::EMPTY;
    if masks.check_mask.is_empty() {
        return (count, looked_at);
    }
    count += count_pawns::<Us>(pieces, masks);
    if EP {
        count += pieces.ep_capturers::<Us>(sliders).count();
    }
    if CASTLING {
        count += castling_rooks::<Us>(pieces, masks).count();
    }

    let targets = !masks.ours & masks.check_mask;
    let pinned = masks.pin_orthogonal | masks.pin_diagonal;
    for from in pieces.knights[us] & !pinned {
        count += (attacks::knight_attacks(from) & targets).count();
    }
    for from in pieces.diagonal[us] & !pinned {
        let seen = sliders.bishop(from, masks.occupied);
        looked_at |= seen;
        count += (seen & targets).count();
    }
    for from in pieces.orthogonal[us] & !pinned {
        let seen = sliders.rook(from, masks.occupied);
        looked_at |= seen;
        count += (seen & targets).count();
    }
    if pinned.any() {
        // A pinned slider stays on its line; it has moves only if it slides along that line.
        for from in pieces.diagonal[us] & masks.pin_diagonal {
            let to = sliders.bishop(from, masks.occupied) & masks.pin_diagonal;
            count += (to & targets).count();
        }
        for from in pieces.orthogonal[us] & masks.pin_orthogonal {
            let to = sliders.rook(from, masks.occupied) & masks.pin_orthogonal;
            count += (to & targets).count();
        }
    }
    (count, looked_at)
}

/// True if `Us` has a legal move, castling apart. `EP` as for [`count_legal`].
#[inline(always)]
pub fn any_legal<Us: Side, const EP: bool>(sliders: impl Sliders, pieces: &Pieces) -> bool {
    // In most positions the king can step somewhere, whatever else there is.
    Masks::king_steps::<Us>(sliders, pieces).any()
        || count_legal::<Us, EP, false>(sliders, pieces) > 0
}

/// The number of legal pawn moves of `Us`, e.p. captures apart.
#[inline(always)]
pub(super) fn count_pawns<Us: Side>(pieces: &Pieces, masks: &Masks) -> u32 {
    let pawns = PawnMoves::new::<Us>(pieces, masks);
    let mut count = pawns.west.count() + pawns.east.count();
    count += pawns.push.count() + pawns.double_push.count();
    if ((pawns.west | pawns.east | pawns.push) & Us::SEVENTH_RANK).any() {
        // Counted once above; a promotion is four moves.
        count += 3 * (pawns.west & Us::SEVENTH_RANK).count();
        count += 3 * (pawns.east & Us::SEVENTH_RANK).count();
        count += 3 * (pawns.push & Us::SEVENTH_RANK).count();
    }
    count
}
