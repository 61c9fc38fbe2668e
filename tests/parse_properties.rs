//! Readers under random input: they never panic, and what they accept they write and read again.

use hyperft::board::CastlingMode;
use hyperft::movegen::legal_moves;
use hyperft::parse::{
    EpdRecord, FenOptions, NAMED_POSITIONS, Source, expected_counts, open_jobs, parse_fen,
    parse_move, parse_move_strict, read_epd, read_fen, san,
};
use hyperft::position::Position;
use proptest::prelude::*;

/// Lines as suites have them, good and bad.
const LINES: [&str; 14] = [
    "r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - 0 1 ;D1 34 ;D2 756 ;D3 23410",
    "r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - 0 1;34;756",
    "r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - perft1 34; perft2 756;",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; c0 \"back rank; easy\"; id \"own.1\";",
    "8/5kpp/8/8/1p3P2/6PP/r3KP2/1R1q4 w - -  0 1; D4 23441",
    "4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1 a \"foo\\\"bar\";; ;",
    "4k3/8/8/8/8/8/8/rNR1K3 w Q - 0 1 ;D1 17",
    "qbbnnrkr/pppppppp/8/8/8/8/PPPPPPPP/QBBNNRKR w HFhf - 0 1",
    "epd 4k3/8/8/8/8/8/8/4K2R w K -",
    "perft 1 15",
    "id \"x\"",
    "# comment",
    "startpos ;D1 20",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/8/1P6/4K3 b - - ; bm Qd1 + ; id BK.01",
];

fn options(chess960: bool, strict: bool) -> FenOptions {
    let castling = if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    FenOptions { castling, strict }
}

/// A line with some characters replaced, removed, doubled or put in.
fn mutated_line() -> impl Strategy<Value = String> {
    let line = prop::sample::select(LINES.to_vec());
    let letter = prop::sample::select(
        "/;\" -0189KQkqpPw,=x+#\\\t\0é\u{feff}"
            .chars()
            .collect::<Vec<_>>(),
    );
    let edit = (0usize..200, 0u8..4, letter);
    (line, prop::collection::vec(edit, 0..6)).prop_map(|(line, edits)| {
        let mut letters: Vec<char> = line.chars().collect();
        for (at, what, letter) in edits {
            let at = at % (letters.len() + 1);
            match what {
                0 => letters.insert(at, letter),
                _ if at == letters.len() => {}
                1 => letters[at] = letter,
                2 => drop(letters.remove(at)),
                _ => letters.insert(at, letters[at]),
            }
        }
        letters.into_iter().collect()
    })
}

/// A position some random moves away from a named one.
fn played_position() -> impl Strategy<Value = Position> {
    let named = prop::sample::select(NAMED_POSITIONS.to_vec());
    (
        named,
        prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    )
        .prop_map(|(named, choices)| {
            let mut position = parse_fen(named.fen).unwrap();
            for choice in choices {
                let legal = legal_moves(&position);
                if legal.is_empty() {
                    break;
                }
                position = position.play_unchecked(legal[choice.index(legal.len())]);
            }
            position
        })
}

/// The same record but for warnings: what was lenient in the text is not in what is written.
fn same_record(one: &EpdRecord, other: &EpdRecord) -> bool {
    let counts = |record: &EpdRecord| {
        expected_counts(&record.operations)
            .map(|it| it.counts)
            .unwrap_or_default()
    };
    let (first, second) = (&one.position.position, &other.position.position);
    first.to_string() == second.to_string()
        && first.pieces() == second.pieces()
        && one.operations[..] == other.operations[..one.operations.len()]
        && counts(one) == counts(other)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn bytes_never_make_the_reader_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        magic in prop::sample::select(vec![&b""[..], b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PK\x05\x06"]),
        strict in any::<bool>(),
    ) {
        let name = format!("{}/bytes-{:?}", env!("CARGO_TARGET_TMPDIR"), std::thread::current().id());
        std::fs::write(&name, [magic, &bytes].concat()).unwrap();
        if let Ok(jobs) = open_jobs(&Source::File(name.into()), options(false, strict)) {
            for errors in jobs.filter_map(Result::err) {
                prop_assert!(!errors.is_empty());
            }
        }
    }

    #[test]
    fn mutated_lines_are_refused_or_make_sense(
        line in mutated_line(),
        chess960 in any::<bool>(),
    ) {
        let lenient = options(chess960, false);
        let text = format!("{line}\n{}", LINES[0]);
        let jobs: Vec<_> = open_jobs(&Source::Literal(text), lenient).unwrap().collect();
        let last = jobs.last().unwrap().as_ref().unwrap();
        prop_assert_eq!(last.expected.len(), 3, "the line after a bad one is read");
        let _ = read_fen(&line, lenient);
        if let Ok(record) = read_epd(&line, lenient) {
            let position = &record.position.position;
            prop_assert_eq!(position.key(), position.key_from_scratch());
            prop_assert!(legal_moves(position).len() <= 682);
            let mode = position.castling_mode() == CastlingMode::Chess960;
            let again = read_epd(&record.to_string(), options(mode, false)).unwrap();
            prop_assert!(same_record(&record, &again), "{} became {}", record, again);
        }
        if read_epd(&line, options(chess960, true)).is_ok() {
            prop_assert!(read_epd(&line, lenient).is_ok(), "strict accepts what lenient refuses");
        }
    }

    #[test]
    fn positions_and_moves_survive_writing(position in played_position()) {
        let again = read_fen(&position.to_string(), options(false, true));
        // A strict reader may object to nothing in a position that was reached by moves.
        let again = again.unwrap().position;
        prop_assert_eq!(again.key(), position.key());
        prop_assert_eq!(again.to_string(), position.to_string());
        for legal in &legal_moves(&position) {
            prop_assert_eq!(parse_move_strict(&position, &san(&position, legal)), Ok(legal));
            prop_assert_eq!(parse_move(&again, &legal.uci(CastlingMode::Chess960)), Ok(legal));
        }
    }

    #[test]
    fn move_texts_name_legal_moves_or_nothing(
        position in played_position(),
        text in "[KQRBNPabcdefgh12345678xO0=+#!?: -]{0,9}|[a-h][1-8][a-h][1-8][qrbn]?",
    ) {
        if let Ok(found) = parse_move(&position, &text) {
            prop_assert!(legal_moves(&position).contains(&found), "{} in {}", text, position);
        }
    }
}

/// The comparison of records can fail.
#[test]
fn different_records_are_told_apart() {
    let read = |line: &str| read_epd(line, FenOptions::default()).unwrap();
    let line = "4k3/8/8/8/8/8/8/4K2R w K - D1 15; id \"x\";";
    assert!(same_record(&read(line), &read(line)));
    for (right, wrong) in [
        ("w K", "w -"),
        ("15", "16"),
        ("\"x\"", "\"y\""),
        ("8/4K2R", "8/4K1R1"),
    ] {
        let other = line.replace(right, wrong);
        assert!(!same_record(&read(line), &read(&other)), "{other}");
    }
}
