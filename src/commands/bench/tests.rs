//! The seam under a counter that lies, one that fails, and a user in a hurry.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::contenders::{Contender, unmerged};
use super::measure::{Failure, Plan, Watcher};
use super::positions::{Subject, subjects};
use super::{measure_all, status_of};
use crate::backend::{BackendError, BackendKind, LeafCounter};
use crate::commands::ExitStatus;
use crate::expand::ExpandOptions;
use crate::movegen::LeafDepth;
use crate::pipeline::Crew;
use crate::position::PackedPosition;
use crate::report::{TimedBackend, Timing};

/// What goes wrong once the good calls are used up.
#[derive(Copy, Clone)]
enum Fault {
    /// One count is too high by one.
    Lies,
    /// The device is gone.
    Fails,
}

struct Unreliable {
    counter: Box<dyn LeafCounter>,
    good_calls: usize,
    fault: Fault,
}

impl LeafCounter for Unreliable {
    fn batch_max(&self) -> usize {
        self.counter.batch_max()
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        self.counter.count(positions, depth, counts)?;
        match (self.good_calls, self.fault) {
            (0, Fault::Lies) => counts[0] += 1,
            (0, Fault::Fails) => {
                return Err(BackendError::DeviceLost {
                    adapter: "Toaster".to_string(),
                    reason: "unplugged".to_string(),
                });
            }
            (left, _) => self.good_calls = left - 1,
        }
        Ok(())
    }
}

fn contender(name: &str, crew: Crew) -> Contender {
    Contender {
        name: name.to_string(),
        adapter: None,
        pipeline: String::new(),
        slow: None,
        options: unmerged(Arc::new(crew), ExpandOptions::default()),
    }
}

fn unreliable(good_calls: usize, fault: Fault) -> Contender {
    let counter = BackendKind::CpuScalar
        .counter()
        .expect("it runs everywhere");
    let counter = Unreliable {
        counter,
        good_calls,
        fault,
    };
    let mut crew = Crew::devices();
    crew.add_device("Toaster".to_string(), vec![Box::new(counter)]);
    contender("unreliable", crew)
}

fn reliable() -> Contender {
    contender("reliable", Crew::processor(BackendKind::CpuScalar))
}

/// Sees what happens, and may ask to stop when a position begins.
#[derive(Default)]
struct Log {
    timed: Vec<String>,
    stop_at: Option<&'static str>,
}

static STOP: AtomicBool = AtomicBool::new(false);

impl Watcher for Log {
    fn position(&mut self, name: &str, _: usize) {
        if self.stop_at == Some(name) {
            STOP.store(true, Ordering::Relaxed);
        }
    }

    fn run(&mut self) {}

    fn timed(&mut self, backend: &str, timing: &Timing) {
        self.timed.push(format!("{backend} {}", timing.position));
    }
}

/// Two runs of a single count each, which is one call at depth 3: with the warm-up three calls a
/// position.
fn measured(
    contenders: &[Contender],
    stop: &AtomicBool,
    log: &mut Log,
) -> (Vec<TimedBackend>, Option<Failure>) {
    let names = ["startpos", "kiwipete", "position5"].map(String::from);
    let subjects = subjects(&names).expect("they are known");
    let plan = Plan {
        runs: 2,
        run_seconds: 0.0,
        depth_max: 3,
        stop,
    };
    let unsettled = |_: &Contender, _: &Subject| None;
    measure_all(contenders, &subjects, &unsettled, &plan, log)
}

#[test]
fn right_counts_are_timed_and_summed_up() {
    let mut log = Log::default();
    let never = AtomicBool::new(false);
    let contenders = [reliable(), unreliable(usize::MAX, Fault::Lies)];
    let (backends, failure) = measured(&contenders, &never, &mut log);
    assert_eq!(failure, None);
    assert_eq!(status_of(&backends, None), ExitStatus::Good);
    assert_eq!(log.timed.len(), 6);
    for backend in &backends {
        let nodes: Vec<u128> = backend.timings.iter().map(|it| it.nodes).collect();
        assert_eq!(nodes, [8_902, 97_862, 62_379]);
        assert!(backend.timings.iter().all(|it| it.run_seconds.len() == 2));
        assert!(backend.nps_mean.is_some_and(|nps| nps > 0.0));
    }
}

/// In the warm-up, in a measured run, at the last: a wrong count is never a figure.
#[test]
fn a_wrong_count_ends_the_bench_and_says_where() {
    for (good_calls, finished, position, expected) in [
        (0, 0, "startpos", 8_902),
        (4, 1, "kiwipete", 97_862),
        (8, 2, "position5", 62_379),
    ] {
        let contenders = [reliable(), unreliable(good_calls, Fault::Lies)];
        let never = AtomicBool::new(false);
        let (backends, failure) = measured(&contenders, &never, &mut Log::default());
        let failure = failure.expect("it lies");
        let text = format!(
            "wrong count: unreliable on {position} at depth 3: expected {expected}, found {}",
            expected + 1
        );
        assert_eq!(failure.to_string(), text);
        assert_eq!(status_of(&backends, Some(&failure)), ExitStatus::Mismatch);
        for backend in &backends {
            assert_eq!(backend.timings.len(), finished);
            assert_eq!(backend.nps_mean, None, "not all positions were measured");
        }
    }
}

#[test]
fn a_backend_that_fails_leaves_the_others_alone() {
    let contenders = [unreliable(4, Fault::Fails), reliable()];
    let never = AtomicBool::new(false);
    let (backends, failure) = measured(&contenders, &never, &mut Log::default());
    assert_eq!(failure, None);
    let [failed, other] = &backends[..] else {
        panic!("two are measured")
    };
    let reason = failed.failed.as_deref().unwrap_or_default();
    assert!(reason.contains("Toaster was lost: unplugged"), "{reason}");
    assert_eq!((failed.timings.len(), other.timings.len()), (1, 3));
    assert_eq!((failed.nps_mean, other.failed.as_deref()), (None, None));
    assert_eq!(status_of(&backends, None), ExitStatus::Device);
}

#[test]
fn a_user_who_stops_it_keeps_what_is_finished() {
    let mut log = Log {
        stop_at: Some("kiwipete"),
        ..Log::default()
    };
    let (backends, failure) = measured(&[reliable()], &STOP, &mut log);
    assert_eq!(failure, Some(Failure::Interrupted));
    assert_eq!(log.timed, ["reliable startpos"]);
    assert_eq!(backends[0].timings.len(), 1);
    assert_eq!(
        status_of(&backends, failure.as_ref()),
        ExitStatus::Interrupted
    );
}
