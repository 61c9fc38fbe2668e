//! Reports as one JSON object each. Counts are decimal strings, since they pass 2^53.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{
    DeviceRun, DivideReport, LISTED_MAX, Mismatch, PerftReport, Report, Run, StatsReport,
    SuiteReport, UniqueReport,
};
use crate::expand::MergedPly;
use crate::movegen::PerftStats;

/// Rises when a field changes its meaning or goes away; new fields do not raise it.
pub(super) const SCHEMA: u32 = 1;

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (command, mut object) = match report {
        Report::Perft(report) => ("perft", perft(report)),
        Report::Divide(report) => ("divide", divide(report)),
        Report::Stats(report) => ("stats", stats(report)),
        Report::Unique(report) => ("unique", unique(report)),
        Report::Suite(report) => ("suite", suite(report)),
        Report::Devices(report) => ("devices", super::devices::json(report)),
        Report::Bench(report) => ("bench", super::bench::json::value(report)?),
        Report::Summary(report) => ("analyse", super::summary::json(report)),
    };
    object["schema"] = json!(SCHEMA);
    object["version"] = json!(env!("CARGO_PKG_VERSION"));
    object["command"] = json!(command);
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

fn run(run: &Run) -> Value {
    json!({
        "backend": run.backend,
        "backend_reason": run.backend_reason,
        "devices": run.devices.iter().map(device_run).collect::<Vec<_>>(),
        "threads": run.threads,
        "bulk": run.bulk,
        "merging": run.merging,
        "memory_bytes": run.memory_bytes,
    })
}

fn device_run(device: &DeviceRun) -> Value {
    json!({
        "name": device.name,
        "kind": device.kind,
        "driver": device.driver,
        "tuning": device.tuning,
        "slots": device.slots,
        "memory_bytes": device.memory_bytes,
    })
}

fn count(number: u128) -> Value {
    json!(number.to_string())
}

fn perft(report: &PerftReport) -> Value {
    let counts = report.counts.iter().map(
        |row| json!({ "depth": row.depth, "nodes": count(row.nodes), "seconds": row.seconds }),
    );
    let merged = report.expanded.merged.iter().map(merged_ply);
    let last = report.counts.last().filter(|row| row.depth == report.depth);
    json!({
        "fen": report.fen,
        "depth": report.depth,
        "nodes": last.map(|row| row.nodes.to_string()),
        "counts": counts.collect::<Vec<_>>(),
        "split_depth": report.expanded.split.map(|split| split.split_depth),
        "leaf_depth": report.expanded.split.map(|split| split.leaf_depth.plies()),
        "merged_plies": merged.collect::<Vec<_>>(),
        "warnings": report.warnings,
        "stopped": report.stopped,
        "run": run(&report.run),
    })
}

fn merged_ply(ply: &MergedPly) -> Value {
    json!({ "ply": ply.ply, "unique": count(ply.unique.into()), "paths": count(ply.paths) })
}

fn unique(report: &UniqueReport) -> Value {
    let row = |(ply, seconds): &(MergedPly, f64)| {
        let mut row = merged_ply(ply);
        row["seconds"] = json!(seconds);
        row
    };
    json!({
        "fen": report.fen,
        "depth": report.depth,
        "plies": report.plies.iter().map(row).collect::<Vec<_>>(),
        "warnings": report.warnings,
        "stopped": report.stopped,
        "run": run(&report.run),
    })
}

fn divide(report: &DivideReport) -> Value {
    let moves = report.moves.iter();
    let moves = moves.map(|(text, nodes)| json!({ "move": text, "nodes": count(*nodes) }));
    json!({
        "fen": report.fen,
        "depth": report.depth,
        "moves": moves.collect::<Vec<_>>(),
        "nodes": report.nodes.map(|nodes| nodes.to_string()),
        "seconds": report.seconds,
        "warnings": report.warnings,
        "stopped": report.stopped,
        "run": run(&report.run),
    })
}

fn stats(report: &StatsReport) -> Value {
    let row = |(depth, stats, seconds): &(u32, PerftStats, f64)| {
        json!({
            "depth": depth,
            "nodes": count(stats.nodes),
            "captures": count(stats.captures),
            "ep_captures": count(stats.ep_captures),
            "castles": count(stats.castles),
            "promotions": count(stats.promotions),
            "checks": count(stats.checks),
            "discovery_checks": count(stats.discovery_checks),
            "double_checks": count(stats.double_checks),
            "mates": count(stats.mates),
            "seconds": seconds,
        })
    };
    json!({
        "fen": report.fen,
        "depths": report.depths.iter().map(row).collect::<Vec<_>>(),
        "warnings": report.warnings,
        "stopped": report.stopped,
        "run": run(&report.run),
    })
}

fn suite(report: &SuiteReport) -> Value {
    let mismatch = |wrong: &Mismatch| {
        json!({
            "origin": wrong.origin,
            "id": wrong.id,
            "fen": wrong.fen,
            "depth": wrong.depth,
            "expected": count(wrong.expected),
            "got": count(wrong.got),
        })
    };
    json!({
        "positions": report.positions,
        "without_counts": report.without_counts,
        "checked": report.checked,
        "wrong": report.wrong,
        "mismatches": report.mismatches.iter().map(mismatch).collect::<Vec<_>>(),
        "rejected": report.rejected,
        "rejections": report.rejections,
        "warned": report.warned,
        "warnings": report.warnings,
        "listed_max": LISTED_MAX,
        "skipped": report.skipped,
        "nodes": count(report.nodes),
        "seconds": report.seconds,
        "stopped": report.stopped,
        "run": run(&report.run),
    })
}
