//! Facts of positions: the one-pass count against making every move, by the library's own slow
//! statistics, by the mailbox generator and by shakmaty.

use hyperft::analyse::Facts;
use hyperft::board::{Bitboard, CastlingMode, Square};
use hyperft::movegen::{MoveFacts, PerftStats, bulk_perft, perft, perft_stats};
use hyperft::position::Position;
use shakmaty::Position as _;

use crate::common::plain::Plain;
use crate::common::positions::Sample;
use crate::samples;

/// The facts in the columns of perft statistics.
fn as_stats(moves: &MoveFacts) -> PerftStats {
    PerftStats {
        nodes: moves.legal_moves.into(),
        captures: moves.captures.into(),
        ep_captures: moves.ep_captures.into(),
        castles: moves.castles.into(),
        promotions: moves.promotions.into(),
        checks: moves.checks.into(),
        discovery_checks: moves.discovery_checks.into(),
        double_checks: moves.double_checks.into(),
        mates: moves.mates.into(),
    }
}

/// Pinned is what, taken off the board, lets one more piece attack the king.
fn plain_pinned(plain: &Plain) -> Bitboard {
    let king = plain.king(plain.white);
    let attackers = |plain: &Plain| plain.attackers(king, !plain.white).0;
    let is_pinned = |square: &Square| {
        let index = square.index();
        let mut without = plain.clone();
        without.board[index] = b'.';
        plain.is_of(index, plain.white) && index != king && attackers(&without) > attackers(plain)
    };
    Square::all().filter(is_pinned).collect()
}

/// What the slow versions say differently.
fn difference(fen: &str, position: &Position, facts: &Facts) -> Option<String> {
    let (expected, got) = (perft_stats(position, 1), as_stats(&facts.moves));
    let checkers = position.checkers();
    let pinned = plain_pinned(&Plain::from_fen(fen));
    (expected != got || checkers != facts.moves.checkers || pinned != facts.moves.pinned)
        .then(|| format!("{fen}: expected {expected:?}, {checkers:?} {pinned:?}, got {facts:?}"))
}

#[test]
fn one_pass_says_what_making_every_move_says() {
    let mut total = PerftStats::default();
    let (mut pinned, mut in_check) = (0, 0);
    for Sample { fen, position } in samples(40) {
        let facts = Facts::of(&position);
        assert_eq!(difference(&fen, &position, &facts), None);
        let packed = MoveFacts::of_packed(&position.packed());
        assert_eq!(as_stats(&packed), as_stats(&facts.moves), "{fen}");
        total.add(&as_stats(&facts.moves), 1);
        pinned += facts.moves.pinned.count();
        in_check += u32::from(facts.in_check());
    }
    let seen = [
        total.ep_captures,
        total.castles,
        total.promotions,
        total.discovery_checks,
        total.double_checks,
        total.mates,
        pinned.into(),
        in_check.into(),
    ];
    println!("{seen:?} of {} moves", total.nodes);
    assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
}

/// The comparison above can fail: each fact, made wrong, is noticed.
#[test]
fn a_wrong_fact_is_noticed() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1";
    let position = crate::read(fen, CastlingMode::Standard).unwrap();
    let good = Facts::of(&position);
    assert_eq!(difference(fen, &position, &good), None);
    let spoil: [fn(&mut MoveFacts); 11] = [
        |it| it.legal_moves += 1,
        |it| it.captures -= 1,
        |it| it.ep_captures += 1,
        |it| it.castles -= 1,
        |it| it.promotions += 1,
        |it| it.checks += 1,
        |it| it.discovery_checks += 1,
        |it| it.double_checks += 1,
        |it| it.mates += 1,
        |it| it.checkers = Bitboard(1),
        |it| it.pinned = Bitboard(1),
    ];
    for (index, spoil) in spoil.into_iter().enumerate() {
        let mut bad = good;
        spoil(&mut bad.moves);
        assert!(difference(fen, &position, &bad).is_some(), "{index}");
    }
}

/// Ends of the game and numbers of moves as shakmaty has them, by its own calls.
#[test]
fn ends_of_the_game_agree_with_shakmaty() {
    let (mut accepted, mut ended, mut dead) = (0, 0, 0);
    for Sample { fen, position } in samples(40) {
        let mode = match position.castling_mode() {
            CastlingMode::Standard => shakmaty::CastlingMode::Standard,
            CastlingMode::Chess960 => shakmaty::CastlingMode::Chess960,
        };
        let read: shakmaty::fen::Fen = fen.parse().unwrap();
        let judged: Result<shakmaty::Chess, _> = read
            .into_position(mode)
            .or_else(shakmaty::PositionError::ignore_impossible_check);
        let Ok(chess) = judged else { continue };
        let facts = Facts::of(&position);
        let legal = chess.legal_moves();
        let checking = legal.iter().filter(|it| {
            let after = chess.clone().play(**it).unwrap();
            after.is_check()
        });
        assert_eq!(legal.len(), usize::from(facts.moves.legal_moves), "{fen}");
        assert_eq!(checking.count(), usize::from(facts.moves.checks), "{fen}");
        assert_eq!(chess.checkers().0, facts.moves.checkers.0, "{fen}");
        assert_eq!(chess.is_checkmate(), facts.checkmate(), "{fen}");
        assert_eq!(chess.is_stalemate(), facts.stalemate(), "{fen}");
        assert_eq!(
            chess.is_insufficient_material(),
            facts.insufficient_material,
            "{fen}"
        );
        accepted += 1;
        ended += u32::from(facts.moves.legal_moves == 0);
        dead += u32::from(facts.insufficient_material);
    }
    println!("{accepted} positions, {ended} ended, {dead} dead");
    assert!(
        accepted > 10_000 && ended > 20 && dead > 5,
        "{accepted} {ended} {dead}"
    );
}

#[test]
fn bulk_perft_counts_what_perft_counts() {
    let mut nodes = 0;
    for Sample { fen, position } in samples(4) {
        for depth in 0..=2 {
            let plain = u128::from(perft(&position, depth));
            assert_eq!(bulk_perft(&position, depth), plain, "{fen}, depth {depth}");
            nodes += plain;
        }
    }
    assert!(nodes > 1_000_000, "{nodes}");
}
