//! What must hold for every position: FEN and packed forms lose nothing, colours are equal, keys
//! and clocks follow the moves, the three e.p. rules nest, statistics count what they say.
//!
//! Each property is followed by a negative control: a near miss that must not pass. Positions come
//! from fixed seeds, so a failure repeats.

#[path = "../common/mod.rs"]
mod common;
mod facts;
mod statistics;

use std::collections::HashMap;

use common::plain::Plain;
use common::positions::{Family, Rng, Sample, batch, random_game, read, start_position};
use hyperft::board::{CastlingMode, Color, Move, MoveKind, Square, WhiteSide};
use hyperft::movegen::{legal_moves, perft};
use hyperft::parse::{FenWriting, parse_fen, write_fen};
use hyperft::position::{EnPassantMode, PackedPosition, Position, Setup};

const FAMILIES: [Family; 3] = [Family::Standard, Family::Chess960, Family::Composed];
const EP_MODES: [EnPassantMode; 3] = [
    EnPassantMode::Always,
    EnPassantMode::PseudoLegal,
    EnPassantMode::Legal,
];

/// Positions of all families. The seeds start where the oracles' are never likely to reach.
fn samples(batches: u64) -> Vec<Sample> {
    let one = |index| {
        FAMILIES
            .into_iter()
            .flat_map(move |family| batch(family, index))
    };
    (1 << 40..(1 << 40) + batches).flat_map(one).collect()
}

/// The two positions are the same by pieces, side, rights and legal e.p. square, key included.
fn same_position(a: &Position, b: &Position) -> bool {
    a.pieces() == b.pieces() && a.side_to_move() == b.side_to_move() && a.key() == b.key()
}

fn with_field(fen: &str, field: usize, text: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[field] = text;
    fields.join(" ")
}

#[test]
fn positions_survive_being_written_and_read() {
    for Sample { position, .. } in samples(12) {
        for ep in EP_MODES {
            for shredder in [true, false] {
                let fen = write_fen(&position, FenWriting { ep, shredder });
                let again = read(&fen, position.castling_mode()).expect("it is a position");
                assert!(same_position(&again, &position), "{fen} reads as {again}");
                assert_eq!(again.halfmove_clock(), position.halfmove_clock(), "{fen}");
                assert_eq!(again.fullmove_number(), position.fullmove_number(), "{fen}");
                assert_eq!(again.castling_mode(), position.castling_mode(), "{fen}");
                assert_eq!(write_fen(&again, FenWriting { ep, shredder }), fen);
                // Only this form says everything a position knows.
                if ep == EnPassantMode::Always {
                    assert_eq!(again, position, "{fen}");
                }
            }
        }
    }
}

/// Negative control: a text that differs in one field reads as another position.
#[test]
fn a_changed_field_reads_as_another_position() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 3 7";
    let position = parse_fen(fen).expect("it is a position");
    for (field, text) in [
        (0, "r3k2r/8/8/3pP3/8/8/8/R3K2N"),
        (1, "b"),
        (2, "KQk"),
        (3, "-"),
    ] {
        let changed = parse_fen(&with_field(fen, field, text)).expect("it is a position");
        assert!(!same_position(&changed, &position), "{changed}");
    }
    for (field, text) in [(4, "4"), (5, "8")] {
        let changed = parse_fen(&with_field(fen, field, text)).expect("it is a position");
        assert!(
            same_position(&changed, &position),
            "clocks are no part of identity: {changed}"
        );
        assert_ne!(changed, position);
    }
}

/// Board, side to move, rights and legal e.p. square, from the text.
fn identity(position: &Position) -> String {
    let fen = position.to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn packing_loses_nothing_and_keeps_positions_apart() {
    let mut packs: HashMap<(bool, CastlingMode, PackedPosition), String> = HashMap::new();
    let mut repeats = 0;
    for Sample { fen, position } in samples(30) {
        let packed = position.packed();
        assert_eq!(
            PackedPosition::pack::<WhiteSide>(&packed.unpack()),
            packed,
            "{fen}"
        );
        let white = position.side_to_move() == Color::White;
        if white {
            assert_eq!(packed.unpack(), *position.pieces(), "{fen}");
        }
        let identity = identity(&position);
        let key = (white, position.castling_mode(), packed);
        if let Some(other) = packs.insert(key, identity.clone()) {
            assert_eq!(other, identity, "equal packs of two positions");
            repeats += 1;
        }
    }
    let identities: std::collections::HashSet<_> = packs.values().collect();
    assert_eq!(identities.len(), packs.len(), "a position with two packs");
    assert!(
        repeats > 100,
        "equal positions by different paths: {repeats}"
    );
    assert!(packs.len() > 10_000, "different positions: {}", packs.len());
}

/// Negative control: packs differ if anything a position depends on does.
#[test]
fn packs_and_keys_differ_where_positions_do() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
    let position = parse_fen(fen).expect("it is a position");
    let changes = [
        (0, "r3k2r/8/8/3pP3/8/8/8/RN2K2R"),
        (0, "r3k2r/8/8/3nP3/8/8/8/R3K2R"),
        (2, "KQk"),
        (2, "Qkq"),
        (2, "-"),
        (3, "-"),
    ];
    let mut seen = vec![(position.packed(), position.key())];
    for (field, text) in changes {
        let ep_gone = if text.contains("3n") {
            with_field(fen, 3, "-")
        } else {
            fen.to_string()
        };
        let changed = parse_fen(&with_field(&ep_gone, field, text)).expect("it is a position");
        let (packed, key) = (changed.packed(), changed.key());
        assert!(
            seen.iter().all(|other| other.0 != packed && other.1 != key),
            "{changed}"
        );
        seen.push((packed, key));
    }
    let black = parse_fen(&with_field(&with_field(fen, 3, "-"), 1, "b")).expect("a position");
    assert!(
        seen.iter().all(|other| other.1 != black.key()),
        "the side to move is in the key"
    );
    let no_capture = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1";
    let keys =
        [no_capture, &with_field(no_capture, 3, "-")].map(|fen| parse_fen(fen).unwrap().key());
    assert_eq!(
        keys[0], keys[1],
        "an e.p. square without a legal capture is not in the key"
    );
}

/// The FEN mirrored between White's and Black's side; colours swapped too if `colors`.
fn flipped(fen: &str, colors: bool) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let other = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        text.chars()
            .map(|letter| if colors { other(letter) } else { letter })
            .collect()
    };
    let board = fields[0]
        .split('/')
        .rev()
        .map(swap)
        .collect::<Vec<_>>()
        .join("/");
    let side = match (fields[1], colors) {
        ("w", true) => "b",
        ("b", true) => "w",
        (side, _) => side,
    };
    let ep = fields[3]
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    let castling = if colors {
        swap(fields[2])
    } else {
        "-".to_string()
    };
    format!("{board} {side} {castling} {ep} {} {}", fields[4], fields[5])
}

#[test]
fn black_moves_as_white_does() {
    for Sample { fen, position } in samples(12) {
        let mirrored = flipped(&fen, true);
        let mirror = read(&mirrored, position.castling_mode()).expect("it is a position");
        assert_eq!(mirror.packed(), position.packed(), "{fen} and {mirrored}");
        for depth in 1..=2 {
            let (expected, got) = (perft(&position, depth), perft(&mirror, depth));
            let plain = Plain::from_fen(&mirrored).perft(depth);
            assert_eq!(
                plain, got,
                "{mirrored}, depth {depth}, by the slow generator"
            );
            assert_eq!(expected, got, "{fen} and {mirrored}, depth {depth}");
        }
    }
}

/// Negative control: mirroring without swapping colours turns the pawns round, which shows.
#[test]
fn mirroring_ranks_alone_changes_the_count() {
    let fen = "4k3/1p6/8/8/8/8/P1P5/4K3 w - - 0 1";
    let right = parse_fen(&flipped(fen, true)).expect("it is a position");
    let wrong = parse_fen(&flipped(fen, false)).expect("it is a position");
    let position = parse_fen(fen).expect("it is a position");
    assert_eq!(perft(&right, 2), perft(&position, 2));
    assert_ne!(perft(&wrong, 2), perft(&position, 2));
    assert_ne!(wrong.packed(), position.packed());
}

/// Random games of the two kinds with starts, from seeds nobody else uses.
fn games(count: u64) -> impl Iterator<Item = Vec<Position>> {
    (0..count).map(|index| {
        let mut rng = Rng(0x9a3e_0000 + index);
        let family = [Family::Standard, Family::Chess960][index as usize % 2];
        let start = start_position(family, &mut rng);
        let game = random_game(&start, 300, &mut rng);
        std::iter::once(start)
            .chain(game.into_iter().map(|(_, position)| position))
            .collect()
    })
}

#[test]
fn keys_follow_the_moves() {
    let mut keys: HashMap<u64, (String, CastlingMode)> = HashMap::new();
    for position in games(200).flatten() {
        assert_eq!(position.key(), position.key_from_scratch(), "{position}");
        let mode = position.castling_mode();
        let mut fields = identity(&position) + " 77 88";
        let clocks = read(&fields, mode).expect("it is a position");
        assert_eq!(
            clocks.key(),
            position.key(),
            "other clocks, another key: {position}"
        );
        fields = if position.side_to_move() == Color::White {
            fields.replace(" w ", " b ")
        } else {
            fields.replace(" b ", " w ")
        };
        // Where the other side could be to move at all.
        if position.checkers().is_empty() {
            let waiting = read(&with_field(&fields, 3, "-"), mode).expect("it is a position");
            assert_ne!(waiting.key(), position.key(), "{position}");
        }
        // Two positions with one key are not impossible, but not among so few either.
        let entry = (identity(&position), mode);
        let other = keys.entry(position.key()).or_insert(entry.clone());
        assert!(
            *other == entry || other.1 != entry.1,
            "{other:?} and {entry:?}"
        );
    }
    assert!(keys.len() > 20_000, "different keys: {}", keys.len());
}

/// The rule, from the boards before and after alone: a capture leaves fewer pieces, a pawn move
/// leaves the pawns standing differently.
#[test]
fn clocks_follow_the_moves() {
    let mut resets = [0; 2];
    for game in games(100) {
        for pair in game.windows(2) {
            let [before, after] = pair else {
                unreachable!("windows of two")
            };
            let text =
                |position: &Position| position.to_string().split(' ').next().unwrap().to_string();
            let count = |text: &str, of: fn(char) -> bool| text.chars().filter(|&c| of(c)).count();
            let (old, new) = (text(before), text(after));
            let captured = count(&old, |c| c.is_alphabetic()) != count(&new, |c| c.is_alphabetic());
            let pawns = |position: &Position| {
                let board = Plain::from_fen(&position.to_string()).board;
                let mover = if before.side_to_move() == Color::White {
                    b'P'
                } else {
                    b'p'
                };
                board.map(|piece| piece == mover)
            };
            let pushed = pawns(before) != pawns(after);
            let expected = if captured || pushed {
                0
            } else {
                before.halfmove_clock() + 1
            };
            assert_eq!(after.halfmove_clock(), expected, "{before} to {after}");
            resets[usize::from(expected == 0)] += 1;
            let black_moved = before.side_to_move() == Color::Black;
            let expected = before.fullmove_number() + u32::from(black_moved);
            assert_eq!(after.fullmove_number(), expected, "{before} to {after}");
        }
    }
    assert!(
        resets.iter().all(|&times| times > 1_000),
        "both rules are needed: {resets:?}"
    );
}

#[test]
fn the_three_ep_rules_nest_and_mean_what_they_say() {
    let mut counts = [0; 3];
    for Sample { fen, position } in samples(30) {
        let [always, pseudo, legal] = EP_MODES.map(|mode| position.ep_square(mode));
        let plain = Plain::from_fen(&fen);
        let written = fen.split(' ').nth(3).filter(|text| *text != "-");
        assert_eq!(
            always.map(|square| square.to_string()).as_deref(),
            written,
            "{fen}"
        );
        assert_eq!(
            pseudo,
            always.filter(|&square| pawn_attacks(&plain, square)),
            "{fen}"
        );
        let captures = plain.legal().iter().any(|(played, _)| played.en_passant);
        assert_eq!(legal, always.filter(|_| captures), "{fen}");
        assert!(legal.is_none() || legal == pseudo, "{fen}");
        for (count, square) in counts.iter_mut().zip([always, pseudo, legal]) {
            *count += usize::from(square.is_some());
        }
    }
    // The rules differ often enough for the comparison to mean something.
    let [always, pseudo, legal] = counts;
    assert!(
        always > pseudo + 300 && pseudo > legal + 300 && legal > 300,
        "{counts:?}"
    );
}

/// Playing a move and reading the text of the result give the same position, e.p. square and key
/// included. Composed boards matter here: in games an e.p. square that a pawn attacks and yet cannot
/// capture on is so rare that keeping it went unnoticed.
#[test]
fn a_played_position_is_the_one_its_text_describes() {
    for Sample { position, .. } in samples(4) {
        for legal in &legal_moves(&position) {
            reads_as_played(&position, legal);
        }
    }
    let composed = |index: u64| batch(Family::Composed, (1 << 41) + index);
    let mut illegal_only = 0;
    for Sample { position, .. } in (0..100).flat_map(composed) {
        let Some((before, push)) = before_double_push(&position) else {
            continue;
        };
        let after = reads_as_played(&before, push);
        let [always, pseudo, legal] = EP_MODES.map(|mode| after.ep_square(mode));
        assert_eq!(
            always,
            position.ep_square(EnPassantMode::Always),
            "{before}, {push:?}"
        );
        illegal_only += usize::from(pseudo != legal);
    }
    assert!(
        illegal_only > 50,
        "squares nobody may capture on: {illegal_only}"
    );
}

/// The double push that set the e.p. square, and the position before it if that is legal. Castling
/// rights are left out.
fn before_double_push(position: &Position) -> Option<(Position, Move)> {
    let over = position.ep_square(EnPassantMode::Always)?;
    let south = Square::new(over.index() as u8 - 8)?;
    let north = Square::new(over.index() as u8 + 8)?;
    let (from, to) = match position.side_to_move() {
        Color::White => (north, south),
        Color::Black => (south, north),
    };
    let mut setup = Setup::empty();
    for square in Square::all() {
        setup.board.put(square, position.piece_on(square));
    }
    setup.board.put(from, setup.board.on(to));
    setup.board.put(to, None);
    setup.side_to_move = !position.side_to_move();
    let before = setup.judge(position.castling_mode()).ok()?.position;
    let push = Move::new(from, to, MoveKind::DoublePush);
    legal_moves(&before)
        .contains(&push)
        .then_some((before, push))
}

fn reads_as_played(position: &Position, legal: Move) -> Position {
    let after = position.play_unchecked(legal);
    assert_eq!(
        after.key(),
        after.key_from_scratch(),
        "{position}, {legal:?}"
    );
    let (ep, shredder) = (EnPassantMode::Always, true);
    let fen = write_fen(&after, FenWriting { ep, shredder });
    let again = read(&fen, after.castling_mode()).expect("it is a position");
    assert_eq!(again, after, "{position}, {legal:?}");
    after
}

/// True if a pawn of the side to move attacks the square, by letters alone.
fn pawn_attacks(plain: &Plain, square: Square) -> bool {
    let (pawn, rank) = if plain.white { (b'P', 4) } else { (b'p', 3) };
    let file = square.index() % 8;
    let beside = [file.checked_sub(1), Some(file + 1).filter(|&file| file < 8)];
    beside
        .into_iter()
        .flatten()
        .any(|file| plain.board[rank * 8 + file] == pawn)
}
