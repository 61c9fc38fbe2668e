//! Reports of `bench` for people.

use std::fmt;
use std::io::{self, Write};

use comfy_table::CellAlignment;

use super::super::text::{plain_table, print};
use super::table::{self, Rows};
use super::{BenchReport, Timing};

pub(in super::super) fn write(
    report: &BenchReport,
    quiet: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !quiet {
        for line in table::conditions(report) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    rows(&table::timings(report), out)?;
    writeln!(out)?;
    rows(&table::backends(report), out)?;
    if let Some(comparison) = &report.comparison {
        writeln!(out, "\ncompared with {}", comparison.old)?;
        for difference in &comparison.differences {
            writeln!(out, "different: {difference}")?;
        }
        rows(&table::compared(comparison), out)?;
        for name in &comparison.unmatched {
            writeln!(out, "only in one of them: {name}")?;
        }
    }
    let remarks = table::remarks(report);
    if !remarks.is_empty() {
        writeln!(out)?;
    }
    remarks.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// `kiwipete, depth 5: 1,384 Mnps (1,350 to 1,400)`.
impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, min, max] = [self.nps.median, self.nps.min, self.nps.max].map(table::mega);
        let (position, depth) = (&self.position, self.depth);
        write!(
            f,
            "{position}, depth {depth}: {median} Mnps ({min} to {max})"
        )
    }
}

fn rows(rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
    let mut table = plain_table(&rows.header);
    for (column, label) in table.column_iter_mut().zip(&rows.header) {
        if table::holds_words(label) {
            column.set_cell_alignment(CellAlignment::Left);
        }
    }
    for row in &rows.rows {
        table.add_row(row);
    }
    print(&table, out)
}
