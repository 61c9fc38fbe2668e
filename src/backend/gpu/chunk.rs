//! How much fits and how it is cut: pure arithmetic, no device.
//!
//! A chunk is the part of a batch that is counted at once. Below it lie its children (leaf depth 3)
//! and the moves of the last level but one, of which each is made and its replies counted by one
//! invocation. All levels live in an arena allocated once.

use std::time::Duration;

use crate::board::MOVES_MAX;
use crate::movegen::LeafDepth;

/// Counts that one invocation of the scan adds up.
pub(super) const SCAN_TILE: u32 = 32;

/// Most workgroups in one dimension of a dispatch; WebGPU's floor, and no adapter allows more.
pub(super) const WORKGROUPS_MAX: u32 = 65_535;

/// The workgroup sizes a pipeline may be made with: WebGPU promises 256 invocations.
pub(super) const WORKGROUP_SIZES: [u32; 4] = [32, 64, 128, 256];

/// Bytes of a packed position.
const POSITION_BYTES: u64 = 32;
/// Bytes of a listed move: its position's index and 16 bits.
pub(super) const MOVE_BYTES: u64 = 8;
/// Bytes of a count or an offset.
pub(super) const WORD_BYTES: u64 = 4;

/// How long a submission should keep the device. Shorter ones waste what each costs to start; the
/// watchdogs of desktop cards, and whoever interrupts a run, have no patience for longer ones.
const SUBMISSION_TIME: Duration = Duration::from_millis(100);

/// Places for moves that the chunk of a single position may need at leaf depth 3.
pub(super) const LEAF_MOVES_MIN: u32 = (MOVES_MAX * MOVES_MAX) as u32;

/// Levels of stored positions: the greatest leaf depth has one for each ply but the last.
pub(super) const LEVELS: usize = LeafDepth::MAX as usize - 1;

/// How many elements each level of the arena holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Arena {
    /// Positions of each stored level, from the one whose moves are the leaf moves up. The roots of
    /// a chunk take the level that its leaf depth reaches down from.
    pub(super) levels: [u32; LEVELS],
    /// Moves of the last level but one.
    pub(super) leaf_moves: u32,
}

impl Arena {
    /// The arena nearest to `leaf_moves` wanted places that fits bindings of at most `binding_bytes`,
    /// and holds at least whatever the chunk of one position may need at leaf depth 3.
    ///
    /// `None` if not even that fits the bindings.
    pub(super) fn new(leaf_moves: u32, binding_bytes: u64) -> Option<Arena> {
        let at_most = |bytes: u64| u32::try_from(binding_bytes / bytes).unwrap_or(u32::MAX);
        let leaf_moves = leaf_moves.max(LEAF_MOVES_MIN);
        let leaf_moves = leaf_moves.min(at_most(MOVE_BYTES));
        let mut below = leaf_moves;
        let levels = [(); LEVELS].map(|()| {
            // An average position has some 30 moves; one that has only 8 still fills the level below.
            // The total of the counts of a level must fit 32 bits, or an overflow could not be told.
            let positions = (below / 8).min(u32::MAX / MOVES_MAX as u32);
            below = positions.max(MOVES_MAX as u32).min(at_most(POSITION_BYTES));
            below
        });
        let fits = leaf_moves >= LEAF_MOVES_MIN && below >= MOVES_MAX as u32;
        fits.then_some(Arena { levels, leaf_moves })
    }

    /// The level that holds the roots of a chunk.
    pub(super) fn top(depth: LeafDepth) -> usize {
        (depth.plies() as usize).saturating_sub(2)
    }

    /// Bytes of all levels: positions, counts, offsets, moves and the redo list.
    pub(super) fn bytes(&self) -> u64 {
        let level = POSITION_BYTES + 2 * WORD_BYTES + WORD_BYTES + MOVE_BYTES;
        let positions: u64 = self.levels.iter().map(|&count| u64::from(count)).sum();
        positions * level + u64::from(self.leaf_moves) * (MOVE_BYTES + 2 * WORD_BYTES)
    }
}

/// How much of a batch facts are found of at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct FactPlaces {
    /// Positions.
    pub(super) positions: u32,
    /// Moves that may give check.
    pub(super) candidates: u32,
}

impl FactPlaces {
    /// The nearest to `candidates` wanted that fits bindings of at most `binding_bytes`, facts being
    /// `found_bytes` a position, and holds at least all moves of one position.
    ///
    /// `None` if not even that fits the bindings.
    pub(super) fn new(candidates: u32, binding_bytes: u64, found_bytes: u64) -> Option<FactPlaces> {
        let at_most = |bytes: u64| u32::try_from(binding_bytes / bytes).unwrap_or(u32::MAX);
        // The list has a head of the size of a move.
        let candidates = candidates
            .max(MOVES_MAX as u32)
            .min(at_most(MOVE_BYTES).saturating_sub(1));
        // An average position has two or three.
        let positions = (candidates / 4)
            .min(at_most(POSITION_BYTES.max(found_bytes)))
            .min(u32::MAX / MOVES_MAX as u32);
        let fits = candidates >= MOVES_MAX as u32 && positions > 0;
        fits.then_some(FactPlaces {
            positions,
            candidates,
        })
    }

    /// Bytes of all positions, their facts and the list.
    pub(super) fn bytes(&self, found_bytes: u64) -> u64 {
        u64::from(self.positions) * (POSITION_BYTES + found_bytes)
            + (1 + u64::from(self.candidates)) * MOVE_BYTES
    }
}

/// Workgroups in x and y for at least `elements` invocations, in full rows. The shaders fold them back.
pub(super) fn fold(elements: u32, workgroup: u32) -> (u32, u32) {
    let workgroups = elements.div_ceil(workgroup);
    if workgroups <= WORKGROUPS_MAX {
        return (workgroups, 1);
    }
    (WORKGROUPS_MAX, workgroups.div_ceil(WORKGROUPS_MAX))
}

/// The number of sums on each step of a scan up, the last being 1.
pub(super) fn scan_levels(counts: u32) -> Vec<u32> {
    let mut levels = Vec::new();
    let mut left = counts;
    while left > 1 || levels.is_empty() {
        left = left.div_ceil(SCAN_TILE);
        levels.push(left);
    }
    levels
}

/// A level would hold more than the arena has places for: the chunk must be counted in smaller parts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Overflow {
    /// Places needed.
    pub(super) needed: u32,
    /// Places there are.
    pub(super) places: u32,
}

/// The size of the next chunk, learned from what the last ones needed.
#[derive(Copy, Clone, Debug)]
pub(super) struct ChunkSize {
    size: u32,
    max: u32,
}

impl ChunkSize {
    pub(super) fn new(guess: u32, max: u32) -> ChunkSize {
        ChunkSize {
            size: guess.clamp(1, max),
            max,
        }
    }

    pub(super) fn get(&self) -> u32 {
        self.size
    }

    /// After an overflow of a chunk of `size`: smaller in proportion, and always smaller.
    pub(super) fn shrink(&mut self, size: u32, overflow: Overflow) {
        let fitting = u64::from(size) * u64::from(overflow.places) / u64::from(overflow.needed);
        // An eighth to spare, as positions differ.
        let fitting = (fitting - fitting / 8) as u32;
        self.size = fitting.clamp(1, (size / 2).max(1));
    }

    /// After a chunk of `size` that used `used` of `places` and kept the device for `took`: grows
    /// towards seven eighths full, or as far as a submission may take.
    pub(super) fn learn(&mut self, size: u32, used: u32, places: u32, took: Duration) {
        let goal = u64::from(places) / 8 * 7;
        let fitting = u64::from(size) * goal / u64::from(used.max(1));
        let micros = (took.as_micros() as u64).max(1);
        let in_time = u64::from(size) * SUBMISSION_TIME.as_micros() as u64 / micros;
        // The tail of a batch says nothing about full chunks, unless even it took too long.
        if size < self.size && in_time >= u64::from(self.size) / 2 {
            return;
        }
        let next = fitting.min(in_time).min(2 * u64::from(size)).max(1);
        self.size = next.min(u64::from(self.max)) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arena_always_holds_one_position() {
        for wanted in [0, 1, 1 << 20, u32::MAX] {
            for binding in [1u64 << 22, 1 << 27, (1 << 31) - 1, u64::MAX] {
                let arena = Arena::new(wanted, binding).expect("4 MiB are enough");
                assert!(arena.leaf_moves >= LEAF_MOVES_MIN);
                assert!(u64::from(arena.leaf_moves) * MOVE_BYTES <= binding);
                for positions in arena.levels {
                    assert!(positions as usize >= MOVES_MAX);
                    assert!(u64::from(positions) * POSITION_BYTES <= binding);
                    assert!(u64::from(positions) * MOVES_MAX as u64 <= u64::from(u32::MAX));
                }
            }
        }
        assert_eq!(Arena::new(1 << 20, 1 << 20), None, "1 MiB is not");
    }

    #[test]
    fn facts_of_one_position_always_have_places() {
        for wanted in [0, 1 << 16, u32::MAX] {
            for binding in [1u64 << 13, 1 << 27, (1 << 31) - 1, u64::MAX] {
                let places = FactPlaces::new(wanted, binding, 40).expect("8 KiB are enough");
                let (positions, candidates) = (places.positions, places.candidates);
                assert!(positions > 0 && candidates as usize >= MOVES_MAX);
                assert!((1 + u64::from(candidates)) * MOVE_BYTES <= binding);
                assert!(u64::from(positions) * 40 <= binding);
                assert!(u64::from(positions) * MOVES_MAX as u64 <= u64::from(u32::MAX));
            }
        }
        assert_eq!(FactPlaces::new(1 << 16, 1 << 12, 40), None, "4 KiB are not");
    }

    #[test]
    fn folding_covers_every_element_and_stays_within_limits() {
        for elements in [
            1,
            63,
            64,
            65,
            65_535 * 64,
            65_535 * 64 + 1,
            1 << 28,
            u32::MAX,
        ] {
            for workgroup in WORKGROUP_SIZES {
                let (x, y) = fold(elements, workgroup);
                let one = 1..=WORKGROUPS_MAX;
                assert!(one.contains(&x) && one.contains(&y));
                let invocations = u64::from(x) * u64::from(y) * u64::from(workgroup);
                assert!(invocations >= u64::from(elements));
                // Indices of the tail are 32 bits too: they must not wrap into the front.
                assert!(elements > 1 << 28 || invocations <= u64::from(u32::MAX));
            }
        }
    }

    #[test]
    fn a_scan_ends_in_one_sum() {
        assert_eq!(scan_levels(1), [1]);
        assert_eq!(scan_levels(32), [1]);
        assert_eq!(scan_levels(33), [2, 1]);
        assert_eq!(scan_levels(1 << 20), [1 << 15, 1 << 10, 1 << 5, 1]);
    }

    #[test]
    fn an_overflow_always_makes_chunks_smaller() {
        let mut chunk = ChunkSize::new(1 << 20, 1 << 20);
        let overflow = Overflow {
            needed: 1_000_001,
            places: 1_000_000,
        };
        let mut last = chunk.get();
        while last > 1 {
            chunk.shrink(last, overflow);
            assert!(chunk.get() < last);
            last = chunk.get();
        }
    }

    #[test]
    fn chunks_grow_towards_a_full_arena() {
        let mut chunk = ChunkSize::new(10, 1_000);
        let short = Duration::from_micros(10);
        for _ in 0..20 {
            let size = chunk.get();
            chunk.learn(size, size * 100, 50_000, short);
        }
        assert_eq!(chunk.get(), 437);
        // The tail of a batch says nothing about full chunks.
        chunk.learn(3, 3, 50_000, short);
        assert_eq!(chunk.get(), 437);
    }

    #[test]
    fn chunks_that_take_too_long_become_smaller() {
        let mut chunk = ChunkSize::new(1_000, 1_000);
        chunk.learn(1_000, 10, 1_000_000, 4 * SUBMISSION_TIME);
        assert_eq!(chunk.get(), 250);
        chunk.learn(250, 10, 1_000_000, SUBMISSION_TIME);
        assert_eq!(chunk.get(), 250);
        // Even the tail of a batch shows when positions are slow.
        chunk.learn(10, 10, 1_000_000, SUBMISSION_TIME);
        assert_eq!(chunk.get(), 10);
        chunk.learn(10, 10, 1_000_000, Duration::ZERO);
        assert_eq!(chunk.get(), 20);
    }
}
