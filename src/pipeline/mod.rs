//! The one line that all commands share: roots -> expand -> backend -> reduce.
//!
//! The processor counts chunks on the threads that make them. Devices take chunks from a queue, each
//! at its own speed, while the processor expands the next ones; with both in a [`Crew`] the
//! processor counts whatever finds the queue full. A device that fails gives its chunks back. Nothing
//! in a result depends on who counted it.

mod crew;
mod facts;
mod gauge;
mod queue;
mod stats;
mod verify;
mod work;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

pub use crew::Crew;
pub use facts::FactCrew;
pub use stats::stats;
pub use verify::WrongLeaf;
pub use work::Fault;

use work::Work;

use crate::backend::BackendError;
use crate::expand::{self, ExpandError, ExpandOptions, Expanded, Progress, Root};
use crate::reduce::{TotalOverflow, Totals};

/// How to count.
#[derive(Clone)]
pub struct CountOptions {
    /// Who counts the leaves.
    pub crew: Arc<Crew>,
    /// How the frontier is made.
    pub expand: ExpandOptions,
    /// The share of the frontier's positions, from 0 to 1, that the plain perft counts again.
    pub verify: f64,
}

/// What was counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Paths of the wanted length, by root.
    pub nodes: Vec<u128>,
    /// How the frontier was made.
    pub expanded: Expanded,
    /// Devices that failed on the way, whose work others took over.
    pub faults: Vec<Fault>,
    /// Positions of the frontier that were counted again, and found right.
    pub verified: u64,
}

/// Why nothing was counted.
pub type CountError = ExpandError<LeafError>;

/// Why a chunk of leaves was not counted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LeafError {
    /// The backend failed, and no other was there to take over.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A total became too large.
    #[error(transparent)]
    Overflow(#[from] TotalOverflow),
    /// A count was wrong; see [`CountOptions::verify`].
    #[error(transparent)]
    Wrong(#[from] WrongLeaf),
    /// The crew has neither a processor nor a device.
    #[error("nobody is there to count")]
    Empty,
}

/// Counts the paths below each root, on the threads of the current rayon pool and on devices.
///
/// The result does not depend on who counts, on merging, nor on the number of threads.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use hyperft::backend::BackendKind;
/// use hyperft::expand::{ExpandOptions, NoProgress, Root};
/// use hyperft::parse::parse_fen;
/// use hyperft::pipeline::{CountOptions, Crew, count};
///
/// let start = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
/// let options = CountOptions {
///     crew: Arc::new(Crew::processor(BackendKind::fastest())),
///     expand: ExpandOptions::default(),
///     verify: 0.01,
/// };
/// let roots = [Root { position: start.packed(), depth: 5 }];
/// let counted = count(&roots, &options, &NoProgress, &AtomicBool::new(false)).unwrap();
/// assert_eq!(counted.nodes, [4_865_609]);
/// assert_eq!(counted.expanded.merged[2].unique, 5_362);
/// ```
pub fn count(
    roots: &[Root],
    options: &CountOptions,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Counted, CountError> {
    let totals = Totals::new(roots.len());
    let work = Work::new(options, &totals, stop);
    let expanded = thread::scope(|scope| {
        for (device, slot) in work.living() {
            let work = &work;
            scope.spawn(move || work.serve(device, slot));
        }
        // Devices wait until they are told that nothing more comes, whatever happens here.
        let _closing = Closing(&work);
        let consume = |chunk: &expand::Chunk| work.consume(chunk);
        let expanded = expand::expand(
            roots,
            &options.expand,
            Some(&work),
            &consume,
            progress,
            stop,
        );
        if expanded.is_ok() {
            work.help().map_err(ExpandError::Consumer)?;
        } else {
            work.abandon();
        }
        expanded
    })?;
    let (faults, verified) = work.finish().map_err(ExpandError::Consumer)?;
    expand::check_stop(stop)?;
    let mut nodes = totals.into_nodes();
    for (total, root) in nodes.iter_mut().zip(roots) {
        if root.depth == 0 {
            *total = 1;
        }
    }
    Ok(Counted {
        nodes,
        expanded,
        faults,
        verified,
    })
}

/// Closes the queue when it goes out of scope.
struct Closing<'a>(&'a Work<'a>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
