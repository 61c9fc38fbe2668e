//! The GPU backend against the scalar CPU counter: suites, random games, composed boards, odd sizes,
//! arenas too small, every slider method and workgroup size.
//!
//! A software adapter will do (on Debian: `apt-get install mesa-vulkan-drivers`). Without any adapter
//! the tests say so and pass, unless `HYPERFT_REQUIRE_GPU=1` is set: then they fail.
#![cfg(feature = "gpu")]

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyperft::backend::gpu::{
    AdapterChoice, GpuCounter, GpuOptions, LastPlies, SliderMethod, Tuning, find_adapter,
};
use hyperft::backend::{BackendError, BackendKind, LeafCounter};
use hyperft::board::CastlingMode;
use hyperft::expand::{ExpandOptions, NoProgress, Root};
use hyperft::movegen::{LeafDepth, legal_moves, perft};
use hyperft::parse::{FenOptions, read_fen};
use hyperft::pipeline::{CountOptions, Crew, count};
use hyperft::position::{PackedPosition, Position};

/// One device at a time: a software adapter uses all processors anyway, and a small one has memory
/// for one arena only.
fn turn() -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    if let Err(error) = find_adapter(&AdapterChoice::Any) {
        let required = std::env::var("HYPERFT_REQUIRE_GPU").is_ok_and(|value| value == "1");
        assert!(!required, "HYPERFT_REQUIRE_GPU=1, but {error}");
        eprintln!("not run: {error}");
        return None;
    }
    Some(TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The smallest arena and any adapter, with the rest as given.
fn options(slider: SliderMethod, last_plies: LastPlies, workgroup: u32) -> GpuOptions {
    let tuning = Tuning {
        slider,
        last_plies,
        workgroup,
    };
    GpuOptions {
        adapter: AdapterChoice::Any,
        tuning: tuning.into(),
        leaf_moves: Some(0),
        ..GpuOptions::default()
    }
}

/// Every combination of forms, with some workgroup size each.
const FORMS: [(SliderMethod, LastPlies, u32); 4] = [
    (SliderMethod::Setwise, LastPlies::Complete, 64),
    (SliderMethod::Setwise, LastPlies::Speculative, 128),
    (SliderMethod::Magic, LastPlies::Complete, 256),
    (SliderMethod::Magic, LastPlies::Speculative, 64),
];

fn open(options: &GpuOptions) -> GpuCounter {
    GpuCounter::new(options).unwrap_or_else(|error| panic!("{error}"))
}

fn depth(plies: u32) -> LeafDepth {
    LeafDepth::new(plies).expect("a leaf depth")
}

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

fn position(fen: &str) -> Option<Position> {
    let chess960 = FenOptions {
        castling: CastlingMode::Chess960,
        ..FenOptions::default()
    };
    read_fen(fen, chess960).ok().map(|parsed| parsed.position)
}

/// Positions and their counts at depths 1, 2, ... of a file of `testdata`.
fn suite(name: &str) -> Vec<(Position, Vec<u64>)> {
    let path = format!("{}/testdata/{name}.epd", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut records = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().expect("a line has a first field");
        let counts = fields
            .filter(|field| field.starts_with('D'))
            .map(|field| field.split_whitespace().nth(1).expect("a count"))
            .map(|count| count.parse().expect("a number"))
            .collect();
        let position = position(fen).unwrap_or_else(|| panic!("{name}: {fen}"));
        records.push((position, counts));
    }
    assert!(records.len() > 5, "{name} is not empty");
    records
}

/// Every position of random games from each of `starts`, until there are `count`.
fn random_games(starts: &[Position], count: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = starts[random.below(starts.len())].clone();
        for _ in 0..100 {
            found.push(position.clone());
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            // E.p. squares are rare in random play: look for one.
            let mut child = position.play_unchecked(moves[random.below(moves.len())]);
            for _ in 0..4 {
                if child.pieces().ep.is_empty() {
                    child = position.play_unchecked(moves[random.below(moves.len())]);
                }
            }
            position = child;
        }
    }
    found.truncate(count);
    found
}

/// Boards as no game makes them: any number of any pieces, kings and castling rooks anywhere on the
/// first rank, pawns beside pawns that have just moved two squares.
fn composed(count: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = [b'1'; 64];
        let men = 2 + random.below(40);
        let pieces: &[u8] = match random.below(4) {
            0 => b"QqRrBb",
            1 => b"Qq1111",
            _ => b"PPPPppppNnBbRrQq",
        };
        for _ in 0..men {
            let square = random.below(64);
            let piece = pieces[random.below(pieces.len())];
            let edge = !(8..56).contains(&square);
            if !(edge && piece.eq_ignore_ascii_case(&b'p')) {
                board[square] = piece;
            }
        }
        // Square 0 is a8 here, as in a FEN.
        let mut castling = String::new();
        let king = 56 + random.below(8);
        if random.below(2) == 0 {
            let rook = 56 + random.below(8);
            board[rook] = b'R';
            castling.push((b'A' + (rook - 56) as u8) as char);
        }
        board[king] = b'K';
        board[random.below(56)] = b'k';
        let mut ep = "-".to_owned();
        if random.below(2) == 0 {
            let file = random.below(8);
            let pushed = 24 + file;
            board[pushed] = b'p';
            board[pushed - 8] = b'1';
            board[pushed - 16] = b'1';
            for beside in [pushed - 1, pushed + 1] {
                if beside / 8 == 3 && random.below(3) > 0 {
                    board[beside] = b'P';
                }
            }
            ep = format!("{}6", (b'a' + file as u8) as char);
        }
        if castling.is_empty() {
            castling.push('-');
        }
        let ranks: Vec<&str> = board
            .chunks(8)
            .map(|rank| std::str::from_utf8(rank).expect("ASCII"))
            .collect();
        found.extend(position(&format!(
            "{} w {castling} {ep} 0 1",
            ranks.join("/")
        )));
    }
    found
}

fn packed(positions: &[Position]) -> Vec<PackedPosition> {
    positions.iter().map(Position::packed).collect()
}

/// What the scalar CPU counter says.
fn truth(positions: &[PackedPosition], plies: u32) -> Vec<u32> {
    let mut counts = vec![0; positions.len()];
    let mut counter = BackendKind::fastest().counter().expect("a CPU counts");
    let batch = counter.batch_max();
    for (positions, counts) in positions.chunks(batch).zip(counts.chunks_mut(batch)) {
        counter
            .count(positions, depth(plies), counts)
            .expect("a CPU counts");
    }
    counts
}

/// Compares a counter with what is right; the error names the first position that differs.
fn compare(
    counter: &mut impl LeafCounter,
    positions: &[PackedPosition],
    plies: u32,
    expected: &[u32],
) -> Result<(), String> {
    let mut counts = vec![7; positions.len()];
    let batch = counter.batch_max();
    for (positions, counts) in positions.chunks(batch).zip(counts.chunks_mut(batch)) {
        counter
            .count(positions, depth(plies), counts)
            .map_err(|error| error.to_string())?;
    }
    let wrong = (0..counts.len()).find(|&i| counts[i] != expected[i]);
    wrong.map_or(Ok(()), |i| {
        let position = Position::from_packed_unchecked(&positions[i]);
        Err(format!(
            "{position} (number {i} of {}) depth {plies}: expected {}, got {}",
            positions.len(),
            expected[i],
            counts[i]
        ))
    })
}

fn assert_same(counter: &mut GpuCounter, positions: &[PackedPosition], plies: u32) {
    let expected = truth(positions, plies);
    compare(counter, positions, plies, &expected).unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// Hard positions: as many special moves as can be had.
fn starts() -> Vec<Position> {
    let mut starts = Vec::new();
    for name in ["standard", "tricky", "chess960"] {
        starts.extend(suite(name).into_iter().map(|(position, _)| position));
    }
    starts
}

#[test]
fn suites_are_counted_right_in_every_form() {
    let Some(_turn) = turn() else { return };
    for (slider, last_plies, workgroup) in FORMS {
        let mut counter = open(&options(slider, last_plies, workgroup));
        let mut compared = [0; 3];
        for name in ["standard", "classic", "tricky", "chess960", "marcel_sample"] {
            let records = suite(name);
            for plies in 1..=3 {
                let has_depth = |record: &&(Position, Vec<u64>)| record.1.len() >= plies;
                let records: Vec<_> = records.iter().filter(has_depth).collect();
                let positions: Vec<PackedPosition> =
                    records.iter().map(|record| record.0.packed()).collect();
                let expected: Vec<u32> = records
                    .iter()
                    .map(|record| u32::try_from(record.1[plies - 1]).expect("it fits"))
                    .collect();
                compare(&mut counter, &positions, plies as u32, &expected)
                    .unwrap_or_else(|wrong| panic!("{name}, {slider}, {last_plies}: {wrong}"));
                compared[plies - 1] += positions.len();
            }
        }
        eprintln!(
            "{}: {compared:?} suite positions at depth 1, 2, 3",
            counter.tuning()
        );
    }
}

#[test]
fn random_games_and_composed_boards_are_counted_right() {
    let Some(_turn) = turn() else { return };
    let mut random = Random(1);
    let games = packed(&random_games(&starts(), 30_000, &mut random));
    let boards = packed(&composed(30_000, &mut random));
    let ep = |all: &[PackedPosition]| {
        let has_ep = |p: &&PackedPosition| p.unpack().ep.any();
        all.iter().filter(has_ep).count()
    };
    eprintln!("e.p. in {} of games, {} of boards", ep(&games), ep(&boards));
    assert!(ep(&games) > 100 && ep(&boards) > 1_000);
    for (slider, last_plies, workgroup) in FORMS {
        let mut counter = open(&options(slider, last_plies, workgroup));
        for all in [&games, &boards] {
            assert_same(&mut counter, all, 1);
            assert_same(&mut counter, &all[..6_000], 2);
            assert_same(&mut counter, &all[..400], 3);
        }
    }
}

#[test]
fn chunks_that_do_not_fit_are_counted_in_parts() {
    let Some(_turn) = turn() else { return };
    // 218 moves: the children of 28 of them do not fit the smallest arena. Chunks reach that size even
    // where a busy machine makes submissions slow, so there are many.
    let many = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").expect("a FEN");
    let kiwipete = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut positions = vec![many.packed(); 1_200];
    positions[900..].fill(kiwipete.expect("a FEN").packed());
    positions[1_000] = many.packed();
    for last_plies in LastPlies::ALL {
        let mut counter = open(&options(SliderMethod::Setwise, last_plies, 64));
        assert_same(&mut counter, &positions, 3);
        assert!(
            counter.usage().expect("a device was used").overflows > 0,
            "the arena was small enough"
        );
        assert_same(&mut counter, &positions, 2);
    }
}

/// Four plies of a position with many moves do not fit the smallest arena, not even alone: its
/// children are counted one by one.
#[test]
fn four_plies_of_one_position_are_counted_right() {
    let Some(_turn) = turn() else { return };
    let kiwipete = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let few = position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1").expect("a FEN");
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let positions = [few, kiwipete.expect("a FEN"), start.expect("a FEN")];
    let counts = [43_238, 4_085_603, 197_281];
    let mut random = Random(5);
    let games = packed(&random_games(&starts(), 60, &mut random));
    for last_plies in LastPlies::ALL {
        let mut counter = open(&options(SliderMethod::Setwise, last_plies, 64));
        compare(&mut counter, &packed(&positions), 4, &counts)
            .unwrap_or_else(|wrong| panic!("{last_plies}: {wrong}"));
        assert_same(&mut counter, &games, 4);
    }
}

/// Counters that share a device, at the same time and from threads of their own.
#[test]
fn counters_that_take_turns_on_a_device_count_right() {
    let Some(_turn) = turn() else { return };
    let mut random = Random(6);
    let games = packed(&random_games(&starts(), 6_000, &mut random));
    let mut first = open(&options(SliderMethod::Setwise, LastPlies::Speculative, 64));
    let mut second = first.another().expect("there is room for two");
    let (half, other) = games.split_at(3_000);
    std::thread::scope(|scope| {
        for (counter, positions) in [(&mut first, half), (&mut second, other)] {
            scope.spawn(move || {
                for plies in [1, 2, 2, 1] {
                    assert_same(counter, positions, plies);
                }
                assert_same(counter, &positions[..100], 3);
            });
        }
    });
    for counter in [&first, &second] {
        assert!(counter.usage().expect("a device was used").submissions > 5);
    }
}

/// Two counters of a device and the processor, from one queue: as on a machine with several GPUs.
#[test]
fn devices_and_the_processor_share_a_count() {
    let Some(_turn) = turn() else { return };
    let first = open(&options(SliderMethod::Setwise, LastPlies::Complete, 64));
    let second = first.another().expect("there is room for two");
    let mut crew = Crew::processor(BackendKind::fastest());
    crew.add_device("one".to_owned(), vec![Box::new(first)]);
    crew.add_device("two".to_owned(), vec![Box::new(second)]);
    let count_options = CountOptions {
        crew: std::sync::Arc::new(crew),
        expand: ExpandOptions {
            leaf_depth: LeafDepth::new(2),
            ..ExpandOptions::default()
        },
        verify: 0.01,
    };
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let kiwipete = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let root = |(position, depth): (Option<Position>, u32)| Root {
        position: position.expect("a FEN").packed(),
        depth,
    };
    let roots = [(start, 6), (kiwipete, 5)].map(root);
    let stop = AtomicBool::new(false);
    let counted = count(&roots, &count_options, &NoProgress, &stop).expect("they count");
    assert_eq!(counted.nodes, [119_060_324, 193_690_690]);
    assert!(counted.faults.is_empty() && counted.verified > 0);
    let usage = count_options.crew.usage();
    let submissions: u64 = usage.iter().map(|(_, usage)| usage.submissions).sum();
    assert!(usage.len() == 2 && submissions > 0, "{usage:?}");
}

#[test]
fn odd_batches_and_finished_games_are_counted_right() {
    let Some(_turn) = turn() else { return };
    let mut random = Random(2);
    let all = packed(&random_games(&starts(), 1_000, &mut random));
    let mate = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let mate = mate.expect("a FEN").packed();
    for (slider, last_plies, workgroup) in FORMS {
        let mut counter = open(&options(slider, last_plies, workgroup));
        let w = workgroup as usize;
        for size in [1, 2, 31, 33, w - 1, w, w + 1, 2 * w, 2 * w + 7, 3 * w] {
            for plies in 1..=3 {
                if plies < 3 || size <= 65 {
                    assert_same(&mut counter, &all[..size], plies);
                }
            }
        }
        for plies in 1..=3 {
            assert_same(&mut counter, &[], plies);
            assert_same(&mut counter, &[mate], plies);
            assert_same(&mut counter, &[mate, all[0], mate], plies);
        }
    }
}

#[test]
fn checked_shaders_and_default_limits_count_the_same() {
    let Some(_turn) = turn() else { return };
    let mut random = Random(3);
    let positions = packed(&random_games(&starts(), 2_000, &mut random));
    for (slider, last_plies, workgroup) in FORMS {
        let mut counter = open(&GpuOptions {
            runtime_checks: true,
            default_limits: true,
            ..options(slider, last_plies, workgroup)
        });
        assert!(counter.adapter().binding_bytes_max <= 128 << 20);
        assert_same(&mut counter, &positions, 1);
        assert_same(&mut counter, &positions[..500], 2);
        assert_same(&mut counter, &positions[..100], 3);
    }
}

/// Negative control: a counter that is wrong by one, for one position, is reported.
#[test]
fn a_single_wrong_count_is_reported() {
    struct OffByOne(Box<dyn LeafCounter>);
    impl LeafCounter for OffByOne {
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
            counts[20] += 1;
            Ok(())
        }
    }
    let positions = packed(&random_games(&starts(), 100, &mut Random(4)));
    let expected = truth(&positions, 2);
    let plain = perft(&Position::from_packed_unchecked(&positions[20]), 2);
    assert_eq!(u64::from(expected[20]), plain);
    let right = BackendKind::fastest().counter().expect("a CPU counts");
    let wrong = compare(&mut OffByOne(right), &positions, 2, &expected).expect_err("one is wrong");
    assert!(wrong.contains("number 20 of 100"), "{wrong}");
}

/// The program with a cache of its own: status, standard output, standard error.
fn program(arguments: &[&str], cache: &std::path::Path) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(arguments)
        .env("XDG_CACHE_HOME", cache)
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), out, err)
}

#[test]
fn the_program_counts_the_same_on_every_choice_of_devices() {
    let Some(_turn) = turn() else { return };
    let cache = tempfile::tempdir().expect("a folder can be made");
    let choices: [&[&str]; 6] = [
        &["--backend", "auto"],
        &["--backend", "gpu"],
        &["--device", "0"],
        &["--backend", "all"],
        &["--backend", "all", "--device", "0"],
        &[
            "--device",
            "0",
            "--leaf-depth",
            "4",
            "--no-merge",
            "--slider",
            "magic",
        ],
    ];
    for choice in choices {
        let arguments = [&["perft", "5", "--quiet"], choice].concat();
        let (status, out, err) = program(&arguments, cache.path());
        assert_eq!(
            (status, out.as_str()),
            (Some(0), "4865609\n"),
            "{choice:?}: {err}"
        );
    }
    // A choice is said, with how it was come by; the second time it is remembered.
    let (_, out, _) = program(&["perft", "4", "-v", "--backend", "gpu"], cache.path());
    assert!(out.contains("measured by an earlier run"), "{out}");
    assert!(out.contains("backend gpu (asked for), device "), "{out}");
    let forced = [
        "perft",
        "4",
        "-v",
        "--device",
        "0",
        "--slider",
        "magic",
        "--last-plies",
        "complete",
        "--workgroup",
        "32",
    ];
    let (_, out, _) = program(&forced, cache.path());
    let expected = "magic sliders, complete last plies, workgroups of 32 (asked for)";
    assert!(out.contains(expected), "{out}");
}

#[test]
fn a_device_that_is_not_there_is_an_error_and_no_number() {
    let Some(_turn) = turn() else { return };
    let cache = tempfile::tempdir().expect("a folder can be made");
    for name in ["99", "abacus"] {
        let arguments = ["perft", "3", "--quiet", "--device", name];
        let (status, out, err) = program(&arguments, cache.path());
        assert_eq!((status, out.as_str()), (Some(4), ""));
        assert!(err.contains("no adapter") && err.contains(name), "{err}");
    }
}
