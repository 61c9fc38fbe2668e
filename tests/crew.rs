//! Crews of several devices and the processor: the count does not depend on who counts, and a device
//! that fails costs time, never a leaf.
//!
//! The devices are processors in disguise that fail on demand; `backend/gpu/faults.rs` makes a real
//! device fail in each of these ways.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use hyperft::backend::{BackendError, BackendKind, LeafCounter};
use hyperft::expand::{ExpandError, ExpandOptions, NoProgress, Root};
use hyperft::movegen::LeafDepth;
use hyperft::parse::parse_fen;
use hyperft::pipeline::{CountError, CountOptions, Counted, Crew, LeafError, count};
use hyperft::position::PackedPosition;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Every way in which a device may fail.
fn errors() -> [BackendError; 6] {
    let adapter = || "Disguise".to_owned();
    let reason = || "as asked".to_owned();
    [
        BackendError::DeviceLost {
            adapter: adapter(),
            reason: reason(),
        },
        BackendError::OutOfMemory {
            adapter: adapter(),
            bytes: 1 << 30,
        },
        // What a failed map comes out as.
        BackendError::DeviceFailed {
            adapter: adapter(),
            reason: reason(),
        },
        BackendError::TimedOut {
            adapter: adapter(),
            seconds: 1,
        },
        BackendError::Unwritten {
            adapter: adapter(),
            unwritten: 1,
            positions: 2,
        },
        BackendError::Disagreement {
            adapter: adapter(),
            agreed: 1,
            positions: 2,
        },
    ]
}

/// What a device in disguise does from its call number `after` on.
#[derive(Clone)]
enum Then {
    Fail(BackendError),
    /// Half of its counts are written before it fails.
    FailHalfway(BackendError),
    AddOne,
    Panic,
    Sleep,
}

struct Disguise {
    inner: Box<dyn LeafCounter>,
    calls: Arc<AtomicU64>,
    after: u64,
    then: Then,
}

impl LeafCounter for Disguise {
    fn batch_max(&self) -> usize {
        // Several chunks, and not a whole number of them.
        40_000
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        let batch = self.inner.batch_max();
        for (positions, counts) in positions.chunks(batch).zip(counts.chunks_mut(batch)) {
            self.inner.count(positions, depth, counts)?;
        }
        if self.calls.fetch_add(1, Ordering::Relaxed) < self.after {
            return Ok(());
        }
        match &self.then {
            Then::Fail(error) => {
                counts.fill(12_345);
                Err(error.clone())
            }
            Then::FailHalfway(error) => {
                let half = counts.len() / 2;
                counts[half..].fill(0);
                Err(error.clone())
            }
            Then::AddOne => {
                counts[0] += 1;
                Ok(())
            }
            Then::Panic => panic!("a device thread panics"),
            Then::Sleep => {
                std::thread::sleep(Duration::from_millis(20));
                Ok(())
            }
        }
    }
}

/// Brings a device with two counters into a crew; returns how often they were called.
fn add_device(crew: &mut Crew, name: &str, after: u64, then: Then) -> Arc<AtomicU64> {
    let calls = Arc::new(AtomicU64::new(0));
    let slot = || {
        Box::new(Disguise {
            inner: BackendKind::fastest().counter().expect("a CPU counts"),
            calls: Arc::clone(&calls),
            after,
            then: then.clone(),
        }) as Box<dyn LeafCounter>
    };
    crew.add_device(name.to_owned(), vec![slot(), slot()]);
    calls
}

fn run(crew: Crew, merge: bool) -> Result<Counted, CountError> {
    let options = CountOptions {
        crew: Arc::new(crew),
        expand: ExpandOptions {
            merge,
            leaf_depth: LeafDepth::new(2),
            ..ExpandOptions::default()
        },
        verify: 0.0,
    };
    let root = |(fen, depth)| Root {
        position: parse_fen(fen).expect("a FEN").packed(),
        depth,
    };
    let roots = [(START, 5), (KIWIPETE, 4), (START, 6), (START, 0)].map(root);
    count(&roots, &options, &NoProgress, &AtomicBool::new(false))
}

const NODES: [u128; 4] = [4_865_609, 4_085_603, 119_060_324, 1];

fn working() -> Then {
    Then::Sleep
}

#[test]
fn the_count_does_not_depend_on_who_counts() {
    for merge in [false, true] {
        let alone = Crew::processor(BackendKind::fastest());
        assert_eq!(run(alone, merge).expect("it counts").nodes, NODES);
        let mut devices = Crew::devices();
        let first = add_device(&mut devices, "first", u64::MAX, working());
        let second = add_device(&mut devices, "second", u64::MAX, working());
        assert_eq!(run(devices, merge).expect("it counts").nodes, NODES);
        assert!(first.load(Ordering::Relaxed) + second.load(Ordering::Relaxed) > 0);
        let mut all = Crew::processor(BackendKind::fastest());
        let slow = add_device(&mut all, "slow", 0, working());
        assert_eq!(run(all, merge).expect("it counts").nodes, NODES);
        assert!(slow.load(Ordering::Relaxed) > 0);
    }
}

/// Costs are measured on devices too, before they are handed anything, and beside them.
#[test]
fn costs_are_measured_on_whoever_counts() {
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let count_with = |crew: Crew| {
        let options = CountOptions {
            crew: Arc::new(crew),
            expand: ExpandOptions {
                measure: true,
                ..ExpandOptions::default()
            },
            verify: 0.0,
        };
        let root = Root {
            position: parse_fen(fen).expect("a FEN").packed(),
            depth: 8,
        };
        count(&[root], &options, &NoProgress, &AtomicBool::new(false)).expect("it counts")
    };
    let mut devices = Crew::devices();
    add_device(&mut devices, "device", u64::MAX, working());
    let mut all = Crew::processor(BackendKind::fastest());
    add_device(&mut all, "device", u64::MAX, working());
    for (crew, overlaps) in [(devices, true), (all, false)] {
        let counted = count_with(crew);
        assert_eq!(counted.nodes, [3_009_794_393]);
        let choice = counted.expanded.choices.first().expect("it was measured");
        assert_eq!(choice.forecast.overlaps, overlaps);
        assert!(choice.forecast.leaf_ns.iter().all(|&ns| ns > 0.0));
    }
    // A device that fails while it is measured is left for the run to deal with.
    let mut failing = Crew::devices().with_spare(BackendKind::fastest());
    add_device(&mut failing, "failing", 0, Then::Fail(errors()[0].clone()));
    let counted = count_with(failing);
    assert_eq!(counted.nodes, [3_009_794_393]);
    assert!(counted.expanded.choices.is_empty());
    assert_eq!(counted.faults.len(), 1);
}

/// Negative control: a device that is one off changes the count.
#[test]
fn a_device_that_counts_wrong_is_seen() {
    let mut crew = Crew::devices();
    add_device(&mut crew, "wrong", 0, Then::AddOne);
    assert_ne!(run(crew, false).expect("it counts").nodes, NODES);
}

#[test]
fn others_take_over_what_a_failed_device_had() {
    for error in errors() {
        for (after, halfway) in [(0, false), (1, true), (3, false)] {
            let then = match halfway {
                true => Then::FailHalfway(error.clone()),
                false => Then::Fail(error.clone()),
            };
            // The processor steps in only if it must.
            let mut crew = Crew::devices().with_spare(BackendKind::fastest());
            add_device(&mut crew, "failing", after, then.clone());
            let counted = run(crew, false).expect("the processor takes over");
            assert_eq!(counted.nodes, NODES, "{error} after {after}");
            let [fault] = &counted.faults[..] else {
                panic!("one device failed: {:?}", counted.faults);
            };
            assert_eq!((fault.device.as_str(), &fault.error), ("failing", &error));
            assert!(fault.to_string().contains("Disguise"), "{fault}");
            // Another device takes over.
            let mut crew = Crew::devices();
            add_device(&mut crew, "failing", after, then);
            let other = add_device(&mut crew, "other", u64::MAX, working());
            let counted = run(crew, false).expect("the other device takes over");
            assert_eq!(counted.nodes, NODES, "{error} after {after}");
            assert!(other.load(Ordering::Relaxed) > 0);
        }
    }
}

#[test]
fn there_is_no_count_when_nobody_is_left() {
    for error in errors() {
        for after in [0, 1] {
            let mut crew = Crew::devices();
            add_device(&mut crew, "failing", after, Then::Fail(error.clone()));
            add_device(&mut crew, "too", after, Then::Fail(error.clone()));
            match run(crew, false) {
                Err(ExpandError::Consumer(LeafError::Backend(found))) => assert_eq!(found, error),
                other => panic!("{error} after {after}: {other:?}"),
            }
        }
    }
    let nobody = run(Crew::devices(), false);
    assert!(matches!(
        nobody,
        Err(ExpandError::Consumer(LeafError::Empty))
    ));
}

/// A crew outlives a count; a device that failed is not asked again.
#[test]
fn a_failed_device_is_not_asked_again() {
    let mut crew = Crew::devices().with_spare(BackendKind::fastest());
    let calls = add_device(&mut crew, "failing", 0, Then::Fail(errors()[0].clone()));
    let options = CountOptions {
        crew: Arc::new(crew),
        expand: ExpandOptions::default(),
        verify: 0.0,
    };
    let roots = [Root {
        position: parse_fen(START).expect("a FEN").packed(),
        depth: 5,
    }];
    let stop = AtomicBool::new(false);
    for expected in [1, 0] {
        let counted = count(&roots, &options, &NoProgress, &stop).expect("it counts");
        assert_eq!(counted.nodes, [4_865_609]);
        assert_eq!(counted.faults.len(), expected);
    }
    assert!(
        calls.load(Ordering::Relaxed) <= 2,
        "one call for each counter"
    );
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_device_thread_that_panics_does_not_hang_the_run() {
    let mut crew = Crew::devices();
    add_device(&mut crew, "panicking", 0, Then::Panic);
    let _ = run(crew, false);
}

#[test]
fn a_stopped_run_ends_soon_and_without_a_count() {
    let mut crew = Crew::devices();
    add_device(&mut crew, "slow", 0, working());
    let options = CountOptions {
        crew: Arc::new(crew),
        expand: ExpandOptions {
            merge: false,
            ..ExpandOptions::default()
        },
        verify: 0.0,
    };
    let roots = [Root {
        position: parse_fen(START).expect("a FEN").packed(),
        depth: 9,
    }];
    let stop = AtomicBool::new(false);
    let counted = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        count(&roots, &options, &NoProgress, &stop)
    });
    assert!(matches!(counted, Err(ExpandError::Interrupted)));
}

fn verified(crew: Crew, verify: f64) -> Result<Counted, CountError> {
    let options = CountOptions {
        crew: Arc::new(crew),
        expand: ExpandOptions::default(),
        verify,
    };
    let roots = [Root {
        position: parse_fen(KIWIPETE).expect("a FEN").packed(),
        depth: 4,
    }];
    count(&roots, &options, &NoProgress, &AtomicBool::new(false))
}

#[test]
fn positions_are_counted_again_by_the_plain_perft() {
    let crew = || Crew::processor(BackendKind::fastest());
    let all = verified(crew(), 1.0).expect("it counts right");
    assert_eq!((all.nodes[0], all.verified), (4_085_603, 48));
    let none = verified(crew(), 0.0).expect("it counts right");
    assert_eq!((none.nodes[0], none.verified), (4_085_603, 0));
}

/// Negative control: a device that is one off for one position is found and named.
#[test]
fn a_wrong_count_is_found_by_counting_again() {
    let mut crew = Crew::devices().with_spare(BackendKind::fastest());
    add_device(&mut crew, "wrong", 0, Then::AddOne);
    match verified(crew, 1.0) {
        Err(ExpandError::Consumer(LeafError::Wrong(wrong))) => {
            assert_eq!((wrong.counter.as_str(), wrong.depth), ("wrong", 3));
            assert_eq!(u64::from(wrong.counted), wrong.plain + 1);
            let position = parse_fen(&wrong.position).expect("a FEN");
            assert_eq!(hyperft::movegen::perft(&position, 3), wrong.plain);
        }
        other => panic!("{other:?}"),
    }
}
