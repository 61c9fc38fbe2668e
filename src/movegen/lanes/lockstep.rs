//! Moves that are made, gathered and counted in lockstep.

use super::Siblings;
use crate::attacks;
use crate::board::{Bitboard, MoveKind, Role, Side};
use crate::movegen::{CountOne, MadeMoves};
use crate::position::Pieces;

/// Counts siblings with the vectors of one processor.
pub trait CountSiblings: CountOne {
    /// The replies of `Us` in all siblings; see [`super::count_replies`].
    fn count_siblings<Us: Side, const CASTLING: bool>(
        self,
        parent: &Pieces,
        siblings: &Siblings,
    ) -> u32;
}

/// Gathers the children of one parent.
pub struct Lockstep<'a, C> {
    counter: C,
    parent: &'a Pieces,
    siblings: &'a mut Siblings,
    king_zone: Bitboard,
    /// Replies counted already.
    total: u32,
}

impl<'a, C: CountSiblings> Lockstep<'a, C> {
    /// For the moves of `Us`. What `siblings` held is forgotten.
    #[inline(always)]
    pub fn new<Us: Side>(counter: C, parent: &'a Pieces, siblings: &'a mut Siblings) -> Self {
        siblings.clear();
        Lockstep {
            counter,
            parent,
            siblings,
            king_zone: attacks::king_attacks(parent.king(Us::COLOR)),
            total: 0,
        }
    }
}

impl<C: CountSiblings, Us: Side, const CASTLING: bool> MadeMoves<Us, CASTLING> for Lockstep<'_, C> {
    // A lane costs less than finding out what a move changes.
    const CHEAP: bool = true;

    #[inline(always)]
    fn make(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let parent = self.parent;
        let child = parent.after::<Us, CASTLING>(role, kind, captures, from, to);
        if let MoveKind::DoublePush = kind
            && child.ep.any()
        {
            let capturers = child.ep_capturers::<Us::Them>(self.counter.sliders());
            self.total += capturers.count();
        }
        let played = (role, kind, captures, to);
        self.siblings.push::<Us>(&child, played, self.king_zone);
        if self.siblings.is_full() {
            self.total += self
                .counter
                .count_siblings::<Us::Them, CASTLING>(parent, self.siblings);
            self.siblings.clear();
        }
    }

    #[inline(always)]
    fn replies(self) -> u32 {
        let rest = self
            .counter
            .count_siblings::<Us::Them, CASTLING>(self.parent, self.siblings);
        self.total + rest
    }
}
