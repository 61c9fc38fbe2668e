//! The replies after passing, and how a quiet move instead of passing changes their number.
//!
//! Squares fall in three kinds, by what a quiet move that leaves or enters them can do to the side
//! that replies:
//!
//! - *crucial* squares: it can change which steps its king has, which of its pieces are pinned, or
//!   whether it stands in check. A move that touches one must be made.
//! - *touchy* squares: one of its unpinned sliders looks at them, or one of its pawns may push or
//!   take there. Nothing else about its moves can change, so the difference is counted.
//! - all others: nothing changes. Its knights do not matter anywhere: they go wherever no piece of
//!   their own stands.

use super::Masks;
use super::count::{count_and_look, count_pawns};
use crate::attacks::{self, Sliders, fills};
use crate::board::{Bitboard, CASTLING_PATHS, Color, Role, Side};
use crate::position::Pieces;

/// Replies to a null move, and what may change their number.
#[derive(Copy, Clone, Debug)]
pub(super) struct Replies {
    /// Their number after passing.
    pub(super) count: u32,
    /// Of these, moves of pawns.
    pawn_count: u32,
    /// The replier's masks after passing.
    masks: Masks,
    /// Where a double push would stand beside an enemy pawn, which might take it en passant.
    pub(super) ep_beside: Bitboard,
    /// Touchy squares of sliders.
    looked_at: Bitboard,
    /// Touchy squares of pawns.
    pawn_targets: Bitboard,
    crucial: Crucial,
}

/// Crucial squares by what moves.
#[derive(Copy, Clone, Debug)]
struct Crucial {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    king: Bitboard,
}

impl Replies {
    /// Every move must be made.
    pub(super) const UNKNOWN: Replies = Replies {
        count: 0,
        pawn_count: 0,
        masks: Masks {
            ours: Bitboard::EMPTY,
            theirs: Bitboard::EMPTY,
            occupied: Bitboard::EMPTY,
            check_mask: Bitboard::EMPTY,
            pin_orthogonal: Bitboard::EMPTY,
            pin_diagonal: Bitboard::EMPTY,
            king_targets: Bitboard::EMPTY,
            danger: Bitboard::EMPTY,
            danger_orthogonal: Bitboard::EMPTY,
            danger_diagonal: Bitboard::EMPTY,
        },
        ep_beside: Bitboard::ALL,
        looked_at: Bitboard::ALL,
        pawn_targets: Bitboard::ALL,
        crucial: Crucial {
            pawn: Bitboard::ALL,
            knight: Bitboard::ALL,
            bishop: Bitboard::ALL,
            rook: Bitboard::ALL,
            king: Bitboard::ALL,
        },
    };

    /// What `Us::Them` can reply if `Us`, who is not in check, passes.
    #[inline(always)]
    pub(super) fn after_passing<Us: Side, const CASTLING: bool>(
        sliders: impl Sliders,
        parent: &Pieces,
    ) -> Replies {
        let passed = Pieces {
            ep: Bitboard::EMPTY,
            ..*parent
        };
        // In full: `Crucial` asks what our sliders see.
        let masks = Masks::new::<Us::Them, true>(sliders, &passed);
        let them = Us::Them::COLOR as usize;
        let pawns = passed.pawns[them];
        let pushed = Us::Them::forward(pawns);
        let (count, looked_at) =
            count_and_look::<Us::Them, false, CASTLING>(sliders, &passed, &masks);
        Replies {
            count,
            pawn_count: count_pawns::<Us::Them>(&passed, &masks),
            ep_beside: pawns.east() | pawns.west(),
            looked_at,
            pawn_targets: pushed
                | pushed.east()
                | pushed.west()
                | Us::Them::forward(pushed & Us::Them::forward(Us::Them::PAWN_RANK)),
            crucial: Crucial::new::<Us, CASTLING>(sliders, &passed, &masks),
            masks,
        }
    }

    /// True if a quiet move that touches `squares` must be made for its replies to be counted.
    #[inline(always)]
    pub(super) fn need_making(&self, role: Role, squares: Bitboard) -> bool {
        (squares & self.crucial.by(role)).any()
    }

    /// Squares that change the number of replies if a quiet move leaves or enters them.
    #[inline(always)]
    pub(super) fn disturbing(&self, role: Role) -> Bitboard {
        self.looked_at | self.pawn_targets | self.crucial.by(role)
    }

    /// The number of replies to a quiet move that touches no crucial square.
    #[inline(always)]
    pub(super) fn after_quiet<Us: Side>(
        &self,
        sliders: impl Sliders,
        parent: &Pieces,
        from: Bitboard,
        to: Bitboard,
    ) -> u32 {
        let them = Us::Them::COLOR as usize;
        let touched = from | to;
        let (before, after) = (self.masks.occupied, self.masks.occupied ^ touched);
        let mut count = self.count;
        if (touched & self.looked_at).any() {
            let (source, target) = (from.first(), to.first());
            let pinned = self.masks.pin_orthogonal | self.masks.pin_diagonal;
            let free = !self.masks.ours;
            // A slider that will look at `to` only through `from` looks at `from` now.
            let looking = sliders.bishop(source, before) | sliders.bishop(target, before);
            for slider in looking & parent.diagonal[them] & !pinned {
                count += (sliders.bishop(slider, after) & free).count();
                count -= (sliders.bishop(slider, before) & free).count();
            }
            let looking = sliders.rook(source, before) | sliders.rook(target, before);
            for slider in looking & parent.orthogonal[them] & !pinned {
                count += (sliders.rook(slider, after) & free).count();
                count -= (sliders.rook(slider, before) & free).count();
            }
        }
        if (touched & self.pawn_targets).any() {
            let theirs = self.masks.theirs ^ touched;
            let masks = Masks {
                theirs,
                occupied: after,
                ..self.masks
            };
            count += count_pawns::<Us::Them>(parent, &masks);
            count -= self.pawn_count;
        }
        count
    }
}

impl Crucial {
    #[inline(always)]
    fn by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => self.king,
        }
    }

    #[inline(always)]
    fn new<Us: Side, const CASTLING: bool>(
        sliders: impl Sliders,
        pieces: &Pieces,
        masks: &Masks,
    ) -> Crucial {
        let us = Us::COLOR as usize;
        let king = pieces.king(Us::Them::COLOR);
        let zone = zone::<Us, CASTLING>(pieces, masks);
        // A king does not shield the squares behind it from the slider that checks it.
        let empty = !masks.occupied | king.bit();
        let mut all = zone | masks.pin_orthogonal | masks.pin_diagonal;
        let (mut orthogonal, mut diagonal) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if pieces.orthogonal[us].any() {
            let seen = sliders.rook(king, masks.occupied);
            // Through the first piece of theirs on each line: what stands behind may pin it.
            let through = sliders.rook(king, masks.occupied ^ (seen & masks.ours));
            orthogonal = fills::orthogonal_fill(zone, empty) | through;
            // A piece of ours that shields their king's shield; and all squares of these lines that
            // our sliders look at: there a move lets a slider through or stops it. (None looks
            // through their king, which is lifted in `danger`: it is our turn.)
            all |= (seen & masks.theirs) | (masks.danger_orthogonal & orthogonal);
        }
        if pieces.diagonal[us].any() {
            let seen = sliders.bishop(king, masks.occupied);
            let through = sliders.bishop(king, masks.occupied ^ (seen & masks.ours));
            diagonal = fills::diagonal_fill(zone, empty) | through;
            all |= (seen & masks.theirs) | (masks.danger_diagonal & diagonal);
        }
        let behind = Us::backward(zone);
        Crucial {
            pawn: all | behind.east() | behind.west(),
            knight: all | fills::knight_fill(zone),
            bishop: all | diagonal,
            rook: all | orthogonal,
            king: all | fills::king_fill(zone),
        }
    }
}

/// Squares whose safety matters to the replier: where its king stands or may step, and the way of
/// each castle that none of its own pieces blocks (a quiet move of ours cannot unblock the others).
#[inline(always)]
fn zone<Us: Side, const CASTLING: bool>(pieces: &Pieces, masks: &Masks) -> Bitboard {
    let king = pieces.king(Us::Them::COLOR);
    let mut zone = king.bit() | (attacks::king_attacks(king) & !masks.ours);
    if CASTLING {
        let shift = match Us::Them::COLOR {
            Color::White => 0,
            Color::Black => 56,
        };
        for rook in pieces.castling_rooks & Us::Them::BACK_RANK {
            let path = &CASTLING_PATHS[king.file().index()][rook.file().index()];
            if masks.ours.0 >> shift & path.empty.0 == 0 {
                zone |= Bitboard((path.empty.0 | path.safe.0) << shift);
            }
        }
    }
    zone
}
