//! Counting two plies at once, without making most of the first ply's moves.
//!
//! Most quiet moves change little for the side that replies. The replies after passing (a *null
//! move*) are counted once. A quiet move that touches nothing the replier looks at adds that number
//! without being made; one that only lengthens, shortens or blocks moves of the replier's sliders
//! and pawns adds it with the difference. Only captures, special moves and moves near the replier's
//! king or on a line to it are made, and their replies counted in full. What touches what is
//! `replies.rs`. Where several children are counted at once (`lanes`), making a move is cheaper than the
//! difference: then only moves that change nothing stay unmade.

use std::marker::PhantomData;

use super::legal::{All, MoveVisitor, generate};
use super::replies::Replies;
use super::{Masks, MoveFacts, any_legal, count_legal, tally};
use crate::attacks::{Magic, Sliders};
use crate::board::{Bitboard, MoveKind, Role, Side};
use crate::position::Pieces;

/// How single positions are looked at within a larger count: compiled for one set of instructions.
pub trait CountOne: Copy {
    /// What is kept from one position to the next, to spare making it anew.
    type Scratch: Default + Send;

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

    /// Takes the moves of `Us` that must be made.
    #[inline(always)]
    fn replies_to<'a, Us: Side, const CASTLING: bool>(
        self,
        parent: &'a Pieces,
        _: &'a mut Self::Scratch,
    ) -> impl MadeMoves<Us, CASTLING> {
        OneByOne {
            counter: self,
            parent,
            total: 0,
        }
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
    type Scratch = ();

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

/// Moves of one parent that are made, for their replies to be counted.
pub trait MadeMoves<Us: Side, const CASTLING: bool> {
    /// True if this takes less time than to find out how a quiet move changes the number of replies.
    const CHEAP: bool = false;

    /// Makes a legal move; the arguments are those of [`MoveVisitor::visit`].
    fn make(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard);

    /// The replies to all of them.
    fn replies(self) -> u32;
}

/// Counts the replies to each move as soon as it is made.
struct OneByOne<'a, C> {
    counter: C,
    parent: &'a Pieces,
    total: u32,
}

impl<C: CountOne, Us: Side, const CASTLING: bool> MadeMoves<Us, CASTLING> for OneByOne<'_, C> {
    #[inline(always)]
    fn make(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let (counter, parent) = (self.counter, self.parent);
        let child = parent.after::<Us, CASTLING>(role, kind, captures, from, to);
        self.total += if let MoveKind::DoublePush = kind
            && child.ep.any()
        {
            counter.count_one::<Us::Them, true, CASTLING>(&child)
        } else if CASTLING && child.castling_rooks.any() {
            counter.count_one::<Us::Them, false, true>(&child)
        } else {
            counter.count_one::<Us::Them, false, false>(&child)
        };
    }

    #[inline(always)]
    fn replies(self) -> u32 {
        self.total
    }
}

/// The number of paths of two plies. `EP` and `CASTLING` are as for [`super::count_legal`].
#[inline(always)]
pub fn count_two<C: CountOne, Us: Side, const EP: bool, const CASTLING: bool>(
    counter: C,
    parent: &Pieces,
    scratch: &mut C::Scratch,
) -> u32 {
    let sliders = counter.sliders();
    let masks = Masks::new::<Us, CASTLING>(sliders, parent);
    // In check there are few moves, and hardly a harmless one.
    let replies = if masks.in_check() {
        Replies::UNKNOWN
    } else {
        Replies::after_passing::<Us, CASTLING>(sliders, parent)
    };
    let mut pairs = Pairs {
        sliders,
        parent,
        replies,
        total: 0,
        made: counter.replies_to::<Us, CASTLING>(parent, scratch),
        side: PhantomData::<Us>,
    };
    generate::<Us, All, EP, CASTLING>(sliders, parent, &masks, &mut pairs);
    pairs.total + pairs.made.replies()
}

struct Pairs<'a, S, M, Us, const CASTLING: bool> {
    sliders: S,
    parent: &'a Pieces,
    replies: Replies,
    /// Replies to the moves that are not made.
    total: u32,
    made: M,
    side: PhantomData<Us>,
}

impl<S, M, Us, const CASTLING: bool> MoveVisitor for Pairs<'_, S, M, Us, CASTLING>
where
    S: Sliders,
    M: MadeMoves<Us, CASTLING>,
    Us: Side,
{
    #[inline(always)]
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let may_differ_a_little = match kind {
            _ if M::CHEAP => false,
            MoveKind::Normal => !captures,
            MoveKind::DoublePush => (to & self.replies.ep_beside).is_empty(),
            _ => false,
        };
        if may_differ_a_little && !self.replies.need_making(role, from | to) {
            self.total += self
                .replies
                .after_quiet::<Us>(self.sliders, self.parent, from, to);
        } else {
            self.made.make(role, kind, captures, from, to);
        }
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
