//! `epd` as its users meet it: lines checked, thinned out and rewritten.

#[path = "common/ran.rs"]
mod ran;

use ran::run_with;
use serde_json::Value;

#[test]
fn validate_names_what_is_wrong() {
    let text = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"one\";\n\
                6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9; id \"two\";\n\
                6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Re2; id \"one\";\n\
                4k3/8/8/8/8/8/8/R2RK3 w Q - bm Rb1 Rc1;\n\
                6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - pv Rd8# Kg7; dm 1\n\
                4k3/8/8/8/8/8/8/4K2R w K - id \"no end; c0 \"x\";\n";
    let ran = run_with(&["epd", "validate", "-"], text.as_bytes());
    assert_eq!(ran.status, 3);
    let expected = [
        "wrong <stdin>:2: opcode bm, `Rd9`: not a move, in SAN or coordinates",
        "wrong <stdin>:3: opcode am, `Re2`: no legal move of this position",
        "wrong <stdin>:3: id `one`: duplicated, first on line 1",
        "wrong <stdin>:4: opcode bm, `Rc1`: ambiguous, could be ",
        "wrong <stdin>:5: opcode pv, `Kg7`: no legal move of this position",
        "warning <stdin>:5: opcode dm, `dm`: the last operation has no semicolon",
        "wrong <stdin>:6: column 45, `\";`: the string has no closing quote",
        "1 records ok, 0 with warnings, 5 wrong",
    ];
    let lines: Vec<&str> = ran.out.lines().collect();
    for line in expected {
        assert!(
            lines.iter().any(|it| it.starts_with(line)),
            "no `{line}` in {}",
            ran.out
        );
    }
    let good = run_with(
        &["epd", "validate", "-"],
        text.lines().next().unwrap().as_bytes(),
    );
    assert_eq!(
        (good.status, good.out.as_str()),
        (0, "1 records ok, 0 with warnings, 0 wrong\n")
    );
    let json = run_with(&["epd", "validate", "--json", "-"], text.as_bytes());
    let last: Value = serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["ok"], &last["wrong"]), (&1.into(), &5.into()));
}

/// After official-stockfish/books#50, and one line for each identity.
#[test]
fn dedupe_keeps_the_first_of_each() {
    let lines = [
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3 9",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQ - 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        // The colours turned: to one who only sees who is to move it is the fifth line.
        "rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2",
    ];
    let text = lines.join("\n");
    for (by, kept) in [
        ("line", vec![0, 1, 3, 4, 5, 6]),
        ("counters", vec![0, 3, 4, 5, 6]),
        ("ep-square", vec![0, 1, 4, 5, 6]),
        ("position", vec![0, 4, 5, 6]),
        ("side", vec![0, 5, 6]),
        ("board", vec![0, 6]),
    ] {
        let ran = run_with(&["epd", "dedupe", "--by", by, "-"], text.as_bytes());
        let expected: Vec<&str> = kept.iter().map(|&index| lines[index]).collect();
        assert_eq!(ran.out.lines().collect::<Vec<_>>(), expected, "{by}");
        assert_eq!(ran.status, 0);
        let note = format!(
            "{} records kept, {} duplicates dropped\n",
            kept.len(),
            7 - kept.len()
        );
        assert_eq!(ran.err, note);
    }
    let small = ["epd", "dedupe", "--memory", "1", "-"];
    let spilled = run_with(&small, text.as_bytes());
    let in_memory = run_with(&["epd", "dedupe", "-"], text.as_bytes());
    assert_eq!((spilled.status, &spilled.out), (0, &in_memory.out));
}

/// Merged ids are written into the record that is kept; what is dropped can be had too.
#[test]
fn dedupe_merges_ids_and_shows_what_it_drops() {
    let board = "4k3/8/8/8/8/8/8/4K2R w K -";
    let lines = [
        format!("{board} bm  Kd2; id \"one\";"),
        "startpos".to_string(),
        format!("{board} id two"),
        "startpos id \"the start\";".to_string(),
        format!("{board} id \"one\";"),
        format!("{board} bm O-O;"),
    ];
    let text = lines.join("\n");
    let dropped_file = tempfile::NamedTempFile::new().unwrap();
    let dropped = dropped_file.path().to_str().unwrap();
    for memory in ["1GiB", "1"] {
        let arguments = ["--dropped", dropped, "--memory", memory, "-"];
        let keep = run_with(
            &[&["epd", "dedupe"], &arguments[..]].concat(),
            text.as_bytes(),
        );
        assert_eq!(keep.out, format!("{}\n{}\n", lines[0], lines[1]));
        let expected = format!("{}\n", lines[2..].join("\n"));
        assert_eq!(std::fs::read_to_string(dropped).unwrap(), expected);
        let merge = [&["epd", "dedupe", "--ids", "merge"], &arguments[..]].concat();
        let merge = run_with(&merge, text.as_bytes());
        let merged = format!("{board} bm Kd2; id \"one | two\";\nstartpos id \"the start\";\n");
        assert_eq!((merge.status, merge.out), (0, merged), "{memory}");
        assert_eq!(std::fs::read_to_string(dropped).unwrap(), expected);
        assert_eq!(
            merge.err.lines().last(),
            Some("2 records kept, 4 duplicates dropped")
        );
    }
}

#[test]
fn filter_keeps_lines_as_they_are() {
    let text = "startpos id  \"kept as it is\" ;\nkiwipete\nR5k1/5ppp/8/8/8/8/8/7K b - -\n";
    let filter = |expression: &str| {
        let ran = run_with(&["epd", "filter", expression, "-"], text.as_bytes());
        (ran.status, ran.out, ran.err)
    };
    let (status, out, _) = filter("castles == 0 && !checkmate");
    assert_eq!(
        (status, out.as_str()),
        (0, "startpos id  \"kept as it is\" ;\n")
    );
    let (_, out, _) = filter("outcome == 'checkmate' || legal_moves >= 48");
    assert_eq!(out.lines().count(), 2);
    let (status, _, err) = filter("legal_moves +");
    assert!(status == 2 && err.contains("not an expression"), "{err}");
    let (status, _, err) = filter("nodes > 3");
    assert!(status == 2 && err.contains("nodes"), "{err}");
}

#[test]
fn convert_changes_the_notation_and_nothing_else() {
    let convert = |arguments: &[&str], line: &str| {
        let all = [&["epd", "convert"], arguments, &["-"]].concat();
        let ran = run_with(&all, line.as_bytes());
        assert_eq!(ran.status, 0, "{line}: {}", ran.err);
        ran.out.trim_end().to_string()
    };
    let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 4 9 \
                bm Nf3; zz 1 \"a;b\"; id \"x\";";
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
    let operations = "bm Nf3; zz 1 \"a;b\"; id \"x\"; hmvc 4; fmvn 9;";
    let epd = convert(&[], line);
    assert_eq!(epd, format!("{board} KQkq - {operations}"));
    assert_eq!(convert(&[], &epd), epd, "and back");
    assert_eq!(
        convert(&["--to", "fen"], &epd),
        format!("{board} KQkq - 4 9")
    );
    let always = convert(&["--ep", "always"], line);
    assert_eq!(always, format!("{board} KQkq e6 {operations}"));
    let shredder = convert(&["--chess960", "--rights", "shredder", "--to", "fen"], line);
    assert_eq!(shredder, format!("{board} HAha - 4 9"));
    let xfen = convert(
        &["--chess960", "--rights", "xfen", "--to", "fen"],
        &shredder,
    );
    assert_eq!(xfen, format!("{board} KQkq - 4 9"));
    let usage = run_with(&["epd", "convert", "--rights", "shredder", "startpos"], b"");
    assert_eq!(usage.status, 2);
    let block = "id one\nepd 4k3/8/8/8/8/8/8/R3K3 w Q -\nperft 1 16\nperft 2 71\n";
    let written = convert(&[], block);
    assert_eq!(
        written,
        "4k3/8/8/8/8/8/8/R3K3 w Q - D1 16; D2 71; id \"one\";"
    );
}
