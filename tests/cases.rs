//! The project's table of traps, `testdata/cases.tsv`, and the cases that are more than one line:
//! EPD records, whole files, lists of moves, keys and clocks.

use hyperft::board::CastlingMode;
use hyperft::movegen::{legal_moves, perft, perft_stats};
use hyperft::parse::{
    FenOptions, Job, MoveError, Place, Reason, Source, named_fen, open_jobs, operation_moves,
    parse_fen, parse_move, play_moves, read_epd, san,
};
use hyperft::position::Position;

/// One row of the table.
struct Case<'a> {
    id: &'a str,
    castling: CastlingMode,
    line: String,
    verdict: &'a str,
    warnings: Vec<usize>,
    counts: Vec<(u32, u64)>,
    moves: Vec<&'a str>,
    stats: Vec<(u32, Vec<u128>)>,
}

impl Case<'_> {
    fn read(row: &str) -> Case<'_> {
        let columns: Vec<&str> = row.split('\t').collect();
        let &[id, mode, line, verdict, warnings, counts, moves, stats, _] = columns.as_slice()
        else {
            panic!("{} columns in {row}", columns.len());
        };
        // A hyphen stands for an empty column.
        let items = |column: &'_ str| column.trim_matches('-').is_empty();
        let pair = |item: &str, between| {
            let (depth, rest) = item.split_once(between).unwrap();
            (depth.parse().unwrap(), rest.to_string())
        };
        let numbers = |list: &str| list.split(',').map(|it| it.parse().unwrap()).collect();
        let words = |column| if items(column) { "" } else { column }.split(' ');
        let words = |column| words(column).filter(|word| !word.is_empty());
        Case {
            id,
            castling: match mode {
                "standard" => CastlingMode::Standard,
                "chess960" => CastlingMode::Chess960,
                other => panic!("mode {other} in {id}"),
            },
            line: line.replace("\\n", "\n").replace("\\t", "\t"),
            verdict,
            warnings: words(warnings)
                .flat_map(|it| it.split(','))
                .map(|it| it.parse().unwrap())
                .collect(),
            counts: words(counts)
                .map(|it| pair(it, '='))
                .map(|(depth, count)| (depth, count.parse().unwrap()))
                .collect(),
            moves: words(moves).collect(),
            stats: words(stats)
                .map(|it| pair(it, ':'))
                .map(|(depth, list)| (depth, numbers(&list)))
                .collect(),
        }
    }

    fn options(&self, strict: bool) -> FenOptions {
        FenOptions {
            castling: self.castling,
            strict,
        }
    }

    /// Everything that is not as the row says.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let lenient = read_epd(&self.line, self.options(false));
        let strict = read_epd(&self.line, self.options(true));
        if self.verdict != "ok" {
            for (how, result) in [("lenient", lenient), ("strict", strict)] {
                let said: Vec<String> = match result {
                    Ok(record) => vec![format!("accepted as {record}")],
                    Err(faults) => faults.iter().map(place_and_reason).collect(),
                };
                if !said.iter().any(|it| it.starts_with(self.verdict)) {
                    faults.push(format!("{how}: {said:?}, expected {}", self.verdict));
                }
            }
            return faults;
        }
        let record = match lenient {
            Ok(record) => record,
            Err(refused) => return vec![format!("refused: {refused:?}")],
        };
        let warned: Vec<usize> = record
            .position
            .warnings
            .iter()
            .map(|it| it.field())
            .collect();
        if warned != self.warnings {
            faults.push(format!(
                "warnings for fields {warned:?}, expected {:?}",
                self.warnings
            ));
        }
        let refused: Vec<Option<Place>> = match strict {
            Ok(_) => Vec::new(),
            Err(faults) => faults.into_iter().map(|fault| fault.place).collect(),
        };
        let expected: Vec<_> = self
            .warnings
            .iter()
            .map(|&it| Some(Place::Field(it)))
            .collect();
        if refused != expected {
            faults.push(format!("strict refuses {refused:?}, expected {expected:?}"));
        }
        faults.extend(self.position_faults(&record.position.position));
        faults
    }

    fn position_faults(&self, position: &Position) -> Vec<String> {
        let mut faults = Vec::new();
        for &(depth, count) in &self.counts {
            let got = perft(position, depth);
            if got != count {
                faults.push(format!("perft({depth}) = {got}, expected {count}"));
            }
        }
        let mode = position.castling_mode();
        let legal = legal_moves(position);
        let written: Vec<String> = legal.into_iter().map(|it| it.uci(mode)).collect();
        for &wanted in &self.moves {
            let (sign, text) = wanted.split_at(1);
            if written.contains(&text.to_string()) != (sign == "+") {
                faults.push(format!("{wanted}, but the moves are {written:?}"));
            }
        }
        for (depth, expected) in &self.stats {
            let stats = perft_stats(position, *depth);
            let got = vec![
                stats.nodes,
                stats.captures,
                stats.ep_captures,
                stats.castles,
                stats.promotions,
                stats.checks,
                stats.double_checks,
                stats.mates,
            ];
            if &got != expected {
                faults.push(format!(
                    "statistics of {depth} {got:?}, expected {expected:?}"
                ));
            }
        }
        faults
    }
}

fn place_and_reason(fault: &hyperft::parse::Fault) -> String {
    match &fault.place {
        Some(Place::Field(field)) => format!("{field}: {}", fault.reason),
        other => format!("{other:?}: {}", fault.reason),
    }
}

fn table() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/cases.tsv");
    std::fs::read_to_string(path).unwrap()
}

fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn every_case_comes_out_as_the_table_says() {
    let table = table();
    let mut checked = 0;
    for row in rows(&table) {
        let case = Case::read(row);
        let faults = case.faults();
        assert!(
            faults.is_empty(),
            "{}: {}\n{}",
            case.id,
            case.line,
            faults.join("\n")
        );
        checked += 1;
    }
    assert!(checked >= 64, "only {checked} cases");
}

/// The comparison above can fail: each column of a good row, made wrong, is noticed.
#[test]
fn a_wrong_table_is_noticed() {
    let good = "x\tstandard\t4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\tok\t-\t1=7\t+e5d6 -e5d4\t1:7,1,1,0,0,0,0,0\t-";
    assert_eq!(Case::read(good).faults(), Vec::<String>::new());
    for (right, wrong) in [
        ("d6 0 1\tok", "d6 0 0\tok"),
        ("w - d6", "w K d6"),
        ("\tok\t", "\t4: expected\t"),
        ("\tok\t-\t", "\tok\t4\t"),
        ("1=7", "1=8"),
        ("+e5d6", "-e5d6"),
        ("-e5d4", "+e5d4"),
        ("1:7,1,1", "1:7,1,0"),
        ("w - d6", "x - d6"),
    ] {
        let bad = good.replace(right, wrong);
        assert_ne!(bad, good);
        assert!(!Case::read(&bad).faults().is_empty(), "{bad}");
    }
}

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap_or_else(|errors| panic!("{fen}: {errors:?}"))
}

fn start() -> Position {
    position(named_fen("startpos").unwrap())
}

fn key(fen: &str) -> u64 {
    position(fen).key()
}

/// After jhlywa/chess.js#294, niklasf/python-chess#144, official-stockfish/books#50, nkarve/surge#15
/// and niklasf/chessops#44.
#[test]
fn keys_tell_positions_apart_and_nothing_else() {
    let same = [
        [
            "4k3/2p5/8/8/5P2/8/8/4K3 b - f3 0 1",
            "4k3/2p5/8/8/5P2/8/8/4K3 b - - 0 1",
        ],
        [
            "2r1k3/8/8/2Pp4/8/8/8/2K5 w - d6 0 1",
            "2r1k3/8/8/2Pp4/8/8/8/2K5 w - - 0 1",
        ],
        [
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        ],
        [
            "r3k2r/8/8/8/8/8/8/R3K2R w KKqq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 7 9",
        ],
    ];
    for [one, other] in same {
        assert_eq!(key(one), key(other), "{one}");
        assert_eq!(position(one).pieces(), position(other).pieces(), "{one}");
    }
    let capturable = "4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1";
    assert_ne!(key(capturable), key("4k3/8/8/2Pp4/8/8/8/4K3 w - - 0 1"));
    let rights = ["w KQkq", "b KQkq", "w KQ", "w -"];
    let keys = rights.map(|it| key(&format!("r3k2r/8/8/8/8/8/8/R3K2R {it} - 0 1")));
    for (index, key) in keys.iter().enumerate() {
        assert!(!keys[..index].contains(key), "{}", rights[index]);
    }
}

/// How often the last position of a line of moves occurs in it, counted by keys.
fn occurrences(root: &Position, moves: &str) -> usize {
    let mut position = root.clone();
    let mut keys = vec![position.key()];
    for text in moves.split(' ') {
        position = play_moves(&position, &[text]).unwrap();
        assert_eq!(position.key(), position.key_from_scratch(), "{text}");
        keys.push(position.key());
    }
    keys.iter().filter(|&&key| key == position.key()).count()
}

/// After bhlangonijr/chesslib#39, lichess-org/lila#7009 and niklasf/python-chess#295.
#[test]
fn repeated_positions_have_equal_keys() {
    let pinned = position("4k2r/6p1/8/7P/8/8/8/7K b - - 0 1");
    let moves = "g7g5 h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1 e7e8";
    assert_eq!(occurrences(&pinned, moves), 3);
    // With the rook away from the h-file the capture is legal, and the first time is another.
    let free = position("4k1r1/6p1/8/7P/8/8/8/7K b - - 0 1");
    assert_eq!(occurrences(&free, moves), 2);
    let given = position("2k5/8/8/2n5/8/2B5/8/2K5 w - - 3 40");
    let moves = "c1d1 c8d8 d1c1 d8c8 c1b1 c8b8 b1c1 b8c8";
    assert_eq!(occurrences(&given, moves), 3);
    let knights = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8";
    assert_eq!(occurrences(&start(), knights), 5);
}

/// After notnil/chess#16, PGG106/Alexandria#213 and SerenityOS/serenity#18569.
#[test]
fn clocks_count_plies_and_never_stop_moves() {
    let before = position("7k/8/6K1/8/8/8/8/R7 w - - 99 140");
    let after = play_moves(&before, &["a1a8"]).unwrap();
    assert_eq!(
        (after.halfmove_clock(), after.fullmove_number()),
        (100, 140)
    );
    assert!(
        after.checkers().any() && legal_moves(&after).is_empty(),
        "mate comes first"
    );
    assert_eq!(
        position("8/5k2/8/8/8/8/4K3/R7 w - - 50 61").halfmove_clock(),
        50
    );
    let late = position("8/5k2/8/8/8/8/4K3/R7 b - - 150 200");
    assert_eq!((late.halfmove_clock(), legal_moves(&late).len()), (150, 8));
    let counters = position("8/5k2/8/3p4/3P4/8/4K3/8 w - - 12 34");
    assert_eq!(
        (counters.halfmove_clock(), counters.fullmove_number()),
        (12, 34)
    );
    let defaults = position("8/5k2/8/3p4/3P4/8/4K3/8 w - -");
    assert_eq!(
        (defaults.halfmove_clock(), defaults.fullmove_number()),
        (0, 1)
    );
}

/// After dje-dev/Ceres#15, dshawul/Scorpio#17 and LeelaChessZero/lc0#78.
#[test]
fn move_lists_are_played_or_the_culprit_is_named() {
    let root = position("r3k2r/pp6/8/8/8/8/PP6/R3K2R w KQkq - 6 11");
    let castled = "r3k2r/pp6/8/8/8/8/PP6/R4RK1 b kq - 7 11";
    for text in ["e1h1", "e1g1", "O-O", "0-0"] {
        assert_eq!(play_moves(&root, &[text]).unwrap().to_string(), castled);
    }
    let root = position("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    for text in ["a7a8Q", "a7a8q", "a8=Q+", "a8Q"] {
        let queen = play_moves(&root, &[text]).unwrap();
        assert_eq!(queen.to_string(), "Q6k/8/8/8/8/8/8/K7 b - - 0 1");
        assert!(queen.checkers().any());
    }
    let error = play_moves(&start(), &["e2e4", "e7e5", "e4e5", "g1f3"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "move 3, `e4e5`: no legal move of this position (in \
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2)"
    );
}

/// The castling forms of Chess960, in both directions.
#[test]
fn castling_is_written_by_mode_and_read_in_both_forms() {
    let options = FenOptions {
        castling: CastlingMode::Chess960,
        strict: true,
    };
    let record = read_epd("4k3/8/8/8/8/8/8/rNR1K3 w C - 0 1", options).unwrap();
    let position = record.position.position;
    let castle = parse_move(&position, "e1c1").unwrap();
    assert_eq!(san(&position, castle), "O-O-O");
    assert_eq!(castle.uci(CastlingMode::Chess960), "e1c1");
    let wide = "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1";
    let wide = read_epd(wide, options).unwrap().position.position;
    for [to_target, to_rook] in [["e1g1", "e1h1"], ["e1c1", "e1a1"]] {
        let castle = parse_move(&wide, to_rook).unwrap();
        assert_eq!(parse_move(&wide, to_target), Ok(castle));
        assert_eq!(castle.uci(CastlingMode::Chess960), to_rook);
        assert_eq!(castle.uci(CastlingMode::Standard), to_target);
    }
}

/// After niklasf/python-chess#340, #34, #411 and #469.
#[test]
fn epd_records_say_what_they_say() {
    let lenient = FenOptions::default();
    let line = r#"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; c0 "back rank; easy"; id "own.1";"#;
    let record = read_epd(line, lenient).unwrap();
    let opcodes: Vec<&str> = record
        .operations
        .iter()
        .map(|it| it.opcode.as_str())
        .collect();
    assert_eq!(opcodes, ["bm", "c0", "id"]);
    assert_eq!(record.operation("c0").unwrap().text(), "back rank; easy");
    assert_eq!(record.to_string(), line);

    let line = "7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7 Qa7; id \"a set\";";
    let record = read_epd(line, lenient).unwrap();
    let moves = operation_moves(&record.position.position, &record.operations[0], false).unwrap();
    let written: Vec<String> = moves
        .iter()
        .map(|&it| san(&record.position.position, it))
        .collect();
    assert_eq!(written, ["Qg7#", "Qa7"]);

    let text = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9; id \"typo\";\n\
                4k3/8/8/8/8/8/8/4K2R w K - id \"no end; c0 \"x\";\n\
                4k3/8/8/8/8/8/8/4K2R w K - id \"next\";";
    let jobs = jobs(text, false);
    let typo = jobs[0].as_ref().unwrap();
    assert_eq!(typo.problems[0].reason, Reason::Move(MoveError::NotAMove));
    let message = "<argument>:1: opcode bm, `Rd9`: not a move, in SAN or coordinates";
    assert_eq!(typo.problems[0].to_string(), message);
    let message = "<argument>:2: column 45, `\";`: the string has no closing quote";
    assert_eq!(jobs[1].as_ref().unwrap_err()[0].to_string(), message);
    assert_eq!(jobs[2].as_ref().unwrap().id.as_deref(), Some("next"));
}

fn jobs(text: &str, strict: bool) -> Vec<Result<Job, Vec<hyperft::parse::InputError>>> {
    let options = FenOptions {
        strict,
        ..FenOptions::default()
    };
    let source = Source::Literal(text.to_string());
    open_jobs(&source, options).unwrap().collect()
}

/// After fsmosca/EPD-Analyzer#4, official-stockfish/books#56 and LeelaChessZero/lc0#1647.
#[test]
fn files_are_read_line_by_line_whatever_they_are_made_with() {
    let text = "# header\n\n4k3/8/8/8/8/8/8/4K2R w K -\n   \n4k3/8/8/8/8/8/8/4K3R w K -\n4k3/8/8/8/8/8/8/R3K3 w Q -";
    let read = jobs(text, false);
    let lines: Vec<usize> = read.iter().flatten().map(|job| job.origin.line).collect();
    assert_eq!(lines, [3, 6]);
    let refused = read[1].as_ref().unwrap_err();
    assert_eq!(
        (refused[0].origin.line, &refused[0].place),
        (5, &Some(Place::Field(1)))
    );

    let text =
        "4k3/8/8/8/8/8/8/R3K3 w Q - id \"one\";\r\n4k3/8/8/8/8/8/8/4K2R w K - id \"two\";\r\n";
    let read = jobs(text, true);
    let found: Vec<_> = read
        .iter()
        .flatten()
        .map(|job| (job.id.as_deref(), legal_moves(&job.position).len()))
        .collect();
    assert_eq!(found, [(Some("one"), 16), (Some("two"), 15)]);

    let read = jobs("\u{feff}8/5k2/8/8/8/8/4K3/R7 w - - 0 1\n", true);
    assert_eq!(legal_moves(&read[0].as_ref().unwrap().position).len(), 22);
}

/// After niklasf/python-chess#34.
#[test]
fn lines_may_be_long() {
    let fields = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -";
    let root = position(fields);
    let legal = legal_moves(&root);
    let texts: Vec<String> = legal.into_iter().map(|it| san(&root, it)).collect();
    let comment = "x".repeat(100_000);
    let line = format!("{fields} bm {}; c0 \"{comment}\";", texts.join(" "));
    let read = jobs(&line, false);
    let job = read[0].as_ref().unwrap();
    assert!(job.problems.is_empty(), "{:?}", job.problems);
    let moves = operation_moves(&root, &job.operations[0], true).unwrap();
    assert_eq!(moves.len(), 218);
    assert_eq!(job.operations[1].text(), comment);
}

/// The published perft(14) of the start position does not fit 64 bits.
#[test]
fn expected_counts_may_exceed_64_bits() {
    let read = jobs(
        "startpos ;D13 1981066775000396239 ;D14 61885021521585529237",
        true,
    );
    let expected = &read[0].as_ref().unwrap().expected;
    assert_eq!(expected[0].count, 1_981_066_775_000_396_239);
    assert_eq!(expected[1].count, 61_885_021_521_585_529_237);
    assert!(expected[1].count > u128::from(u64::MAX));
}
