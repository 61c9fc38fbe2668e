//! Unique positions of each ply, against a set that holds them all.

use std::collections::HashSet;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use hyperft::board::CastlingMode;
use hyperft::expand::{ExpandError, ExpandOptions, MergedPly, NoProgress, Root, unique};
use hyperft::movegen::{legal_moves, perft};
use hyperft::parse::{FenOptions, read_fen};
use hyperft::position::{EnPassantMode, PackedPosition, Position};

fn position(fen: &str) -> Position {
    let options = FenOptions {
        castling: CastlingMode::Chess960,
        ..FenOptions::default()
    };
    read_fen(fen, options).expect("a FEN").position
}

fn plies(position: &Position, depth: u32, memory_bytes: u64) -> Vec<MergedPly> {
    let root = Root {
        position: position.packed(),
        depth,
    };
    let options = ExpandOptions {
        memory_bytes,
        ..ExpandOptions::default()
    };
    let mut found = Vec::new();
    let stop = AtomicBool::new(false);
    unique(
        &root,
        &options,
        &mut |ply| found.push(ply),
        &NoProgress,
        &stop,
    )
    .expect("it fits");
    found
}

/// All different positions of each ply, by what makes two the same.
fn oracle<K: std::hash::Hash + Eq>(
    start: &Position,
    depth: u32,
    identity: impl Fn(&Position) -> K,
) -> Vec<u64> {
    let mut current = vec![start.clone()];
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for parent in &current {
            for &one in legal_moves(parent).iter() {
                let child = parent.play_unchecked(one);
                if seen.insert(identity(&child)) {
                    next.push(child);
                }
            }
        }
        counts.push(next.len() as u64);
        current = next;
    }
    counts
}

const POSITIONS: [(&str, u32); 7] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        4,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    (
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        3,
    ),
    // Chess960, Black to move.
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR b HFhf - 2 9",
        3,
    ),
    // Nothing but kings and a pawn: most positions are reached many times.
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 8),
    // The game is over.
    (
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        2,
    ),
];

#[test]
fn unique_positions_are_those_of_a_plain_set() {
    for (fen, depth) in POSITIONS {
        let start = position(fen);
        let mut expected = oracle(&start, depth, |it| (it.packed(), it.side_to_move()));
        let found = plies(&start, depth, 1 << 30);
        expected.truncate(found.len());
        let counts: Vec<u64> = found.iter().map(|ply| ply.unique).collect();
        assert_eq!(counts, expected, "{fen}");
        for ply in &found {
            assert_eq!(
                ply.paths,
                u128::from(perft(&start, ply.ply)),
                "{fen}: {ply:?}"
            );
        }
    }
}

/// Negative control: an e.p. square that nobody can use makes no position another one, and a rule
/// that says so is seen to count differently.
#[test]
fn a_looser_identity_gives_other_numbers() {
    let start = position(POSITIONS[0].0);
    let counts = oracle(&start, 4, |it| {
        (it.packed(), it.ep_square(EnPassantMode::Always))
    });
    let found = plies(&start, 4, 1 << 30);
    assert_ne!(found.last().map(|ply| ply.unique), counts.last().copied());
}

#[test]
fn too_little_memory_is_an_error_after_the_plies_that_fit() {
    let root = Root {
        position: position(POSITIONS[0].0).packed(),
        depth: 6,
    };
    let options = ExpandOptions {
        memory_bytes: 10 << 20,
        ..ExpandOptions::default()
    };
    let mut found = Vec::new();
    let stop = AtomicBool::new(false);
    let each = &mut |ply: MergedPly| found.push(ply.unique);
    let error = unique(&root, &options, each, &NoProgress, &stop).expect_err("it does not fit");
    assert!(
        matches!(error, ExpandError::OutOfMemory { ply: 4, .. }),
        "{error}"
    );
    assert_eq!(found, [1, 20, 400, 5_362]);
}

/// Standard output and status of the program.
fn program(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(arguments)
        .output()
        .expect("the program starts");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), out)
}

#[test]
fn the_program_prints_unique_positions() {
    let (status, out) = program(&["unique", "5", "--quiet"]);
    assert_eq!((status, out.as_str()), (Some(0), "822518\n"));
    let (status, out) = program(&["unique", "3", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(status, Some(0));
    assert_eq!(value["plies"][3]["unique"], "5362");
    assert_eq!(value["plies"][3]["paths"], "8902");
    let (status, out) = program(&["unique", "6", "--memory", "10MiB"]);
    assert_eq!(status, Some(2));
    assert!(
        out.contains("5,362") && out.contains("not finished: ply 4"),
        "{out}"
    );
    let (status, out) = program(&["unique", "0", "--quiet"]);
    assert_eq!((status, out.as_str()), (Some(0), "1\n"));
}

/// Positions are told apart by all that a packed position holds.
#[test]
fn a_packed_position_tells_rights_and_ep_squares_apart() {
    let packed = |fen: &str| -> PackedPosition { position(fen).packed() };
    let with = packed("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let without = packed("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1");
    assert_ne!(with, without);
    let with = packed("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    let without = packed("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1");
    assert_ne!(with, without);
}
