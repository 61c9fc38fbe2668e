//! The one line that all commands share: roots -> expand -> backend -> reduce.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::backend::{BackendError, BackendKind, LeafCounter};
use crate::expand::{self, Chunk, ExpandError, ExpandOptions, MergedPly, Progress, Root};
use crate::movegen::{PerftStats, perft_stats};
use crate::pool::Pool;
use crate::position::Position;
use crate::reduce::{TotalOverflow, Totals};

/// How to count.
#[derive(Clone, Debug)]
pub struct CountOptions {
    /// Who counts the leaves.
    pub backend: BackendKind,
    /// How the frontier is made.
    pub expand: ExpandOptions,
}

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Paths of the wanted length, by root.
    pub nodes: Vec<u128>,
    /// The merged plies, if there was one root and its plies were merged.
    pub merged: Vec<MergedPly>,
}

/// Why nothing was counted.
pub type CountError = ExpandError<LeafError>;

/// Why a chunk of leaves was not counted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LeafError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A total became too large.
    #[error(transparent)]
    Overflow(#[from] TotalOverflow),
}

/// A counter and room for its counts, lent to one thread at a time.
type Worker = Result<(Box<dyn LeafCounter>, Vec<u32>), BackendError>;

/// Counts the paths below each root, on the threads of the current rayon pool.
///
/// The result does not depend on the backend, on merging, nor on the number of threads.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use hyperft::backend::BackendKind;
/// use hyperft::expand::{ExpandOptions, NoProgress, Root};
/// use hyperft::parse::parse_fen;
/// use hyperft::pipeline::{CountOptions, count};
///
/// let start = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
/// let options = CountOptions {
///     backend: BackendKind::fastest(),
///     expand: ExpandOptions { merge: true, memory_bytes: 1 << 30 },
/// };
/// let roots = [Root { position: start.packed(), depth: 5 }];
/// let counted = count(&roots, &options, &NoProgress, &AtomicBool::new(false)).unwrap();
/// assert_eq!(counted.nodes, [4_865_609]);
/// assert_eq!(counted.merged[2].unique, 5_362);
/// ```
pub fn count(
    roots: &[Root],
    options: &CountOptions,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Counted, CountError> {
    let backend = options.backend;
    let workers: Pool<Worker> =
        Pool::new(move || backend.counter().map(|counter| (counter, Vec::new())));
    let totals = Totals::new(roots.len());
    let consume = |chunk: &Chunk| {
        workers.with(|worker| match worker {
            Ok((counter, counts)) => count_chunk(counter.as_mut(), counts, chunk, &totals),
            Err(error) => Err(LeafError::Backend(error.clone())),
        })
    };
    let merged = expand::expand(roots, &options.expand, &consume, progress, stop)?;
    let mut nodes = totals.into_nodes();
    for (total, root) in nodes.iter_mut().zip(roots) {
        if root.depth == 0 {
            *total = 1;
        }
    }
    Ok(Counted { nodes, merged })
}

fn count_chunk(
    counter: &mut dyn LeafCounter,
    counts: &mut Vec<u32>,
    chunk: &Chunk,
    totals: &Totals,
) -> Result<(), LeafError> {
    counts.clear();
    counts.resize(chunk.positions.len(), 0);
    let batch = counter.batch_max();
    for (positions, counts) in chunk.positions.chunks(batch).zip(counts.chunks_mut(batch)) {
        counter.count(positions, chunk.leaf_depth, counts)?;
    }
    totals.add(chunk, counts)?;
    Ok(())
}

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
    expand::expand(&[root], options, &consume, progress, stop)?;
    Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}
