//! Measured costs choose where merging ends, and no count depends on them, however absurd they are.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use hyperft::backend::{BackendError, BackendKind};
use hyperft::expand::{Chunk, ExpandOptions, Expanded, Gauge, MergedPly, NoProgress, Root, expand};
use hyperft::movegen::LeafDepth;
use hyperft::parse::{NAMED_POSITIONS, parse_fen};
use hyperft::position::PackedPosition;

/// Few pieces, so that a ply of many positions is still quickly done with.
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const ENDGAME_9: u128 = 50_086_749_815;

/// Says that a position counted to depth 1, 2 or 3 costs so many nanoseconds.
struct Claim {
    leaf_ns: [f64; 3],
    asked: AtomicBool,
}

impl Claim {
    fn new(leaf_ns: [f64; 3]) -> Claim {
        let asked = AtomicBool::new(false);
        Claim { leaf_ns, asked }
    }
}

impl Gauge for Claim {
    fn leaf_ns(&self, sample: &[PackedPosition], depth: LeafDepth) -> Option<f64> {
        self.asked.store(true, Ordering::Relaxed);
        assert!(!sample.is_empty());
        Some(self.leaf_ns[depth.plies() as usize - 1])
    }

    fn overlaps(&self) -> bool {
        false
    }
}

/// Expands and counts; returns the count and how it was split.
fn run(fen: &str, depth: u32, options: &ExpandOptions, gauge: &dyn Gauge) -> (u128, Expanded) {
    let root = Root {
        position: parse_fen(fen).expect("a FEN").packed(),
        depth,
    };
    let total = Mutex::new(0);
    let consume = |chunk: &Chunk| -> Result<(), BackendError> {
        let mut counts = vec![0; chunk.positions.len()];
        let mut counter = BackendKind::fastest().counter()?;
        counter.count(&chunk.positions, chunk.leaf_depth, &mut counts)?;
        let paths = counts.iter().zip(&chunk.weights);
        let sum: u128 = paths
            .map(|(&count, weight)| u128::from(count) * weight)
            .sum();
        *total.lock().unwrap_or_else(PoisonError::into_inner) += sum;
        Ok(())
    };
    let stop = AtomicBool::new(false);
    let expanded = expand(&[root], options, Some(gauge), &consume, &NoProgress, &stop);
    let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    (total, expanded.expect("it counts"))
}

fn measuring() -> ExpandOptions {
    ExpandOptions {
        measure: true,
        ..ExpandOptions::default()
    }
}

fn leaf_plies(expanded: &Expanded) -> u32 {
    expanded.split.expect("one root").leaf_depth.plies()
}

#[test]
fn any_costs_give_the_same_count() {
    const ABSURD: f64 = 1e15;
    let claims = [
        ([ABSURD, 0.0, ABSURD], 2),
        ([f64::NAN, f64::NAN, f64::NAN], 1),
        ([f64::INFINITY, f64::INFINITY, f64::INFINITY], 3),
    ];
    for (leaf_ns, plies) in claims {
        let (nodes, expanded) = run(ENDGAME, 9, &measuring(), &Claim::new(leaf_ns));
        assert_eq!(nodes, ENDGAME_9, "{leaf_ns:?}");
        assert_eq!(leaf_plies(&expanded), plies, "{leaf_ns:?}: {expanded:?}");
        assert!(!expanded.choices.is_empty());
    }
}

/// The same with little memory, where merging has to end whatever a gauge says.
#[test]
fn memory_goes_before_costs() {
    let options = ExpandOptions {
        memory_bytes: 1 << 20,
        ..measuring()
    };
    let (nodes, expanded) = run(ENDGAME, 8, &options, &Claim::new([0.0, 1e15, 1e15]));
    assert_eq!(nodes, 3_009_794_393);
    assert_eq!(leaf_plies(&expanded), 2, "{expanded:?}");
    assert!(expanded.choices.is_empty());
}

/// What is measured is what was merged: forecasts are of the size of what came.
#[test]
fn forecasts_are_near_what_comes() {
    let (_, expanded) = run(ENDGAME, 9, &measuring(), &Claim::new([1e15, 0.0, 1e15]));
    for choice in &expanded.choices {
        let came = |merged: &&MergedPly| merged.ply == choice.ply;
        let came = expanded.merged.iter().find(came).expect("that ply");
        let ratio = choice.forecast.unique[0] / came.unique as f64;
        assert!((0.5..2.0).contains(&ratio), "{choice:?} {came:?}");
        assert!(choice.forecast.merge_ns > 0.0);
    }
}

/// Nothing is measured for a count that takes a moment, nor where the depth was asked for.
#[test]
fn small_and_fixed_depths_do_not_pay() {
    let gauge = Claim::new([1.0; 3]);
    let (nodes, _) = run(NAMED_POSITIONS[0].fen, 6, &measuring(), &gauge);
    assert_eq!(nodes, 119_060_324);
    let fixed = ExpandOptions {
        leaf_depth: LeafDepth::new(3),
        ..ExpandOptions::default()
    };
    let (nodes, expanded) = run(ENDGAME, 9, &fixed, &gauge);
    assert_eq!((nodes, leaf_plies(&expanded)), (ENDGAME_9, 3));
    assert!(!gauge.asked.load(Ordering::Relaxed));
    assert!(expanded.choices.is_empty());
}
