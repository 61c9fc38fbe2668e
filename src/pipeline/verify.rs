//! Counting part of the work twice: a random share of the frontier's positions is counted again by
//! the plain perft, which has nothing in common with any backend but the rules.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::movegen::{LeafDepth, perft};
use crate::position::{PackedPosition, Position};

/// A count of a backend that is not the plain perft's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{counter} counts {counted} for {position} at depth {depth}, the plain perft {plain}: nothing it \
     counted may be used"
)]
pub struct WrongLeaf {
    /// Who counted.
    pub counter: String,
    /// The position, White being the side to move.
    pub position: String,
    /// Plies.
    pub depth: u32,
    /// What it says.
    pub counted: u32,
    /// What the plain perft says.
    pub plain: u64,
}

/// Chooses and recounts positions.
pub(super) struct Verifier {
    /// A position is counted again if its hash is at most this.
    threshold: u64,
    /// Differs from run to run, and so does the choice.
    seed: RandomState,
    verified: AtomicU64,
}

impl Verifier {
    /// Recounts about this share of the positions, from 0 to 1.
    pub(super) fn new(share: f64) -> Verifier {
        Verifier {
            threshold: (share.clamp(0.0, 1.0) * u64::MAX as f64) as u64,
            seed: RandomState::new(),
            verified: AtomicU64::new(0),
        }
    }

    /// Recounts its share of a batch.
    pub(super) fn check(
        &self,
        counter: &str,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &[u32],
    ) -> Result<(), WrongLeaf> {
        let mut verified = 0;
        for (packed, &counted) in positions.iter().zip(counts) {
            if self.threshold == 0 || self.seed.hash_one(packed) > self.threshold {
                continue;
            }
            let position = Position::from_packed_unchecked(packed);
            let plain = perft(&position, depth.plies());
            if plain != u64::from(counted) {
                return Err(WrongLeaf {
                    counter: counter.to_owned(),
                    position: position.to_string(),
                    depth: depth.plies(),
                    counted,
                    plain,
                });
            }
            verified += 1;
        }
        self.verified.fetch_add(verified, Ordering::Relaxed);
        Ok(())
    }

    /// How many positions were counted twice.
    pub(super) fn verified(&self) -> u64 {
        self.verified.load(Ordering::Relaxed)
    }
}
