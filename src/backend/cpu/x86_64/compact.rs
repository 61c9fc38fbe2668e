//! The kernel for facts of positions: as `bmi2.rs`, but with attack sets of two bytes, which PDEP spreads
//! over the rays of the square. It does not count leaves.
//!
//! Positions that have nothing to do with each other look up other sets each time. A table of 256
//! kilobytes stays in a core's own cache where one of a megabyte does not, and that is worth one
//! instruction more.

use std::arch::x86_64::{_pdep_u64, _pext_u64};
use std::sync::LazyLock;

use super::Bmi2;
use crate::attacks::{SliderTable, Sliders, TABLES};
use crate::board::{Bitboard, Side, Square};
use crate::movegen::{self, CountOne, MoveFacts};
use crate::position::Pieces;

/// Proof that the processor has the instructions, and the table.
#[derive(Copy, Clone)]
pub(in super::super) struct CompactBmi2 {
    table: &'static CompactTable,
}

/// What a lookup needs to know of one square, in half a cache line.
#[derive(Copy, Clone, Default)]
#[repr(align(32))]
struct Entry {
    /// The squares whose occupancy matters.
    mask: Bitboard,
    /// All squares of the rays: at most 14.
    rays: Bitboard,
    /// Where the sets of this square begin.
    offset: u32,
}

struct CompactTable {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    /// Which squares of the rays are attacked, one bit each.
    sets: Box<[u16; SliderTable::LENGTH]>,
}

impl CompactTable {
    fn new() -> CompactTable {
        // PEXT numbers the subsets of a mask in rising order.
        let wide = SliderTable::new(|_, _, nth| nth);
        let sets = vec![0; SliderTable::LENGTH].into_boxed_slice();
        let mut table = CompactTable {
            rook: [Entry::default(); 64],
            bishop: [Entry::default(); 64],
            sets: sets.try_into().expect("the length is the type's"),
        };
        for square in Square::all().map(Square::index) {
            let (rook, bishop) = (&mut table.rook[square], &mut table.bishop[square]);
            for (entry, wide_entry, rays) in [
                (rook, &wide.rook[square], TABLES.orthogonal[square]),
                (bishop, &wide.bishop[square], TABLES.diagonal[square]),
            ] {
                let (mask, offset) = (wide_entry.mask, wide_entry.offset);
                *entry = Entry { mask, rays, offset };
                for nth in 0..1 << mask.count() {
                    let set = wide.at(wide_entry, nth);
                    let bits = rays.iter().enumerate();
                    table.sets[offset as usize + nth] = bits
                        .map(|(bit, square)| u16::from(set.contains(square)) << bit)
                        .sum();
                }
            }
        }
        table
    }
}

impl CompactBmi2 {
    /// The kernel, if the processor can run it; the first call fills its table.
    pub(in super::super) fn new() -> Option<CompactBmi2> {
        static TABLE: LazyLock<CompactTable> = LazyLock::new(CompactTable::new);
        Bmi2::is_available().then(|| CompactBmi2 { table: &TABLE })
    }

    #[inline(always)]
    fn look_up(self, entry: &Entry, occupied: Bitboard) -> Bitboard {
        // SAFETY: a `CompactBmi2` value exists only where BMI2 does.
        let nth = unsafe { _pext_u64(occupied.0, entry.mask.0) as usize };
        let set = self.table.sets[(entry.offset as usize + nth) & (SliderTable::LENGTH - 1)];
        // SAFETY: as above.
        Bitboard(unsafe { _pdep_u64(set.into(), entry.rays.0) })
    }
}

impl Sliders for CompactBmi2 {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&self.table.rook[square.index()], occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&self.table.bishop[square.index()], occupied)
    }
}

impl CountOne for CompactBmi2 {
    type Scratch = ();

    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        self
    }

    #[inline(always)]
    fn can_move<Us: Side, const EP: bool>(self, pieces: &Pieces) -> bool {
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { can_move::<Us, EP>(self, pieces) }
    }

    #[inline(always)]
    fn facts_of<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
    ) -> MoveFacts {
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { facts_of::<Us, EP, CASTLING>(self, pieces) }
    }
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn can_move<Us: Side, const EP: bool>(kernel: CompactBmi2, pieces: &Pieces) -> bool {
    movegen::any_legal::<Us, EP>(kernel, pieces)
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn facts_of<Us: Side, const EP: bool, const CASTLING: bool>(
    kernel: CompactBmi2,
    pieces: &Pieces,
) -> MoveFacts {
    movegen::tally::<CompactBmi2, Us, EP, CASTLING>(kernel, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::first_difference;

    #[test]
    fn pdep_equals_ray_walking_on_every_relevant_occupancy() {
        match CompactBmi2::new() {
            Some(kernel) => assert_eq!(first_difference(kernel), None),
            None => eprintln!("not run: this processor has no BMI2"),
        }
    }
}
