//! Reports of `bench` as Markdown, to be pasted into a record or an issue.

use std::io::{self, Write};

use super::BenchReport;
use super::table::{self, Rows};

pub(in super::super) fn write(report: &BenchReport, out: &mut dyn Write) -> io::Result<()> {
    for line in table::conditions(report) {
        writeln!(out, "- {}", escaped(&line))?;
    }
    writeln!(out)?;
    rows(&table::timings(report), out)?;
    writeln!(out)?;
    rows(&table::backends(report), out)?;
    if let Some(comparison) = &report.comparison {
        writeln!(out, "\nCompared with {}\n", escaped(&comparison.old))?;
        for difference in &comparison.differences {
            writeln!(out, "- different: {}", escaped(difference))?;
        }
        for name in &comparison.unmatched {
            writeln!(out, "- only in one of them: {}", escaped(name))?;
        }
        writeln!(out)?;
        rows(&table::compared(comparison), out)?;
    }
    let remarks = table::remarks(report);
    if !remarks.is_empty() {
        writeln!(out)?;
    }
    remarks
        .iter()
        .try_for_each(|line| writeln!(out, "- {}", escaped(line)))
}

fn rows(rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| {} |", rows.header.join(" | "))?;
    let rule = |label: &&str| {
        if table::holds_words(label) {
            " --- |"
        } else {
            " ---: |"
        }
    };
    writeln!(out, "|{}", rows.header.iter().map(rule).collect::<String>())?;
    for row in &rows.rows {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

/// Text that Markdown shows as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\|*_`<>[]".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
