//! Every backend on the same positions, against the plain `perft`; and the whole pipeline with and
//! without merging, on one thread and on many, with and without memory.
//!
//! The tests loop over `BackendKind::ALL`: a new backend inherits all of them.

#[path = "../common/positions.rs"]
mod positions;

use std::fmt;
use std::sync::atomic::AtomicBool;

use hyperft::backend::{BackendError, BackendKind, LeafCounter};
use hyperft::expand::{ExpandError, ExpandOptions, NoProgress, Root};
use hyperft::movegen::{LeafDepth, legal_moves, perft};
use hyperft::parse::parse_fen;
use hyperft::pipeline::{CountOptions, Counted, count};
use hyperft::position::PackedPosition;
use positions::{Family, Sample, batch};
use rayon::prelude::*;

const FAMILIES: [Family; 3] = [Family::Standard, Family::Chess960, Family::Composed];
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A count that is not what the plain perft says.
struct Mismatch {
    fen: String,
    depth: u32,
    expected: u64,
    got: u64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            fen,
            depth,
            expected,
            got,
        } = self;
        write!(f, "{fen}, depth {depth}: expected {expected}, got {got}")
    }
}

/// Counts all samples in one call and compares each count.
fn first_mismatch(
    counter: &mut dyn LeafCounter,
    samples: &[Sample],
    depth: LeafDepth,
) -> Option<Mismatch> {
    let positions: Vec<PackedPosition> = samples.iter().map(|it| it.position.packed()).collect();
    let mut counts = vec![u32::MAX; positions.len()];
    counter
        .count(&positions, depth, &mut counts)
        .expect("the backend works");
    let expected: Vec<u64> = samples
        .par_iter()
        .map(|it| perft(&it.position, depth.plies()))
        .collect();
    samples
        .iter()
        .zip(counts)
        .zip(expected)
        .find_map(|((sample, got), expected)| {
            (u64::from(got) != expected).then(|| Mismatch {
                fen: sample.fen.clone(),
                depth: depth.plies(),
                expected,
                got: got.into(),
            })
        })
}

/// Small trees only at depth 3, so that the plain perft stays quick.
fn samples(family: Family, depth: LeafDepth) -> Vec<Sample> {
    let batches = if depth.plies() == 1 { 0..40 } else { 0..10 };
    let mut samples: Vec<Sample> = batches.flat_map(|index| batch(family, index)).collect();
    let limit = if depth.plies() == 3 { 24 } else { usize::MAX };
    samples.retain(|sample| legal_moves(&sample.position).len() <= limit);
    samples
}

fn available() -> Vec<BackendKind> {
    let mut kinds = Vec::new();
    for kind in BackendKind::ALL {
        match kind.unavailable_because() {
            Some(reason) => println!("not run: {kind}: {reason}"),
            None => kinds.push(kind),
        }
    }
    kinds
}

#[test]
fn every_backend_counts_like_the_plain_perft() {
    for kind in available() {
        let mut compared = 0;
        for depth in (1..=LeafDepth::MAX).filter_map(LeafDepth::new) {
            for family in FAMILIES {
                let samples = samples(family, depth);
                compared += samples.len();
                let mut counter = kind.counter().expect("available");
                for samples in samples.chunks(counter.batch_max()) {
                    if let Some(mismatch) = first_mismatch(counter.as_mut(), samples, depth) {
                        panic!("{kind}: {mismatch}");
                    }
                }
            }
        }
        println!("{kind}: {compared} counts compared");
        assert!(
            compared > 30_000,
            "{kind}: only {compared} counts were compared"
        );
    }
}

/// Batches that do and do not fill a vector, a workgroup or whatever a backend works in.
#[test]
fn batches_of_every_size_are_counted_to_the_last_position() {
    let samples = batch(Family::Standard, 1_000);
    let depth = LeafDepth::new(1).expect("a depth");
    for kind in available() {
        let mut counter = kind.counter().expect("available");
        for size in (0..=40).chain([63, 64, 65, 127, 128, 129, 255, 256]) {
            if let Some(mismatch) = first_mismatch(counter.as_mut(), &samples[..size], depth) {
                panic!("{kind}, {size} positions: {mismatch}");
            }
        }
    }
}

/// On a processor that has the instructions, their backend must have been among those tested.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_bmi2_backend_runs_where_it_can() {
    let has = is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt");
    assert_eq!(available().contains(&BackendKind::CpuBmi2), has);
}

/// Negative control: a counter that is one off, on one position in a thousand, is caught, and the
/// message tells where.
#[test]
fn a_backend_that_is_one_off_is_caught() {
    struct OneOff(Box<dyn LeafCounter>);
    impl LeafCounter for OneOff {
        fn batch_max(&self) -> usize {
            self.0.batch_max()
        }
        fn count(
            &mut self,
            positions: &[PackedPosition],
            depth: LeafDepth,
            counts: &mut [u32],
        ) -> Result<(), BackendError> {
            self.0.count(positions, depth, counts)?;
            counts
                .iter_mut()
                .skip(777)
                .step_by(1_000)
                .for_each(|count| *count += 1);
            Ok(())
        }
    }
    let depth = LeafDepth::new(2).expect("a depth");
    let samples = samples(Family::Standard, depth);
    let mut right = BackendKind::CpuScalar
        .counter()
        .expect("it runs everywhere");
    assert!(first_mismatch(right.as_mut(), &samples, depth).is_none());
    let mismatch = first_mismatch(&mut OneOff(right), &samples, depth).expect("it is one off");
    assert_eq!(mismatch.got, mismatch.expected + 1);
    let text = mismatch.to_string();
    assert!(
        text.starts_with(&samples[777].fen) && text.contains("depth 2: expected "),
        "{text}"
    );
}

fn options(backend: BackendKind, merge: bool, memory_bytes: u64) -> CountOptions {
    CountOptions {
        backend,
        expand: ExpandOptions {
            merge,
            memory_bytes,
        },
    }
}

fn counted(roots: &[Root], options: &CountOptions) -> Counted {
    count(roots, options, &NoProgress, &AtomicBool::new(false)).expect("it is counted")
}

/// Merging, its memory budget and the number of threads change how a count comes about, not what
/// it is: standard positions, both colours, Chess960 and composed boards.
#[test]
fn nothing_about_the_way_changes_the_count() {
    let mut roots: Vec<Root> = Vec::new();
    for (fen, depth) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            6,
        ),
        (KIWIPETE, 5),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            5,
        ),
    ] {
        let position = parse_fen(fen).expect("a position").packed();
        roots.push(Root { position, depth });
    }
    for family in FAMILIES {
        for sample in batch(family, 5).iter().step_by(16) {
            let moves = legal_moves(&sample.position).len();
            let depth = if moves <= 16 { 5 } else { 4 };
            if moves <= 40 {
                roots.push(Root {
                    position: sample.position.packed(),
                    depth,
                });
            }
        }
    }
    assert!(roots.len() > 30);
    let kind = BackendKind::fastest();
    let truth = counted(&roots, &options(kind, false, 0)).nodes;
    assert_eq!(truth[0], 119_060_324);
    let single = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("one thread");
    for merge in [options(kind, true, 1 << 30), options(kind, true, 0)] {
        assert_eq!(counted(&roots, &merge).nodes, truth, "{merge:?}");
        assert_eq!(
            single.install(|| counted(&roots, &merge)).nodes,
            truth,
            "{merge:?}, 1 thread"
        );
        // Alone a root is merged in parallel, among others it is one task of many.
        for (root, nodes) in roots.iter().zip(&truth) {
            assert_eq!(counted(&[*root], &merge).nodes, [*nodes], "{root:?}");
        }
    }
    let other = counted(&roots[3..], &options(BackendKind::CpuScalar, true, 1 << 30));
    assert_eq!(other.nodes, truth[3..]);
}

/// Paths at each merged ply are perft of that ply: merging loses and invents no path.
#[test]
fn merged_plies_hold_all_paths() {
    let position = parse_fen(KIWIPETE).expect("a position");
    let root = Root {
        position: position.packed(),
        depth: 6,
    };
    let merged = counted(&[root], &options(BackendKind::fastest(), true, 1 << 30)).merged;
    let paths: Vec<u128> = merged.iter().map(|ply| ply.paths).collect();
    assert_eq!(paths, [48, 2_039, 97_862, 4_085_603]);
    assert!(
        merged
            .windows(2)
            .all(|pair| pair[0].unique < pair[1].unique)
    );
    assert!(merged[3].unique < 4_085_603 / 2, "{merged:?}");
}

#[test]
fn depth_zero_is_one_even_without_a_move() {
    let mate = parse_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
        .expect("a position")
        .packed();
    let roots = [0, 1, 2, 6].map(|depth| Root {
        position: mate,
        depth,
    });
    for merge in [false, true] {
        let counted = counted(&roots, &options(BackendKind::fastest(), merge, 1 << 30));
        assert_eq!(counted.nodes, [1, 0, 0, 0]);
    }
}

#[test]
fn a_set_stop_flag_ends_the_run_without_a_count() {
    let position = parse_fen(KIWIPETE).expect("a position").packed();
    for merge in [false, true] {
        let result = count(
            &[Root { position, depth: 6 }],
            &options(BackendKind::fastest(), merge, 1 << 30),
            &NoProgress,
            &AtomicBool::new(true),
        );
        assert!(matches!(result, Err(ExpandError::Interrupted)));
    }
}

/// Bare kings transpose so much that depth 40 is quick, and have so many paths that 64-bit weights
/// do not hold them: that is an error, never a wrapped number.
#[test]
fn weights_beyond_64_bits_are_an_error() {
    let position = parse_fen("8/8/3k4/8/8/3K4/8/8 w - - 0 1")
        .expect("a position")
        .packed();
    let run = |depth| {
        let options = options(BackendKind::fastest(), true, 1 << 30);
        count(
            &[Root { position, depth }],
            &options,
            &NoProgress,
            &AtomicBool::new(false),
        )
    };
    assert!(run(20).is_ok());
    assert!(matches!(run(40), Err(ExpandError::WeightOverflow { .. })));
}
