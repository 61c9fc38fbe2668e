//! A summary of records: totals, and histograms as bars.

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
    chart("legal moves", &summary.moves, MOVES_IN_BIN, out)?;
    chart("pieces", &summary.material, PIECES_IN_BIN, out)?;
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
    let status = Status::ALL.iter().zip(summary.status);
    let counts: Vec<String> = status
        .map(|(status, count)| format!("{} {}", grouped(count.into()), status.name()))
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

fn chart(name: &str, histogram: &Histogram, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let bins = histogram.bins(width);
    let Some(most) = bins.iter().map(|&(_, count)| count).max() else {
        return Ok(());
    };
    writeln!(out, "\npositions by {name}")?;
    for (first, count) in bins {
        let bar = (count * BAR_WIDTH).div_ceil(most) as usize;
        let label = format!("{first}-{}", first + width - 1);
        let count = grouped(count.into());
        writeln!(out, "{label:>8} {count:>13} {}", "#".repeat(bar))?;
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
