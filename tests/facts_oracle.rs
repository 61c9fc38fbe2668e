//! Facts of 23 thousand positions of public engine suites, and the moves they name, as python-chess
//! found them; and public books read to the last line. The files are other people's and not part of
//! the project: these tests run if they are in the folder `HYPERFT_SUITES` names, or in
//! `../shared/testdata` beside the project.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hyperft::analyse::{AnalyseOptions, Facts, Record, Status};
use hyperft::board::CastlingMode;
use hyperft::parse::{FenOptions, Job, Source, open_jobs, operation_moves, parse_fen};
use hyperft::position::Position;
use serde_json::Value;

fn folder(name: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/testdata");
    let folder = std::env::var_os("HYPERFT_SUITES").map_or(PathBuf::from(beside), PathBuf::from);
    let folder = folder.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "skipped: no folder {} (set HYPERFT_SUITES)",
        folder.display()
    );
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The facts in the oracle's columns that differ from its row.
fn differences(row: &Value, position: &Position) -> Vec<String> {
    let facts = Facts::of(position);
    let moves = &facts.moves;
    let numbers = [
        ("legal", moves.legal_moves),
        ("captures", moves.captures),
        ("ep", moves.ep_captures),
        ("castles", moves.castles),
        ("promotions", moves.promotions),
        ("checks", moves.checks),
        ("discovered", moves.discovery_checks),
        ("double", moves.double_checks),
        ("mates", moves.mates),
    ];
    let flags = [
        ("in_check", facts.in_check()),
        ("checkmate", facts.checkmate()),
        ("stalemate", facts.stalemate()),
        ("insufficient", facts.insufficient_material),
    ];
    let got = numbers.map(|(name, number)| (name, Value::from(number)));
    let got = got
        .into_iter()
        .chain(flags.map(|(name, flag)| (name, Value::from(flag))));
    got.filter(|(name, value)| row[name] != *value)
        .map(|(name, value)| format!("{name}: expected {}, got {value}", row[name]))
        .collect()
}

fn rows(folder: &Path) -> Vec<Value> {
    let text = files(folder)
        .into_iter()
        .map(|path| std::fs::read_to_string(path).unwrap());
    let text: Vec<String> = text.collect();
    let lines = text.iter().flat_map(|text| text.lines());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_fact_is_as_the_oracle_says() {
    let Some(folder) = folder("oracle") else {
        return;
    };
    let (mut compared, mut refused) = (0, 0);
    for row in rows(&folder) {
        let fen = row["fen"].as_str().unwrap();
        let position = match parse_fen(fen) {
            Ok(position) => position,
            Err(errors) => {
                // The oracle has no opinion of boards; some files are collections of broken ones.
                // Too many or too few kings, pawns on the back ranks, the wrong side in check.
                let broken = |reason: &str| {
                    ["king", "no pawn can stand", "not to move"]
                        .iter()
                        .any(|part| reason.contains(part))
                };
                assert!(
                    errors.iter().all(|it| broken(&it.reason)),
                    "{fen}: {errors:?}"
                );
                println!("{}: {fen}: {}", row["file"], errors[0].reason);
                refused += 1;
                continue;
            }
        };
        let wrong = differences(&row, &position);
        assert!(wrong.is_empty(), "{fen} ({}): {wrong:?}", row["file"]);
        if compared == 0 {
            let mut bad = row.clone();
            bad["checks"] = Value::from(99);
            assert_eq!(
                differences(&bad, &position).len(),
                1,
                "the comparison can fail"
            );
        }
        compared += 1;
    }
    println!("{compared} positions, {refused} broken boards");
    assert!(
        compared > 10_000 && refused < compared / 100,
        "{compared} rows, {refused} refused"
    );
}

/// The moves of an operation in UCI, sorted.
fn uci(job: &Job, opcode: &str) -> Vec<String> {
    let mode = job.position.castling_mode();
    let operations = job.operations.iter().filter(|it| it.opcode == opcode);
    let moves =
        operations.flat_map(|it| operation_moves(&job.position, it, false).unwrap_or_default());
    let mut texts: Vec<String> = moves.map(|legal| legal.uci(mode)).collect();
    texts.sort();
    texts.dedup();
    texts
}

fn jobs(path: &Path, castling: CastlingMode) -> impl Iterator<Item = Result<Job, String>> {
    let options = FenOptions {
        castling,
        strict: false,
    };
    let reader = open_jobs(&Source::File(path.to_path_buf()), options).unwrap();
    reader.map(|job| job.map_err(|errors| errors[0].to_string()))
}

#[test]
fn best_moves_are_the_oracles() {
    let (Some(suites), Some(oracle)) = (folder("suites"), folder("oracle")) else {
        return;
    };
    let mut expected: HashMap<(String, String), Vec<Value>> = HashMap::new();
    for row in rows(&oracle) {
        let text = |name: &str| row[name].as_str().unwrap().to_string();
        expected
            .entry((text("file"), text("fen")))
            .or_default()
            .push(row);
    }
    let (mut compared, mut lines) = (0, 0);
    for path in files(&suites) {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for job in jobs(&path, CastlingMode::Standard).flatten() {
            lines += 1;
            let key = (file.clone(), job.position.to_string());
            let Some(rows) = expected.get(&key) else {
                continue;
            };
            for opcode in ["bm", "am"] {
                let got = uci(&job, opcode);
                let of_row = |row: &Value| {
                    let list = row[format!("{opcode}_uci")].as_array();
                    let texts = list.into_iter().flatten();
                    let mut texts: Vec<String> =
                        texts.map(|it| it.as_str().unwrap().to_string()).collect();
                    texts.sort();
                    texts.dedup();
                    texts
                };
                let all: Vec<Vec<String>> = rows.iter().map(of_row).collect();
                // Our reader is more lenient: what the oracle could not read, we may.
                let agrees = all.iter().any(|it| *it == got || it.is_empty());
                assert!(agrees, "{}: {opcode} {got:?}, expected {all:?}", job.origin);
                compared += usize::from(!got.is_empty());
            }
        }
    }
    println!("{lines} lines, {compared} operations compared");
    assert!(compared > 10_000, "only {compared} operations");
}

#[test]
fn books_are_read_without_a_refusal() {
    let Some(folder) = folder("corpora") else {
        return;
    };
    let limit = Duration::from_secs(4);
    let mut read = 0;
    for path in files(&folder) {
        let name = path.to_string_lossy().into_owned();
        if !name.ends_with("zip") && !name.ends_with("gz") {
            continue;
        }
        let castling = match name.contains("FRC") {
            true => CastlingMode::Chess960,
            false => CastlingMode::Standard,
        };
        let start = Instant::now();
        for job in jobs(&path, castling) {
            let job = job.unwrap_or_else(|error| panic!("{error}"));
            let record = Record::of(Ok(job), &AnalyseOptions::default());
            assert_ne!(record.status, Status::Rejected);
            read += 1;
            if start.elapsed() > limit {
                break;
            }
        }
    }
    println!("{read} positions");
    assert!(read > 10_000, "only {read} positions");
}
