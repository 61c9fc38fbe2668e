//! Counting two plies at once, without making most of the first ply's moves.
//!
//! Most quiet moves change little for the side that replies. The replies after passing (a *null
//! move*) are counted once. A quiet move that touches nothing the replier looks at adds that number
//! without being made; one that only lengthens, shortens or blocks moves of the replier's sliders
//! and pawns adds it with the difference. Only captures, special moves and moves near the replier's
//! king or on a line to it are made, and their replies counted in full. What touches what is
//! `replies.rs`.

use super::legal::{All, MoveVisitor, generate};
use super::replies::Replies;
use super::{Masks, MoveFacts, any_legal, count_legal, tally};
use crate::attacks::{Magic, Sliders};
use crate::board::{Bitboard, MoveKind, Role, Side};
use crate::position::Pieces;

/// How single positions are looked at within a larger count: compiled for one set of instructions.
pub trait CountOne: Copy {
    /// The slider method.
    fn sliders(self) -> impl Sliders;

    /// The number of legal moves; see [`super::count_legal`].
    #[inline(always)]
    fn count_one<Us: Side, const EP: bool, const CASTLING: bool>(self, pieces: &Pieces) -> u32 {
        count_legal::<Us, EP, CASTLING>(self.sliders(), pieces)
    }

    /// True if there is a legal move, castling apart.
    #[inline(always)]
    fn can_move<Us: Side, const EP: bool>(self, pieces: &Pieces) -> bool {
        any_legal::<Us, EP>(self.sliders(), pieces)
    }

    /// What can be played; see [`super::move_facts`], which chooses `EP` and `CASTLING`.
    #[inline(always)]
    fn facts_of<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
    ) -> MoveFacts {
        tally::<Self, Us, EP, CASTLING>(self, pieces)
    }
}

impl CountOne for Magic {
    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        self
    }

    #[inline(never)]
    fn can_move<Us: Side, const EP: bool>(self, pieces: &Pieces) -> bool {
        any_legal::<Us, EP>(self, pieces)
    }

    #[inline(never)]
    fn facts_of<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
    ) -> MoveFacts {
        tally::<Self, Us, EP, CASTLING>(self, pieces)
    }
}

/// The number of paths of two plies. `EP` and `CASTLING` are as for [`super::count_legal`].
#[inline(always)]
pub fn count_two<C: CountOne, Us: Side, const EP: bool, const CASTLING: bool>(
    counter: C,
    parent: &Pieces,
) -> u32 {
    let sliders = counter.sliders();
    let masks = Masks::new::<Us, CASTLING>(sliders, parent);
    // In check there are few moves, and hardly a harmless one.
    let replies = if masks.in_check() {
        Replies::UNKNOWN
    } else {
        Replies::after_passing::<Us, CASTLING>(sliders, parent)
    };
    let mut pairs = Pairs::<C, Us, CASTLING> {
        counter,
        parent,
        replies,
        total: 0,
        side: std::marker::PhantomData,
    };
    generate::<Us, All, EP, CASTLING>(sliders, parent, &masks, &mut pairs);
    pairs.total
}

struct Pairs<'a, C, Us, const CASTLING: bool> {
    counter: C,
    parent: &'a Pieces,
    replies: Replies,
    total: u32,
    side: std::marker::PhantomData<Us>,
}

impl<C: CountOne, Us: Side, const CASTLING: bool> Pairs<'_, C, Us, CASTLING> {
    /// Makes the move and counts its replies.
    #[inline(always)]
    fn made(
        &self,
        role: Role,
        kind: MoveKind,
        captures: bool,
        from: Bitboard,
        to: Bitboard,
    ) -> u32 {
        let child = self
            .parent
            .after::<Us, CASTLING>(role, kind, captures, from, to);
        let counter = self.counter;
        if let MoveKind::DoublePush = kind
            && child.ep.any()
        {
            counter.count_one::<Us::Them, true, CASTLING>(&child)
        } else if CASTLING && child.castling_rooks.any() {
            counter.count_one::<Us::Them, false, true>(&child)
        } else {
            counter.count_one::<Us::Them, false, false>(&child)
        }
    }
}

impl<C: CountOne, Us: Side, const CASTLING: bool> MoveVisitor for Pairs<'_, C, Us, CASTLING> {
    #[inline(always)]
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let may_differ_a_little = match kind {
            MoveKind::Normal => !captures,
            MoveKind::DoublePush => (to & self.replies.ep_beside).is_empty(),
            _ => false,
        };
        self.total += if may_differ_a_little && !self.replies.need_making(role, from | to) {
            let sliders = self.counter.sliders();
            self.replies
                .after_quiet::<Us>(sliders, self.parent, from, to)
        } else {
            self.made(role, kind, captures, from, to)
        };
    }

    #[inline(always)]
    fn take_quiets(&mut self, role: Role, from: Bitboard, targets: Bitboard) -> Bitboard {
        let disturbing = self.replies.disturbing(role);
        if (from & disturbing).any() {
            return targets;
        }
        self.total += self.replies.count * (targets & !disturbing).count();
        targets & disturbing
    }

    #[inline(always)]
    fn take_pushes(&mut self, from: Bitboard, double: bool) -> Bitboard {
        let disturbing = self.replies.disturbing(Role::Pawn);
        let landing = if double {
            Us::backward(Us::backward(disturbing | self.replies.ep_beside))
        } else {
            Us::backward(disturbing)
        };
        self.total += self.replies.count * (from & !disturbing & !landing).count();
        from & (disturbing | landing)
    }
}
