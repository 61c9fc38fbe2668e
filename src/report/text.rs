//! Reports for people.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};

use super::units::{bytes, count_of, grouped, rate, seconds};
use super::{
    DivideReport, PerftReport, Report, Run, StatsReport, Stopped, SuiteReport, UniqueReport,
};
use crate::expand::{Choice, Expanded};

pub(super) fn write(
    report: &Report,
    verbose: bool,
    quiet: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match report {
        Report::Perft(report) => perft(report, verbose, quiet, out),
        Report::Divide(report) => divide(report, out),
        Report::Stats(report) => stats(report, quiet, out),
        Report::Unique(report) => unique(report, quiet, out),
        Report::Suite(report) => suite(report, quiet, out),
        Report::Devices(report) => super::devices::text(report, out),
        Report::Bench(report) => super::bench::text::write(report, quiet, out),
        Report::Summary(report) => super::summary::text(report, quiet, out),
    }
}

/// The line that labels the figures below it.
pub(super) fn run_line(run: &Run) -> String {
    let threads = count_of(run.threads, "thread");
    let bulk = if run.bulk {
        "bulk counting"
    } else {
        "no bulk counting"
    };
    let merging = if run.merging { "on" } else { "off" };
    let names: Vec<&str> = run.devices.iter().map(|it| it.name.as_str()).collect();
    let devices = match names[..] {
        [] => String::new(),
        _ => format!(", device {}", names.join(" and ")),
    };
    format!(
        "backend {} ({}){devices}, {threads}, {bulk}, merging {merging}",
        run.backend, run.backend_reason
    )
}

/// A line for each device: what it is and how it was used.
fn device_lines(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    for device in &run.devices {
        writeln!(
            out,
            "device {}: {}, driver {}; {}; {} in {}",
            device.name,
            device.kind,
            device.driver,
            device.tuning,
            bytes(device.memory_bytes),
            count_of(device.slots, "arena"),
        )?;
    }
    Ok(())
}

pub(super) fn plain_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

pub(super) fn print(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn perft(report: &PerftReport, verbose: bool, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    let last = report
        .counts
        .last()
        .filter(|count| count.depth == report.depth);
    if quiet {
        return last.map_or(Ok(()), |count| writeln!(out, "{}", count.nodes));
    }
    writeln!(out, "position {}", report.fen)?;
    writeln!(out, "{}", run_line(&report.run))?;
    if verbose {
        device_lines(&report.run, out)?;
    }
    writeln!(out)?;
    let speed = speed_label(&report.run);
    let mut table = plain_table(&["depth", "nodes", "seconds", speed]);
    for count in &report.counts {
        table.add_row([
            count.depth.to_string(),
            grouped(count.nodes),
            seconds(count.seconds),
            rate(count.nodes, count.seconds),
        ]);
    }
    print(&table, out)?;
    if verbose {
        expansion(&report.expanded, out)?;
    }
    writeln!(out)?;
    match (last, &report.stopped) {
        (Some(count), _) => writeln!(out, "perft({}) = {}", count.depth, grouped(count.nodes)),
        (None, reason) => not_finished(reason, out),
    }
}

/// How the plies were split, why there, and what the merged ones held.
fn expansion(expanded: &Expanded, out: &mut dyn Write) -> io::Result<()> {
    let Some(split) = expanded.split else {
        return Ok(());
    };
    let (played, left) = (split.split_depth, split.leaf_depth.plies());
    let merged = if split.merges { " and merged" } else { "" };
    writeln!(
        out,
        "\nsplit: {} played out{merged}, {} left to the backend",
        plies(played),
        plies(left)
    )?;
    for choice in &expanded.choices {
        writeln!(out, "  {}", reason(choice))?;
    }
    if expanded.merged.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut table = plain_table(&["ply", "unique positions", "paths"]);
    for ply in &expanded.merged {
        let row = [
            ply.ply.to_string(),
            grouped(ply.unique.into()),
            grouped(ply.paths),
        ];
        table.add_row(row);
    }
    print(&table, out)
}

/// A decision on where to split, and the measured costs it rests on.
fn reason(choice: &Choice) -> String {
    let (forecast, left) = (&choice.forecast, choice.left.plies());
    format!(
        "ply {}: {} s if merging ends there, {} s a ply later (forecast: {} and {} positions; \
         measured: a merged child {:.1} ns, a position counted to depth {left} {:.0} ns, to {} {:.0} ns)",
        choice.ply,
        seconds(forecast.seconds_here()),
        seconds(forecast.seconds_next()),
        grouped(forecast.unique[0] as u128),
        grouped(forecast.unique[1] as u128),
        forecast.merge_ns,
        forecast.leaf_ns[0],
        left - 1,
        forecast.leaf_ns[1],
    )
}

/// `1 ply`, `2 plies`.
fn plies(number: u32) -> String {
    let word = if number == 1 { "ply" } else { "plies" };
    format!("{number} {word}")
}

/// Merging counts a position once for all paths that lead to it: leaves per second are then more
/// than leaves visited.
fn speed_label(run: &Run) -> &'static str {
    if run.merging { "effective nps" } else { "nps" }
}

fn not_finished(reason: &Stopped, out: &mut dyn Write) -> io::Result<()> {
    match reason {
        Some(reason) => writeln!(out, "not finished: {reason}"),
        None => Ok(()),
    }
}

/// As engines print it, so that two can be compared with `diff` once both are sorted.
fn divide(report: &DivideReport, out: &mut dyn Write) -> io::Result<()> {
    for (text, nodes) in &report.moves {
        writeln!(out, "{text}: {nodes}")?;
    }
    match report.nodes {
        Some(nodes) => writeln!(out, "\nNodes searched: {nodes}"),
        None => not_finished(&report.stopped, out),
    }
}

fn unique(report: &UniqueReport, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    if quiet {
        let mut plies = report.plies.iter().map(|(ply, _)| ply);
        return plies
            .find(|ply| ply.ply == report.depth)
            .map_or(Ok(()), |ply| writeln!(out, "{}", ply.unique));
    }
    writeln!(out, "position {}", report.fen)?;
    writeln!(out, "{}", run_line(&report.run))?;
    writeln!(out)?;
    let mut table = plain_table(&["ply", "unique positions", "paths", "seconds"]);
    for (ply, time) in &report.plies {
        table.add_row([
            ply.ply.to_string(),
            grouped(ply.unique.into()),
            grouped(ply.paths),
            seconds(*time),
        ]);
    }
    print(&table, out)?;
    not_finished(&report.stopped, out)
}

fn stats(report: &StatsReport, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    if !quiet {
        writeln!(out, "position {}", report.fen)?;
        writeln!(out, "{}", run_line(&report.run))?;
        writeln!(out)?;
    }
    let mut table = plain_table(&[
        "depth",
        "nodes",
        "captures",
        "e.p.",
        "castles",
        "promotions",
        "checks",
        "discovery",
        "double",
        "mates",
        "seconds",
    ]);
    for (depth, stats, time) in &report.depths {
        table.add_row([
            depth.to_string(),
            grouped(stats.nodes),
            grouped(stats.captures),
            grouped(stats.ep_captures),
            grouped(stats.castles),
            grouped(stats.promotions),
            grouped(stats.checks),
            grouped(stats.discovery_checks),
            grouped(stats.double_checks),
            grouped(stats.mates),
            seconds(*time),
        ]);
    }
    print(&table, out)?;
    not_finished(&report.stopped, out)
}

fn suite(report: &SuiteReport, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    for wrong in &report.mismatches {
        let id = wrong
            .id
            .as_deref()
            .map_or(String::new(), |id| format!(" id \"{id}\""));
        writeln!(
            out,
            "WRONG {}{id} depth {}: expected {}, got {}\n      {}",
            wrong.origin, wrong.depth, wrong.expected, wrong.got, wrong.fen
        )?;
    }
    let listed = report.mismatches.len() as u64;
    if report.wrong > listed {
        writeln!(out, "... and {} more wrong counts", report.wrong - listed)?;
    }
    if !quiet {
        writeln!(out, "{}", run_line(&report.run))?;
        writeln!(
            out,
            "{} positions, {} leaves in {} s: {} positions/s, {} {}",
            grouped(report.positions.into()),
            grouped(report.nodes),
            seconds(report.seconds),
            rate(report.positions.into(), report.seconds),
            rate(report.nodes, report.seconds),
            speed_label(&report.run),
        )?;
        if report.without_counts > 0 {
            let without_counts = report.without_counts;
            writeln!(out, "{without_counts} positions came without a count")?;
        }
        if report.warned > 0 {
            writeln!(out, "{} warnings", grouped(report.warned.into()))?;
        }
    }
    not_finished(&report.stopped, out)?;
    writeln!(
        out,
        "{} counts right, {} wrong, {} records rejected, {} depths skipped",
        report.checked - report.wrong,
        report.wrong,
        report.rejected,
        report.skipped,
    )
}
