//! How fast are the leaf counters on one thread, without merging, beside cozy-chess in the same run?
//!
//!     cargo bench --bench nps                        # 5 interleaved rounds
//!     cargo bench --bench nps -- --rounds 9
//!     cargo bench --bench nps -- --engine stockfish  # and an engine that speaks UCI and has `go perft`
//!     cargo bench --bench nps -- --test              # once, less deep: are the counts right?
//!
//! Machines are shared and noisy: the contenders take turns at each position one ply down, the fastest
//! round of each of these counts (what other work interrupts is not the fastest), and the ratio is what to
//! quote. A wrong count ends the run with an error. cozy-chess counts in bulk too: it adds up the sizes
//! of its move sets at the last ply.

mod contender;

use std::path::Path;
use std::process::ExitCode;

use contender::{Contender, Cozy, Engine, Ours};
use hyperft::backend::BackendKind;
use hyperft::movegen::legal_moves;
use hyperft::parse::{ExpectedCount, FenOptions, Job, Source, open_jobs};
use hyperft::position::Position;

/// Each position is counted to its greatest depth with at most this many leaves.
const NODES_MAX: u128 = 800_000_000;
const NODES_MAX_TEST: u128 = 20_000_000;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let test = arguments.iter().any(|argument| argument == "--test");
    let value_of = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1)
    };
    let rounds = match value_of("--rounds") {
        _ if test => 1,
        None => 5,
        Some(text) => text.parse().map_err(|_| format!("--rounds {text}"))?,
    };
    let mut contenders: Vec<Box<dyn Contender>> = vec![Box::new(Cozy)];
    if let Some(program) = value_of("--engine") {
        contenders.push(Box::new(Engine::start(program)?));
    }
    for kind in BackendKind::PROCESSOR {
        match kind.unavailable_because() {
            None => contenders.push(Box::new(Ours::new(kind)?)),
            Some(reason) => println!("{kind} left out: {reason}"),
        }
    }

    print!(
        "{:<22} {:>5} {:>11}",
        "Mnps, ratio to cozy", "depth", "nodes"
    );
    contenders
        .iter()
        .for_each(|it| print!(" {:>16}", it.name()));
    println!();
    let limit = if test { NODES_MAX_TEST } else { NODES_MAX };
    let mut logs = vec![0.0; contenders.len()];
    let jobs = standard_positions();
    for job in &jobs {
        let fits = |expected: &&ExpectedCount| expected.count <= limit;
        let deepest = job
            .expected
            .iter()
            .rfind(fits)
            .ok_or("depth 1 is below every limit")?;
        let seconds = measure(job, deepest, &mut contenders, rounds)?;
        let name = job.id.as_deref().unwrap_or("unnamed");
        print!("{name:<22} {:>5} {:>11}", deepest.depth, deepest.count);
        for (log, ours) in logs.iter_mut().zip(&seconds) {
            let ratio = seconds[0] / ours;
            let mnps = deepest.count as f64 / ours / 1e6;
            print!(" {mnps:>9.1} {ratio:>6.2}");
            *log += ratio.ln();
        }
        println!();
    }
    print!("{:<40}", "geometric mean of the ratios");
    logs.iter()
        .for_each(|log| print!(" {:>16.2}", (log / jobs.len() as f64).exp()));
    println!();
    Ok(())
}

/// The positions of `testdata/standard.epd`, with their counts; the mirrored one is left out.
fn standard_positions() -> Vec<Job> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/standard.epd");
    let jobs = open_jobs(&Source::File(path), FenOptions::default()).expect("a readable suite");
    let jobs = jobs.map(|job| job.expect("a record without fault"));
    jobs.filter(|job| job.id.as_deref() != Some("position 4 mirrored"))
        .collect()
}

/// Seconds of each contender: the fastest round of each position one ply down, added up.
fn measure(
    job: &Job,
    &ExpectedCount { depth, count }: &ExpectedCount,
    contenders: &mut [Box<dyn Contender>],
    rounds: usize,
) -> Result<Vec<f64>, String> {
    let moves = legal_moves(&job.position);
    let parts: Vec<Position> = moves
        .into_iter()
        .map(|it| job.position.play_unchecked(it))
        .collect();
    let mut fastest = vec![vec![f64::INFINITY; parts.len()]; contenders.len()];
    for _ in 0..rounds {
        let mut counted = vec![0; contenders.len()];
        for (index, part) in parts.iter().enumerate() {
            for (number, contender) in contenders.iter_mut().enumerate() {
                let (leaves, seconds) = contender.count(part, depth - 1)?;
                counted[number] += u128::from(leaves);
                fastest[number][index] = fastest[number][index].min(seconds);
            }
        }
        if let Some(wrong) = counted.iter().position(|&it| it != count) {
            let (fen, name) = (&job.position, contenders[wrong].name());
            let counted = counted[wrong];
            return Err(format!(
                "{fen} depth {depth}: {name} counted {counted}, not {count}"
            ));
        }
    }
    Ok(fastest.iter().map(|parts| parts.iter().sum()).collect())
}
