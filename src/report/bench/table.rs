//! The tables of `bench`, as rows of text: the screen and Markdown show the same.

use super::super::units::{bytes, count_of, grouped, rate, seconds};
use super::{BenchReport, Comparison, MeanRatio, TimedBackend, Timing};

/// A table: labelled columns, then rows.
pub(super) struct Rows {
    pub(super) header: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

/// Whether a column holds words, which stand to the left; numbers stand to the right.
pub(super) fn holds_words(label: &str) -> bool {
    ["position", "backend", "pipeline", "runs on"].contains(&label)
}

/// Every position of every backend, position by position.
pub(super) fn timings(report: &BenchReport) -> Rows {
    let with_device = report
        .backends
        .iter()
        .flat_map(|backend| &backend.timings)
        .any(|timing| timing.device.is_some());
    let mut header = vec![
        "position",
        "depth",
        "nodes",
        "backend",
        "s/count",
        "Mnps",
        "min",
        "max",
        "positions/s",
    ];
    if with_device {
        header.extend(["device", "upload", "read-back"]);
    }
    let rows = positions(report).into_iter().flat_map(|position| {
        let of_position = move |backend: &'_ TimedBackend| {
            let timing = backend.timings.iter().find(|it| it.position == position)?;
            Some(timing_row(&backend.name, timing, with_device))
        };
        report.backends.iter().filter_map(of_position)
    });
    Rows {
        rows: rows.collect(),
        header,
    }
}

/// The positions measured by any backend, in order.
fn positions(report: &BenchReport) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for timing in report.backends.iter().flat_map(|it| &it.timings) {
        if !names.contains(&timing.position.as_str()) {
            names.push(&timing.position);
        }
    }
    names
}

fn timing_row(backend: &str, timing: &Timing, with_device: bool) -> Vec<String> {
    let mut row = vec![
        timing.position.clone(),
        timing.depth.to_string(),
        grouped(timing.nodes),
        backend.to_string(),
        seconds(timing.seconds.median),
        mega(timing.nps.median),
        mega(timing.nps.min),
        mega(timing.nps.max),
        rate(timing.positions, timing.seconds.median),
    ];
    if with_device {
        let missing = || "-".to_string();
        match &timing.device {
            Some(device) => row.extend([
                device.computing_share.map_or_else(missing, percent),
                percent(device.upload_share),
                percent(device.readback_share),
            ]),
            None => row.extend([missing(), missing(), missing()]),
        }
    }
    row
}

/// One row a backend: what it is, and the geometric mean of its medians.
pub(super) fn backends(report: &BenchReport) -> Rows {
    let rows = report.backends.iter().map(|backend| {
        let memory = backend
            .timings
            .iter()
            .filter_map(|timing| timing.device.map(|device| device.memory_bytes))
            .max();
        vec![
            backend.name.clone(),
            backend.nps_mean.map_or_else(|| "-".to_string(), mega),
            memory.map_or_else(|| "-".to_string(), bytes),
            backend.pipeline.clone(),
            backend
                .adapter
                .as_ref()
                .map_or_else(|| report.machine.processor.clone(), |it| it.line()),
        ]
    });
    Rows {
        header: vec!["backend", "mean Mnps", "arena", "pipeline", "runs on"],
        rows: rows.collect(),
    }
}

/// Then and now.
pub(super) fn compared(comparison: &Comparison) -> Rows {
    let rows = comparison.rows.iter().map(|row| {
        let depth = if row.depth == row.old_depth {
            row.depth.to_string()
        } else {
            format!("{}, was {}", row.depth, row.old_depth)
        };
        vec![
            row.position.clone(),
            depth,
            row.backend.clone(),
            mega(row.old_nps),
            mega(row.nps),
            format!("{:.3}", row.ratio),
        ]
    });
    let mut rows: Vec<_> = rows.collect();
    for MeanRatio { backend, ratio } in &comparison.means {
        let mut row = vec![String::new(); 6];
        row[0] = "geometric mean".to_string();
        row[2].clone_from(backend);
        row[5] = format!("{ratio:.3}");
        rows.push(row);
    }
    Rows {
        header: vec![
            "position", "depth", "backend", "old Mnps", "new Mnps", "new/old",
        ],
        rows,
    }
}

/// The conditions of the figures, a line each.
pub(super) fn conditions(report: &BenchReport) -> Vec<String> {
    let settings = &report.settings;
    let words: Vec<String> = report.command_line.iter().map(|it| quoted(it)).collect();
    vec![
        report.build.line(),
        report.machine.line(),
        format!("{}: {}", report.date, words.join(" ")),
        format!(
            "{}, every path counted (no merging), bulk counting; medians of {} of about {} s after a warm-up",
            count_of(settings.threads, "thread"),
            count_of(settings.runs, "run"),
            settings.run_seconds,
        ),
    ]
}

/// What is to be said below the figures, a line each.
pub(super) fn remarks(report: &BenchReport) -> Vec<String> {
    let failed = report.backends.iter().filter_map(|backend| {
        let reason = backend.failed.as_ref()?;
        Some(format!("failed: {}: {reason}", backend.name))
    });
    let left_out = report.left_out.iter();
    let left_out = left_out.map(|it| format!("not measured: {}: {}", it.name, it.reason));
    let warnings = report.warnings.iter().map(|it| format!("warning: {it}"));
    let stopped = report
        .stopped
        .iter()
        .map(|it| format!("not finished: {it}"));
    failed
        .chain(left_out)
        .chain(warnings)
        .chain(stopped)
        .collect()
}

/// A word of a command line as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Millions per second: `1,150` or `97.3`.
pub(super) fn mega(per_second: f64) -> String {
    let value = per_second / 1e6;
    if value < 99.95 {
        format!("{value:.1}")
    } else {
        grouped(value.round() as u128)
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--runs=3"), "--runs=3");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn millions_have_three_digits_or_more() {
        assert_eq!(mega(97_345_000.0), "97.3");
        assert_eq!(mega(1_150_400_000.0), "1,150");
        assert_eq!(percent(0.1234), "12.3%");
    }
}
