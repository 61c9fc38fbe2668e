//! `MergeTable`: the different positions among those inserted, with the sum of their weights.

use crate::position::PackedPosition;

/// A position and the number of paths that lead to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Weighted {
    pub(super) position: PackedPosition,
    pub(super) weight: u128,
}

/// Open addressing over an index: a slot holds the upper half of a hash and the number of an entry,
/// so that a probe that misses hardly ever touches an entry. Equality is decided by all 32 bytes of
/// the position; the hash only says where to look.
pub(super) struct MergeTable {
    /// 0 for an empty slot, else hash bits 32..64 and, below them, the entry's index plus one.
    slots: Vec<u64>,
    /// Length in use, a power of two, minus one; `slots` keeps its largest length.
    mask: usize,
    entries: Vec<Weighted>,
    overflowed: bool,
}

impl MergeTable {
    pub(super) fn new() -> MergeTable {
        MergeTable {
            slots: Vec::new(),
            mask: 0,
            entries: Vec::new(),
            overflowed: false,
        }
    }

    /// Empties the table and makes room for about `expected` different positions.
    pub(super) fn reset(&mut self, expected: usize) {
        self.entries.clear();
        self.overflowed = false;
        self.resize((expected * 2).next_power_of_two().max(64));
    }

    /// Adds `weight` to the position's, or inserts it.
    #[inline]
    pub(super) fn insert(&mut self, position: PackedPosition, weight: u128) {
        if self.entries.len() * 8 > self.mask * 5 {
            self.grow();
        }
        let hash = hash(&position);
        let tag = hash & TAG;
        let mut at = hash as usize & self.mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.entries.push(Weighted { position, weight });
                self.slots[at] = tag | self.entries.len() as u64;
                return;
            }
            if slot & TAG == tag {
                let entry = &mut self.entries[(slot as u32 - 1) as usize];
                if entry.position == position {
                    let (sum, overflowed) = entry.weight.overflowing_add(weight);
                    entry.weight = sum;
                    self.overflowed |= overflowed;
                    return;
                }
            }
            at = (at + 1) & self.mask;
        }
    }

    /// The different positions, in the order they came.
    pub(super) fn entries(&self) -> &[Weighted] {
        &self.entries
    }

    /// True if a sum of weights passed 128 bits since the last reset: no weight may be used.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.resize((self.mask + 1) * 2);
        for (index, entry) in self.entries.iter().enumerate() {
            let hash = hash(&entry.position);
            let mut at = hash as usize & self.mask;
            while self.slots[at] != 0 {
                at = (at + 1) & self.mask;
            }
            self.slots[at] = hash & TAG | (index as u64 + 1);
        }
    }

    /// Sets the length in use and clears it.
    fn resize(&mut self, length: usize) {
        assert!(
            length <= 1 << 32,
            "an entry's index fits the lower half of a slot"
        );
        self.mask = length - 1;
        if self.slots.len() < length {
            self.slots = vec![0; length];
        } else {
            self.slots[..length].fill(0);
        }
    }
}

const TAG: u64 = !0 << 32;

/// Odd numbers with about half their bits set: 2^64 divided by the golden ratio, and digits of pi.
pub(super) const SALT: [u64; 4] = [
    0x9e37_79b9_7f4a_7c15,
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7345,
    0xa409_3822_299f_31d1,
];

/// Mixes two words into one by a full multiplication folded onto itself.
#[inline(always)]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[inline(always)]
fn hash(position: &PackedPosition) -> u64 {
    let [low, mid, high] = position.code;
    let first = mix(low ^ SALT[0], mid ^ SALT[1]);
    let second = mix(high ^ SALT[2], position.ours ^ SALT[3]);
    mix(first ^ second.rotate_left(23), SALT[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(seed: u64) -> PackedPosition {
        let plane = |salt: u64| mix(seed + 1, 0x9e37_79b9_7f4a_7c15 ^ salt);
        PackedPosition {
            code: [plane(1), plane(2), plane(3)],
            ours: plane(4),
        }
    }

    #[test]
    fn weights_of_equal_positions_add_up_across_growth() {
        let mut table = MergeTable::new();
        table.reset(1);
        for round in 1..=3 {
            for seed in 0..10_000 {
                table.insert(position(seed), round);
            }
        }
        assert_eq!(table.entries().len(), 10_000);
        assert!(table.entries().iter().all(|entry| entry.weight == 6));
        assert!(!table.overflowed());
    }

    /// Positions that differ in a single bit of any plane stay apart.
    #[test]
    fn nearly_equal_positions_are_not_merged() {
        let mut table = MergeTable::new();
        table.reset(16);
        let start = position(7);
        table.insert(start, 1);
        for bit in 0..64 {
            for plane in 0..3 {
                let mut code = start.code;
                code[plane] ^= 1 << bit;
                table.insert(PackedPosition { code, ..start }, 1);
            }
            table.insert(
                PackedPosition {
                    ours: start.ours ^ 1 << bit,
                    ..start
                },
                1,
            );
        }
        assert_eq!(table.entries().len(), 1 + 4 * 64);
    }

    #[test]
    fn a_sum_beyond_128_bits_is_noticed() {
        let mut table = MergeTable::new();
        table.reset(1);
        table.insert(position(1), u128::MAX);
        assert!(!table.overflowed());
        table.insert(position(1), 1);
        assert!(table.overflowed());
        table.reset(1);
        assert!(!table.overflowed());
    }
}
