//! `analyse` as its users meet it: records, summaries, refusals, exit status.

use std::io::Write;

#[path = "common/ran.rs"]
mod ran;

use ran::{Ran, run_with};
use serde_json::Value;

fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, b"")
}

/// The records of a run that reads `input`, and its exit status.
fn records(arguments: &[&str], input: &str) -> (i32, Vec<Value>) {
    let all = [&["analyse"], arguments, &["-"]].concat();
    let ran = run_with(&all, input.as_bytes());
    let record =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|it| panic!("{it}: {line}"));
    (ran.status, ran.out.lines().map(record).collect())
}

fn one(arguments: &[&str], line: &str) -> Value {
    let (status, mut records) = records(arguments, line);
    assert_eq!((status, records.len()), (0, 1), "{line}");
    records.remove(0)
}

#[test]
fn a_record_says_what_the_position_is() {
    let record = one(
        &[],
        "r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - 3 7 bm O-O; id \"a;b\";",
    );
    for (name, value) in [
        ("schema", Value::from(1)),
        ("file", "<stdin>".into()),
        ("line", 1.into()),
        ("id", "a;b".into()),
        ("status", "ok".into()),
        ("fen", "r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - 3 7".into()),
        ("side_to_move", "w".into()),
        ("halfmove_clock", 3.into()),
        ("fullmove_number", 7.into()),
        ("castling_given", "KQkq".into()),
        ("castling", "KQkq".into()),
        ("ep_given", "-".into()),
        ("ep_square", Value::Null),
        ("in_check", false.into()),
        ("legal_moves", 34.into()),
        ("captures", 3.into()),
        ("castles", 2.into()),
        ("mates", 0.into()),
        ("outcome", Value::Null),
    ] {
        assert_eq!(record[name], value, "{name}");
    }
    let none = Vec::<String>::new();
    assert_eq!(record["reasons"], Value::from(none.clone()));
    assert_eq!(record["checkers"], Value::from(none));
    assert_eq!(record["perft"], Value::Null, "not asked for");
}

#[test]
fn what_was_given_stands_beside_what_it_comes_to() {
    let record = one(&[], "4k3/2p5/8/8/5P2/8/8/R3K3 b KQ f3 0 1");
    assert_eq!(
        (&record["ep_given"], &record["ep_square"]),
        (&"f3".into(), &Value::Null)
    );
    assert_eq!(
        (&record["castling_given"], &record["castling"]),
        (&"KQ".into(), &"Q".into())
    );
    assert_eq!(record["status"], "warning");
    assert_eq!(
        record["reasons"][0],
        "field 3 (castling), `KQ`: castling right K ignored: no rook on its corner"
    );
    assert_eq!(record["fen"], "4k3/2p5/8/8/5P2/8/8/R3K3 b Q - 0 1");
    let pinned = one(&[], "4k3/8/8/8/1b2r3/2N5/3PB3/4K3 w - - 0 1");
    assert_eq!(pinned["pinned"], serde_json::json!(["e2"]));
    let check = one(&[], "4k3/8/8/8/1b2r3/8/3P4/4K3 w - - 0 1");
    assert_eq!(check["checkers"], serde_json::json!(["e4"]));
}

/// After notnil/chess#16, PGG106/Alexandria#213, SerenityOS/serenity#18569, niklasf/python-chess#634
/// and #1153, Disservin/chess-library#106 and carlini/regex-chess#3: line, outcome, 50-move claim,
/// number of legal moves.
#[test]
fn ends_of_the_game_are_told_apart() {
    for (line, outcome, claim, moves) in [
        ("8/5k2/8/8/8/8/4K3/R7 w - - 50 61", "", false, 22),
        ("8/5k2/8/8/8/8/4K3/R7 w - - 99 61", "", false, 22),
        ("8/5k2/8/8/8/8/4K3/R7 w - - 100 61", "", true, 22),
        (
            "R5k1/5ppp/8/8/8/8/8/7K b - - 100 140",
            "checkmate",
            false,
            0,
        ),
        (
            "R5k1/5ppp/8/8/8/8/8/7K b - - 150 140",
            "checkmate",
            false,
            0,
        ),
        ("8/5k2/8/8/8/8/4K3/R7 b - - 149 200", "", true, 8),
        (
            "8/5k2/8/8/8/8/4K3/R7 b - - 150 200",
            "seventy-five-moves",
            true,
            8,
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200", "stalemate", false, 0),
        (
            "8/2b5/8/3k4/8/3K4/8/2B5 w - - 0 1",
            "insufficient-material",
            false,
            12,
        ),
        (
            "6k1/8/8/8/4B3/3B4/8/1K6 w - - 0 1",
            "insufficient-material",
            false,
            21,
        ),
        (
            "8/8/2k5/8/8/5K2/8/8 b - - 7 70",
            "insufficient-material",
            false,
            8,
        ),
        ("8/8/2k5/8/8/5K2/7P/8 b - - 7 70", "", false, 8),
    ] {
        let record = one(&[], line);
        let got = record["outcome"].as_str().unwrap_or_default();
        assert_eq!(got, outcome, "{line}");
        assert_eq!(record["fifty_moves"], claim, "{line}");
        assert_eq!(record["legal_moves"], moves, "{line}");
    }
    let uci = "position fen 7k/8/6K1/8/8/8/8/R7 w - - 99 140 moves a1a8";
    let record = one(&["--play", "moves"], uci);
    let fields = (
        &record["outcome"],
        &record["halfmove_clock"],
        &record["fifty_moves"],
    );
    assert_eq!(fields, (&"checkmate".into(), &100.into(), &false.into()));
}

/// After bhlangonijr/chesslib#39, lichess-org/lila#7009 and niklasf/python-chess#295.
#[test]
fn repetitions_are_counted_in_the_last_position() {
    let knights = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8";
    for (line, occurrences, outcome) in [
        (
            "position fen 4k2r/6p1/8/7P/8/8/8/7K b - - 0 1 \
             moves g7g5 h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1 e7e8"
                .to_string(),
            3,
            "",
        ),
        (
            // The rook is away from the h-file: the capture was legal at first.
            "position fen 4k1r1/6p1/8/7P/8/8/8/7K b - - 0 1 \
             moves g7g5 h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1 e7e8"
                .to_string(),
            2,
            "",
        ),
        (
            "position fen 2k5/8/8/2n5/8/2B5/8/2K5 w - - 3 40 \
             moves c1d1 c8d8 d1c1 d8c8 c1b1 c8b8 b1c1 b8c8"
                .to_string(),
            3,
            "",
        ),
        (
            format!("position startpos moves {knights} g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8"),
            5,
            "fivefold-repetition",
        ),
        (format!("startpos moves {knights};"), 3, ""),
        // A pawn move in between: nothing before it can occur again.
        (format!("startpos moves {knights} e2e4 e7e5;"), 1, ""),
        ("startpos".to_string(), 1, ""),
    ] {
        let record = one(&["--play", "moves"], &line);
        assert_eq!(record["occurrences"], occurrences, "{line}");
        assert_eq!(record["threefold"], occurrences >= 3, "{line}");
        assert_eq!(record["fivefold"], occurrences >= 5, "{line}");
        assert_eq!(
            record["outcome"].as_str().unwrap_or_default(),
            outcome,
            "{line}"
        );
    }
    let pv = one(&["--play", "pv"], "startpos pv Nf3 Nf6 Ng1 Ng8; id \"x\";");
    assert_eq!((&pv["plies"], &pv["occurrences"]), (&4.into(), &2.into()));
    let (status, wrong) = records(&["--play", "moves"], "startpos moves e2e4 e7e5 e4e5 g1f3");
    assert_eq!((status, &wrong[0]["status"]), (3, &"rejected".into()));
    assert_eq!(
        wrong[0]["reasons"],
        serde_json::json!(["opcode moves, `e4e5`: no legal move of this position"])
    );
}

#[test]
fn refused_lines_are_records_and_the_rest_is_analysed() {
    let text = "# comment\n\nstartpos\n4k3/8/8/8/8/8/8/4K3R w K -\n4k3/8/8/8/8/8/8/R3K3 w Q -";
    let (status, records) = records(&[], text);
    assert_eq!(status, 3);
    let told: Vec<_> = records
        .iter()
        .map(|it| (&it["line"], &it["status"]))
        .collect();
    let expected = [(3, "ok"), (4, "rejected"), (5, "ok")].map(|(n, s)| (n.into(), s.into()));
    assert_eq!(
        told,
        expected.each_ref().map(|(n, s): &(Value, Value)| (n, s))
    );
    assert_eq!(records[1]["fen"], Value::Null);
    assert_eq!(
        records[1]["reasons"],
        serde_json::json!([
            "field 1 (board), `4k3/8/8/8/8/8/8/4K3R`: rank 1 has more than 8 squares"
        ])
    );
    let two = "4k3/8/8/8/8/8/8/8 x K e9 0 1";
    let ran = run(&["analyse", two]);
    assert_eq!(ran.status, 3);
    assert!(
        ran.err.contains("rejected: <argument>:1: field 2"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("field 4"), "all reasons: {}", ran.err);
    let strict = run(&["analyse", "--strict", "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1"]);
    assert_eq!(strict.status, 3);
    let missing = run(&["analyse", "no-such-file.epd", "startpos"]);
    assert_eq!((missing.status, missing.out.lines().count()), (3, 1));
    assert!(missing.err.contains("no such file"), "{}", missing.err);
}

#[test]
fn broken_input_ends_in_messages_and_everything_readable_is_analysed() {
    let good = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n";
    let count = |input: &[u8]| {
        let ran = run_with(
            &["analyse", "--columns", "status", "--format", "csv", "-"],
            input,
        );
        let count = |status| ran.out.lines().filter(|line| *line == status).count();
        (ran.status, count("ok"), count("rejected"), ran.err.clone())
    };
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(good.repeat(10_000).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let (status, ok, ..) = count(&packed);
    assert_eq!((status, ok), (0, 10_000));
    let (status, ok, rejected, err) = count(&packed[..packed.len() - 20]);
    assert_eq!((status, rejected), (3, 1));
    assert!(
        ok > 5_000 && err.contains("reading stopped here"),
        "{ok} {err}"
    );

    let (status, ok, _, err) = count(b"\x7fELF\x02\x01\x00\x00\x00\n");
    assert_eq!((status, ok), (3, 0));
    assert!(err.contains("binary data"), "{err}");
    // Beyond the first kilobytes, which tell whether this is text at all.
    let before = good.repeat(500);
    let nul = [before.as_bytes(), b"4k3/8/8\0/8 w - -\n", good.as_bytes()].concat();
    let (status, ok, rejected, err) = count(&nul);
    assert_eq!((status, ok, rejected), (3, 501, 1));
    assert!(err.contains("NUL byte inside"), "{err}");

    // Ten megabytes are read; twenty are refused; the next line is read either way.
    for (megabytes, refused) in [(10, 0), (20, 1)] {
        let comment = "x".repeat(megabytes << 20);
        let long = format!("{} c0 \"{comment}\";\n{good}", good.trim());
        let (status, ok, rejected, _) = count(long.as_bytes());
        let expected = (if refused > 0 { 3 } else { 0 }, 2 - refused, refused);
        assert_eq!((status, ok, rejected), expected, "{megabytes} MB");
    }
}

/// Both packers, cut off and damaged inside: what came before is analysed, the rest is named.
#[test]
fn broken_packages_are_analysed_as_far_as_they_can_be_read() {
    // Of many kinds, so that little of the packed file stands for little of the text.
    let line = |it: usize| {
        let mut rank = *b"PPPPPPPP";
        (0..8).for_each(|file| rank[file] = if it >> file & 1 == 1 { b'P' } else { b'N' });
        let rank = String::from_utf8_lossy(&rank)
            .replace("NNN", "3")
            .replace("NN", "2");
        format!(
            "4k3/8/8/8/8/8/{}/4K3 w - - {} {}\n",
            rank.replace('N', "1"),
            it % 90,
            1 + it
        )
    };
    let text: String = (0..20_000).map(line).collect();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), level);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    let gzip = packer.finish().unwrap();
    for (name, packed) in [("zstd", zstd), ("gzip", gzip)] {
        let mut spoilt = packed.clone();
        let at = packed.len() * 3 / 4;
        spoilt[at..at + 64].fill(0xff);
        for (broken, least) in [
            (&packed[..], 20_000),
            (&packed[..packed.len() - 2], 10_000),
            (&packed[..packed.len() / 2], 4_000),
            (&spoilt, 4_000),
        ] {
            let columns = [
                "--columns",
                "line,status,fullmove_number",
                "--format",
                "csv",
            ];
            let ran = run_with(&[&["analyse"], &columns[..], &["-"]].concat(), broken);
            let whole = |(line, row): (usize, &str)| row == format!("{line},ok,{line}");
            let rows = ran.out.lines().enumerate().skip(1);
            let read = rows.take_while(|it| whole(*it)).count();
            assert!(read >= least, "{name}: {read} of {least}; {}", ran.err);
            if broken == packed {
                assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{name}");
            } else {
                assert_eq!(ran.status, 3, "{name}");
                let last = ran.out.lines().last().unwrap();
                assert!(last.contains(",rejected,"), "{name}: {last}");
                assert!(
                    ran.err.contains("reading stopped here"),
                    "{name}: {}",
                    ran.err
                );
            }
        }
    }
}

/// Whoever has seen enough, such as `head`, closes the pipe: no message, and no error.
#[test]
fn a_closed_pipe_ends_an_analysis_quietly() {
    let mut positions = tempfile::NamedTempFile::new().unwrap();
    let line = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n";
    positions.write_all(line.repeat(50_000).as_bytes()).unwrap();
    for threads in ["1", "3"] {
        for format in ["jsonl", "csv", "table"] {
            let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_hyperft"));
            program.args(["analyse", "--threads", threads, "--format", format]);
            program.arg(positions.path());
            program.stdout(std::process::Stdio::piped());
            let mut child = program
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            drop(child.stdout.take());
            let ran = child.wait_with_output().unwrap();
            let err = String::from_utf8_lossy(&ran.stderr);
            assert_eq!((ran.status.code(), &*err), (Some(0), ""), "{format}");
        }
    }
}

#[test]
fn order_is_kept_whatever_the_number_of_threads() {
    let lines: String = (1..=20_000)
        .map(|number| format!("8/8/8/8/8/8/8/K1k5 w - - {} {number}\n", number % 90))
        .collect();
    let run = |threads| {
        let arguments = [
            "analyse",
            "--columns",
            "line,fullmove_number",
            "--format",
            "csv",
        ];
        run_with(
            &[&arguments[..], &["--threads", threads, "-"]].concat(),
            lines.as_bytes(),
        )
        .out
    };
    let expected: String = (1..=20_000)
        .map(|number| format!("{number},{number}\n"))
        .collect();
    for threads in ["1", "2", "7"] {
        let out = run(threads);
        assert!(
            out == format!("line,fullmove_number\n{expected}"),
            "{threads} threads"
        );
    }
}

#[test]
fn columns_and_formats_are_as_asked() {
    let mate = "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1 id \"a, b\";";
    let columns = [
        "analyse",
        "--columns",
        "id,checkmate,checkers,outcome",
        mate,
    ];
    let csv = run(&[&columns[..], &["--format", "csv"]].concat());
    assert_eq!(
        csv.out,
        "id,checkmate,checkers,outcome\n\"a, b\",true,a8,checkmate\n"
    );
    let table = run(&[&columns[..], &["--format", "table"]].concat());
    assert_eq!(table.out.lines().count(), 2);
    assert!(
        table.out.lines().nth(1).unwrap().starts_with("a, b "),
        "{}",
        table.out
    );
    let json = run(&columns);
    let expected = "{\"schema\":1,\"id\":\"a, b\",\"checkmate\":true,\"checkers\":[\"a8\"],\
                    \"outcome\":\"checkmate\"}\n";
    assert_eq!(json.out, expected);
    let unknown = run(&["analyse", "--columns", "nodes", "startpos"]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.err.contains("no column is named `nodes`"),
        "{}",
        unknown.err
    );
    let perft = one(&["--perft", "4"], "startpos");
    assert_eq!(perft["perft"], "197281", "counts are decimal strings");
    let help = run(&["analyse", "--help"]);
    assert!(
        help.out.contains("discovery_checks"),
        "every column is explained"
    );
}

/// Bars are for people: on a terminal, or when asked for.
#[test]
fn a_summary_has_bars_only_if_they_are_asked_for() {
    let text = "startpos\nkiwipete\nx\n";
    let plain = run_with(&["analyse", "--summary", "-"], text.as_bytes());
    for histogram in [
        "positions by legal moves",
        "positions by pieces",
        "records by status",
    ] {
        assert!(plain.out.contains(histogram), "{}", plain.out);
    }
    assert!(!plain.out.contains('#'), "{}", plain.out);
    let chart = run_with(&["analyse", "--summary", "--chart", "-"], text.as_bytes());
    assert!(
        chart.out.contains("32-35             2 ####"),
        "{}",
        chart.out
    );
    assert!(
        chart.out.contains("rejected             1 ####"),
        "{}",
        chart.out
    );
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    let ran = run_with(&["analyse", "--format", "parquet", "-"], b"startpos\n");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--features parquet"), "{}", ran.err);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_goes_to_standard_output() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_hyperft"));
    let arguments = ["analyse", "--format", "parquet", "startpos"];
    let ran = program.args(arguments).output().unwrap();
    assert!(ran.status.success());
    assert!(ran.stdout.starts_with(b"PAR1") && ran.stdout.ends_with(b"PAR1"));
}

/// A full disk is neither a device nor bad input.
#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_have_a_status_of_their_own() {
    for command in [
        &["analyse", "startpos"][..],
        &["perft", "1"],
        &["epd", "dedupe", "startpos"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_hyperft"));
        let ran = program.args(command).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(5), "{command:?} {err}");
        assert!(err.contains("cannot write: "), "{err}");
    }
}

#[test]
fn a_summary_adds_up() {
    let text = "startpos\nkiwipete\nR5k1/5ppp/8/8/8/8/8/7K b - - 0 1\nnothing\n";
    let ran = run_with(&["analyse", "--summary", "--json", "-"], text.as_bytes());
    assert_eq!(ran.status, 3);
    let summary: Value = serde_json::from_str(&ran.out).unwrap();
    for (name, value) in [
        ("records", 4),
        ("ok", 3),
        ("warning", 0),
        ("rejected", 1),
        ("legal_moves", 68),
        ("checkmate", 1),
        ("castles", 2),
        ("schema", 1),
    ] {
        assert_eq!(summary[name], value, "{name}");
    }
    assert_eq!(summary["moves_histogram"][20], 1);
    let beside = run_with(
        &["analyse", "--summary", "--format", "jsonl", "-"],
        text.as_bytes(),
    );
    assert_eq!(beside.out.lines().count(), 4);
    assert!(
        beside.err.contains("3 ok, 0 warning, 1 rejected"),
        "{}",
        beside.err
    );
}
