//! `analyse FILE...`: one record a position, written while the input is read.

use std::io::{self, IsTerminal};
use std::time::Instant;

use super::args::{AnalyseArgs, PlayArg, RecordFormatArg};
use super::refusals::Refusals;
use super::session::Session;
use super::stream::{Part, in_order};
use super::{CommandError, ExitStatus};
use crate::analyse::{AnalyseOptions, Column, Record, Shown, Status, Summary};
use crate::backend::BackendKind;
use crate::parse::FenOptions;
use crate::report::{RecordFormat, RecordOutput, RecordWriter, Report, SummaryReport, Written};

pub(super) fn run(session: &Session, args: &AnalyseArgs) -> Result<ExitStatus, CommandError> {
    let start = Instant::now();
    let options = AnalyseOptions {
        play: args.play.map(|play| match play {
            PlayArg::Pv => "pv",
            PlayArg::Moves => "moves",
        }),
        perft: args.perft,
    };
    let columns = choose_columns(&args.columns, &options)?;
    let writes_records = !args.summary || args.format.is_some();
    let format = format_of(args.format)?;
    let writer = writes_records.then(|| RecordWriter::new(format, columns));
    let out = io::stdout().lock();
    let mut output = writer.as_ref().map(|it| it.output(out)).transpose()?;
    let mut total = Summary::default();
    let mut refusals = Refusals::new(session);
    let task = Task {
        fen: session.fen,
        options: &options,
        backend: BackendKind::fastest(),
        writer: writer.as_ref(),
        wants_summary: args.summary,
    };
    let work = |part| task.work(part);
    let consume = |done: Result<Done, String>| {
        match done {
            Err(unreadable) => refusals.source(&unreadable),
            Ok(done) => {
                if let Some(output) = &mut output {
                    output.take(done.written)?;
                }
                total.merge(&done.summary);
                done.refused.iter().for_each(|it| refusals.line(it));
            }
        }
        Ok(())
    };
    let result = in_order(&args.files, session.threads, work, consume);
    let failure = match result {
        Err(error @ CommandError::Interrupted) => Some(error),
        Err(error) => return Err(error),
        Ok(()) => None,
    };
    output.map_or(Ok(()), RecordOutput::finish)?;
    let status = refusals.end();
    if args.summary {
        let report = Report::Summary(SummaryReport {
            summary: total,
            sources_rejected: refusals.sources,
            threads: session.threads,
            seconds: start.elapsed().as_secs_f64(),
            complete: failure.is_none(),
            chart: args.chart
                || if writes_records {
                    io::stderr().is_terminal()
                } else {
                    io::stdout().is_terminal()
                },
        });
        if writes_records {
            session.print_aside(&report)?;
        } else {
            session.print(&report)?;
        }
    }
    failure.map_or(Ok(status), Err)
}

fn format_of(format: Option<RecordFormatArg>) -> Result<RecordFormat, CommandError> {
    match format {
        None | Some(RecordFormatArg::Jsonl) => Ok(RecordFormat::Jsonl),
        Some(RecordFormatArg::Csv) => Ok(RecordFormat::Csv),
        Some(RecordFormatArg::Table) => Ok(RecordFormat::Table),
        Some(RecordFormatArg::Parquet) => parquet_format(),
    }
}

#[cfg(feature = "parquet")]
fn parquet_format() -> Result<RecordFormat, CommandError> {
    if io::stdout().is_terminal() {
        let message = "Parquet is no text for a terminal: redirect it to a file";
        return Err(CommandError::Usage(message.to_string()));
    }
    Ok(RecordFormat::Parquet)
}

#[cfg(not(feature = "parquet"))]
fn parquet_format() -> Result<RecordFormat, CommandError> {
    let message = "this program was built without Parquet: build it with \
                   `cargo build --release --features parquet`";
    Err(CommandError::Usage(message.to_string()))
}

fn choose_columns(names: &[String], options: &AnalyseOptions) -> Result<Vec<Column>, CommandError> {
    if names.is_empty() {
        let is_shown = |column: &Column| match column.shown() {
            Shown::Always => true,
            Shown::Played => options.play.is_some(),
            Shown::Counted => options.perft.is_some(),
            Shown::Asked => false,
        };
        return Ok(Column::ALL.iter().copied().filter(is_shown).collect());
    }
    let column = |name: &String| {
        Column::from_name(name.trim()).ok_or_else(|| {
            let all: Vec<&str> = Column::ALL.iter().map(|it| it.name()).collect();
            let all = all.join(", ");
            CommandError::Usage(format!("no column is named `{name}`; there are {all}"))
        })
    };
    names.iter().map(column).collect()
}

/// The columns and what they say, for `analyse --help`.
pub(super) fn column_help() -> String {
    let mut help = "Columns:\n".to_string();
    for column in Column::ALL {
        help += &format!("  {:<22} {}\n", column.name(), column.about());
    }
    help
}

/// Records made and written together: few enough to stay in a core's cache.
const RECORDS_TOGETHER: usize = 128;

/// What one part of the input comes to.
#[derive(Default)]
struct Done {
    written: Written,
    summary: Summary,
    refused: Vec<String>,
}

/// What is done with each part of the input.
struct Task<'a> {
    fen: FenOptions,
    options: &'a AnalyseOptions,
    backend: BackendKind,
    writer: Option<&'a RecordWriter>,
    wants_summary: bool,
}

impl Task<'_> {
    fn work(&self, part: Part) -> Result<Done, String> {
        let batch = match part {
            Part::Lines(batch) => batch,
            Part::Unreadable(error) => return Err(error.to_string()),
        };
        let mut done = Done::default();
        let mut entries = batch.entries(self.fen);
        loop {
            let some = entries.by_ref().take(RECORDS_TOGETHER);
            let records = Record::of_many(some, self.options, |positions, facts| {
                let found = self.backend.move_facts(positions, facts);
                found.expect("the processor does not fail");
            });
            if records.is_empty() {
                return Ok(done);
            }
            done.add(&records, self.writer, self.wants_summary);
        }
    }
}

impl Done {
    fn add(&mut self, records: &[Record], writer: Option<&RecordWriter>, wants_summary: bool) {
        if let Some(writer) = writer {
            // Writing to memory does not fail.
            let _ = writer.append(records, &mut self.written);
        }
        for record in records {
            if wants_summary {
                self.summary.add(record);
            }
            if record.status == Status::Rejected {
                let reasons = record.reasons.join("; ");
                self.refused
                    .push(format!("{}: {reasons}", record.line.origin()));
            }
        }
    }
}
