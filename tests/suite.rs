//! The project's own perft suites in `testdata/`, through the whole pipeline; statistics and numbers
//! of unique positions too. A new file in the folder is read without a word here.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hyperft::backend::BackendKind;
use hyperft::board::CastlingMode;
use hyperft::expand::{ExpandOptions, NoProgress, Root};
use hyperft::movegen::PerftStats;
use hyperft::parse::{FenOptions, Job, Source, open_jobs, read_fen};
use hyperft::pipeline::{CountOptions, Crew, count, stats};

/// Deeper counts are left to `hyperft suite testdata/*.epd`: seconds, but in release mode.
const NODES_MAX: u128 = 5_000_000;

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

fn suites() -> Vec<PathBuf> {
    let entries = fs::read_dir(testdata()).expect("the folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "epd"));
    files.sort();
    files
}

fn jobs(path: &Path) -> Vec<Job> {
    let jobs = open_jobs(&Source::File(path.to_path_buf()), FenOptions::default());
    let jobs = jobs
        .expect("a readable file")
        .map(|job| job.expect("a record without fault"));
    jobs.collect()
}

fn expand(merge: bool) -> ExpandOptions {
    ExpandOptions {
        merge,
        ..ExpandOptions::default()
    }
}

/// Every wrong count of the jobs, as a message, and how many were compared.
fn wrong_counts(jobs: &[Job], backend: BackendKind, merge: bool) -> (Vec<String>, usize) {
    let mut asked = Vec::new();
    for job in jobs {
        for expected in job
            .expected
            .iter()
            .filter(|expected| expected.count <= NODES_MAX)
        {
            asked.push((job, expected.depth, expected.count));
        }
    }
    let root = |(job, depth, _): &(&Job, u32, u128)| Root {
        position: job.position.packed(),
        depth: *depth,
    };
    let roots: Vec<Root> = asked.iter().map(root).collect();
    let options = CountOptions {
        crew: Arc::new(Crew::of(backend).expect("it runs here")),
        expand: expand(merge),
        verify: 0.0,
    };
    let counted = count(&roots, &options, &NoProgress, &AtomicBool::new(false)).expect("counted");
    let wrong = asked
        .iter()
        .zip(counted.nodes)
        .filter(|((_, _, expected), got)| expected != got);
    let message = |((job, depth, expected), got): (&(&Job, u32, u128), u128)| {
        let (origin, position) = (&job.origin, &job.position);
        format!("{origin} {position} depth {depth}: expected {expected}, {backend} got {got}")
    };
    (wrong.map(message).collect(), asked.len())
}

#[test]
fn all_suites_are_right_on_every_backend() {
    let files = suites();
    assert!(files.len() >= 6, "{files:?}");
    for path in files {
        let jobs = jobs(&path);
        for kind in BackendKind::ALL
            .into_iter()
            .filter(|it| it.unavailable_because().is_none())
        {
            for merge in [false, true] {
                let (wrong, compared) = wrong_counts(&jobs, kind, merge);
                assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
                assert!(
                    compared >= jobs.len(),
                    "{}: only {compared} counts",
                    path.display()
                );
            }
        }
    }
}

/// Negative control: one count of a whole suite made wrong by one is found and named.
#[test]
fn one_wrong_count_is_found() {
    let mut jobs = jobs(&testdata().join("classic.epd"));
    jobs[99].expected[2].count += 1;
    let (wrong, _) = wrong_counts(&jobs, BackendKind::fastest(), true);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    let place = format!("classic.epd:{} ", jobs[99].origin.line);
    assert!(
        wrong[0].contains(&place) && wrong[0].contains("depth 3: expected "),
        "{wrong:?}"
    );
}

/// The rows of a table in `testdata/`, comments left out.
fn table(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(testdata().join(name)).expect("a readable table");
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|row| row.split('\t').map(str::to_string).collect())
        .collect()
}

#[test]
fn statistics_equal_the_table() {
    let rows = table("breakdown.tsv");
    assert!(rows.len() > 50);
    for row in rows {
        let number = |column: usize| row[column].parse::<u128>().ok();
        let nodes = number(2).expect("a count");
        if nodes > NODES_MAX {
            continue;
        }
        let options = FenOptions {
            castling: CastlingMode::Standard,
            strict: false,
        };
        let position = read_fen(&row[0], options).expect("a position").position;
        let depth = row[1].parse().expect("a depth");
        let root = Root {
            position: position.packed(),
            depth,
        };
        let found = stats(root, &expand(true), &NoProgress, &AtomicBool::new(false));
        let PerftStats {
            nodes: found_nodes,
            captures,
            ep_captures,
            castles,
            promotions,
            checks,
            discovery_checks,
            double_checks,
            mates,
        } = found.expect("counted");
        let found = [
            found_nodes,
            captures,
            ep_captures,
            castles,
            promotions,
            checks,
            discovery_checks,
            double_checks,
            mates,
        ];
        for (column, found) in found.into_iter().enumerate() {
            if let Some(expected) = number(column + 2) {
                assert_eq!(found, expected, "column {} of {row:?}", column + 2);
            }
        }
    }
}

#[test]
fn numbers_of_unique_positions_equal_the_table() {
    let start = hyperft::parse::NAMED_POSITIONS[0].fen;
    let position = hyperft::parse::parse_fen(start)
        .expect("a position")
        .packed();
    let options = CountOptions {
        crew: Arc::new(Crew::processor(BackendKind::fastest())),
        expand: expand(true),
        verify: 0.0,
    };
    let root = Root { position, depth: 8 };
    let counted = count(&[root], &options, &NoProgress, &AtomicBool::new(false)).expect("counted");
    assert_eq!(counted.nodes, [84_998_978_956]);
    let known: Vec<u64> = table("unique.tsv")
        .iter()
        .map(|row| row[1].parse().expect("a number"))
        .collect();
    let found: Vec<u64> = counted
        .expanded
        .merged
        .iter()
        .map(|ply| ply.unique)
        .collect();
    assert_eq!(found, known[1..=6]);
    assert_eq!(known[6], 9_417_681);
}
