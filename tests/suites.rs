//! Real perft suites, if they are there: in the folder `HYPERFT_SUITES` names, or in
//! `../shared/testdata` beside the project. They are other people's files and not part of it.

use std::path::{Path, PathBuf};

use hyperft::board::CastlingMode;
use hyperft::movegen::{legal_moves, perft};
use hyperft::parse::{FenOptions, Job, Source, open_jobs};

fn folder() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/testdata");
    let folder = std::env::var_os("HYPERFT_SUITES").map_or(PathBuf::from(beside), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "skipped: no folder {} (set HYPERFT_SUITES)",
        folder.display()
    );
    None
}

/// All files of the `perft_*` folders that hold one record a line or `.perft` blocks.
fn suite_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("perft_") || name == "perft_code" {
            continue;
        }
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let extension = path
                .extension()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if ["epd", "perft", "fen", "sfens"].contains(&extension.as_str()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// How many records a file has, counted without the parser.
fn records(path: &Path) -> usize {
    let bytes = std::fs::read(path).unwrap();
    let blocks = path.extension().is_some_and(|it| it == "perft");
    let text = String::from_utf8_lossy(&bytes);
    let is_record = |line: &&str| {
        let line = line.trim_matches(['\0', ' ', '\r', '\t']);
        if blocks {
            line.starts_with("epd ")
        } else {
            !line.is_empty() && !line.starts_with('#')
        }
    };
    text.split('\n').filter(is_record).count()
}

/// All jobs of a suite; a refusal fails the test.
fn jobs(path: &Path) -> Vec<Job> {
    let options = FenOptions {
        castling: CastlingMode::Chess960,
        strict: false,
    };
    let source = Source::File(path.to_path_buf());
    let reader = open_jobs(&source, options).unwrap_or_else(|error| panic!("{error}"));
    reader
        .map(|job| job.unwrap_or_else(|errors| panic!("{}", errors[0])))
        .collect()
}

/// Counts of depth 1, and how many of them the move generator does not confirm.
fn depth_one(jobs: &[Job]) -> (usize, usize) {
    let (mut counts, mut wrong) = (0, 0);
    for job in jobs {
        for expected in job.expected.iter().filter(|it| it.depth == 1) {
            let moves = legal_moves(&job.position).len();
            assert_eq!(moves as u64, perft(&job.position, 1));
            counts += 1;
            wrong += usize::from(expected.count != moves as u128);
        }
    }
    (counts, wrong)
}

#[test]
fn every_suite_is_read_to_the_last_record() {
    let Some(folder) = folder() else { return };
    let files = suite_files(&folder);
    let mut all_counts = 0;
    for path in &files {
        let jobs = jobs(path);
        assert_eq!(jobs.len(), records(path), "{}", path.display());
        assert!(!jobs.is_empty(), "{}", path.display());
        let has_counts = path.extension().is_none_or(|it| it != "sfens");
        for job in &jobs {
            assert_eq!(has_counts, !job.expected.is_empty(), "{}", job.origin);
        }
        let (counts, wrong) = depth_one(&jobs);
        all_counts += counts;
        let negative = path.to_string_lossy().contains("perft_negative");
        // The negative suite counts queen promotions only: comparing must notice.
        assert_eq!(
            wrong > 0,
            negative,
            "{}: {wrong} of {counts}",
            path.display()
        );
    }
    println!("{} files, {all_counts} counts of depth 1", files.len());
    assert!(
        files.len() > 20 && all_counts > 1_000,
        "{} files, {all_counts} counts",
        files.len()
    );
}
