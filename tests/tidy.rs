//! Keeps the house in order: imports point left, `unsafe` and printing stay in their rooms, files
//! stay small. The rules are functions of a file's path and text, so that each can be shown to fail.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from left to right. A file may import its own room and those listed before it; the core
/// (the first four) knows nothing of text, threads or devices.
const ROOMS: [&str; 13] = [
    "board", "attacks", "position", "movegen", "parse", "analyse", "pool", "expand", "backend",
    "reduce", "pipeline", "report", "commands",
];
/// Exceptions to "everything to the left": what a room must not import although it could.
const FORBIDDEN: [(&str, &[&str]); 5] = [
    (
        "pool",
        &[
            "board", "attacks", "position", "movegen", "parse", "analyse",
        ],
    ),
    ("expand", &["parse", "analyse"]),
    ("backend", &["parse", "analyse", "expand", "pool"]),
    ("reduce", &["parse", "analyse", "backend", "pool"]),
    (
        "report",
        &["parse", "backend", "reduce", "pipeline", "pool"],
    ),
];
const LINES_MAX: usize = 600;
const LINES_MEDIAN_MAX: usize = 250;

/// Everything a file breaks, as `path:line: what`.
fn broken_rules(path: &str, text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let room = room_of(path);
    let mut safety = false;
    for (index, line) in text.lines().enumerate() {
        let mut report = |what: &str| broken.push(format!("{path}:{}: {what}", index + 1));
        let code = line.split("//").next().unwrap_or_default();
        for target in imported_rooms(&statement(text, index)) {
            // Tests may look to the right: a backend's read FENs.
            if !may_import(room, &target) && !in_tests(path, text, index) {
                report(&format!("`{room}` imports `{target}`"));
            }
        }
        if code.contains("println!")
            && !["report", "commands"].contains(&room)
            && !in_tests(path, text, index)
        {
            report("printing outside `report` and `commands`");
        }
        if code.contains("indicatif") && path != "src/report/progress.rs" {
            report("indicatif outside report/progress.rs");
        }
        if code.contains("rayon") && ["board", "attacks", "position", "movegen"].contains(&room) {
            report("threads in the core");
        }
        if code.contains("wgpu") && !path.starts_with("src/backend/gpu/") {
            report("wgpu outside backend/gpu");
        }
        if is_unsafe(code) {
            let argued = [
                "src/backend/cpu/x86_64/",
                "src/backend/gpu/device.rs",
                "src/main.rs",
            ];
            if !argued.iter().any(|room| path.starts_with(room)) {
                report("unsafe outside backend/cpu/x86_64, backend/gpu/device.rs and main.rs");
            }
            if !safety {
                report("unsafe without a SAFETY line before it");
            }
        }
        safety = line.contains("SAFETY:") || (safety && line.trim_start().starts_with("//"));
    }
    if text.lines().count() > LINES_MAX && !path.ends_with("magics.rs") {
        broken.push(format!("{path}: more than {LINES_MAX} lines"));
    }
    if !text.starts_with("//!") {
        broken.push(format!("{path}: does not open with what it is"));
    }
    broken
}

/// A line of code; of a `use` over several lines, all of it on its first line.
fn statement(text: &str, index: usize) -> String {
    let mut lines = text.lines().skip(index);
    let first = lines
        .next()
        .unwrap_or_default()
        .split("//")
        .next()
        .unwrap_or_default();
    let mut joined = first.to_string();
    let is_use = ["use ", "pub use "]
        .iter()
        .any(|start| first.trim_start().starts_with(start));
    while is_use && !joined.contains(';') {
        let Some(line) = lines.next() else { break };
        joined += line.trim();
    }
    joined
}

/// The first part of a path below `src`.
fn room_of(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    inside
        .split('/')
        .next()
        .unwrap_or(inside)
        .trim_end_matches(".rs")
}

/// Rooms named after `crate::` in a line of code; `crate::{a, b}` too.
fn imported_rooms(code: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for after in code.split("crate::").skip(1) {
        let names = after.strip_prefix('{').unwrap_or(after);
        let names = names.split('}').next().unwrap_or_default();
        let listed = after.starts_with('{');
        for name in names.split(',').take(if listed { usize::MAX } else { 1 }) {
            let word: String = name
                .trim()
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                .collect();
            rooms.push(word);
        }
    }
    rooms.retain(|room| ROOMS.contains(&room.as_str()));
    rooms
}

fn may_import(room: &str, target: &str) -> bool {
    let place = |name: &str| ROOMS.iter().position(|room| *room == name);
    let (Some(here), Some(there)) = (place(room), place(target)) else {
        return true;
    };
    let forbidden = FORBIDDEN
        .iter()
        .any(|(from, to)| *from == room && to.contains(&target));
    there <= here && !forbidden
}

fn is_unsafe(code: &str) -> bool {
    let block = ["unsafe ", "unsafe{"]
        .iter()
        .any(|start| code.trim_start().starts_with(start));
    block || code.contains(" unsafe ") || code.contains("(unsafe ")
}

/// True for what is compiled into tests only. The folder `parity` is, as a whole.
fn in_tests(path: &str, text: &str, line: usize) -> bool {
    if path.starts_with("src/backend/gpu/parity/") {
        return true;
    }
    let start = text.lines().position(|line| line.trim() == "#[cfg(test)]");
    start.is_some_and(|start| line > start)
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn source() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files);
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(root)
            .expect("below the root")
            .to_string_lossy()
            .into_owned();
        (
            name.replace('\\', "/"),
            fs::read_to_string(&path).expect("a readable file"),
        )
    };
    files.into_iter().map(read).collect()
}

#[test]
fn the_source_is_tidy() {
    let source = source();
    assert!(source.len() > 30, "the source was not found");
    let broken: Vec<String> = source
        .iter()
        .flat_map(|(path, text)| broken_rules(path, text))
        .collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn every_room_is_in_the_picture() {
    for (path, _) in source() {
        let room = room_of(&path);
        assert!(
            ROOMS.contains(&room) || ["lib", "main"].contains(&room),
            "{path}: no such room"
        );
    }
}

#[test]
fn files_are_small() {
    let mut lengths: Vec<usize> = source()
        .iter()
        .map(|(_, text)| text.lines().count())
        .collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= LINES_MEDIAN_MAX, "median {median} lines");
}

/// Negative control: each rule catches a file that breaks it, and a clean file passes.
#[test]
fn each_rule_can_fail() {
    let clean = "//! Clean.\nuse crate::board::Square;\n";
    assert_eq!(
        broken_rules("src/movegen/x.rs", clean),
        Vec::<String>::new()
    );
    let cases = [
        ("src/movegen/x.rs", "//! X.\nuse crate::report::Report;\n"),
        (
            "src/board/x.rs",
            "//! X.\nuse crate::{attacks::TABLES, board::Square};\n",
        ),
        ("src/backend/x.rs", "//! X.\nuse crate::expand::Chunk;\n"),
        (
            "src/board/x.rs",
            "//! X.\nuse crate::{\n    board::Square,\n    report::Run,\n};\n",
        ),
        ("src/expand/x.rs", "//! X.\nfn f() { println!(); }\n"),
        (
            "src/report/text.rs",
            "//! X.\nuse indicatif::ProgressBar;\n",
        ),
        ("src/movegen/x.rs", "//! X.\nuse rayon::prelude::*;\n"),
        (
            "src/expand/x.rs",
            "//! X.\n// SAFETY: no.\nunsafe { f() }\n",
        ),
        ("src/backend/cpu/x86_64/x.rs", "//! X.\nunsafe { f() }\n"),
        ("src/backend/x.rs", "//! X.\nuse wgpu::Device;\n"),
        ("src/board/x.rs", "use std::fmt;\n"),
    ];
    for (path, text) in cases {
        assert_eq!(broken_rules(path, text).len(), 1, "{path}: {text}");
    }
    let long = format!("//! X.\n{}", "\n".repeat(LINES_MAX));
    assert_eq!(broken_rules("src/board/x.rs", &long).len(), 1);
}
