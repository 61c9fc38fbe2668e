//! The positions one move on, handed to a visitor that is compiled for what each of them has.

use super::Masks;
use super::legal::{Filter, MoveVisitor, generate};
use crate::attacks::Sliders;
use crate::board::{Bitboard, MoveKind, Role, Side};
use crate::position::Pieces;

/// Receives positions in which `Us` is to move.
pub trait ChildVisitor<Us: Side> {
    /// One child. `EP` is true if its (pseudo-legal) e.p. square is set, `CASTLING` if a castling
    /// right is left.
    fn child<const EP: bool, const CASTLING: bool>(&mut self, child: &Pieces);
}

struct Make<'a, Us, V> {
    parent: &'a Pieces,
    visitor: &'a mut V,
    side: std::marker::PhantomData<Us>,
    any_castling: bool,
}

impl<Us: Side, V: ChildVisitor<Us::Them>> MoveVisitor for Make<'_, Us, V> {
    #[inline(always)]
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        if self.any_castling {
            let child = self
                .parent
                .after::<Us, true>(role, kind, captures, from, to);
            if let MoveKind::DoublePush = kind
                && child.ep.any()
            {
                self.visitor.child::<true, true>(&child);
            } else if child.castling_rooks.any() {
                self.visitor.child::<false, true>(&child);
            } else {
                self.visitor.child::<false, false>(&child);
            }
        } else {
            let child = self
                .parent
                .after::<Us, false>(role, kind, captures, from, to);
            if let MoveKind::DoublePush = kind
                && child.ep.any()
            {
                self.visitor.child::<true, false>(&child);
            } else {
                self.visitor.child::<false, false>(&child);
            }
        }
    }
}

/// Visits every position one legal move of `Us` away, of the moves that pass the filter.
///
/// The e.p. square of a child is kept by the rule `PseudoLegal`; `EP` and `CASTLING` are as for
/// [`generate`].
#[inline(always)]
pub fn visit_children<Us: Side, F: Filter, const EP: bool, const CASTLING: bool>(
    sliders: impl Sliders,
    parent: &Pieces,
    visitor: &mut impl ChildVisitor<Us::Them>,
) {
    let masks = Masks::new::<Us, CASTLING>(sliders, parent);
    let mut make = Make::<Us, _> {
        parent,
        visitor,
        side: std::marker::PhantomData,
        any_castling: CASTLING,
    };
    generate::<Us, F, EP, CASTLING>(sliders, parent, &masks, &mut make);
}
