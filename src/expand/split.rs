//! Where to split a depth between the CPU's expansion and the backend. Arithmetic only.

use crate::movegen::LeafDepth;

/// A depth, split.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Plies expanded here.
    pub split_depth: u32,
    /// Plies counted by the backend.
    pub leaf_depth: LeafDepth,
    /// Whether the expanded plies are worth merging.
    pub merges: bool,
}

/// Below this split depth nothing is merged: two plies have hardly a transposition, as one side has
/// moved only once.
const MERGED_PLIES_MIN: u32 = 3;

/// Splits a depth of at least 1.
///
/// With merging the backend gets two plies: one ply more merged costs more than counting it, one
/// less misses the ply where most transpositions are. Without merging it gets three, so that the
/// frontier stays small.
pub fn choose_split(depth: u32, merge: bool) -> Split {
    let merged_split = depth.saturating_sub(2);
    let merges = merge && merged_split >= MERGED_PLIES_MIN;
    let split_depth = if merges {
        merged_split
    } else {
        depth.saturating_sub(LeafDepth::MAX)
    };
    let leaf_depth = LeafDepth::new(depth - split_depth).expect("1 to 3 plies are left");
    Split {
        split_depth,
        leaf_depth,
        merges,
    }
}

/// Bytes of one stored position with its weight, and what the vectors that hold it over-allocate.
const STORED_BYTES: u64 = 60;

/// Whether the next ply can be stored: `current` and `previous` are the unique positions of the last
/// two plies, and growth hardly ever rises by more than a quarter from ply to ply.
pub(super) fn next_ply_fits(previous: u64, current: u64, memory_bytes: u64) -> bool {
    let growth = current as f64 / previous.max(1) as f64;
    let next = current as f64 * growth * 1.25;
    (current as f64 + next) * STORED_BYTES as f64 <= memory_bytes as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_depth() {
        for depth in 1..40 {
            for merge in [false, true] {
                let split = choose_split(depth, merge);
                assert_eq!(split.split_depth + split.leaf_depth.plies(), depth);
                assert!(!split.merges || (merge && split.split_depth >= MERGED_PLIES_MIN));
            }
        }
    }

    #[test]
    fn a_ply_is_stored_only_within_the_budget() {
        // Start position: 9.4 M unique positions at ply 6, 96 M at ply 7.
        assert!(next_ply_fits(822_518, 9_417_681, 12 << 30));
        assert!(!next_ply_fits(822_518, 9_417_681, 1 << 30));
        assert!(!next_ply_fits(9_417_681, 96_400_068, 12 << 30));
    }
}
