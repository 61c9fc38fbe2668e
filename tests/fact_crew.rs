//! Crews that find facts: what is found does not depend on who finds it, and a device that fails costs
//! time, never a fact.
//!
//! The devices are processors in disguise; `backend/gpu/facts/faults.rs` makes a real one fail.

#[path = "common/positions.rs"]
#[expect(dead_code, reason = "only positions are needed")]
mod positions;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hyperft::backend::{BackendError, BackendKind, FactFinder};
use hyperft::movegen::MoveFacts;
use hyperft::pipeline::FactCrew;
use hyperft::position::PackedPosition;
use positions::{Family, batch};

/// Finds facts, and from its call number `after` on fails with half of them wrong.
struct Disguise {
    calls: Arc<AtomicU64>,
    after: u64,
}

impl FactFinder for Disguise {
    fn find(
        &mut self,
        positions: &[PackedPosition],
        facts: &mut [MoveFacts],
    ) -> Result<(), BackendError> {
        BackendKind::CpuScalar.move_facts(positions, facts)?;
        if self.calls.fetch_add(1, Ordering::Relaxed) < self.after {
            return Ok(());
        }
        let half = facts.len() / 2;
        facts[half..].fill(MoveFacts::default());
        Err(BackendError::DeviceLost {
            adapter: "Disguise".to_owned(),
            reason: "as asked".to_owned(),
        })
    }
}

/// Brings a device with two finders into a crew; returns how often they were called.
fn add_device(crew: &mut FactCrew, name: &str, after: u64) -> Arc<AtomicU64> {
    let calls = Arc::new(AtomicU64::new(0));
    let slot = || -> Box<dyn FactFinder> {
        let calls = Arc::clone(&calls);
        Box::new(Disguise { calls, after })
    };
    crew.add_device(name.to_owned(), vec![slot(), slot()]);
    calls
}

fn positions() -> Vec<PackedPosition> {
    let samples = (0..40).flat_map(|index| batch(Family::Composed, index));
    samples.map(|it| it.position.packed()).collect()
}

/// The facts of all positions, found a thousand at a time by four threads.
fn found(crew: &FactCrew, positions: &[PackedPosition]) -> Vec<MoveFacts> {
    let mut facts = vec![MoveFacts::default(); positions.len()];
    std::thread::scope(|scope| {
        let quarter = positions.len().div_ceil(4);
        let quarters = positions.chunks(quarter).zip(facts.chunks_mut(quarter));
        for (positions, facts) in quarters {
            scope.spawn(move || {
                for (positions, facts) in positions.chunks(1_000).zip(facts.chunks_mut(1_000)) {
                    crew.find(positions, facts);
                }
            });
        }
    });
    facts
}

#[test]
fn whoever_finds_facts_they_are_the_same() {
    let positions = positions();
    let expected: Vec<MoveFacts> = positions.iter().map(MoveFacts::of_packed).collect();
    for kind in BackendKind::PROCESSOR {
        if kind.unavailable_because().is_none() {
            let crew = FactCrew::processor(kind);
            assert!(!crew.has_device());
            assert_eq!(found(&crew, &positions), expected);
        }
    }
    let mut crew = FactCrew::processor(BackendKind::fastest());
    let calls = add_device(&mut crew, "one", u64::MAX);
    assert_eq!(found(&crew, &positions), expected);
    let batches = calls.load(Ordering::Relaxed);
    assert!(batches >= 10, "the device found all: {batches} batches");
    let mut crew = FactCrew::processor(BackendKind::fastest()).beside();
    let calls = add_device(&mut crew, "one", u64::MAX);
    assert_eq!(found(&crew, &positions), expected);
    assert!(calls.load(Ordering::Relaxed) > 0 && crew.has_device());
    assert!(crew.take_faults().is_empty());
}

#[test]
fn a_device_that_fails_costs_no_fact_and_is_named_once() {
    let positions = positions();
    let expected: Vec<MoveFacts> = positions.iter().map(MoveFacts::of_packed).collect();
    for after in [0, 1, 5] {
        let mut crew = FactCrew::processor(BackendKind::fastest());
        let calls = add_device(&mut crew, "one", after);
        assert_eq!(found(&crew, &positions), expected, "after {after}");
        assert!(!crew.has_device());
        let faults: Vec<String> = crew.take_faults().iter().map(ToString::to_string).collect();
        let said = "device Disguise was lost: as asked; others did its work";
        assert_eq!(faults, [said], "after {after}");
        // Both finders may have been at work when the first of them failed.
        assert!(calls.load(Ordering::Relaxed) <= after + 2);
        assert!(crew.take_faults().is_empty());
    }
    // With another device the processor is not needed.
    let mut crew = FactCrew::processor(BackendKind::fastest());
    add_device(&mut crew, "one", 2);
    let other = add_device(&mut crew, "two", u64::MAX);
    assert_eq!(found(&crew, &positions), expected);
    let faults = crew.take_faults();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].device, "one");
    assert!(other.load(Ordering::Relaxed) > 2 && crew.has_device());
}

/// Negative control: facts of a device that says it found them are taken for what they are.
#[test]
fn a_device_that_finds_wrong_facts_unnoticed_shows() {
    struct Wrong;
    impl FactFinder for Wrong {
        fn find(
            &mut self,
            positions: &[PackedPosition],
            facts: &mut [MoveFacts],
        ) -> Result<(), BackendError> {
            BackendKind::CpuScalar.move_facts(positions, facts)?;
            facts[0].mates += 1;
            Ok(())
        }
    }
    let positions = positions();
    let expected: Vec<MoveFacts> = positions.iter().map(MoveFacts::of_packed).collect();
    let mut crew = FactCrew::processor(BackendKind::fastest());
    crew.add_device("wrong".to_owned(), vec![Box::new(Wrong)]);
    assert_ne!(found(&crew, &positions), expected);
}
