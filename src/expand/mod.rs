//! Roots to frontier: the CPU plays out the first plies, merging equal positions on the way.
//!
//! The frontier is never held as a whole. It is handed on in chunks while it is made, so its memory
//! does not grow with the depth; what the merged plies need is bounded by a budget.

mod children;
mod cost;
mod frontier;
mod merge;
mod sample;
mod split;
mod table;
mod walk;

pub use cost::{Choice, Forecast, Gauge};
pub use frontier::{CHUNK_POSITIONS, Chunk};
pub use split::{Split, choose_split};

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use frontier::Frontier;
use merge::Goal;

use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// A position whose paths are to be counted. Its index in the list of
/// roots is what every result is reported under.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The position.
    pub position: PackedPosition,
    /// Plies to count. A root of depth 0 adds nothing to the frontier: its count is 1.
    pub depth: u32,
}

/// How to expand.
#[derive(Clone, Debug)]
pub struct ExpandOptions {
    /// Merge equal positions of one root and add their weights. Counts do not depend on it.
    pub merge: bool,
    /// Bytes that merged plies may take; where they do not suffice, the remaining plies are played
    /// out without merging.
    pub memory_bytes: u64,
    /// Plies left to the backend where the depth and [`LeafDepth::deepest`] of the root allow it;
    /// `None` for what suits a processor.
    pub leaf_depth: Option<LeafDepth>,
    /// Choose a better leaf depth by measured costs, where the work is worth measuring. Counts do not
    /// depend on it.
    pub measure: bool,
}

impl Default for ExpandOptions {
    /// Merging within 1 GiB, split as suits a processor.
    fn default() -> ExpandOptions {
        ExpandOptions {
            merge: true,
            memory_bytes: 1 << 30,
            leaf_depth: None,
            measure: false,
        }
    }
}

/// Told how far the work has come. All methods may be called from any thread.
pub trait Progress: Sync {
    /// A stage begins: `units` of work, whatever they are.
    fn begin(&self, stage: &str, units: u64);
    /// Some units of the current stage are done.
    fn advance(&self, units: u64);
}

/// Shows nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// One merged ply of a root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MergedPly {
    /// Plies from the root.
    pub ply: u32,
    /// Different positions.
    pub unique: u64,
    /// Paths that lead to them: perft of the root at this ply.
    pub paths: u128,
}

/// How a frontier was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expanded {
    /// The merged plies, if there was one root and its plies were merged.
    pub merged: Vec<MergedPly>,
    /// Where the depth was split in the end, if there was one root, of a depth above 0.
    pub split: Option<Split>,
    /// What was decided by measured costs on the way.
    pub choices: Vec<Choice>,
}

/// Why expansion stopped early. No count of that run may be used.
#[derive(Debug, thiserror::Error)]
pub enum ExpandError<E> {
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// More paths lead to one merged position than 128 bits count.
    #[error("more than 2^128 paths lead to one position at ply {ply}: the count is out of reach")]
    WeightOverflow {
        /// Plies from the root.
        ply: u32,
    },
    /// A ply that has to be stored does not fit the budget.
    #[error(
        "ply {ply} does not fit the memory: it takes about {} MiB",
        needed_bytes.div_ceil(1 << 20)
    )]
    OutOfMemory {
        /// Plies from the root.
        ply: u32,
        /// The budget it would take, in bytes.
        needed_bytes: u64,
    },
    /// Whoever was handed a chunk could not deal with it.
    #[error(transparent)]
    Consumer(E),
}

/// What every part of an expansion needs.
struct Context<'a, E> {
    options: &'a ExpandOptions,
    /// Asked where to end merging, if it is there.
    gauge: Option<&'a dyn Gauge>,
    frontier: &'a Frontier<'a, E>,
    progress: &'a dyn Progress,
    stop: &'a AtomicBool,
}

impl<E> Context<'_, E> {
    fn check(&self) -> Result<(), ExpandError<E>> {
        check_stop(self.stop)
    }
}

/// Fails if the user asked to stop.
pub fn check_stop<E>(stop: &AtomicBool) -> Result<(), ExpandError<E>> {
    if stop.load(Ordering::Relaxed) {
        Err(ExpandError::Interrupted)
    } else {
        Ok(())
    }
}

/// Expands all roots and hands the frontier to `consume`, chunk by chunk, from many threads.
///
/// Positions of different roots share chunks. Where [`ExpandOptions::measure`] says so, and there is but
/// one root, `gauge` is asked what work costs. `stop` is looked at often; once it is set the expansion
/// ends with an error.
pub fn expand<E: Send>(
    roots: &[Root],
    options: &ExpandOptions,
    gauge: Option<&dyn Gauge>,
    consume: &(dyn Fn(&Chunk) -> Result<(), E> + Sync),
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Expanded, ExpandError<E>> {
    // Roots are expanded at the same time, as many as there are threads.
    let at_once = roots.len().clamp(1, rayon::current_num_threads());
    let share = ExpandOptions {
        memory_bytes: options.memory_bytes / at_once as u64,
        ..options.clone()
    };
    let frontier = Frontier::new(consume, stop);
    let context = Context {
        options: &share,
        gauge: gauge.filter(|_| options.measure && roots.len() == 1),
        frontier: &frontier,
        progress,
        stop,
    };
    let expanded = if let [root] = roots {
        expand_root(&context, 0, root)?
    } else {
        progress.begin("positions", roots.len() as u64);
        let quiet = Context {
            progress: &NoProgress,
            ..context
        };
        roots.par_iter().enumerate().try_for_each(|(index, root)| {
            expand_root(&quiet, index as u32, root)?;
            progress.advance(1);
            Ok(())
        })?;
        Expanded::default()
    };
    frontier.finish()?;
    check_stop(stop)?;
    Ok(expanded)
}

/// Counts the different positions of each ply from 0, the root, down to its depth, and the paths that
/// lead to them; tells `each` of every ply that is done.
///
/// The last ply is counted bucket by bucket and never stored as a whole; the ply before it has to fit
/// the budget.
pub fn unique(
    root: &Root,
    options: &ExpandOptions,
    each: &mut dyn FnMut(MergedPly),
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<(), ExpandError<Infallible>> {
    let frontier = Frontier::new(&|_| unreachable!("nothing is handed on"), stop);
    let context = Context {
        options,
        gauge: None,
        frontier: &frontier,
        progress,
        stop,
    };
    each(MergedPly {
        ply: 0,
        unique: 1,
        paths: 1,
    });
    merge::merge(&context, 0, root, (root.depth, Goal::Count), each)?;
    Ok(())
}

/// How the depth of a root is split; it must be at least 1.
///
/// Where the merged plies do not fit the memory, some of the plies before the leaf depth are played
/// out without merging.
pub fn split_of(root: &Root, options: &ExpandOptions) -> Split {
    let deepest = LeafDepth::deepest(&root.position);
    let leaf_depth = options.leaf_depth.map(|it| it.min(deepest));
    choose_split(root.depth, leaf_depth, options.merge)
}

fn expand_root<E: Send>(
    context: &Context<'_, E>,
    index: u32,
    root: &Root,
) -> Result<Expanded, ExpandError<E>> {
    context.check()?;
    if root.depth == 0 {
        return Ok(Expanded::default());
    }
    let mut split = split_of(root, context.options);
    let (mut merged, mut choices) = (Vec::new(), Vec::new());
    if split.merges {
        let goal = (split.split_depth, Goal::Frontier(split));
        let course = merge::merge(context, index, root, goal, &mut |ply| merged.push(ply))?;
        choices = course.choices;
        if let Some(leaf_depth) = course.leaf_depth {
            let split_depth = root.depth - leaf_depth.plies();
            split = Split {
                split_depth,
                leaf_depth,
                ..split
            };
        }
    } else {
        walk::walk_root(context, index, root, split)?;
    }
    Ok(Expanded {
        merged,
        split: Some(split),
        choices,
    })
}

/// Plies that are left to be walked before `leaf_depth` is.
fn walked_plies(depth_left: u32, leaf_depth: LeafDepth) -> u32 {
    depth_left - leaf_depth.plies()
}
