//! How fast are the leaf counters on one thread, without merging, beside cozy-chess in the same run?
//!
//!     cargo bench --bench nps                 # 5 interleaved rounds, medians and ratios
//!     cargo bench --bench nps -- --rounds 9
//!     cargo bench --bench nps -- --test       # once, less deep: are the counts right?
//!
//! Machines are shared and noisy: the counters take turns within a round and the ratio of medians is
//! what to quote. A wrong count ends the run with an error. cozy-chess counts in bulk too: it adds
//! up the sizes of its move sets at the last ply.

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use hyperft::backend::{BackendKind, LeafCounter};
use hyperft::movegen::{LeafDepth, legal_moves};
use hyperft::parse::{ExpectedCount, FenOptions, Job, Source, open_jobs};
use hyperft::position::{PackedPosition, Position};

/// Each position is counted to its greatest depth with at most this many leaves.
const NODES_MAX: u128 = 800_000_000;
const NODES_MAX_TEST: u128 = 20_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let test = arguments.iter().any(|argument| argument == "--test");
    let rounds = arguments.iter().position(|argument| argument == "--rounds");
    let rounds = rounds
        .and_then(|at| arguments.get(at + 1)?.parse().ok())
        .unwrap_or(5);
    let rounds = if test { 1 } else { rounds };
    let kinds: Vec<BackendKind> = BackendKind::ALL
        .into_iter()
        .filter(|kind| kind.unavailable_because().is_none())
        .collect();

    print!("{:<20} {:>5} {:>13}", "Mnps", "depth", "nodes");
    kinds.iter().for_each(|kind| print!(" {:>11}", kind.name()));
    print!(" {:>11}", "cozy-chess");
    kinds
        .iter()
        .for_each(|kind| print!(" {:>17}", format!("{kind}/cozy")));
    println!();
    let mut logs = vec![0.0; kinds.len()];
    let jobs = standard_positions();
    for job in &jobs {
        let limit = if test { NODES_MAX_TEST } else { NODES_MAX };
        let deepest = job
            .expected
            .iter()
            .rfind(|expected| expected.count <= limit);
        let &ExpectedCount { depth, count } = deepest.expect("depth 1 is below every limit");
        let nodes = count as u64;
        let name = job.id.as_deref().unwrap_or("unnamed");
        let Some(seconds) = measure(&job.position, depth, nodes, &kinds, rounds) else {
            return ExitCode::FAILURE;
        };
        let mnps = |seconds: f64| nodes as f64 / seconds / 1e6;
        let cozy = seconds[kinds.len()];
        print!("{name:<20} {depth:>5} {nodes:>13}");
        seconds
            .iter()
            .for_each(|&seconds| print!(" {:>11.1}", mnps(seconds)));
        for (log, &ours) in logs.iter_mut().zip(&seconds[..kinds.len()]) {
            print!(" {:>17.2}", cozy / ours);
            *log += (cozy / ours).ln();
        }
        println!();
    }
    print!("{:<64}", "geometric mean of the ratios");
    print!("{:>width$}", "", width = 12 * kinds.len() - 12);
    logs.iter()
        .for_each(|log| print!(" {:>17.2}", (log / jobs.len() as f64).exp()));
    println!();
    ExitCode::SUCCESS
}

/// The positions of `testdata/standard.epd`, with their counts; the mirrored one is left out.
fn standard_positions() -> Vec<Job> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/standard.epd");
    let jobs = open_jobs(&Source::File(path), FenOptions::default()).expect("a readable suite");
    let jobs = jobs.map(|job| job.expect("a record without fault"));
    jobs.filter(|job| job.id.as_deref() != Some("position 4 mirrored"))
        .collect()
}

/// Median seconds of each kind of counter and, last, of cozy-chess; `None` if a count was wrong.
fn measure(
    position: &Position,
    depth: u32,
    nodes: u64,
    kinds: &[BackendKind],
    rounds: usize,
) -> Option<Vec<f64>> {
    let cozy: cozy_chess::Board = position.to_string().parse().expect("a standard position");
    let mut times = vec![Vec::new(); kinds.len() + 1];
    for _ in 0..rounds {
        for (kind, times) in kinds.iter().zip(&mut times) {
            let mut counter = kind.counter().expect("available");
            let start = Instant::now();
            let got = count(counter.as_mut(), black_box(position), depth);
            times.push(start.elapsed().as_secs_f64());
            if got != nodes {
                eprintln!("{position} depth {depth}: {kind} counted {got}, expected {nodes}");
                return None;
            }
        }
        let start = Instant::now();
        let got = cozy_count(black_box(&cozy), depth);
        times[kinds.len()].push(start.elapsed().as_secs_f64());
        if got != nodes {
            eprintln!("{position} depth {depth}: cozy-chess counted {got}, expected {nodes}");
            return None;
        }
    }
    Some(times.into_iter().map(median).collect())
}

/// Plays the first plies and has the counter count the last three; all of it is timed.
fn count(counter: &mut dyn LeafCounter, position: &Position, depth: u32) -> u64 {
    let leaf_depth = LeafDepth::ALWAYS;
    let mut frontier = Vec::new();
    play_out(position, depth - leaf_depth.plies(), &mut frontier);
    let mut total = 0;
    for batch in frontier.chunks(counter.batch_max()) {
        let mut counts = vec![0; batch.len()];
        counter
            .count(batch, leaf_depth, &mut counts)
            .expect("a processor does not fail");
        total += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    }
    total
}

fn play_out(position: &Position, plies: u32, frontier: &mut Vec<PackedPosition>) {
    if plies == 0 {
        frontier.push(position.packed());
        return;
    }
    for legal in &legal_moves(position) {
        play_out(&position.play_unchecked(legal), plies - 1, frontier);
    }
}

fn cozy_count(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            total += moves.len() as u64;
        } else {
            for legal in moves {
                let mut child = board.clone();
                child.play_unchecked(legal);
                total += cozy_count(&child, depth - 1);
            }
        }
        false
    });
    total
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
