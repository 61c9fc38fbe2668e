//! Every backend on the same positions, against the plain `perft`; and the whole pipeline with and
//! without merging, on one thread and on many, with and without memory.
//!
//! The tests loop over `BackendKind::ALL`: a new backend inherits all of them.

#[path = "../common/positions.rs"]
mod positions;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hyperft::backend::{BackendError, BackendKind, LeafCounter};
use hyperft::expand::{ExpandError, ExpandOptions, NoProgress, Root};
use hyperft::movegen::{LeafDepth, MoveFacts, legal_moves, perft};
use hyperft::parse::parse_fen;
use hyperft::pipeline::{CountOptions, Counted, Crew, LeafError, count};
use hyperft::position::{PackedPosition, Position};
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

/// Small trees only at depth 3 and 4, so that the plain perft stays quick.
fn samples(family: Family, depth: LeafDepth) -> Vec<Sample> {
    let batches = if depth.plies() == 1 { 0..40 } else { 0..10 };
    let mut samples: Vec<Sample> = batches.flat_map(|index| batch(family, index)).collect();
    let limit = [usize::MAX, usize::MAX, 24, 10][depth.plies() as usize - 1];
    samples.retain(|Sample { position, .. }| {
        legal_moves(position).len() <= limit && depth <= LeafDepth::deepest(&position.packed())
    });
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

/// Facts are found by the slice too: of every size, on one thread and shared out, in order.
#[test]
fn facts_of_every_size_of_batch_are_those_of_each_position() {
    let samples: Vec<Sample> = FAMILIES
        .into_iter()
        .flat_map(|family| (0..40).flat_map(move |index| batch(family, index)))
        .collect();
    let positions: Vec<PackedPosition> = samples.iter().map(|it| it.position.packed()).collect();
    let expected: Vec<MoveFacts> = positions.iter().map(MoveFacts::of_packed).collect();
    // More than two threads' shares, and the sizes around one share.
    assert!(positions.len() > 9_000, "{}", positions.len());
    for kind in available() {
        for size in [
            0,
            1,
            2,
            63,
            64,
            65,
            4_095,
            4_096,
            4_097,
            8_193,
            positions.len(),
        ] {
            let mut facts = vec![MoveFacts::default(); size];
            kind.move_facts(&positions[..size], &mut facts)
                .expect("the backend works");
            let wrong = facts_that_differ(&facts, &expected[..size]);
            if let Some(index) = wrong {
                let fen = &samples[index].fen;
                panic!("{kind}, {size} positions: {fen}: {:?}", facts[index]);
            }
        }
    }
    // Negative control: facts in another order are noticed.
    let mut swapped = expected.clone();
    let other = (1..swapped.len()).find(|&i| swapped[i] != swapped[0]);
    swapped.swap(0, other.expect("not all are alike"));
    assert_eq!(facts_that_differ(&swapped, &expected), Some(0));
}

fn facts_that_differ(found: &[MoveFacts], expected: &[MoveFacts]) -> Option<usize> {
    (0..found.len()).find(|&index| found[index] != expected[index])
}

/// On a processor that has the instructions, their backends must have been among those tested.
#[cfg(target_arch = "x86_64")]
#[test]
fn every_backend_runs_where_it_can() {
    let bmi2 = is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq");
    for (kind, runs) in [
        (BackendKind::CpuBmi2, bmi2),
        (
            BackendKind::CpuAvx2,
            bmi2 && is_x86_feature_detected!("avx2"),
        ),
        (BackendKind::CpuAvx512, bmi2 && avx512),
    ] {
        assert_eq!(available().contains(&kind), runs, "{kind}");
    }
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
        crew: Arc::new(Crew::of(backend).expect("it runs here")),
        expand: ExpandOptions {
            merge,
            memory_bytes,
            leaf_depth: None,
            measure: true,
        },
        verify: 0.0,
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
    for memory_bytes in [1 << 30, 1 << 20, 0] {
        let merge = options(kind, true, memory_bytes);
        let way = format!("merged in {memory_bytes} bytes");
        assert_counts(&roots, &counted(&roots, &merge).nodes, &truth, &way);
        let way = format!("{way} on one thread");
        assert_counts(
            &roots,
            &single.install(|| counted(&roots, &merge)).nodes,
            &truth,
            &way,
        );
        // Alone a root is merged in parallel, among others it is one task of many.
        for (root, nodes) in roots.iter().zip(&truth) {
            assert_counts(
                &[*root],
                &counted(&[*root], &merge).nodes,
                &[*nodes],
                "alone",
            );
        }
    }
    let scalar = counted(&roots[3..], &options(BackendKind::CpuScalar, true, 1 << 30));
    assert_counts(&roots[3..], &scalar.nodes, &truth[3..], "on cpu-scalar");
}

/// Negative control: a single path too many in one of many roots fails the comparison.
#[test]
#[should_panic(expected = "depth 3, merged: expected 97862, got 97863")]
fn one_path_too_many_is_found() {
    let position = parse_fen(KIWIPETE).expect("a position").packed();
    let roots = [1, 2, 3].map(|depth| Root { position, depth });
    let mut nodes = counted(&roots, &options(BackendKind::fastest(), true, 1 << 30)).nodes;
    assert_counts(&roots, &nodes, &[48, 2_039, 97_862], "merged");
    nodes[2] += 1;
    assert_counts(&roots, &nodes, &[48, 2_039, 97_862], "merged");
}

/// Compares counts root by root; a difference names the position (as its side to move sees it).
fn assert_counts(roots: &[Root], nodes: &[u128], truth: &[u128], way: &str) {
    assert_eq!(nodes.len(), truth.len());
    for ((root, got), expected) in roots.iter().zip(nodes).zip(truth) {
        let position = Position::from_packed_unchecked(&root.position);
        let depth = root.depth;
        assert!(
            got == expected,
            "{position} depth {depth}, {way}: expected {expected}, got {got}"
        );
    }
}

/// Paths at each merged ply are perft of that ply: merging loses and invents no path.
#[test]
fn merged_plies_hold_all_paths() {
    let position = parse_fen(KIWIPETE).expect("a position");
    let root = Root {
        position: position.packed(),
        depth: 6,
    };
    let merged = counted(&[root], &options(BackendKind::fastest(), true, 1 << 30))
        .expanded
        .merged;
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

/// Bare kings transpose so much that deep counts are quick, and have so many paths that 64 bits do
/// not hold them. The count was computed with a table of king moves, without this program. Beyond
/// 128 bits there is an error, never a wrapped number.
#[test]
fn counts_beyond_64_bits_are_exact_and_beyond_128_an_error() {
    let position = parse_fen("8/8/2k5/8/8/5K2/8/8 b - - 7 70")
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
    let nodes = run(40).expect("it fits").nodes;
    assert_eq!(nodes, [4_837_859_485_479_923_218_686_374_374_077_804]);
    for depth in [50, 60, 255] {
        let result = run(depth);
        let overflows = matches!(
            result,
            Err(ExpandError::WeightOverflow { .. } | ExpandError::Consumer(LeafError::Overflow(_)))
        );
        assert!(overflows, "depth {depth}: {result:?}");
    }
}

/// The merged plies of a position with a lopsided board, where one half hardly ever changes: few
/// buckets, and a ply much larger than the one before.
#[test]
fn a_lopsided_board_is_counted_right_with_any_memory() {
    let position = parse_fen("4k3/8/8/8/8/8/8/QQQQKQQQ b - - 0 1").expect("a position");
    let root = Root {
        position: position.packed(),
        depth: 5,
    };
    let truth = u128::from(perft(&position, 4));
    let shallow = Root { depth: 4, ..root };
    assert_eq!(
        counted(&[shallow], &options(BackendKind::CpuScalar, false, 0)).nodes,
        [truth]
    );
    let deep = counted(&[root], &options(BackendKind::fastest(), false, 0)).nodes;
    for memory_bytes in [0, 10_000, 1_000_000, 1 << 30] {
        let merged = counted(
            &[root],
            &options(BackendKind::fastest(), true, memory_bytes),
        );
        assert_eq!(merged.nodes, deep, "{memory_bytes} bytes");
    }
}
