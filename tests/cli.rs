//! The program as its users meet it: output, exit status, messages.

#[path = "common/ran.rs"]
mod ran;

use std::path::Path;
use std::process::{Command, Stdio};

use ran::Ran;
use serde_json::Value;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn run_with(arguments: &[&str], input: &str) -> Ran {
    ran::run_with(arguments, input.as_bytes())
}

fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, "")
}

fn json(arguments: &[&str], input: &str) -> (i32, Value) {
    let ran = run_with(arguments, input);
    let value = serde_json::from_str(&ran.out);
    (
        ran.status,
        value.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", ran.out)),
    )
}

#[test]
fn perft_prints_every_depth_and_labels_its_figures() {
    let ran = run(&["perft", "5"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.contains(&format!("position {START}")),
        "{}",
        ran.out
    );
    for part in [
        "backend cpu-",
        "thread",
        "bulk counting",
        "merging on",
        "effective nps",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in {}", ran.out);
    }
    for row in ["4    197,281", "5  4,865,609", "perft(5) = 4,865,609"] {
        assert!(ran.out.contains(row), "no `{row}` in {}", ran.out);
    }
    let ran = run(&["perft", "5", "--no-merge", "--threads", "1"]);
    assert!(
        ran.out.contains("1 thread, bulk counting, merging off"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("effective"), "{}", ran.out);
}

#[test]
fn verbose_shows_unique_positions_and_quiet_the_number_alone() {
    let verbose = run(&["perft", "5", "-v"]);
    assert!(verbose.out.contains("unique positions"), "{}", verbose.out);
    assert!(verbose.out.contains("5,362  8,902"), "{}", verbose.out);
    assert_eq!(run(&["perft", "5", "--quiet"]).out, "4865609\n");
    assert_eq!(run(&["perft", "0", "-q"]).out, "1\n");
}

#[test]
fn verbose_shows_the_split_and_a_flag_moves_it() {
    let splits: [(&[&str], &str); 4] = [
        (&[], "split: 3 plies played out and merged, 2 plies left"),
        (&["--no-merge"], "split: 2 plies played out, 3 plies left"),
        (
            &["--leaf-depth", "4"],
            "split: 1 ply played out, 4 plies left",
        ),
        (
            &["--leaf-depth", "1"],
            "split: 4 plies played out and merged, 1 ply left",
        ),
    ];
    for (flags, split) in splits {
        let ran = run(&[&["perft", "5", "-v", "--backend", "cpu"], flags].concat());
        assert!(ran.out.contains(split), "{flags:?}: {}", ran.out);
        assert!(ran.out.contains("perft(5) = 4,865,609"), "{}", ran.out);
    }
    let (_, value) = json(&["perft", "5", "--json", "--backend", "cpu"], "");
    assert_eq!(
        (&value["split_depth"], &value["leaf_depth"]),
        (&3.into(), &2.into())
    );
}

#[test]
fn verbose_shows_the_costs_that_chose_the_split() {
    let measured = "measured: a merged child ";
    let ran = run(&["perft", "7", "-v", "--backend", "cpu"]);
    assert!(ran.out.contains("perft(7) = 3,195,901,860"), "{}", ran.out);
    assert!(ran.out.contains(measured), "{}", ran.out);
    let asked = run(&["perft", "7", "-v", "--backend", "cpu", "--leaf-depth", "2"]);
    assert!(
        asked.out.contains("perft(7) = 3,195,901,860"),
        "{}",
        asked.out
    );
    assert!(!asked.out.contains(measured), "{}", asked.out);
}

#[test]
fn json_counts_are_strings_and_carry_the_schema() {
    let (status, value) = json(&["perft", "4", "--json"], "");
    assert_eq!(status, 0);
    assert_eq!(
        (&value["schema"], &value["command"]),
        (&1.into(), &"perft".into())
    );
    assert_eq!(value["nodes"], "197281");
    assert_eq!(value["counts"][2]["nodes"], "8902");
    assert_eq!(value["run"]["merging"], true);
    let (_, value) = json(&["divide", "2", "--json"], "");
    assert_eq!(
        (&value["nodes"], &value["moves"][0]["move"]),
        (&"400".into(), &"a2a3".into())
    );
    let (_, value) = json(&["stats", "3", "--json"], "");
    assert_eq!(
        (&value["depths"][2]["checks"], &value["run"]["bulk"]),
        (&"12".into(), &false.into())
    );
    let (_, value) = json(&["devices", "--json"], "");
    let names: Vec<&str> = value["backends"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|backend| backend["name"].as_str().expect("a name"))
        .collect();
    assert!(
        names.contains(&"cpu-scalar") && names.contains(&"cpu-bmi2"),
        "{names:?}"
    );
}

/// The lines of `go perft` in Stockfish, sorted.
#[test]
fn divide_prints_what_engines_print() {
    let fen = "r3k3/8/8/8/8/8/8/4K2R b q - 0 1";
    let ran = run(&["divide", "1", "--fen", fen]);
    let expected = "a8a1: 1\na8a2: 1\na8a3: 1\na8a4: 1\na8a5: 1\na8a6: 1\na8a7: 1\na8b8: 1\n\
                    a8c8: 1\na8d8: 1\ne8c8: 1\ne8d7: 1\ne8d8: 1\ne8e7: 1\ne8f7: 1\ne8f8: 1\n\n\
                    Nodes searched: 16\n";
    assert_eq!((ran.status, ran.out.as_str()), (0, expected));
    let chess960 = run(&["divide", "1", "--chess960", "--fen", fen]);
    assert!(chess960.out.contains("e8a8: 1\n") && !chess960.out.contains("e8c8"));
    let ran = run(&["divide", "2"]);
    assert_eq!(ran.out.lines().count(), 22);
    assert!(
        ran.out.ends_with("h2h4: 20\n\nNodes searched: 400\n"),
        "{}",
        ran.out
    );
    assert_eq!(run(&["divide", "0"]).status, 2);
}

#[test]
fn positions_can_be_named_written_and_played_to() {
    let count = |arguments: &[&str]| {
        let ran = run(&[&["perft", "1", "-q"], arguments].concat());
        (ran.status, ran.out.trim().to_string())
    };
    assert_eq!(count(&["--position", "kiwipete"]), (0, "48".to_string()));
    assert_eq!(
        count(&["--fen", "8/5k2/8/3p4/3P4/8/4K3/8 w - -"]),
        (0, "8".to_string())
    );
    assert_eq!(
        count(&["--moves", "e2e4", "e7e5", "Nf3"]),
        (0, "29".to_string())
    );
    let castled = run(&[
        "perft",
        "1",
        "--json",
        "--fen",
        "r3k2r/pp6/8/8/8/8/PP6/R3K2R w KQkq - 6 11",
        "--moves",
        "e1h1",
    ]);
    assert!(
        castled
            .out
            .contains("r3k2r/pp6/8/8/8/8/PP6/R4RK1 b kq - 7 11"),
        "{}",
        castled.out
    );
    let chess960 = ["--chess960", "--fen", "1k6/8/8/8/8/8/8/R2R1K2 w D - 0 1"];
    assert_eq!(count(&chess960), (0, "25".to_string()));
}

#[test]
fn bad_input_is_refused_with_field_text_and_reason() {
    let cases: [(&[&str], i32, &[&str]); 8] = [
        (
            &["perft", "1", "--fen", "8/8 w - - 0 1"],
            3,
            &["field 1 (board)", "`8/8`", "2 ranks"],
        ),
        (
            &["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 W - - 0 1"],
            3,
            &["field 2 (side to move)", "`W`", "expected w or b"],
        ),
        (
            &["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1"],
            3,
            &["(black) is in check"],
        ),
        (
            &["perft", "1", "--moves", "e2e4", "e7e5", "e4e5"],
            3,
            &[
                "move 3",
                "`e4e5`",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq",
            ],
        ),
        (
            &["perft", "1", "--position", "nowhere"],
            2,
            &["`nowhere`", "kiwipete"],
        ),
        (&["perft", "-1"], 2, &["-1"]),
        (&["perft", "many"], 2, &["many"]),
        (&["perft", "5", "--threads", "0"], 2, &["--threads"]),
    ];
    for (arguments, status, parts) in cases {
        let ran = run(arguments);
        assert_eq!(ran.status, status, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        for part in parts {
            assert!(
                ran.err.contains(part),
                "{arguments:?}: no `{part}` in {}",
                ran.err
            );
        }
    }
}

#[test]
fn strict_refuses_what_is_otherwise_a_warning() {
    let fen = "r3k3/8/8/8/8/8/8/4K3 b kq - 0 1";
    let lenient = run(&["perft", "1", "--fen", fen]);
    assert_eq!(lenient.status, 0);
    assert!(
        lenient
            .err
            .starts_with("warning: --fen: castling right k ignored"),
        "{}",
        lenient.err
    );
    // What may change a count is said even when asked to be quiet.
    assert_eq!(run(&["perft", "1", "-q", "--fen", fen]).err, lenient.err);
    let (_, value) = json(&["perft", "1", "--json", "--fen", fen], "");
    assert_eq!(value["warnings"].as_array().map(Vec::len), Some(1));
    let strict = run(&["perft", "1", "--strict", "--fen", fen]);
    assert_eq!((strict.status, strict.out.as_str()), (3, ""));
    assert!(
        strict
            .err
            .contains("field 3 (castling), `kq`: castling right k"),
        "{}",
        strict.err
    );
}

#[test]
fn a_suite_reports_wrong_rejected_and_skipped_apart() {
    let suite = format!(
        "{START} ;D1 20 ;D2 401 ;D3 8902 ;id \"start\"\n\
         4k3/8/8/8/8/8/8/4K3R w K - 0 1 ;D1 5\n\
         8/5k2/8/3p4/3P4/8/4K3/8 w - - 0 1\n\
         4k2r/8/8/8/8/8/8/4K3 w k - 0 1 ;D1 5 ;D6 899442\n"
    );
    let ran = run_with(&["suite", "-", "--max-depth", "5"], &suite);
    assert_eq!(ran.status, 1);
    let wrong =
        format!("WRONG <stdin>:1 id \"start\" depth 2: expected 401, got 400\n      {START}\n");
    assert!(ran.out.contains(&wrong), "{}", ran.out);
    assert!(
        ran.out.contains("1 positions came without a count"),
        "{}",
        ran.out
    );
    let summary = "3 counts right, 1 wrong, 1 records rejected, 1 depths skipped\n";
    assert!(ran.out.ends_with(summary), "{}", ran.out);
    let place = "rejected: <stdin>:2: field 1 (board), `4k3/8/8/8/8/8/8/4K3R`: rank 1 has more";
    assert!(ran.err.starts_with(place), "{}", ran.err);

    let (status, value) = json(&["suite", "-", "--json"], &suite);
    assert_eq!(
        (status, &value["wrong"], &value["checked"]),
        (1, &1.into(), &5.into())
    );
    assert_eq!(value["mismatches"][0]["expected"], "401");
    assert_eq!(value["mismatches"][0]["got"], "400");
    assert_eq!(value["rejected"], 1);
    assert_eq!(value["rejections"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_exit_status_of_a_suite_says_what_was_wrong() {
    let right = format!("{START} ;D1 20\n");
    let wrong = format!("{START} ;D1 21\n");
    assert_eq!(run_with(&["suite", "-"], &right).status, 0);
    assert_eq!(run_with(&["suite", "-"], &wrong).status, 1);
    assert_eq!(
        run_with(&["suite", "-"], &format!("{right}nonsense\n")).status,
        3
    );
    assert_eq!(
        run_with(&["suite", "-"], &format!("{wrong}nonsense\n")).status,
        1
    );
    assert_eq!(run(&["suite"]).status, 2);
    let missing = run(&["suite", "no-such-file.epd"]);
    assert_eq!(missing.status, 3);
    assert!(missing.err.contains("no-such-file.epd"), "{}", missing.err);
    assert_eq!(
        run_with(&["suite", &format!("{START} ;D3 8902")], "").status,
        0
    );
}

#[test]
fn fail_fast_stops_early_and_says_so() {
    let mut suite = format!("{START} ;D1 21\n");
    for _ in 0..500 {
        suite += &format!("{START} ;D1 20\n");
    }
    let ran = run_with(&["suite", "-", "--fail-fast"], &suite);
    assert_eq!(ran.status, 1);
    assert!(
        ran.out.contains("not finished: a count was wrong"),
        "{}",
        ran.out
    );
    let (_, value) = json(&["suite", "-", "--fail-fast", "--json"], &suite);
    assert_eq!(
        (&value["stopped"], &value["checked"]),
        (&"a count was wrong".into(), &64.into())
    );
}

/// The same suite in the dialects people have, Chess960 among them.
#[test]
fn all_dialects_of_one_suite_agree() {
    for suite in [
        format!("{START} ;D1 20 ;D2 400\n"),
        format!("{START}; D1 20; D2 400;\n"),
        format!("{START};20;400\n"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - perft1 20; perft2 400;\r\n".into(),
        format!("# blocks\n\nid 1\nepd {START}\nperft 1 20\nperft 2 400\n"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 ;D1 20 ;D2 400".into(),
    ] {
        let ran = run_with(&["suite", "-", "-q"], &suite);
        let summary = "2 counts right, 0 wrong, 0 records rejected, 0 depths skipped\n";
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (0, summary),
            "{suite}: {}",
            ran.err
        );
    }
}

#[test]
fn the_projects_suites_pass_from_the_command_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (classic, chess960) = (path("classic.epd"), path("chess960.epd"));
    let ran = run(&["suite", &classic, &chess960, "--max-nodes", "100000"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("262 positions"), "{}", ran.out);
}

#[test]
fn an_unknown_backend_is_a_usage_error_and_a_known_one_is_named() {
    assert_eq!(run(&["perft", "3", "--backend", "abacus"]).status, 2);
    let ran = run(&["perft", "3", "--backend", "cpu-scalar"]);
    assert!(
        ran.out.contains("backend cpu-scalar (asked for)"),
        "{}",
        ran.out
    );
}

#[test]
fn shells_and_packagers_get_their_files() {
    let completions = run(&["completions", "bash"]);
    assert!(completions.status == 0 && completions.out.contains("_hyperft"));
    let man = run(&["man"]);
    assert!(man.status == 0 && man.out.contains(".TH hyperft"));
    let man = run(&["man", "suite"]);
    assert!(
        man.status == 0 && man.out.contains("max\\-depth"),
        "{}",
        man.out
    );
    assert_eq!(run(&["man", "nothing"]).status, 2);
    let help = run(&["--help"]);
    assert!(
        help.status == 0 && help.out.contains("Exit status"),
        "{}",
        help.out
    );
    assert_eq!(run(&[]).status, 2);
}

#[test]
fn part_of_the_work_is_verified_on_request() {
    let ran = run(&[
        "perft",
        "5",
        "--quiet",
        "--backend",
        "cpu",
        "--verify",
        "0.5",
    ]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.as_str()),
        (0, "4865609\n", "")
    );
    let ran = run(&["perft", "5", "--backend", "cpu", "--verify", "0.5"]);
    assert!(ran.err.contains("the plain perft agrees on"), "{}", ran.err);
    for share in ["2", "-1", "many", "NaN"] {
        let verify = format!("--verify={share}");
        assert_eq!(run(&["perft", "2", &verify]).status, 2, "{share}");
    }
}

/// A reader that has had enough, such as `head`, is no error.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(["divide", "5", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// ... but it takes nothing from the exit status.
#[test]
fn a_wrong_count_is_reported_into_a_closed_pipe_too() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(["suite", &format!("{START} ;D2 401")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    assert_eq!(
        child.wait_with_output().expect("it ends").status.code(),
        Some(1)
    );
}

#[test]
fn a_suite_without_a_count_to_check_does_not_pass() {
    let ran = run_with(&["suite", "-"], "");
    assert_eq!(ran.status, 3);
    assert!(
        ran.err.contains("no count was found to check"),
        "{}",
        ran.err
    );
    assert_eq!(run_with(&["suite", "-"], &format!("{START}\n")).status, 3);
    assert_eq!(
        run_with(
            &["suite", "-", "--max-depth", "1"],
            &format!("{START} ;D2 4")
        )
        .status,
        0
    );
}

#[test]
fn counts_that_look_misspelt_or_too_deep_are_refused() {
    for count in ["D2: 400", "D256 20", "depth 2 400", "D 2 400"] {
        let ran = run_with(&["suite", "-"], &format!("{START} ;D1 20 ;{count}\n"));
        assert_eq!(ran.status, 3, "{count}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.starts_with("rejected: <stdin>:1: opcode "),
            "{count}: {}",
            ran.err
        );
    }
}

/// Quiet prints the count asked for or nothing: a script must not take a shallower one for it.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_no_number_when_quiet() {
    let child = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(["perft", "12", "--quiet", "--memory", "1MiB"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
}

/// Ctrl-C: what was finished is printed, and the status says that it is not all.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_finished_depths() {
    let child = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(["perft", "12", "--threads", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(
        out.contains("4,865,609") && out.contains("not finished: perft("),
        "{out}"
    );
}
