//! How fast are the leaf counters on one thread, without merging, beside cozy-chess in the same run?
//!
//!     cargo bench --bench nps                 # 5 interleaved rounds, medians and ratios
//!     cargo bench --bench nps -- --rounds 9
//!     cargo bench --bench nps -- --test       # once, one ply less: are the counts right?
//!
//! Machines are shared and noisy: the counters take turns within a round and the ratio of medians is
//! what to quote. A wrong count ends the run with an error. cozy-chess counts in bulk too: it adds
//! up the sizes of its move sets at the last ply.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use hyperft::backend::{BackendKind, LeafCounter};
use hyperft::movegen::{LeafDepth, legal_moves};
use hyperft::parse::parse_fen;
use hyperft::position::{PackedPosition, Position};

/// Name, FEN, depth, count at that depth, count one ply less: the standard positions.
const POSITIONS: [(&str, &str, u32, u64, u64); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
        4_865_609,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
        4_085_603,
    ),
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
        11_030_083,
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        6,
        706_045_033,
        15_833_292,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        89_941_194,
        2_103_487,
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
        3_894_594,
    ),
];

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

    print!("{:<11} {:>5} {:>13}", "Mnps", "depth", "nodes");
    kinds.iter().for_each(|kind| print!(" {:>11}", kind.name()));
    print!(" {:>11}", "cozy-chess");
    kinds
        .iter()
        .for_each(|kind| print!(" {:>17}", format!("{kind}/cozy")));
    println!();
    let mut logs = vec![0.0; kinds.len()];
    for (name, fen, depth, nodes, fewer_nodes) in POSITIONS {
        let (depth, nodes) = if test {
            (depth - 1, fewer_nodes)
        } else {
            (depth, nodes)
        };
        let Some(seconds) = measure(name, fen, depth, nodes, &kinds, rounds) else {
            return ExitCode::FAILURE;
        };
        let mnps = |seconds: f64| nodes as f64 / seconds / 1e6;
        let cozy = seconds[kinds.len()];
        print!("{name:<11} {depth:>5} {nodes:>13}");
        seconds
            .iter()
            .for_each(|&seconds| print!(" {:>11.1}", mnps(seconds)));
        for (log, &ours) in logs.iter_mut().zip(&seconds[..kinds.len()]) {
            print!(" {:>17.2}", cozy / ours);
            *log += (cozy / ours).ln();
        }
        println!();
    }
    print!("{:<55}", "geometric mean of the ratios");
    print!("{:>width$}", "", width = 12 * kinds.len() - 12);
    logs.iter()
        .for_each(|log| print!(" {:>17.2}", (log / POSITIONS.len() as f64).exp()));
    println!();
    ExitCode::SUCCESS
}

/// Median seconds of each kind of counter and, last, of cozy-chess; `None` if a count was wrong.
fn measure(
    name: &str,
    fen: &str,
    depth: u32,
    nodes: u64,
    kinds: &[BackendKind],
    rounds: usize,
) -> Option<Vec<f64>> {
    let position = parse_fen(fen).expect("a standard position");
    let cozy: cozy_chess::Board = fen.parse().expect("a standard position");
    let mut times = vec![Vec::new(); kinds.len() + 1];
    for _ in 0..rounds {
        for (kind, times) in kinds.iter().zip(&mut times) {
            let mut counter = kind.counter().expect("available");
            let start = Instant::now();
            let got = count(counter.as_mut(), black_box(&position), depth);
            times.push(start.elapsed().as_secs_f64());
            if got != nodes {
                eprintln!("{name} depth {depth}: {kind} counted {got}, expected {nodes}");
                return None;
            }
        }
        let start = Instant::now();
        let got = cozy_count(black_box(&cozy), depth);
        times[kinds.len()].push(start.elapsed().as_secs_f64());
        if got != nodes {
            eprintln!("{name} depth {depth}: cozy-chess counted {got}, expected {nodes}");
            return None;
        }
    }
    Some(times.into_iter().map(median).collect())
}

/// Plays the first plies and has the counter count the last three; all of it is timed.
fn count(counter: &mut dyn LeafCounter, position: &Position, depth: u32) -> u64 {
    let leaf_depth = LeafDepth::new(LeafDepth::MAX).expect("the maximum");
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
