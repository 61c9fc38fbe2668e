//! `bench` and `devices` as their users meet them. No test looks at how long anything took.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Ran {
    run_in(arguments, &[])
}

fn run_in(arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    let ran = Ran {
        status: output.status.code().expect("it exits"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    };
    assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
    ran
}

/// A run of a few milliseconds: one count of each position, to depth 3 at most.
const TINY: [&str; 10] = [
    "bench",
    "--backend",
    "cpu-scalar",
    "--time",
    "0",
    "--runs",
    "2",
    "--max-depth",
    "3",
    "--threads=1",
];

fn tiny(more: &[&str]) -> Ran {
    run(&[&TINY, more].concat())
}

/// A folder for the files of one test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("it was written")
}

#[test]
fn the_six_positions_are_counted_and_labelled() {
    let ran = tiny(&[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in [
        "startpos",
        "kiwipete",
        "position3",
        "position4",
        "position5",
        "position6",
        "97,862",
        "1 thread, every path counted (no merging), bulk counting; medians of 2 runs",
        "Mnps",
        "magic tables",
        "hyperft bench --backend cpu-scalar --time 0",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in {}", ran.out);
    }
    // Progress is talk, the table is the result.
    assert!(
        ran.err.contains("cpu-scalar on kiwipete, depth 3: "),
        "{}",
        ran.err
    );
    assert_eq!(tiny(&["-q", "--positions=startpos"]).err, "");
}

#[test]
fn the_report_carries_its_conditions_and_counts_as_strings() {
    let ran = tiny(&["--json", "--positions", "kiwipete,start"]);
    let report = json(&ran.out);
    assert_eq!(
        (&report["schema"], &report["command"]),
        (&1.into(), &"bench".into())
    );
    for known in [
        &report["machine"]["processor"],
        &report["machine"]["system"],
        &report["machine"]["kernel"],
        &report["build"]["version"],
        &report["build"]["rustc"],
        &report["date"],
    ] {
        assert!(
            known.as_str().is_some_and(|text| !text.is_empty()),
            "{report}"
        );
    }
    assert!(report["machine"]["memory_bytes"].as_u64() > Some(0));
    assert_eq!(report["command_line"][1], "bench");
    let backend = &report["backends"][0];
    assert_eq!(backend["name"], "cpu-scalar");
    assert_eq!(backend["adapter"], Value::Null);
    let timing = &backend["timings"][0];
    assert_eq!(timing["position"], "kiwipete");
    assert_eq!(
        (&timing["depth"], &timing["nodes"]),
        (&3.into(), &"97862".into())
    );
    assert_eq!(timing["run_seconds"].as_array().map(Vec::len), Some(2));
    let nps = &timing["nps"];
    let [min, median, max] = ["min", "median", "max"].map(|it| nps[it].as_f64().expect("a rate"));
    assert!(0.0 < min && min <= median && median <= max, "{nps}");
    assert_eq!(backend["timings"][1]["position"], "startpos");
}

#[test]
fn exports_are_written_and_can_be_compared() {
    let folder = Folder::new();
    let (old, page) = (folder.path("old.json"), folder.path("page.md"));
    let positions = "--positions=startpos,position3";
    let ran = tiny(&[
        positions,
        "--export-json",
        text(&old),
        "--export-markdown",
        text(&page),
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(
        json(&read(&old))["backends"][0]["timings"][0]["nodes"],
        "8902"
    );
    let page = read(&page);
    let rows = page.lines().filter(|line| line.contains("| cpu-scalar |"));
    assert_eq!(rows.count(), 3, "{page}");
    assert!(
        page.contains("| startpos | 3 | 8,902 | cpu-scalar |"),
        "{page}"
    );

    // The same again, and a position that the old report lacks.
    let ran = tiny(&[
        "--positions=position3,kiwipete",
        "--json",
        "--compare",
        text(&old),
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let comparison = &json(&ran.out)["comparison"];
    let row = &comparison["rows"][0];
    assert_eq!(comparison["rows"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&row["position"], &row["depth"]),
        (&"position3".into(), &3.into())
    );
    let ratio = row["nps"].as_f64().expect("a rate") / row["old_nps"].as_f64().expect("a rate");
    assert!(
        (row["ratio"].as_f64().expect("a ratio") - ratio).abs() < 1e-9,
        "{row}"
    );
    let unmatched = ["new: cpu-scalar on kiwipete", "old: cpu-scalar on startpos"];
    assert_eq!(comparison["unmatched"], Value::from(unmatched.to_vec()));
    assert_eq!(comparison["differences"], Value::Array(Vec::new()));
    let shown = tiny(&["--positions=position3", "--compare", text(&old)]).out;
    assert!(
        shown.contains("new/old") && shown.contains("geometric mean"),
        "{shown}"
    );
}

#[test]
fn what_differs_from_the_old_report_is_said() {
    let folder = Folder::new();
    let old = folder.path("old.json");
    tiny(&["--positions=startpos", "--export-json", text(&old)]);
    let mut report = json(&read(&old));
    report["machine"]["processor"] = "Abacus 3000".into();
    report["build"]["commit"] = "0123456789abcdef".into();
    report["backends"][0]["timings"][0]["depth"] = 2.into();
    std::fs::write(&old, report.to_string()).expect("it can be written");
    let ran = tiny(&["--positions=startpos", "--compare", text(&old)]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in ["processor: Abacus 3000, now ", "commit: 0123456789ab, now "] {
        assert!(ran.out.contains(part), "no `{part}` in {}", ran.out);
    }
    // It is counted to the depth of the old report.
    assert!(ran.err.contains("startpos, depth 2"), "{}", ran.err);
}

#[test]
fn other_files_are_refused_before_anything_is_measured() {
    let folder = Folder::new();
    let file = folder.path("old.json");
    let cases = [
        (
            r#"{"schema":2,"command":"bench"}"#,
            "has schema 2, this version of hyperft reads schema 1",
        ),
        (r#"{"command":"bench"}"#, "has schema none"),
        (
            r#"{"schema":1,"command":"perft"}"#,
            "a report of `hyperft perft`",
        ),
        (r#"{"schema":1,"command":"bench"}"#, "missing field"),
        ("position depth nodes", "not a report of `hyperft bench`"),
    ];
    for (content, reason) in cases {
        std::fs::write(&file, content).expect("it can be written");
        let ran = tiny(&["--compare", text(&file)]);
        assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{content}");
        assert!(ran.err.contains(reason), "{content}: {}", ran.err);
        assert!(ran.err.contains("old.json"), "{content}: {}", ran.err);
    }
    let ran = tiny(&["--compare", text(&folder.path("none.json"))]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("none.json"), "{}", ran.err);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    let nowhere = folder.path("missing/report.json");
    for (arguments, part) in [
        (["--positions", "nowhere"], "there are startpos, kiwipete"),
        (["--runs", "0"], "0 is not in 1..=1000"),
        (["--time", "3601"], "0 to 3600 seconds"),
        (["--time", "NaN"], "0 to 3600 seconds"),
        (["--max-depth", "0"], "0 is not in 1..=255"),
        (
            ["--export-json", text(&nowhere)],
            "report.json cannot be written",
        ),
    ] {
        let ran = run(&[&["bench"], &arguments[..]].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}

/// Ctrl-C: the positions that are finished are reported, and the status says that it is not all.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_finished() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(["bench", "--backend=cpu-scalar", "--time=0", "--max-depth=4"])
        .args(["--runs=1000", "--threads=1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut talk = BufReader::new(child.stderr.take().expect("piped")).lines();
    let first = talk.next().expect("a line").expect("UTF-8");
    assert!(
        first.starts_with("cpu-scalar on startpos, depth 4"),
        "{first}"
    );
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    // It goes on talking into the pipe until it notices.
    talk.for_each(drop);
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("197,281"), "{out}");
    assert!(out.contains("not finished: interrupted"), "{out}");
}

/// The variables by which a Vulkan loader finds drivers, pointed at nothing.
const NO_DRIVERS: [(&str, &str); 2] = [
    ("VK_DRIVER_FILES", "no-such-driver.json"),
    ("VK_ICD_FILENAMES", "no-such-driver.json"),
];

#[test]
fn what_is_not_measured_is_listed_with_the_reason() {
    let arguments = [
        "bench",
        "--time=0",
        "--runs=1",
        "--max-depth=2",
        "--positions=startpos",
        "--json",
    ];
    let report = json(&run(&arguments).out);
    let names: Vec<&str> = report["backends"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert!(names.contains(&"cpu-scalar"), "{names:?}");
    let left_out_because = |report: &Value, reason: &str| {
        let left_out = report["left_out"].as_array().expect("a list");
        let mut reasons = left_out.iter().filter_map(|it| it["reason"].as_str());
        assert!(reasons.any(|it| it.contains(reason)), "{left_out:?}");
    };
    if !names.contains(&"cpu-avx512") {
        left_out_because(&report, "the processor");
    }
    if cfg!(not(feature = "gpu")) {
        left_out_because(&report, "built without GPU support");
    } else if cfg!(target_os = "linux") {
        let ran = run_in(&arguments, &NO_DRIVERS);
        assert_eq!(ran.status, 0, "{}", ran.err);
        left_out_because(&json(&ran.out), "no adapter");
    }
}

#[test]
fn devices_say_what_can_count_and_what_auto_takes() {
    let ran = run(&["devices"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in ["cpu-scalar", "magic tables", "auto takes ", "memory"] {
        assert!(ran.out.contains(part), "no `{part}` in {}", ran.out);
    }
    let gpu = if cfg!(feature = "gpu") {
        "wgpu"
    } else {
        "built without GPU support"
    };
    assert!(ran.out.contains(gpu), "{}", ran.out);
    let report = json(&run(&["devices", "--json"]).out);
    assert_eq!(
        (&report["schema"], &report["command"]),
        (&1.into(), &"devices".into())
    );
    let chosen = report["backends"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["chosen"] == true);
    assert_eq!(chosen.count(), 1, "{report}");
    for adapter in report["gpu_adapters"].as_array().expect("a list") {
        assert!(
            adapter["limits"]["binding_bytes_max"].as_u64() > Some(0),
            "{adapter}"
        );
        let passed = adapter["self_test_passed"].as_bool().expect("yes or no");
        assert_eq!(adapter["self_test_failure"].is_null(), passed, "{adapter}");
        assert_eq!(adapter["features"][0]["name"], "timestamp queries");
    }
}

#[cfg(all(feature = "gpu", target_os = "linux"))]
#[test]
fn a_machine_without_adapters_is_told_what_to_install() {
    let ran = run_in(&["devices"], &NO_DRIVERS);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("no GPU adapter was found"), "{}", ran.out);
    assert!(ran.out.contains("mesa-vulkan-drivers"), "{}", ran.out);
    let ran = run_in(&["devices", "--json"], &NO_DRIVERS);
    assert_eq!(json(&ran.out)["gpu_adapters"], Value::Array(Vec::new()));
}

/// A software adapter is measured when a GPU is asked for, with its device time.
#[cfg(feature = "gpu")]
#[test]
fn adapters_are_measured_with_their_device_time() {
    let adapters = json(&run(&["devices", "--json"]).out);
    let usable = adapters["gpu_adapters"]
        .as_array()
        .expect("a list")
        .iter()
        .any(|it| it["self_test_passed"] == true);
    if !usable {
        let required = std::env::var("HYPERFT_REQUIRE_GPU").is_ok_and(|value| value == "1");
        assert!(!required, "HYPERFT_REQUIRE_GPU=1, but no adapter is usable");
        eprintln!("not run: no adapter is usable");
        return;
    }
    let arguments = [
        "bench",
        "--backend=gpu",
        "--slider=magic",
        "--workgroup=64",
        "--time=0",
        "--runs=1",
        "--max-depth=4",
        "--positions=startpos",
    ];
    let ran = run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report = json(&ran.out);
    let backend = &report["backends"][0];
    assert!(backend["adapter"]["name"].is_string(), "{backend}");
    let pipeline = backend["pipeline"].as_str().expect("a text");
    assert!(
        pipeline.contains("magic") && pipeline.contains("64"),
        "{pipeline}"
    );
    let device = &backend["timings"][0]["device"];
    assert!(device["submissions"].as_f64() > Some(0.0), "{device}");
    assert!(device["uploaded_bytes"].as_f64() > Some(0.0), "{device}");
    assert!(device["memory_bytes"].as_u64() > Some(0), "{device}");
    // By its number it is the same.
    let index = backend["adapter"]["index"].to_string();
    let named = [&["bench", "--device", &index][..], &arguments[2..]].concat();
    let shown = run(&named).out;
    assert!(
        shown.contains("read-back") && shown.contains("arena"),
        "{shown}"
    );
    let ran = run(&["bench", "--device", "no such adapter"]);
    assert_eq!((ran.status, ran.out.as_str()), (4, ""));
    assert!(ran.err.contains("no such adapter"), "{}", ran.err);
}

/// The processor and devices from one queue are one row, as `perft` would count with them.
#[test]
fn all_together_are_measured_as_one() {
    let ran = run(&[
        "bench",
        "--backend=all",
        "--time=0",
        "--runs=1",
        "--max-depth=2",
        "--positions=startpos",
        "--json",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report = json(&ran.out);
    assert_eq!(report["backends"].as_array().map(Vec::len), Some(1));
    let name = report["backends"][0]["name"].as_str().expect("a name");
    assert!(name.starts_with("cpu-"), "{name}");
}

#[cfg(all(feature = "gpu", target_os = "linux"))]
#[test]
fn a_gpu_that_is_asked_for_and_missing_is_an_error() {
    let ran = run_in(&["bench", "--backend", "gpu"], &NO_DRIVERS);
    assert_eq!((ran.status, ran.out.as_str()), (4, ""));
    assert!(ran.err.contains("no adapter was found"), "{}", ran.err);
}
