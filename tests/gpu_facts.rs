//! Facts that shaders find against those of the processor: suites, random games, Chess960, composed
//! boards, odd sizes, room too small, every slider method and some workgroup sizes.
//!
//! A software adapter will do (on Debian: `apt-get install mesa-vulkan-drivers`). Without any adapter
//! the tests say so and pass, unless `HYPERFT_REQUIRE_GPU=1` is set: then they fail.
#![cfg(feature = "gpu")]

#[path = "common/positions.rs"]
mod positions;

use std::sync::{Mutex, MutexGuard, PoisonError};

use hyperft::backend::gpu::{
    AdapterChoice, GpuFacts, GpuOptions, SliderMethod, TuningChoice, find_adapter,
};
use hyperft::backend::{BackendError, BackendKind, FactFinder};
use hyperft::board::{CastlingMode, MoveKind};
use hyperft::movegen::{MoveFacts, legal_moves};
use hyperft::parse::{FenOptions, read_fen};
use hyperft::position::{PackedPosition, Position};
use positions::{Family, batch};

/// One device at a time: a software adapter uses all processors anyway.
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

const FORMS: [(SliderMethod, u32); 3] = [
    (SliderMethod::Setwise, 64),
    (SliderMethod::Setwise, 256),
    (SliderMethod::Magic, 128),
];

/// Any adapter, and as little room as there can be: 170 positions with four moves each that may give
/// check.
fn options((slider, workgroup): (SliderMethod, u32)) -> GpuOptions {
    GpuOptions {
        adapter: AdapterChoice::Any,
        tuning: TuningChoice {
            slider: Some(slider),
            workgroup: Some(workgroup),
            ..TuningChoice::default()
        },
        leaf_moves: Some(0),
        ..GpuOptions::default()
    }
}

fn open(options: &GpuOptions) -> GpuFacts {
    GpuFacts::new(options).unwrap_or_else(|error| panic!("{error}"))
}

fn position(fen: &str) -> Position {
    let chess960 = FenOptions {
        castling: CastlingMode::Chess960,
        ..FenOptions::default()
    };
    let parsed = read_fen(fen, chess960);
    parsed
        .unwrap_or_else(|error| panic!("{fen}: {error:?}"))
        .position
}

/// The positions of all suites of `testdata`, and their children.
fn suites() -> Vec<PackedPosition> {
    let mut found = Vec::new();
    for name in ["standard", "classic", "tricky", "chess960", "marcel_sample"] {
        let path = format!("{}/testdata/{name}.epd", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fen = line.split(';').next().expect("a line has a first field");
            let position = position(fen.trim());
            let children = legal_moves(&position);
            found.push(position.packed());
            found.extend(
                children
                    .iter()
                    .map(|&it| position.play_unchecked(it).packed()),
            );
        }
    }
    found
}

fn family(family: Family, batches: std::ops::Range<u64>) -> Vec<PackedPosition> {
    let samples = batches.flat_map(|index| batch(family, index));
    samples.map(|it| it.position.packed()).collect()
}

fn truth(positions: &[PackedPosition]) -> Vec<MoveFacts> {
    let mut facts = vec![MoveFacts::default(); positions.len()];
    let found = BackendKind::fastest().move_facts(positions, &mut facts);
    found.expect("the processor does not fail");
    facts
}

/// Compares a finder with what is right; the error names the first position that differs.
fn compare(
    finder: &mut impl FactFinder,
    positions: &[PackedPosition],
    expected: &[MoveFacts],
) -> Result<(), String> {
    // Never to be mistaken for what was found.
    let stale = MoveFacts {
        legal_moves: u16::MAX,
        ..MoveFacts::default()
    };
    let mut facts = vec![stale; positions.len()];
    let found = finder.find(positions, &mut facts);
    found.map_err(|error| error.to_string())?;
    let wrong = (0..facts.len()).find(|&i| facts[i] != expected[i]);
    wrong.map_or(Ok(()), |i| {
        let position = Position::from_packed_unchecked(&positions[i]);
        Err(format!(
            "{position} (number {i} of {}): expected {:?}, got {:?}",
            positions.len(),
            expected[i],
            facts[i]
        ))
    })
}

fn assert_same(finder: &mut GpuFacts, positions: &[PackedPosition]) {
    let expected = truth(positions);
    compare(finder, positions, &expected).unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// How often moves of a rare kind give check, by that kind: castling, promotion, e.p.; and how often
/// one e.p. capture checks by discovery, and promotions or e.p. captures twice.
fn rare_checks(positions: &[PackedPosition]) -> [usize; 5] {
    let mut counts = [0; 5];
    for packed in positions {
        let position = Position::from_packed_unchecked(packed);
        for &played in legal_moves(&position).iter() {
            let kind = match played.kind() {
                MoveKind::Castle => 0,
                MoveKind::Promotion(_) => 1,
                MoveKind::EnPassant => 2,
                MoveKind::Normal | MoveKind::DoublePush => continue,
            };
            // Seen from the side that moved: the board is not mirrored in between.
            let checkers = position.play_unchecked(played).checkers();
            let direct = checkers.contains(played.to());
            counts[kind] += usize::from(checkers.any());
            counts[3] += usize::from(kind == 2 && checkers.any() && !direct);
            counts[4] += usize::from(kind > 0 && checkers.count() > 1);
        }
    }
    counts
}

#[test]
fn facts_are_those_of_the_processor() {
    let Some(_turn) = turn() else { return };
    let sets = [
        ("suites", suites()),
        ("games", family(Family::Standard, 0..30)),
        ("Chess960", family(Family::Chess960, 0..30)),
        ("boards", family(Family::Composed, 0..60)),
    ];
    let all: Vec<PackedPosition> = sets.iter().flat_map(|(_, set)| set).copied().collect();
    let rare = rare_checks(&all);
    eprintln!("checks by castling, promotion, e.p.; e.p. by discovery; double: {rare:?}");
    assert!(rare.iter().all(|&count| count > 20), "{rare:?}");
    let double = truth(&all).iter().map(|it| it.double_checks).sum::<u16>();
    assert!(double > 200, "{double} double checks");
    for form in FORMS {
        let mut finder = open(&options(form));
        for (name, set) in &sets {
            let expected = truth(set);
            compare(&mut finder, set, &expected)
                .unwrap_or_else(|wrong| panic!("{name}, {form:?}: {wrong}"));
        }
    }
    eprintln!("{} positions in each of {} forms", all.len(), FORMS.len());
}

/// Around the sizes of workgroups and chunks, finished games among them.
#[test]
fn batches_of_every_size_are_looked_at_to_the_last_position() {
    let Some(_turn) = turn() else { return };
    let all = family(Family::Standard, 0..4);
    let mate = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").packed();
    for form in FORMS {
        let mut finder = open(&options(form));
        for size in (0..=40).chain([63, 64, 65, 127, 128, 129, 169, 170, 171, 255, 256, 257, 700]) {
            assert_same(&mut finder, &all[..size]);
        }
        assert_same(&mut finder, &[mate]);
        assert_same(&mut finder, &[mate, all[0], mate]);
    }
}

/// Some forty promotions a position, all of which have to be made: they do not fit, and nothing is lost.
#[test]
fn moves_that_do_not_fit_are_looked_at_in_parts() {
    let Some(_turn) = turn() else { return };
    let promotions = position("n1n1n1n1/PPPPPP2/8/7k/8/8/8/4K3 w - - 0 1").packed();
    let mut all = vec![promotions; 400];
    all.extend(family(Family::Composed, 100..102));
    for form in FORMS {
        let mut finder = open(&options(form));
        assert_same(&mut finder, &all);
        let usage = finder.usage();
        assert!(usage.overflows > 0, "{usage:?}: there was room enough");
        assert!(usage.submissions > 10, "{usage:?}");
    }
}

/// Finders that share a device, at the same time and from threads of their own, in roomy chunks.
#[test]
fn finders_that_take_turns_on_a_device_find_the_same() {
    let Some(_turn) = turn() else { return };
    let all = family(Family::Composed, 200..240);
    let (half, other) = all.split_at(all.len() / 2);
    let mut first = open(&GpuOptions {
        leaf_moves: None,
        ..options(FORMS[0])
    });
    let mut second = first.another().expect("there is room for two");
    std::thread::scope(|scope| {
        for (finder, positions) in [(&mut first, half), (&mut second, other)] {
            scope.spawn(move || (0..3).for_each(|_| assert_same(finder, positions)));
        }
    });
    assert!(first.usage().submissions >= 3 && second.usage().submissions >= 3);
}

#[test]
fn checked_shaders_and_default_limits_find_the_same() {
    let Some(_turn) = turn() else { return };
    let all = family(Family::Composed, 300..305);
    for form in FORMS {
        let mut finder = open(&GpuOptions {
            runtime_checks: true,
            default_limits: true,
            ..options(form)
        });
        assert!(finder.adapter().binding_bytes_max <= 128 << 20);
        assert_same(&mut finder, &all);
    }
}

/// The program on a file: exit status, standard output, standard error.
fn analyse(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .arg("analyse")
        .args(arguments)
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), out, err)
}

/// Whole outputs, of more lines than a device is handed at once, some of them no positions, with a file
/// that is not there in the middle.
#[test]
fn the_program_writes_the_same_whoever_finds_the_facts() {
    let Some(_turn) = turn() else { return };
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("positions.fen");
    let path = path.to_str().expect("UTF-8");
    let mut lines = Vec::new();
    for kind in [Family::Standard, Family::Composed] {
        let samples = (400..440).flat_map(|index| batch(kind, index));
        lines.extend(samples.map(|it| it.fen));
    }
    lines.insert(17, "no position".to_owned());
    lines.insert(9_000, "8/8/8/8/8/8/8/8 w - - 0 1".to_owned());
    assert!(lines.len() > 1 << 14, "{} are one batch", lines.len());
    std::fs::write(path, lines.join("\n")).expect("it can be written");
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/tricky.epd");
    let files = [suite, "nowhere.epd", path, suite];
    let said = |choice: &[&str], format: &[&str]| {
        analyse(&[&["--chess960"], choice, format, &files].concat())
    };
    let csv = ["--format", "csv"];
    let expected = said(&["--backend", "cpu"], &csv);
    assert_eq!(expected.0, Some(3), "{}", expected.2);
    let rows = lines.len() + 2 * suite_lines(suite) + 1;
    assert_eq!(expected.1.lines().count(), rows);
    let choices: [&[&str]; 6] = [
        &["--backend", "auto"],
        &["--backend", "gpu"],
        &["--backend", "gpu", "--threads", "1", "--slider", "magic"],
        &["--device", "0", "--threads", "5"],
        &["--backend", "all"],
        &["--backend", "all", "--device", "0", "--workgroup", "128"],
    ];
    for choice in choices {
        let found = said(choice, &csv);
        assert!(found == expected, "{choice:?} differs: {}", found.2);
    }
    let summary = ["--summary", "--quiet"];
    let expected = said(&["--backend", "cpu"], &summary);
    assert_eq!(said(&["--backend", "gpu"], &summary).1, expected.1);
    let (status, out, err) = said(&["--device", "99"], &csv);
    assert_eq!((status, out.as_str()), (Some(4), ""));
    assert!(err.contains("no adapter"), "{err}");
}

/// Lines of a file that make a record.
fn suite_lines(path: &str) -> usize {
    let text = std::fs::read_to_string(path).expect("it is there");
    let lines = text.lines();
    lines
        .filter(|it| !it.starts_with('#') && !it.trim().is_empty())
        .count()
}

/// Negative control: each fact, made wrong in one position, is reported with its number.
#[test]
fn a_single_wrong_fact_is_reported() {
    struct Spoilt(fn(&mut MoveFacts));
    impl FactFinder for Spoilt {
        fn find(
            &mut self,
            positions: &[PackedPosition],
            facts: &mut [MoveFacts],
        ) -> Result<(), BackendError> {
            BackendKind::fastest().move_facts(positions, facts)?;
            self.0(&mut facts[20]);
            Ok(())
        }
    }
    let all = family(Family::Standard, 0..1);
    let expected = truth(&all);
    compare(&mut Spoilt(|_| ()), &all, &expected).expect("nothing is wrong");
    let spoil: [fn(&mut MoveFacts); 11] = [
        |it| it.checkers.0 ^= 1,
        |it| it.pinned.0 ^= 1,
        |it| it.legal_moves += 1,
        |it| it.captures += 1,
        |it| it.ep_captures += 1,
        |it| it.castles += 1,
        |it| it.promotions += 1,
        |it| it.checks += 1,
        |it| it.discovery_checks += 1,
        |it| it.double_checks += 1,
        |it| it.mates += 1,
    ];
    for spoil in spoil {
        let wrong = compare(&mut Spoilt(spoil), &all, &expected).expect_err("one is wrong");
        assert!(wrong.contains("(number 20 of "), "{wrong}");
    }
}
