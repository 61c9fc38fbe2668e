//! How long do deep counts of the start position take with merging, and how much memory?
//!
//!     cargo bench --bench deep                       # perft(7) and perft(8), all threads
//!     cargo bench --bench deep -- --depth 9 --threads 2
//!     cargo bench --bench deep -- --test             # perft(6): are counts and uniques right?
//!
//! Totals and numbers of unique positions are compared with `testdata/`; a wrong one ends the run
//! with an error. CPU time and peak memory are the process's own, as Linux reports them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hyperft::backend::BackendKind;
use hyperft::expand::{ExpandOptions, NoProgress, Root};
use hyperft::parse::{FenOptions, Job, Source, open_jobs};
use hyperft::pipeline::{CountOptions, Crew, count};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str| -> Option<usize> {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse().ok()
    };
    let threads = number("--threads").unwrap_or(0);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .expect("first use");
    let depths = match (
        arguments.iter().any(|argument| argument == "--test"),
        number("--depth"),
    ) {
        (true, _) => 6..=6,
        (false, Some(depth)) => depth..=depth,
        (false, None) => 7..=8,
    };
    let backend = BackendKind::fastest();
    println!(
        "backend {backend}, {} threads, merging",
        rayon::current_num_threads()
    );
    let start_position = start_position();
    let known_unique = known_unique();
    for depth in depths {
        let options = CountOptions {
            crew: Arc::new(Crew::processor(backend)),
            expand: ExpandOptions {
                memory_bytes: 10 << 30,
                ..ExpandOptions::default()
            },
            verify: 0.0,
        };
        let (start, cpu_start) = (Instant::now(), cpu_seconds());
        let root = Root {
            position: start_position.position.packed(),
            depth: depth as u32,
        };
        let counted = count(&[root], &options, &NoProgress, &AtomicBool::new(false));
        let counted = counted.expect("a processor does not fail");
        println!(
            "perft({depth}) = {}: {:.3} s wall, {:.3} s CPU, {} KiB peak",
            counted.nodes[0],
            start.elapsed().as_secs_f64(),
            cpu_seconds() - cpu_start,
            peak_kib(),
        );
        let mut known = start_position.expected.iter();
        if known.any(|it| it.depth == depth as u32 && it.count != counted.nodes[0]) {
            eprintln!("wrong: testdata/standard.epd says otherwise");
            return ExitCode::FAILURE;
        }
        for ply in counted.expanded.merged {
            if known_unique
                .get(ply.ply as usize)
                .is_some_and(|&unique| unique != ply.unique)
            {
                eprintln!("wrong number of unique positions: {ply:?}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

/// The first record of `testdata/standard.epd`.
fn start_position() -> Job {
    let source = Source::File(testdata("standard.epd"));
    let mut jobs = open_jobs(&source, FenOptions::default()).expect("a readable suite");
    jobs.next().expect("a record").expect("without fault")
}

/// Unique positions by ply, from 0.
fn known_unique() -> Vec<u64> {
    let table = std::fs::read_to_string(testdata("unique.tsv")).expect("a readable table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split('\t').nth(1)?.parse().ok())
        .collect()
}

/// User and system time of this process so far; 0 where `/proc` does not tell.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> = after_name
        .split(' ')
        .filter_map(|field| field.parse().ok())
        .collect();
    // Fields 14 and 15 of the whole line, in hundredths of a second; the state is not a number.
    fields
        .get(10..12)
        .map_or(0.0, |times| times.iter().sum::<f64>() / 100.0)
}

/// The most memory this process ever had resident, in KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}
