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

/// Plies below merged ones, if nothing else was asked for.
const BELOW_MERGED: LeafDepth = LeafDepth::new(2).expect("a leaf depth");

/// Splits a depth of at least 1. The backend gets `leaf_depth` plies, or all there are.
///
/// By default it gets two below merged plies: on a processor one ply more merged costs more than
/// counting it, and one less misses the ply where most transpositions are. Where nothing is merged it
/// gets three, so that the frontier stays small.
pub fn choose_split(depth: u32, leaf_depth: Option<LeafDepth>, merge: bool) -> Split {
    let split_at = |leaf: LeafDepth| depth.saturating_sub(leaf.plies());
    let merged = split_at(leaf_depth.unwrap_or(BELOW_MERGED));
    let merges = merge && merged >= MERGED_PLIES_MIN;
    let split_depth = match (merges, leaf_depth) {
        (true, _) | (false, Some(_)) => merged,
        (false, None) => split_at(LeafDepth::ALWAYS),
    };
    Split {
        split_depth,
        leaf_depth: LeafDepth::new(depth - split_depth).expect("at least one ply is left"),
        merges,
    }
}

/// Bytes of one stored position with its weight, and what the vectors that hold it over-allocate.
const STORED_BYTES: f64 = 72.0;

/// What is known of the plies merged so far, and what may be expected of the next.
#[derive(Copy, Clone, Debug)]
pub(super) struct Growth {
    /// Unique positions of the current ply.
    current: u64,
    /// By what factors the last two plies outgrew the ones before them: both sides have had a turn.
    factors: [f64; 2],
    /// Most captures a position had on average.
    captures: f64,
}

impl Growth {
    /// At the root, whose moves are unknown.
    pub(super) fn new() -> Growth {
        Growth {
            current: 1,
            factors: [50.0; 2],
            captures: 4.0,
        }
    }

    /// After a ply of `unique` positions, of which `captures` children were captures.
    pub(super) fn after(self, unique: u64, captures: u64) -> Growth {
        let parents = self.current.max(1) as f64;
        // The first plies say nothing: one side has moved a time or two.
        let factor = if parents < 100.0 {
            50.0
        } else {
            unique as f64 / parents
        };
        Growth {
            current: unique,
            factors: [self.factors[1], factor],
            captures: self.captures.mul_add(0.5, 1.5 * captures as f64 / parents),
        }
    }

    /// Positions to expect at the next ply: growth hardly ever rises by more than a seventh.
    pub(super) fn next(&self) -> u64 {
        (self.current as f64 * self.factors[0].max(self.factors[1]) * 1.15) as u64
    }

    /// Positions to expect of the next ply and of the one after: each side repeats its last growth.
    pub(super) fn forecast(&self) -> [f64; 2] {
        let next = self.current as f64 * self.factors[0];
        [next, next * self.factors[1]]
    }

    /// The budget that storing the next ply takes.
    pub(super) fn next_bytes(&self) -> u64 {
        let positions = self.current as f64 + self.next() as f64;
        (positions * STORED_BYTES / 0.75) as u64
    }

    /// Whether the next ply can be stored beside this one in three quarters of the budget.
    pub(super) fn next_fits(&self, memory_bytes: u64) -> bool {
        self.next_bytes() <= memory_bytes
    }

    /// In how many rounds the captures of this ply are made, so that those of one round fit the last
    /// quarter of the budget.
    pub(super) fn capture_rounds(&self, memory_bytes: u64) -> u64 {
        let bytes = self.current as f64 * self.captures * STORED_BYTES;
        (bytes / (memory_bytes as f64 * 0.25))
            .ceil()
            .clamp(1.0, 64.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_depth() {
        for depth in 1..40 {
            for (leaf, merge) in [
                (0, true),
                (0, false),
                (1, true),
                (2, true),
                (4, true),
                (3, false),
            ] {
                let leaf_depth = LeafDepth::new(leaf);
                let split = choose_split(depth, leaf_depth, merge);
                assert_eq!(split.split_depth + split.leaf_depth.plies(), depth);
                if leaf_depth.is_some() {
                    assert_eq!(split.leaf_depth.plies(), leaf.min(depth));
                }
                assert!(!split.merges || (merge && split.split_depth >= MERGED_PLIES_MIN));
            }
        }
    }

    /// Unique positions of the start position, and captures among the children of the ply before.
    fn start_position(plies: usize) -> Growth {
        let unique = [20, 400, 5_362, 72_078, 822_518, 9_417_681, 96_400_068];
        let captures = [0, 0, 20, 600, 24_000, 420_000, 9_000_000];
        let known = unique.into_iter().zip(captures).take(plies);
        known.fold(Growth::new(), |growth, (unique, captures)| {
            growth.after(unique, captures)
        })
    }

    #[test]
    fn a_ply_is_stored_only_within_the_budget() {
        let growth = start_position(6);
        assert!(growth.next_fits(16 << 30), "{growth:?}");
        assert!(!growth.next_fits(2 << 30), "{growth:?}");
        assert!(!start_position(7).next_fits(16 << 30));
        assert!(start_position(4).next_fits(1 << 30));
        assert!(!start_position(4).next_fits(0));
    }

    #[test]
    fn estimates_are_not_below_what_came() {
        let unique = [20, 400, 5_362, 72_078, 822_518, 9_417_681, 96_400_068];
        for (plies, &came) in unique.iter().enumerate().skip(2) {
            assert!(start_position(plies).next() >= came, "ply {plies}");
        }
    }

    #[test]
    fn forecasts_come_close() {
        let unique = [822_518.0, 9_417_681.0, 96_400_068.0];
        for plies in 4..6 {
            for (forecast, came) in start_position(plies)
                .forecast()
                .iter()
                .zip(&unique[plies - 4..])
            {
                assert!(
                    (1.0..1.45).contains(&(forecast / came)),
                    "{forecast} {came}"
                );
            }
        }
    }

    #[test]
    fn captures_are_made_in_rounds_that_fit() {
        assert_eq!(start_position(6).capture_rounds(8 << 30), 1);
        assert!(start_position(7).capture_rounds(8 << 30) > 1);
        assert_eq!(start_position(7).capture_rounds(0), 64);
    }
}
