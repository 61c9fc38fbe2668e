//! Packed children of a packed position, seen again from the side to move.

use crate::attacks::Magic;
use crate::board::{Bitboard, BlackSide, WhiteSide};
use crate::movegen::{ChildVisitor, Filter, visit_children};
use crate::position::{PackedPosition, Pieces};

/// Calls `each` with the packed form of every child of the moves that pass the filter.
#[inline(always)]
pub(super) fn packed_children<F: Filter>(
    sliders: Magic,
    parent: &PackedPosition,
    each: impl FnMut(PackedPosition),
) {
    let pieces = parent.unpack();
    let mut pack = Pack { sliders, each };
    match (pieces.ep.any(), pieces.castling_rooks.any()) {
        (false, false) => visit::<F, _, false, false>(sliders, &pieces, &mut pack),
        (false, true) => visit::<F, _, false, true>(sliders, &pieces, &mut pack),
        (true, false) => visit::<F, _, true, false>(sliders, &pieces, &mut pack),
        (true, true) => visit::<F, _, true, true>(sliders, &pieces, &mut pack),
    }
}

#[inline(never)]
fn visit<F: Filter, V: FnMut(PackedPosition), const EP: bool, const CASTLING: bool>(
    sliders: Magic,
    pieces: &Pieces,
    pack: &mut Pack<V>,
) {
    visit_children::<WhiteSide, F, EP, CASTLING>(sliders, pieces, pack);
}

struct Pack<V> {
    sliders: Magic,
    each: V,
}

impl<V: FnMut(PackedPosition)> ChildVisitor<BlackSide> for Pack<V> {
    #[inline(always)]
    fn child<const EP: bool, const CASTLING: bool>(&mut self, child: &Pieces) {
        if EP && child.ep_capturers::<BlackSide>(self.sliders).is_empty() {
            // Only a legal e.p. square is part of a position's identity.
            let without = Pieces {
                ep: Bitboard::EMPTY,
                ..*child
            };
            (self.each)(PackedPosition::pack::<BlackSide>(&without));
        } else {
            (self.each)(PackedPosition::pack::<BlackSide>(child));
        }
    }
}
