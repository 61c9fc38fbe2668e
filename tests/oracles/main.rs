//! Legal moves and their numbers against three independent move generators, on tens of thousands of
//! positions: random games, Chess960 and double Chess960 games, composed boards.
//!
//! - `plain`: this project's own slow generator (`common/plain.rs`); accepts every board.
//! - `cozy`: cozy-chess. Refuses more than 16 pieces or 8 pawns a side, triple checks, a check the
//!   double push before an e.p. square cannot have given, and halfmove clocks above 100. It accepts
//!   kings that touch, but those boards never come this far: `Setup` refuses them.
//! - `shakmaty`: refuses more material than promotion allows. Impossible checks are let through.
//!
//! Clocks do not matter to moves, so oracles are handed `0 1`. Castling is compared in the form
//! king-takes-rook, the only one that cozy-chess knows and the only one without ambiguity.
//!
//! `HYPERFT_ORACLE_POSITIONS=1000000` sets how many positions are compared in all; the default is
//! 30,000. With `--nocapture` each test prints how many boards each oracle accepted.

#[path = "../common/mod.rs"]
mod common;
mod counters;
mod oracle;

use std::collections::BTreeSet;
use std::fmt;

use common::positions::{Family, Sample, batch};
use counters::{BROKEN, COUNTERS, Counter};
use hyperft::board::{CastlingMode, MoveKind};
use hyperft::movegen::legal_moves;
use hyperft::parse::parse_fen;
use hyperft::position::Position;
use oracle::{Oracle, shakmaty_moves};
use rayon::prelude::*;

/// Two counts or two lists of moves differ.
#[derive(Debug, PartialEq)]
struct Mismatch {
    fen: String,
    depth: u32,
    oracle: &'static str,
    counter: &'static str,
    expected: String,
    got: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            fen,
            depth,
            oracle,
            counter,
            expected,
            got,
        } = self;
        write!(
            f,
            "{fen}, depth {depth}: {oracle} says {expected}, {counter} says {got}"
        )
    }
}

/// How much was compared without a difference.
#[derive(Copy, Clone, Debug, Default)]
struct Tally {
    positions: u64,
    nodes: u64,
    cozy: u64,
    shakmaty: u64,
    moves_max: u64,
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            positions: self.positions + other.positions,
            nodes: self.nodes + other.nodes,
            cozy: self.cozy + other.cozy,
            shakmaty: self.shakmaty + other.shakmaty,
            moves_max: self.moves_max.max(other.moves_max),
        }
    }
}

/// Compares every counter with every oracle that accepts the position, at every depth.
fn compare_counts(
    sample: &Sample,
    depth_max: u32,
    counters: &[(&'static str, Counter)],
) -> Result<Tally, Mismatch> {
    let mut tally = Tally {
        positions: 1,
        ..Tally::default()
    };
    let oracles = Oracle::all(sample);
    for depth in 1..=depth_max {
        let ours: Vec<(&str, u64)> = counters
            .iter()
            .map(|&(name, count)| (name, count(&sample.position, depth)))
            .collect();
        for oracle in &oracles {
            let expected = oracle.perft(depth);
            if let Some(&(counter, got)) = ours.iter().find(|(_, got)| *got != expected) {
                return Err(Mismatch {
                    fen: sample.fen.clone(),
                    depth,
                    oracle: oracle.name(),
                    counter,
                    expected: expected.to_string(),
                    got: got.to_string(),
                });
            }
            tally.nodes += expected;
            if depth == 1 {
                tally.moves_max = tally.moves_max.max(expected);
            }
        }
    }
    for oracle in &oracles {
        match oracle {
            Oracle::Plain(_) => {}
            Oracle::Cozy(_) => tally.cozy += 1,
            Oracle::Shakmaty(_) => tally.shakmaty += 1,
        }
    }
    Ok(tally)
}

/// Compares a list of moves with every oracle's, and with itself for duplicates.
fn compare_moves(sample: &Sample, ours: &[String]) -> Result<(), Mismatch> {
    let set: BTreeSet<String> = ours.iter().cloned().collect();
    let mismatch = |oracle: &'static str, expected: String, got: String| Mismatch {
        fen: sample.fen.clone(),
        depth: 1,
        oracle,
        counter: "legal_moves",
        expected,
        got,
    };
    if set.len() != ours.len() {
        return Err(mismatch(
            "itself",
            "no move twice".to_string(),
            ours.join(" "),
        ));
    }
    for oracle in Oracle::all(sample) {
        let theirs = oracle.moves();
        if theirs != set {
            let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
                let rest = a.difference(b).cloned().collect::<Vec<_>>();
                if rest.is_empty() {
                    "nothing more".to_string()
                } else {
                    rest.join(" ")
                }
            };
            return Err(mismatch(
                oracle.name(),
                only(&theirs, &set),
                only(&set, &theirs),
            ));
        }
    }
    Ok(())
}

fn move_texts(position: &Position) -> Vec<String> {
    legal_moves(position)
        .into_iter()
        .map(|legal| legal.uci(CastlingMode::Chess960))
        .collect()
}

/// As deep as the board is small, up to 3 plies; now and then a ply deeper than most.
fn depth_for(sample: &Sample, index: usize) -> u32 {
    let moves = legal_moves(&sample.position).len().max(1) as u64;
    let nodes_max = if index.is_multiple_of(32) {
        80_000
    } else {
        3_000
    };
    (1..=3)
        .rev()
        .find(|&depth| moves.pow(depth) <= nodes_max)
        .unwrap_or(1)
}

fn positions_wanted() -> u64 {
    match std::env::var("HYPERFT_ORACLE_POSITIONS") {
        Ok(text) => text.parse().expect("HYPERFT_ORACLE_POSITIONS is a number"),
        Err(_) => 30_000,
    }
}

/// Compares a family's share of all positions, `percent` of them, and panics on the first mismatch.
fn compare_family(family: Family, percent: u64) -> Tally {
    let batches = (positions_wanted() * percent / 100).div_ceil(256);
    let compared: Result<Tally, Mismatch> = (0..batches)
        .into_par_iter()
        .map(|index| {
            let mut tally = Tally::default();
            for (nth, sample) in batch(family, index).iter().enumerate() {
                compare_moves(sample, &move_texts(&sample.position))?;
                let depth = depth_for(sample, nth);
                tally = tally.plus(compare_counts(sample, depth, &COUNTERS)?);
            }
            Ok(tally)
        })
        .try_reduce(Tally::default, |a, b| Ok(a.plus(b)));
    let tally = compared.unwrap_or_else(|mismatch| panic!("{mismatch}"));
    println!("{family:?}: {tally:?}");
    assert!(tally.positions >= batches * 256, "{tally:?}");
    tally
}

#[test]
fn games_from_the_start_position() {
    let tally = compare_family(Family::Standard, 30);
    assert_eq!(
        (tally.cozy, tally.shakmaty),
        (tally.positions, tally.positions)
    );
}

#[test]
fn games_from_chess960_starts() {
    let tally = compare_family(Family::Chess960, 30);
    assert_eq!(
        (tally.cozy, tally.shakmaty),
        (tally.positions, tally.positions)
    );
}

#[test]
fn composed_boards() {
    let tally = compare_family(Family::Composed, 40);
    // Many composed boards are beyond what these two accept; `plain` refuses none.
    assert!(tally.cozy * 4 > tally.positions, "{tally:?}");
    assert!(tally.shakmaty * 4 > tally.positions, "{tally:?}");
    // More than the 218 of any reachable position: nobody may rely on that record.
    assert!(tally.moves_max > 218, "{tally:?}");
}

fn standard_sample(fen: &str) -> Sample {
    let position = parse_fen(fen).expect("it is a position");
    Sample {
        fen: fen.to_string(),
        position,
    }
}

#[test]
fn broken_counters_are_reported_with_position_depth_and_both_numbers() {
    let cases: [(&str, u32, u64, u64); 4] = [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1, 26, 24),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 1, 7, 6),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1, 15, 12),
        ("k7/8/8/8/8/8/6Kp/8 w - - 0 1", 2, 41, 26),
    ];
    for ((name, counter), (fen, depth, expected, got)) in BROKEN.into_iter().zip(cases) {
        let sample = standard_sample(fen);
        compare_counts(&sample, 3, &COUNTERS).unwrap_or_else(|mismatch| panic!("{mismatch}"));
        let mismatch = compare_counts(&sample, 3, &[(name, counter)])
            .expect_err("a broken counter must be found");
        assert_eq!(
            (mismatch.fen.as_str(), mismatch.depth),
            (fen, depth),
            "{mismatch}"
        );
        assert_eq!(mismatch.expected, expected.to_string(), "{mismatch}");
        assert_eq!(mismatch.got, got.to_string(), "{mismatch}");
        let text = mismatch.to_string();
        let says = format!("{fen}, depth {depth}: plain says {expected}, {name} says {got}");
        assert_eq!(text, says);
    }
}

/// In standard mode castling is written as the king's move; `shakmaty` is the judge.
#[test]
fn standard_castling_text_agrees() {
    let mut castles = 0;
    for Sample { fen, position } in (0..8).flat_map(|index| batch(Family::Standard, index)) {
        let chess: shakmaty::fen::Fen = fen.parse().expect("it is a FEN");
        let mode = shakmaty::CastlingMode::Standard;
        let chess = chess.into_position(mode).expect("it is a position");
        let moves = legal_moves(&position);
        let texts = moves
            .into_iter()
            .map(|legal| legal.uci(CastlingMode::Standard));
        assert_eq!(
            texts.collect::<BTreeSet<_>>(),
            shakmaty_moves(&chess, mode),
            "{fen}"
        );
        castles += moves
            .iter()
            .filter(|legal| legal.kind() == MoveKind::Castle)
            .count();
    }
    assert!(castles > 20, "castling moves seen: {castles}");
}

/// The random families reach each kind of mistake, so a pass means something.
#[test]
fn each_family_finds_each_broken_counter() {
    for family in [Family::Standard, Family::Chess960, Family::Composed] {
        let samples: Vec<Sample> = (0..4).flat_map(|index| batch(family, index)).collect();
        for counter in BROKEN {
            let found = samples
                .iter()
                .filter(|&s| compare_counts(s, 1, &[counter]).is_err());
            let found = found.count();
            println!("{family:?}: {} found on {found} positions", counter.0);
            assert!(
                found >= 3,
                "{family:?}: {} found on {found} positions",
                counter.0
            );
        }
    }
}

#[test]
fn missing_extra_and_repeated_moves_are_reported() {
    let sample = standard_sample("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1");
    let good = move_texts(&sample.position);
    assert_eq!(compare_moves(&sample, &good), Ok(()));
    let without: Vec<String> = good
        .iter()
        .filter(|text| *text != "e5d6")
        .cloned()
        .collect();
    let missing = compare_moves(&sample, &without).expect_err("a move is missing");
    assert_eq!(
        (missing.expected.as_str(), missing.got.as_str()),
        ("e5d6", "nothing more")
    );
    let mut extra = good.clone();
    extra.push("e1e3".to_string());
    let extra = compare_moves(&sample, &extra).expect_err("a move is too many");
    assert_eq!(
        (extra.expected.as_str(), extra.got.as_str()),
        ("nothing more", "e1e3")
    );
    let mut twice = good.clone();
    twice.push(good[0].clone());
    assert_eq!(
        compare_moves(&sample, &twice)
            .expect_err("one is twice")
            .oracle,
        "itself"
    );
}
