//! Measuring: counting over and over, in turns, and holding every count against the known one.
//! Nothing is printed here, and no statistics are made but those of a finished position.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::contenders::Contender;
use super::positions::Subject;
use super::statistics::spread;
use crate::backend::DeviceUsage;
use crate::expand::{ExpandError, Root, choose_split};
use crate::movegen::LeafDepth;
use crate::report::{DeviceShare, Timing};

/// Leaves of the first count of a backend whose speed is not known: milliseconds for the slowest.
const FIRST_NODES: u128 = 1_000_000;

/// Counts to one depth from which the speed of a backend is estimated, at most; fewer if they take
/// long.
const WARM_UP_COUNTS: u32 = 5;

/// How to measure.
pub(super) struct Plan<'a> {
    /// Measured runs of each position by each backend.
    pub(super) runs: usize,
    /// Seconds a run should take.
    pub(super) run_seconds: f64,
    /// Greatest depth.
    pub(super) depth_max: u32,
    /// Set when the user has had enough.
    pub(super) stop: &'a AtomicBool,
}

/// A count that is not the known one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{backend} on {position} at depth {depth}: expected {expected}, found {found}")]
pub(super) struct Wrong {
    backend: String,
    position: &'static str,
    depth: u32,
    expected: u128,
    found: u128,
}

/// Why a measurement came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    /// A count was wrong; no figure of this run may be believed.
    #[error("wrong count: {0}")]
    Wrong(Wrong),
    /// The backend failed; the others go on.
    #[error("{0}")]
    Backend(String),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}

/// What is said of the work while it goes on.
pub(super) trait Watcher {
    /// A position begins, of which so many runs will be made.
    fn position(&mut self, name: &str, runs: usize);
    /// A run is done.
    fn run(&mut self);
    /// A backend is done with the position.
    fn timed(&mut self, backend: &str, timing: &Timing);
}

/// One backend at work on one position.
struct Trial<'a> {
    contender: &'a Contender,
    depth: u32,
    counts_per_run: u32,
    run_seconds: Vec<f64>,
    before: Option<DeviceUsage>,
}

/// Measures one position with every backend, in turns, so that what disturbs one run disturbs all of
/// them. Returns for each backend its timing or why there is none.
///
/// `depths` holds for each backend the depth to count to, if that is settled; otherwise the deepest
/// that takes no longer than a run should is found out.
///
/// # Errors
/// A wrong count or the user's wish ends the measurement.
pub(super) fn measure(
    subject: &Subject,
    contenders: &[&Contender],
    depths: &[Option<u32>],
    plan: &Plan<'_>,
    watcher: &mut dyn Watcher,
) -> Result<Vec<Result<Timing, String>>, Failure> {
    watcher.position(subject.name, contenders.len() * (plan.runs + 1));
    let mut trials = Vec::new();
    for (contender, depth) in contenders.iter().zip(depths) {
        trials.push(end_or(warm_up(subject, contender, *depth, plan))?);
        watcher.run();
    }
    for _ in 0..plan.runs {
        for trial in &mut trials {
            if let Ok(running) = trial {
                let seconds = end_or(running.run(subject, plan.stop))?;
                match seconds {
                    Ok(seconds) => running.run_seconds.push(seconds),
                    Err(reason) => *trial = Err(reason),
                }
            }
            watcher.run();
        }
    }
    let timing = |trial: Result<Trial<'_>, String>| trial.map(|trial| trial.timing(subject));
    Ok(trials.into_iter().map(timing).collect())
}

/// Tells what ends the whole measurement from what ends that of one backend.
fn end_or<T>(result: Result<T, Failure>) -> Result<Result<T, String>, Failure> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Failure::Backend(reason)) => Ok(Err(reason)),
        Err(end) => Err(end),
    }
}

/// Counts to the settled depth, or deeper and deeper until a run is filled. The last count is to the
/// depth that will be measured, so that tables, caches and clocks are warm.
fn warm_up<'a>(
    subject: &Subject,
    contender: &'a Contender,
    settled: Option<u32>,
    plan: &Plan<'_>,
) -> Result<Trial<'a>, Failure> {
    let deepest = subject.depth_max().min(plan.depth_max);
    let first = settled.unwrap_or_else(|| subject.deepest(FIRST_NODES));
    let mut depth = first.clamp(1, deepest);
    let seconds = loop {
        let seconds = quickest(subject, contender, depth, plan)?;
        let nps = subject.nodes[depth as usize] as f64 / seconds;
        let fitting = subject.deepest((nps * plan.run_seconds) as u128);
        if settled.is_some() || fitting.min(deepest) <= depth {
            break seconds;
        }
        depth = fitting.min(deepest);
    };
    let counts = (plan.run_seconds / seconds).round().max(1.0);
    Ok(Trial {
        contender,
        depth,
        counts_per_run: counts as u32,
        run_seconds: Vec::new(),
        before: contender.usage(),
    })
}

/// Seconds of the quickest of some counts: the first ones wake threads and fill caches.
fn quickest(
    subject: &Subject,
    contender: &Contender,
    depth: u32,
    plan: &Plan<'_>,
) -> Result<f64, Failure> {
    let start = Instant::now();
    let mut best = f64::INFINITY;
    for _ in 0..WARM_UP_COUNTS {
        best = best.min(contender.timed_count(subject, depth, plan.stop)?);
        if start.elapsed().as_secs_f64() > plan.run_seconds / 4.0 {
            break;
        }
    }
    Ok(best)
}

impl Trial<'_> {
    /// Seconds of one count in a run.
    fn run(&self, subject: &Subject, stop: &AtomicBool) -> Result<f64, Failure> {
        let start = Instant::now();
        for _ in 0..self.counts_per_run {
            self.contender.timed_count(subject, self.depth, stop)?;
        }
        Ok(start.elapsed().as_secs_f64() / f64::from(self.counts_per_run))
    }

    fn timing(self, subject: &Subject) -> Timing {
        let deepest = LeafDepth::deepest(&subject.position.packed());
        let leaf_depth = self.contender.options.expand.leaf_depth;
        let split = choose_split(self.depth, leaf_depth.map(|it| it.min(deepest)), false);
        let nodes = subject.nodes[self.depth as usize];
        let positions = subject.nodes[split.split_depth as usize];
        let nps: Vec<f64> = self
            .run_seconds
            .iter()
            .map(|it| nodes as f64 / it)
            .collect();
        let seconds = spread(&self.run_seconds);
        let counts = f64::from(self.counts_per_run) * self.run_seconds.len() as f64;
        let wall = self.run_seconds.iter().sum::<f64>() * f64::from(self.counts_per_run);
        let after = self.contender.usage();
        let device = self.before.zip(after);
        Timing {
            position: subject.name.to_string(),
            fen: subject.position.to_string(),
            depth: self.depth,
            leaf_depth: split.leaf_depth.plies(),
            nodes,
            positions,
            counts_per_run: self.counts_per_run,
            seconds,
            nps: spread(&nps),
            positions_per_second: positions as f64 / seconds.median,
            device: device.map(|(before, after)| share(&before, &after, counts, wall)),
            run_seconds: self.run_seconds,
        }
    }
}

/// What a device did between two looks at it, during `counts` counts that took `wall` seconds.
fn share(before: &DeviceUsage, after: &DeviceUsage, counts: f64, wall: f64) -> DeviceShare {
    let each = |of: fn(&DeviceUsage) -> u64| (of(after) - of(before)) as f64 / counts;
    let computing = before.computing.zip(after.computing);
    let computing = computing.map(|(before, after)| (after - before).as_secs_f64());
    DeviceShare {
        computing_seconds: computing.map(|seconds| seconds / counts),
        computing_share: computing.map(|seconds| seconds / wall),
        upload_share: (after.upload - before.upload).as_secs_f64() / wall,
        readback_share: (after.readback - before.readback).as_secs_f64() / wall,
        uploaded_bytes: each(|it| it.uploaded_bytes),
        read_bytes: each(|it| it.read_bytes),
        submissions: each(|it| it.submissions),
        overflows: each(|it| it.overflows),
        memory_bytes: after.memory_bytes,
    }
}

impl Contender {
    /// Counts once and holds the count against the known one.
    fn timed_count(
        &self,
        subject: &Subject,
        depth: u32,
        stop: &AtomicBool,
    ) -> Result<f64, Failure> {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        let root = Root {
            position: subject.position.packed(),
            depth,
        };
        let start = Instant::now();
        let counted = self.count(root, stop).map_err(|error| match error {
            ExpandError::Interrupted => Failure::Interrupted,
            failed => Failure::Backend(failed.to_string()),
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let found = counted.nodes[0];
        let expected = subject.nodes[depth as usize];
        if found != expected {
            return Err(Failure::Wrong(Wrong {
                backend: self.name.clone(),
                position: subject.name,
                depth,
                expected,
                found,
            }));
        }
        // Right all the same, but not this backend's work alone.
        match counted.faults.first() {
            Some(fault) => Err(Failure::Backend(fault.to_string())),
            None => Ok(seconds),
        }
    }
}
