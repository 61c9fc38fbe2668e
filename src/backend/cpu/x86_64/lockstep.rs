//! What the vector kernels share: everything but the counting of siblings is done as [`Bmi2`] does it.

use super::super::scalar::Kernel;
use super::Bmi2;
use crate::attacks::Sliders;
use crate::board::Side;
use crate::movegen::lanes::{CountSiblings, Lockstep, Siblings};
use crate::movegen::{self, CountOne, MadeMoves};
use crate::position::Pieces;

/// The operators of a type that holds a vector, from the intrinsics of its width.
macro_rules! bitwise {
    ($set:ident: $and:ident, $or:ident, $xor:ident, $splat:ident) => {
        impl std::ops::BitAnd for $set {
            type Output = $set;

            #[inline(always)]
            fn bitand(self, other: $set) -> $set {
                // SAFETY: there is such a vector only where the processor has the instructions.
                $set(unsafe { $and(self.0, other.0) })
            }
        }

        impl std::ops::BitOr for $set {
            type Output = $set;

            #[inline(always)]
            fn bitor(self, other: $set) -> $set {
                // SAFETY: as for `&`.
                $set(unsafe { $or(self.0, other.0) })
            }
        }

        impl std::ops::Not for $set {
            type Output = $set;

            #[inline(always)]
            fn not(self) -> $set {
                // SAFETY: as for `&`.
                $set(unsafe { $xor(self.0, $splat(-1)) })
            }
        }
    };
}
pub(super) use bitwise;

/// Proof that the processor has certain vectors, and what [`Bmi2`] needs.
pub(super) trait Vectors: Copy + Send {
    /// The kernel for all that is not done in vectors.
    fn scalar(self) -> Bmi2;

    /// See [`CountSiblings::count_siblings`].
    fn count_siblings<Us: Side, const CASTLING: bool>(
        self,
        parent: &Pieces,
        siblings: &Siblings,
    ) -> u32;
}

/// The kernel that counts siblings in such vectors.
#[derive(Copy, Clone)]
pub(super) struct InLockstep<V>(pub(super) V);

impl<V: Vectors> CountOne for InLockstep<V> {
    type Scratch = Siblings;

    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        self.0.scalar()
    }

    #[inline(always)]
    fn count_one<Us: Side, const EP: bool, const CASTLING: bool>(self, pieces: &Pieces) -> u32 {
        self.0.scalar().count_one::<Us, EP, CASTLING>(pieces)
    }

    #[inline(always)]
    fn replies_to<'a, Us: Side, const CASTLING: bool>(
        self,
        parent: &'a Pieces,
        siblings: &'a mut Siblings,
    ) -> impl MadeMoves<Us, CASTLING> {
        Lockstep::new::<Us>(self, parent, siblings)
    }
}

impl<V: Vectors> CountSiblings for InLockstep<V> {
    #[inline(always)]
    fn count_siblings<Us: Side, const CASTLING: bool>(
        self,
        parent: &Pieces,
        siblings: &Siblings,
    ) -> u32 {
        self.0.count_siblings::<Us, CASTLING>(parent, siblings)
    }
}

impl<V: Vectors> Kernel for InLockstep<V> {
    #[inline(always)]
    fn count_two<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
        siblings: &mut Siblings,
    ) -> u32 {
        // SAFETY: `scalar` is the proof that the processor has the features.
        unsafe { count_two::<V, Us, EP, CASTLING>(self, pieces, siblings) }
    }
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn count_two<V: Vectors, Us: Side, const EP: bool, const CASTLING: bool>(
    kernel: InLockstep<V>,
    pieces: &Pieces,
    siblings: &mut Siblings,
) -> u32 {
    movegen::count_two::<InLockstep<V>, Us, EP, CASTLING>(kernel, pieces, siblings)
}
