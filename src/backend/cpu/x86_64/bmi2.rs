//! The scalar kernel compiled with BMI1, BMI2, LZCNT and POPCNT, and PEXT as its slider method.

use std::arch::x86_64::{__cpuid, _pext_u64};
use std::sync::LazyLock;

use super::super::scalar::Kernel;
use crate::attacks::{SliderTable, Sliders};
use crate::board::{Bitboard, Side, Square};
use crate::movegen::{self, CountOne};
use crate::position::Pieces;

/// Proof that the processor has the instructions, and the table.
#[derive(Copy, Clone)]
pub(in super::super) struct Bmi2 {
    table: &'static SliderTable,
}

impl Bmi2 {
    pub(in super::super) fn is_available() -> bool {
        is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    /// The kernel, if the processor can run it; the first call fills its table.
    pub(in super::super) fn new() -> Option<Bmi2> {
        // PEXT numbers the subsets of a mask in rising order.
        static TABLE: LazyLock<SliderTable> = LazyLock::new(|| SliderTable::new(|_, _, nth| nth));
        Bmi2::is_available().then(|| Bmi2 { table: &TABLE })
    }
}

/// PEXT is a slow microcode loop on AMD processors before Zen 3 (family 19h): hundreds of cycles
/// where Intel's and later AMD's need one a cycle.
pub(in super::super) fn pext_is_microcoded() -> bool {
    let vendor = __cpuid(0);
    let amd = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let version = __cpuid(1).eax;
    let (base, extended) = (version >> 8 & 0xf, version >> 20 & 0xff);
    let family = if base == 0xf { base + extended } else { base };
    amd && family < 0x19
}

#[inline(always)]
fn extract(source: Bitboard, mask: Bitboard) -> usize {
    // SAFETY: a `Bmi2` value, without which no caller gets here, exists only where BMI2 does.
    unsafe { _pext_u64(source.0, mask.0) as usize }
}

impl Sliders for Bmi2 {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.table.rook[square.index()];
        self.table.at(entry, extract(occupied, entry.mask))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.table.bishop[square.index()];
        self.table.at(entry, extract(occupied, entry.mask))
    }
}

impl CountOne for Bmi2 {
    type Scratch = ();

    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        self
    }

    #[inline(always)]
    fn count_one<Us: Side, const EP: bool, const CASTLING: bool>(self, pieces: &Pieces) -> u32 {
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { count_one::<Us, EP, CASTLING>(self, pieces) }
    }
}

impl Kernel for Bmi2 {
    #[inline(always)]
    fn count_two<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
        (): &mut (),
    ) -> u32 {
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { count_two::<Us, EP, CASTLING>(self, pieces) }
    }
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn count_one<Us: Side, const EP: bool, const CASTLING: bool>(kernel: Bmi2, pieces: &Pieces) -> u32 {
    movegen::count_legal::<Us, EP, CASTLING>(kernel, pieces)
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn count_two<Us: Side, const EP: bool, const CASTLING: bool>(kernel: Bmi2, pieces: &Pieces) -> u32 {
    movegen::count_two::<Bmi2, Us, EP, CASTLING>(kernel, pieces, &mut ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::first_difference;

    #[test]
    fn pext_equals_ray_walking_on_every_relevant_occupancy() {
        match Bmi2::new() {
            Some(kernel) => assert_eq!(first_difference(kernel), None),
            None => eprintln!("not run: this processor has no BMI2"),
        }
    }
}
