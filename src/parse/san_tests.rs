//! Tests of `san.rs`.

use super::*;
use crate::board::CastlingMode;
use crate::parse::{FenOptions, NAMED_POSITIONS, parse_fen, read_fen};

fn chess960(fen: &str) -> Position {
    let options = FenOptions {
        castling: CastlingMode::Chess960,
        strict: false,
    };
    read_fen(fen, options).unwrap().position
}

/// The UCI text of the move that `text` names, or the message.
fn read(fen: &str, text: &str) -> String {
    let position = parse_fen(fen).unwrap();
    match parse_move(&position, text) {
        Ok(legal) => legal.uci(position.castling_mode()),
        Err(error) => error.to_string(),
    }
}

const ILLEGAL: &str = "no legal move of this position";
const NOT_A_MOVE: &str = "not a move, in SAN or coordinates";

#[test]
fn every_move_to_two_plies_round_trips_in_both_notations() {
    let mut checked = 0;
    let chess960_fens = [
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
        "4k3/8/8/8/8/8/8/6KR w H - 0 1",
        "r3k2r/8/8/8/8/8/8/RK5R w HAha - 0 1",
        "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1",
    ];
    let mut roots: Vec<Position> = chess960_fens.iter().map(|fen| chess960(fen)).collect();
    roots.extend(NAMED_POSITIONS.iter().map(|it| parse_fen(it.fen).unwrap()));
    for root in roots {
        for first in &legal_moves(&root) {
            let position = root.play_unchecked(first);
            for legal in &legal_moves(&position) {
                let text = san(&position, legal);
                assert_eq!(
                    parse_move_strict(&position, &text),
                    Ok(legal),
                    "{text} in {position}"
                );
                let uci = legal.uci(position.castling_mode());
                assert_eq!(
                    parse_move_strict(&position, &uci),
                    Ok(legal),
                    "{uci} in {position}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 7_000, "only {checked} moves");
}

#[test]
fn san_is_written_as_everyone_writes_it() {
    for (fen, uci, text) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
        ("7k/6pp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
        // One rival on another file, one on another rank, both kinds, none because it is pinned.
        ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1d1", "Rad1"),
        ("7k/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3", "R1a3"),
        ("8/k7/8/8/7Q/8/8/K3Q2Q w - - 0 1", "h1e4", "Qh1e4"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
    ] {
        let position = parse_fen(fen).unwrap();
        let legal = parse_move(&position, uci).unwrap();
        assert_eq!(san(&position, legal), text, "{fen}");
    }
}

#[test]
fn lenient_spellings_name_the_same_move() {
    let pawns = "2kr1n2/4P3/8/8/2pPp3/8/6q1/4K1NR b K d3 0 1";
    let promotion = "2kr1n2/4P3/8/8/8/5q2/4P3/4K1NR w K - 0 1";
    for (fen, texts, uci) in [
        (
            promotion,
            "exd8=Q|exd8Q|ed8Q|ed8=q|exd8=Q+|exd8/Q|exd8(Q)!?|e7d8Q|e7xd8=Q",
            "e7d8q",
        ),
        (promotion, "e8=N|e8N|e8 = N|e7e8n|e7-e8=N", "e7e8n"),
        (
            promotion,
            "Nxf3|Nf3|Ngf3|N1f3|Ng1f3|Ng1xf3+?!|N:f3|Ng1-f3|g1f3",
            "g1f3",
        ),
        (promotion, "exf3|ef3|e2xf3", "e2f3"),
        (
            pawns,
            "cxd3|cd3|cxd3e.p.|cxd3 e.p.|cd3ep|c4d3|cxd3+",
            "c4d3",
        ),
        (pawns, "c3|c3!|c4-c3|Pc3", "c4c3"),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "O-O|0-0|o-o|OO|O-O!|e1g1|e1h1|0-0+",
            "e1g1",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            "O-O-O|0-0-0|e8c8|e8a8",
            "e8c8",
        ),
    ] {
        for text in texts.split('|') {
            assert_eq!(read(fen, text), uci, "{text} in {fen}");
        }
    }
}

#[test]
fn what_names_no_move_or_several_says_which() {
    let fen = "2kr1n2/4P3/8/8/8/5q2/4P3/R3K1NR w KQ - 0 1";
    for text in [
        "e5", "Nd4", "Kd2xe3", "e2e5", "xd8Q", "g1g1", "Qf3", "d8=Q", "e1g1", "O-O",
    ] {
        assert_eq!(read(fen, text), ILLEGAL, "{text}");
    }
    let bad = "|Rd9|i4|e|--|0000|Nxx3|Nf3=Q|Bcx3|e9e4|z1|Ñf3|Ngf|Kf12|e8=K|e8=P|½|mate|!!|+|4";
    for text in bad.split('|') {
        assert_eq!(read(fen, text), NOT_A_MOVE, "{text}");
    }
    let message = read(fen, "e8");
    assert!(
        message.starts_with("ambiguous, could be e8=") && message.contains(" or "),
        "{message}"
    );
    assert_eq!(
        read("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rd1"),
        "ambiguous, could be Rad1 or Rfd1"
    );
}

#[test]
fn strict_reading_wants_the_canonical_form() {
    let position = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    for text in ["Rh8+", "h1h8", "O-O", "e1g1"] {
        assert!(parse_move_strict(&position, text).is_ok(), "{text}");
    }
    for text in ["Rh8", "h1-h8", "0-0", "e1h1", " Rh8+", "Rh8+!"] {
        let error = parse_move_strict(&position, text).unwrap_err();
        assert!(matches!(error, MoveError::NotCanonical { .. }), "{text}");
        assert!(parse_move(&position, text).is_ok(), "{text}");
    }
}

#[test]
fn a_chess960_king_step_comes_before_castling() {
    // The king on f1 may step to g1 or castle there with the rook on h1.
    let position = chess960("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert_eq!(
        parse_move(&position, "f1g1").unwrap().kind(),
        MoveKind::Normal
    );
    assert_eq!(
        parse_move(&position, "f1h1").unwrap().kind(),
        MoveKind::Castle
    );
    assert_eq!(
        parse_move(&position, "Kg1").unwrap().kind(),
        MoveKind::Normal
    );
    // From b1 no step reaches g1.
    let position = chess960("4k3/8/8/8/8/8/8/1K5R w H - 0 1");
    assert_eq!(
        parse_move(&position, "b1g1").unwrap().kind(),
        MoveKind::Castle
    );
    // A king that stays where it is does not go anywhere by coordinates.
    let position = chess960("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    assert_eq!(parse_move(&position, "g1g1"), Err(MoveError::Illegal));
    assert_eq!(
        parse_move(&position, "g1h1").unwrap().kind(),
        MoveKind::Castle
    );
}
