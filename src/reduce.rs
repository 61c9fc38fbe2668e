//! Counts times weights, added up by root.

use std::sync::{Mutex, PoisonError};

use crate::expand::Chunk;

/// A count does not fit 128 bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the count exceeds 128 bits")]
pub struct TotalOverflow;

/// Totals by root, filled from many threads.
pub struct Totals {
    nodes: Mutex<Vec<u128>>,
}

impl Totals {
    /// Zero for each of `roots` roots.
    pub fn new(roots: usize) -> Totals {
        Totals {
            nodes: Mutex::new(vec![0; roots]),
        }
    }

    /// Adds a counted chunk: `counts[i]` leaves below its position `i`.
    ///
    /// Fails if a total passes 128 bits; the totals may not be used then.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn add(&self, chunk: &Chunk, counts: &[u32]) -> Result<(), TotalOverflow> {
        assert_eq!(chunk.positions.len(), counts.len(), "one count a position");
        // Positions of one root come in runs: one lock and one addition each.
        let mut sums: Vec<(u32, u128)> = Vec::new();
        for ((&root, &weight), &count) in chunk.roots.iter().zip(&chunk.weights).zip(counts) {
            let leaves = weight.checked_mul(count.into()).ok_or(TotalOverflow)?;
            match sums.last_mut() {
                Some((last, sum)) if *last == root => {
                    *sum = sum.checked_add(leaves).ok_or(TotalOverflow)?;
                }
                _ => sums.push((root, leaves)),
            }
        }
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        for (root, sum) in sums {
            let total = &mut nodes[root as usize];
            *total = total.checked_add(sum).ok_or(TotalOverflow)?;
        }
        Ok(())
    }

    /// The totals, by root.
    pub fn into_nodes(self) -> Vec<u128> {
        self.nodes
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
