//! Slider methods side by side, one signature: a square and the occupancy in, attacked squares out.
//!
//! A method is a small value that holds a plain reference to its table, filled once at start-up, so
//! that no lookup tests whether the table is ready. Methods that need special instructions live
//! with them, in `backend/cpu/x86_64`.

use std::sync::LazyLock;

use super::{magics, ray_walk};
use crate::board::{Bitboard, Square};

/// A way to find the squares a rook or bishop attacks. Occupied squares stop the ray and are
/// included, whoever stands there.
pub trait Sliders: Copy + Send + Sync {
    /// Squares a rook attacks.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    /// Squares a bishop attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// The oracle as a method: walks each ray.
#[derive(Copy, Clone, Debug)]
pub struct RayWalk;

impl Sliders for RayWalk {
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ray_walk::rook_attacks(square, occupied)
    }

    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        ray_walk::bishop_attacks(square, occupied)
    }
}

/// What a lookup needs to know of one square, in half a cache line.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C, align(32))]
pub struct SliderEntry {
    /// The squares whose occupancy matters: the rays without their last squares.
    pub mask: Bitboard,
    /// The magic factor; unused by other methods.
    pub factor: u64,
    /// Where this square's attack sets start in [`SliderTable::attacks`].
    pub offset: u32,
    /// 64 minus the number of squares in `mask`.
    pub shift: u32,
}

/// Attack sets of a rook and a bishop for every square and relevant occupancy: 107,648 sets.
///
/// The table is a power of two long so that a masked index needs no bounds check.
pub struct SliderTable {
    /// Per-square data for rooks.
    pub rook: [SliderEntry; 64],
    /// Per-square data for bishops.
    pub bishop: [SliderEntry; 64],
    /// All attack sets; a method says which index means which occupancy.
    pub attacks: Box<[Bitboard; SliderTable::LENGTH]>,
}

impl SliderTable {
    /// Length of `attacks`: the next power of two above 107,648.
    pub const LENGTH: usize = 1 << 17;

    /// Fills a table from ray walking, with the factors of [`Magic`].
    ///
    /// `index(entry, occupied, nth)` says where, after `entry.offset`, the set for `occupied` goes;
    /// `nth` is the number of `occupied` among the subsets of the mask in rising order.
    pub fn new(index: impl Fn(&SliderEntry, Bitboard, usize) -> usize) -> SliderTable {
        SliderTable::with_factors([&magics::ROOK_FACTORS, &magics::BISHOP_FACTORS], index)
    }

    /// The same with the given factors for rooks and bishops.
    fn with_factors(
        [rook, bishop]: [&[u64; 64]; 2],
        index: impl Fn(&SliderEntry, Bitboard, usize) -> usize,
    ) -> SliderTable {
        let attacks = vec![Bitboard::EMPTY; SliderTable::LENGTH].into_boxed_slice();
        let mut table = SliderTable {
            rook: [SliderEntry::default(); 64],
            bishop: [SliderEntry::default(); 64],
            attacks: attacks.try_into().expect("the length is the type's"),
        };
        let mut offset = 0;
        for square in Square::all() {
            for (slider, factors) in [(Slider::Rook, rook), (Slider::Bishop, bishop)] {
                let mask = slider.relevant(square);
                let entry = SliderEntry {
                    mask,
                    factor: factors[square.index()],
                    offset,
                    shift: 64 - mask.count(),
                };
                for (nth, occupied) in subsets(mask).enumerate() {
                    let at = offset as usize + index(&entry, occupied, nth);
                    table.attacks[at] = slider.walk(square, occupied);
                }
                offset += 1 << mask.count();
                match slider {
                    Slider::Rook => table.rook[square.index()] = entry,
                    Slider::Bishop => table.bishop[square.index()] = entry,
                }
            }
        }
        table
    }

    /// The attack set at this distance from the start of `entry`'s sets.
    #[inline(always)]
    pub fn at(&self, entry: &SliderEntry, index: usize) -> Bitboard {
        self.attacks[(entry.offset as usize + index) & (SliderTable::LENGTH - 1)]
    }
}

/// The two kinds of slider; a queen is both.
#[derive(Copy, Clone)]
enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    fn walk(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Slider::Rook => ray_walk::rook_attacks(square, occupied),
            Slider::Bishop => ray_walk::bishop_attacks(square, occupied),
        }
    }

    fn look_up(self, method: impl Sliders, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Slider::Rook => method.rook(square, occupied),
            Slider::Bishop => method.bishop(square, occupied),
        }
    }

    /// The squares whose occupancy changes the attacks: the rays without each ray's last square.
    fn relevant(self, square: Square) -> Bitboard {
        let open = self.walk(square, Bitboard::EMPTY);
        open.iter()
            .filter(|blocker| self.walk(square, blocker.bit()) != open)
            .collect()
    }
}

/// All subsets of `mask` in rising order, the empty set first.
fn subsets(mask: Bitboard) -> impl Iterator<Item = Bitboard> {
    let next = move |set: &Bitboard| {
        let next = set.0.wrapping_sub(mask.0) & mask.0;
        (next != 0).then_some(Bitboard(next))
    };
    std::iter::successors(Some(Bitboard::EMPTY), next)
}

/// Magic multiplication: works everywhere, needs no special instruction.
#[derive(Copy, Clone)]
pub struct Magic {
    table: &'static SliderTable,
}

impl Magic {
    /// The method; the first call fills its table.
    pub fn new() -> Magic {
        static TABLE: LazyLock<SliderTable> =
            LazyLock::new(|| SliderTable::new(|entry, occupied, _| magic_index(entry, occupied)));
        Magic { table: &TABLE }
    }
}

impl Default for Magic {
    fn default() -> Magic {
        Magic::new()
    }
}

#[inline(always)]
fn magic_index(entry: &SliderEntry, occupied: Bitboard) -> usize {
    ((occupied & entry.mask).0.wrapping_mul(entry.factor) >> (entry.shift & 63)) as usize
}

impl Sliders for Magic {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.table.rook[square.index()];
        self.table.at(entry, magic_index(entry, occupied))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.table.bishop[square.index()];
        self.table.at(entry, magic_index(entry, occupied))
    }
}

/// Magic multiplication in 32 bits: the method of the shaders, here to be their twin.
#[derive(Copy, Clone)]
pub struct Magic32 {
    table: &'static SliderTable,
}

impl Magic32 {
    /// The method; the first call fills its table.
    pub fn new() -> Magic32 {
        static TABLE: LazyLock<SliderTable> = LazyLock::new(|| {
            let factors = [&magics::ROOK_FACTORS_32, &magics::BISHOP_FACTORS_32];
            SliderTable::with_factors(factors, |entry, occupied, _| {
                magic_index_32(entry, occupied)
            })
        });
        Magic32 { table: &TABLE }
    }

    /// The table, to be handed to a device.
    pub fn table(self) -> &'static SliderTable {
        self.table
    }
}

impl Default for Magic32 {
    fn default() -> Magic32 {
        Magic32::new()
    }
}

#[inline(always)]
fn magic_index_32(entry: &SliderEntry, occupied: Bitboard) -> usize {
    let relevant = (occupied & entry.mask).0;
    let low = (relevant as u32).wrapping_mul(entry.factor as u32);
    let high = ((relevant >> 32) as u32).wrapping_mul((entry.factor >> 32) as u32);
    ((low ^ high) >> (entry.shift & 31)) as usize
}

impl Sliders for Magic32 {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.table.rook[square.index()];
        self.table.at(entry, magic_index_32(entry, occupied))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.table.bishop[square.index()];
        self.table.at(entry, magic_index_32(entry, occupied))
    }
}

/// Compares a method with ray walking on every relevant occupancy of every square, once with the
/// irrelevant squares empty and once with all of them occupied. Returns the first square and
/// occupancy on which they differ.
pub fn first_difference(method: impl Sliders) -> Option<(Square, Bitboard)> {
    for square in Square::all() {
        for slider in [Slider::Rook, Slider::Bishop] {
            let mask = slider.relevant(square);
            for relevant in subsets(mask) {
                for occupied in [relevant, relevant | !mask] {
                    let found = slider.look_up(method, square, occupied);
                    if found != slider.walk(square, occupied) {
                        return Some((square, occupied));
                    }
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magic_equals_ray_walking_on_every_relevant_occupancy() {
        assert_eq!(first_difference(Magic::new()), None);
        assert_eq!(first_difference(Magic32::new()), None);
    }

    /// Negative control: a method wrong on a single square and occupancy is found.
    #[test]
    fn a_single_wrong_attack_set_is_found() {
        #[derive(Copy, Clone)]
        struct Wrong;
        impl Sliders for Wrong {
            fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
                let wrong = square.index() == 27 && occupied.0 == 1 << 35;
                let truth = ray_walk::rook_attacks(square, occupied);
                if wrong {
                    truth ^ Bitboard(1 << 43)
                } else {
                    truth
                }
            }
            fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
                ray_walk::bishop_attacks(square, occupied)
            }
        }
        assert_eq!(first_difference(RayWalk), None);
        let (square, occupied) = first_difference(Wrong).expect("one set is wrong");
        assert_eq!((square.index(), occupied.0), (27, 1 << 35));
    }
}
