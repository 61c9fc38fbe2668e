//! Statistics of a perft: counted move by move, on the processor alone.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::expand::{self, Chunk, ExpandError, ExpandOptions, Progress, Root};
use crate::movegen::{PerftStats, perft_stats};
use crate::position::Position;

/// Perft statistics of one position, on the threads of the current rayon pool.
pub fn stats(
    root: Root,
    options: &ExpandOptions,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<PerftStats, ExpandError<Infallible>> {
    let total = Mutex::new(PerftStats::default());
    let consume = |chunk: &Chunk| {
        let mut sum = PerftStats::default();
        for (position, &weight) in chunk.positions.iter().zip(&chunk.weights) {
            if stop.load(Ordering::Relaxed) {
                // The expansion looks at it too and ends with an error.
                break;
            }
            let below = perft_stats(
                &Position::from_packed_unchecked(position),
                chunk.leaf_depth.plies(),
            );
            sum.add(&below, weight);
        }
        total
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(&sum, 1);
        Ok(())
    };
    if root.depth == 0 {
        return Ok(PerftStats {
            nodes: 1,
            ..PerftStats::default()
        });
    }
    expand::expand(&[root], options, None, &consume, progress, stop)?;
    Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}
