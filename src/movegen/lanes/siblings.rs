//! Children of one parent, a field an array each.

use crate::attacks;
use crate::board::{Bitboard, MoveKind, Role, Side};
use crate::position::Pieces;

/// Children kept before they are counted: hardly a position has as many that must be made. A multiple of
/// every number of lanes.
pub(super) const SIBLINGS_MAX: usize = 64;

/// Children of one parent, as far as they differ: what the side that moved has now, and what was taken
/// from the other.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Siblings {
    pub(super) taken: [u64; SIBLINGS_MAX],
    pub(super) pawns: [u64; SIBLINGS_MAX],
    pub(super) knights: [u64; SIBLINGS_MAX],
    pub(super) diagonal: [u64; SIBLINGS_MAX],
    pub(super) orthogonal: [u64; SIBLINGS_MAX],
    pub(super) kings: [u64; SIBLINGS_MAX],
    pub(super) king_zones: [u64; SIBLINGS_MAX],
    len: usize,
}

impl Default for Siblings {
    fn default() -> Siblings {
        let none = [0; SIBLINGS_MAX];
        Siblings {
            taken: none,
            pawns: none,
            knights: none,
            diagonal: none,
            orthogonal: none,
            kings: none,
            king_zones: none,
            len: 0,
        }
    }
}

impl Siblings {
    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if there is no room for another.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len == SIBLINGS_MAX
    }

    /// Forgets all of them.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the child that a move of `Us` led to. `role`, `kind`, `captures` and `to` are the move's, as
    /// for [`Pieces::after`]; `king_zone` are the neighbours of the parent's king of `Us`.
    ///
    /// There must be room.
    #[inline(always)]
    pub fn push<Us: Side>(
        &mut self,
        child: &Pieces,
        (role, kind, captures, to): (Role, MoveKind, bool, Bitboard),
        king_zone: Bitboard,
    ) {
        debug_assert!(!self.is_full());
        let us = Us::COLOR as usize;
        let at = self.len % SIBLINGS_MAX;
        self.taken[at] = match kind {
            MoveKind::EnPassant => Us::backward(to).0,
            _ if captures => to.0,
            _ => 0,
        };
        self.pawns[at] = child.pawns[us].0;
        self.knights[at] = child.knights[us].0;
        self.diagonal[at] = child.diagonal[us].0;
        self.orthogonal[at] = child.orthogonal[us].0;
        self.kings[at] = child.kings[us].0;
        self.king_zones[at] = match role {
            Role::King => attacks::king_attacks(child.king(Us::COLOR)).0,
            _ => king_zone.0,
        };
        self.len = at + 1;
    }
}
