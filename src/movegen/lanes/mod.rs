//! Counting the children of one parent in lockstep: the same work on several boards at once.
//!
//! A vector holds one set of squares of each of several children, a *lane* each. Hardly anything here
//! branches on a board: sliders spread set-wise, a direction at a time, and are counted by direction,
//! in which no two rays of theirs share a square. What all children of a parent have in common (the
//! replier's king, its knights, the rooks it may castle with) is looked up once.
//!
//! The algorithm is written once over [`Lanes`]. The vectors of a processor implement it in
//! `backend/cpu`; a plain `u64` is one lane, and what they are held against.

mod count;
mod lockstep;
mod plain;
mod rays;
mod siblings;
mod ways;

use std::ops::{BitAnd, BitOr, Not};

pub use count::count_replies;
pub use lockstep::{CountSiblings, Lockstep};
pub use siblings::Siblings;

/// A set of squares in each of several lanes. That there is a value proves that the processor has the
/// instructions to work on it: the first one is made from a [`Lanes::Proof`].
pub trait Lanes: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// What only a processor that has the instructions can come by.
    type Proof: Copy;

    /// How many lanes: 1, 2, 4 or 8.
    const COUNT: usize;

    /// The same set in every lane.
    fn splat(proof: Self::Proof, set: u64) -> Self;

    /// The first [`Lanes::COUNT`] of `sets`, a lane each.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(proof: Self::Proof, sets: &[u64]) -> Self;

    /// The sets of all lanes, in the first [`Lanes::COUNT`] places.
    fn store(self) -> [u64; LANES_MAX];

    /// `self & !other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Each square `by` places up, towards h8; those that leave the board are gone.
    fn up(self, by: u32) -> Self;

    /// Each square `by` places down, towards a1.
    fn down(self, by: u32) -> Self;

    /// True if any lane has a square.
    fn any(self) -> bool;

    /// All squares in lanes that have none, none in the others.
    fn where_empty(self) -> Self;

    /// The lowest square of each lane.
    fn first(self) -> Self;

    /// The highest square of each lane, if it has at most one on each rank.
    fn last_by_rank(self) -> Self;

    /// The highest square of each lane, all of whose squares lie on one rank.
    fn last_on_rank(self) -> Self;

    /// What rooks on these squares see to the east; `occupied` holds them, too.
    fn see_east(self, occupied: Self) -> Self;

    /// How many squares there are, of each part of a lane. A part is a byte or the whole lane, as the
    /// processor counts best.
    fn counts(self) -> Self;

    /// Adds counts, part by part. No part may come to more than 255.
    fn plus(self, counts: Self) -> Self;

    /// The sum of the counts of the first `lanes` lanes.
    fn total(self, lanes: usize) -> u32;
}

/// Most lanes of a vector.
pub const LANES_MAX: usize = 8;
