//! A summary of records: totals, and histograms, with bars where somebody looks at them.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::text::plain_table;
use super::units::{grouped, rate, seconds};
use crate::analyse::{Histogram, Status, Summary};

/// `analyse --summary`: what all records come to.
#[derive(Clone, Debug)]
pub struct SummaryReport {
    /// Totals and histograms.
    pub summary: Summary,
    /// Sources that could not be opened.
    pub sources_rejected: u64,
    /// Threads.
    pub threads: usize,
    /// Wall time.
    pub seconds: f64,
    /// False if the run ended before the last record.
    pub complete: bool,
    /// Draw bars beside the counts of histograms.
    pub chart: bool,
}

/// Legal moves in one bar of the chart.
const MOVES_IN_BIN: usize = 5;
/// Pieces in one bar of the chart.
const PIECES_IN_BIN: usize = 4;
const BAR_WIDTH: u64 = 40;

pub(super) fn text(report: &SummaryReport, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    let summary = &report.summary;
    let mut table = plain_table(&["", "total", "a position"]);
    for (name, total) in summary.totals() {
        let share = match summary.positions() {
            0 => "-".to_string(),
            positions => format!("{:.3}", total as f64 / positions as f64),
        };
        table.add_row([name.replace('_', " "), grouped(total.into()), share]);
    }
    super::text::print(&table, out)?;
    let histograms = [
        (
            "positions by legal moves",
            bins(&summary.moves, MOVES_IN_BIN),
        ),
        (
            "positions by pieces",
            bins(&summary.material, PIECES_IN_BIN),
        ),
        ("records by status", by_status(summary)),
    ];
    for (title, bins) in histograms {
        histogram(title, &bins, report.chart, out)?;
    }
    writeln!(out)?;
    if !quiet {
        writeln!(
            out,
            "{} records in {} s with {} threads: {} records/s",
            grouped(summary.records().into()),
            seconds(report.seconds),
            report.threads,
            rate(summary.records().into(), report.seconds),
        )?;
    }
    let counts: Vec<String> = by_status(summary)
        .into_iter()
        .map(|(name, count)| format!("{} {name}", grouped(count.into())))
        .collect();
    let sources = match report.sources_rejected {
        0 => String::new(),
        count => format!(", {count} files rejected"),
    };
    let end = if report.complete {
        ""
    } else {
        "; not finished"
    };
    writeln!(out, "{}{sources}{end}", counts.join(", "))
}

/// Names and counts.
type Bins = Vec<(String, u64)>;

fn bins(histogram: &Histogram, width: usize) -> Bins {
    let bins = histogram.bins(width).into_iter();
    bins.map(|(first, count)| (format!("{first}-{}", first + width - 1), count))
        .collect()
}

fn by_status(summary: &Summary) -> Bins {
    let status = Status::ALL.iter().zip(summary.status);
    status
        .map(|(status, count)| (status.name().to_string(), count))
        .collect()
}

fn histogram(title: &str, bins: &Bins, bars: bool, out: &mut dyn Write) -> io::Result<()> {
    let most = bins.iter().map(|&(_, count)| count).max().unwrap_or(0);
    if most == 0 {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    for (name, count) in bins {
        let width = (count * BAR_WIDTH).div_ceil(most) as usize;
        let bar = if bars {
            "#".repeat(width)
        } else {
            String::new()
        };
        let count = grouped((*count).into());
        writeln!(out, "{}", format!("{name:>8} {count:>13} {bar}").trim_end())?;
    }
    Ok(())
}

pub(super) fn json(report: &SummaryReport) -> Value {
    let summary = &report.summary;
    let mut object = json!({
        "records": summary.records(),
        "sources_rejected": report.sources_rejected,
        "moves_histogram": summary.moves.counts(),
        "pieces_histogram": summary.material.counts(),
        "threads": report.threads,
        "seconds": report.seconds,
        "complete": report.complete,
    });
    for (status, count) in Status::ALL.iter().zip(summary.status) {
        object[status.name()] = json!(count);
    }
    for (name, total) in summary.totals() {
        object[name] = json!(total);
    }
    object
}
