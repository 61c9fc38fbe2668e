//! Perft statistics: against the slow generator's own classification, and against the published
//! table.

use hyperft::movegen::{PerftStats, perft_stats};
use hyperft::parse::parse_fen;

use crate::common::plain::{Plain, PlainMove, castling_targets};
use crate::common::positions::Sample;
use crate::samples;

/// The wiki's columns of one legal move, by the slow generator.
fn classify(plain: &Plain, played: PlainMove, after: &Plain) -> PerftStats {
    let (checkers, checker) = after.attackers(after.king(after.white), plain.white);
    let landing = match played.castles {
        true => castling_targets(played.from, played.to),
        false => (played.to, played.to),
    };
    let takes = plain.is_of(played.to, !plain.white) || played.en_passant;
    PerftStats {
        nodes: 1,
        captures: takes.into(),
        ep_captures: played.en_passant.into(),
        castles: played.castles.into(),
        promotions: played.promotion.is_some().into(),
        checks: (checkers > 0).into(),
        discovery_checks: (checkers == 1 && checker != landing.0 && checker != landing.1).into(),
        double_checks: (checkers > 1).into(),
        mates: (checkers > 0 && after.legal().is_empty()).into(),
    }
}

fn plain_stats(plain: &Plain, depth: u32) -> PerftStats {
    let mut stats = PerftStats::default();
    for (played, after) in plain.legal() {
        let part = match depth {
            1 => classify(plain, played, &after),
            _ => plain_stats(&after, depth - 1),
        };
        stats.add(&part, 1);
    }
    stats
}

#[test]
fn statistics_agree_with_the_slow_generator() {
    let mut total = PerftStats::default();
    for (index, Sample { fen, position }) in samples(12).into_iter().enumerate() {
        let plain = Plain::from_fen(&fen);
        for depth in 1..=if index.is_multiple_of(16) { 2 } else { 1 } {
            let (expected, got) = (plain_stats(&plain, depth), perft_stats(&position, depth));
            let moves = || {
                plain
                    .legal()
                    .iter()
                    .map(|(legal, _)| legal.uci())
                    .collect::<Vec<_>>()
            };
            assert_eq!(expected, got, "{fen}, depth {depth}, moves {:?}", moves());
            total.add(&got, 1);
        }
    }
    let PerftStats {
        ep_captures,
        castles,
        promotions,
        discovery_checks,
        ..
    } = total;
    let PerftStats {
        double_checks,
        mates,
        ..
    } = total;
    let rare = [
        ep_captures,
        castles,
        promotions,
        discovery_checks,
        double_checks,
        mates,
    ];
    assert!(
        rare.iter().all(|&count| count > 100),
        "each column must occur: {total:?}"
    );
}

/// One e.p. capture opens a file and a diagonal: two checkers, neither of which moved, are a double
/// check and no discovery check. Too rare for random positions.
#[test]
fn two_discovered_checkers_are_a_double_check_only() {
    let fen = "B3R2K/8/8/3pP3/4k3/8/8/8 w - d6 0 1";
    let stats = perft_stats(&parse_fen(fen).expect("it is a position"), 1);
    assert_eq!(
        stats,
        plain_stats(&Plain::from_fen(fen), 1),
        "{fen}, depth 1"
    );
    assert_eq!(stats.ep_captures, 1, "{fen}");
    assert_eq!(stats.double_checks, 1, "{fen}");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";

/// Nodes, captures, e.p. captures, castles, promotions, checks, discovery checks, double checks,
/// mates; a cell left empty in the source is `None`.
type Row = (&'static str, u32, [Option<u128>; 9]);

const fn row(fen: &'static str, depth: u32, cells: [u128; 9]) -> Row {
    let mut row = [None; 9];
    let mut i = 0;
    while i < 9 {
        row[i] = Some(cells[i]);
        i += 1;
    }
    (fen, depth, row)
}

const fn without_discoveries(fen: &'static str, depth: u32, cells: [u128; 9]) -> Row {
    let mut row = row(fen, depth, cells);
    (row.2[6], row.2[7]) = (None, None);
    row
}

/// Source: chessprogramming.org, "Perft Results". Position 4 has no discovery and double checks
/// there.
const PUBLISHED: [Row; 16] = [
    row(START, 1, [20, 0, 0, 0, 0, 0, 0, 0, 0]),
    row(START, 2, [400, 0, 0, 0, 0, 0, 0, 0, 0]),
    row(START, 3, [8902, 34, 0, 0, 0, 12, 0, 0, 0]),
    row(START, 4, [197_281, 1576, 0, 0, 0, 469, 0, 0, 8]),
    row(KIWIPETE, 1, [48, 8, 0, 2, 0, 0, 0, 0, 0]),
    row(KIWIPETE, 2, [2039, 351, 1, 91, 0, 3, 0, 0, 0]),
    row(KIWIPETE, 3, [97_862, 17_102, 45, 3162, 0, 993, 0, 0, 1]),
    row(
        KIWIPETE,
        4,
        [4_085_603, 757_163, 1929, 128_013, 15_172, 25_523, 42, 6, 43],
    ),
    row(POSITION_3, 1, [14, 1, 0, 0, 0, 2, 0, 0, 0]),
    row(POSITION_3, 2, [191, 14, 0, 0, 0, 10, 0, 0, 0]),
    row(POSITION_3, 3, [2812, 209, 2, 0, 0, 267, 3, 0, 0]),
    row(POSITION_3, 4, [43_238, 3348, 123, 0, 0, 1680, 106, 0, 17]),
    row(
        POSITION_3,
        5,
        [674_624, 52_051, 1165, 0, 0, 52_950, 1292, 3, 0],
    ),
    without_discoveries(POSITION_4, 1, [6, 0, 0, 0, 0, 0, 0, 0, 0]),
    without_discoveries(POSITION_4, 2, [264, 87, 0, 6, 48, 10, 0, 0, 0]),
    without_discoveries(POSITION_4, 3, [9467, 1021, 4, 0, 120, 38, 0, 0, 22]),
];

/// Published, except for the 2645 double checks: the source has 2637, which leaves out those that
/// are mates.
const KIWIPETE_5: Row = row(
    KIWIPETE,
    5,
    [
        193_690_690,
        35_043_416,
        73_365,
        4_993_637,
        8392,
        3_309_887,
        19_883,
        2645,
        30_171,
    ],
);

fn cells(stats: &PerftStats) -> [u128; 9] {
    let PerftStats {
        nodes,
        captures,
        ep_captures,
        castles,
        promotions,
        ..
    } = *stats;
    let PerftStats {
        checks,
        discovery_checks,
        double_checks,
        mates,
        ..
    } = *stats;
    [
        nodes,
        captures,
        ep_captures,
        castles,
        promotions,
        checks,
        discovery_checks,
        double_checks,
        mates,
    ]
}

/// Says in which column a row and the statistics differ.
fn compare_row((fen, depth, row): Row, stats: &PerftStats) -> Result<(), String> {
    for (column, (expected, got)) in row.into_iter().zip(cells(stats)).enumerate() {
        if expected.is_some_and(|expected| expected != got) {
            return Err(format!(
                "{fen}, depth {depth}, column {column}: {expected:?}, got {got}"
            ));
        }
    }
    Ok(())
}

#[test]
fn statistics_agree_with_the_published_table() {
    for row in PUBLISHED {
        let stats = perft_stats(&parse_fen(row.0).expect("it is a position"), row.1);
        compare_row(row, &stats).unwrap_or_else(|difference| panic!("{difference}"));
        for column in (0..9).filter(|&column| row.2[column].is_some()) {
            let mut wrong = row;
            wrong.2[column] = row.2[column].map(|cell| cell + 1);
            assert!(
                compare_row(wrong, &stats).is_err(),
                "column {column} is not compared"
            );
        }
    }
}

#[test]
fn kiwipete_has_2645_double_checks_at_depth_5() {
    let stats = perft_stats(&parse_fen(KIWIPETE).expect("it is a position"), 5);
    compare_row(KIWIPETE_5, &stats).unwrap_or_else(|difference| panic!("{difference}"));
}
