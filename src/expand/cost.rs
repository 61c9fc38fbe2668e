//! Is another merged ply worth its cost? Arithmetic on costs that somebody else measured.

use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// Says what counting costs, by counting a little. What merging costs shows on the plies merged before.
pub trait Gauge: Sync {
    /// Nanoseconds of wall time for each of such positions, counted to this depth with every thread and
    /// device at work; `None` if that cannot be said.
    fn leaf_ns(&self, sample: &[PackedPosition], depth: LeafDepth) -> Option<f64>;
    /// Whether counting goes on beside merging, on devices, and takes nothing from it.
    fn overlaps(&self) -> bool;
}

/// What is measured, or forecast from what is, before a ply is played that may be the last one merged.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Children that will be merged: of the ply before, and of this one.
    pub children: [f64; 2],
    /// Different positions to be expected of this ply, and of the next.
    pub unique: [f64; 2],
    /// Nanoseconds of wall time for each child merged, as it was a ply before.
    pub merge_ns: f64,
    /// The same for each position of this ply, counted from there, and of the next.
    pub leaf_ns: [f64; 2],
    /// Whether counting goes on beside merging; see [`Gauge::overlaps`].
    pub overlaps: bool,
}

impl Forecast {
    /// Seconds from now if this ply is the last to be merged.
    pub fn seconds_here(&self) -> f64 {
        self.last_ply(0) / 1e9
    }

    /// Seconds from now if one more ply is.
    pub fn seconds_next(&self) -> f64 {
        (self.children[0] * self.merge_ns + self.last_ply(1)) / 1e9
    }

    /// Whether this ply should be the last to be merged.
    pub fn ends_here(&self) -> bool {
        self.seconds_here() <= self.seconds_next()
    }

    /// What it takes to merge one of the two plies and to count what it holds.
    fn last_ply(&self, ply: usize) -> f64 {
        let merging = self.children[ply] * self.merge_ns;
        let counting = self.unique[ply] * self.leaf_ns[ply];
        if self.overlaps {
            merging.max(counting)
        } else {
            merging + counting
        }
    }
}

/// A decision on where merging ends.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Choice {
    /// The ply that was about to be merged.
    pub ply: u32,
    /// Plies below it.
    pub left: LeafDepth,
    /// What it was decided on.
    pub forecast: Forecast,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start position at depth 8, before ply 5, with costs as on two threads of a processor.
    const DEPTH_8: Forecast = Forecast {
        children: [1.7e6, 21e6],
        unique: [820e3, 9.4e6],
        merge_ns: 15.0,
        leaf_ns: [3_000.0, 150.0],
        overlaps: false,
    };

    #[test]
    fn seconds_are_the_sum_of_what_is_done() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(DEPTH_8.seconds_here(), 0.0255 + 2.46));
        assert!(close(DEPTH_8.seconds_next(), 0.0255 + 0.315 + 1.41));
        assert!(!DEPTH_8.ends_here());
    }

    #[test]
    fn counting_beside_merging_hides_the_cheaper_of_the_two() {
        let device = Forecast {
            overlaps: true,
            ..DEPTH_8
        };
        assert!((device.seconds_here() - 2.46).abs() < 1e-9);
        assert!((device.seconds_next() - (0.0255 + 1.41)).abs() < 1e-9);
    }

    /// Each cost, made absurd, turns the decision; so none of them is ignored.
    #[test]
    fn every_cost_counts() {
        let cheap_leaves = Forecast {
            leaf_ns: [30.0, 150.0],
            ..DEPTH_8
        };
        let dear_merging = Forecast {
            merge_ns: 500.0,
            ..DEPTH_8
        };
        let no_transpositions = Forecast {
            unique: [820e3, 21e6],
            ..DEPTH_8
        };
        assert!(cheap_leaves.ends_here());
        assert!(dear_merging.ends_here());
        assert!(no_transpositions.ends_here());
    }
}
