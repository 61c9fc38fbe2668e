//! The scalar leaf count: one position at a time through `movegen`, bulk counting at the last ply.
//!
//! The last two plies are functions of a [`Kernel`], so that they can be compiled for particular
//! instructions without a second copy of the algorithm.

use crate::attacks::{Magic, Sliders};
use crate::board::{Side, WhiteSide};
use crate::movegen::{
    All, ChildVisitor, CountOne, LeafDepth, MoveFacts, count_legal, count_two, visit_children,
};
use crate::position::Pieces;

/// The hot functions, compiled for one set of instructions.
pub(super) trait Kernel: CountOne + Send {
    /// Paths of two plies.
    fn count_two<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
        scratch: &mut Self::Scratch,
    ) -> u32;
}

/// Works everywhere.
#[derive(Copy, Clone)]
pub(super) struct Portable(Magic);

impl Portable {
    pub(super) fn new() -> Portable {
        Portable(Magic::new())
    }
}

impl CountOne for Portable {
    type Scratch = ();

    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        self.0
    }

    // Not inlined: eight small copies that stay in the instruction cache.
    #[inline(never)]
    fn count_one<Us: Side, const EP: bool, const CASTLING: bool>(self, pieces: &Pieces) -> u32 {
        count_legal::<Us, EP, CASTLING>(self.0, pieces)
    }

    #[inline(always)]
    fn can_move<Us: Side, const EP: bool>(self, pieces: &Pieces) -> bool {
        self.0.can_move::<Us, EP>(pieces)
    }

    #[inline(always)]
    fn facts_of<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
    ) -> MoveFacts {
        self.0.facts_of::<Us, EP, CASTLING>(pieces)
    }
}

impl Kernel for Portable {
    #[inline(never)]
    fn count_two<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
        (): &mut (),
    ) -> u32 {
        count_two::<Self, Us, EP, CASTLING>(self, pieces, &mut ())
    }
}

/// Counts `depth` plies below a position in which White is to move.
pub(super) fn count<K: Kernel>(
    kernel: K,
    scratch: &mut K::Scratch,
    pieces: &Pieces,
    depth: LeafDepth,
) -> u64 {
    let mut below = Below {
        kernel,
        scratch,
        depth: depth.plies(),
        total: 0,
    };
    match (pieces.ep.any(), pieces.castling_rooks.any()) {
        (false, false) => below.add::<WhiteSide, false, false>(pieces),
        (false, true) => below.add::<WhiteSide, false, true>(pieces),
        (true, false) => below.add::<WhiteSide, true, false>(pieces),
        (true, true) => below.add::<WhiteSide, true, true>(pieces),
    }
    below.total
}

/// Adds up the paths of `depth` plies below each position it is shown.
struct Below<'a, K: Kernel> {
    kernel: K,
    scratch: &'a mut K::Scratch,
    depth: u32,
    total: u64,
}

impl<K: Kernel> Below<'_, K> {
    fn add<Us: Side, const EP: bool, const CASTLING: bool>(&mut self, pieces: &Pieces) {
        self.total += match self.depth {
            1 => self.kernel.count_one::<Us, EP, CASTLING>(pieces).into(),
            2 => self
                .kernel
                .count_two::<Us, EP, CASTLING>(pieces, self.scratch)
                .into(),
            depth => {
                let mut below = Below {
                    kernel: self.kernel,
                    scratch: self.scratch,
                    depth: depth - 1,
                    total: 0,
                };
                visit_children::<Us, All, EP, CASTLING>(self.kernel.sliders(), pieces, &mut below);
                below.total
            }
        };
    }
}

impl<K: Kernel, Us: Side> ChildVisitor<Us> for Below<'_, K> {
    #[inline(always)]
    fn child<const EP: bool, const CASTLING: bool>(&mut self, child: &Pieces) {
        self.add::<Us, EP, CASTLING>(child);
    }
}
