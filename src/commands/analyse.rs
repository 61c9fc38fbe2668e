//! `analyse FILE...`: one record a position, written while the input is read.

use std::io::{self, IsTerminal};
use std::time::Instant;

use super::args::{AnalyseArgs, PlayArg, RecordFormatArg};
use super::facts;
use super::refusals::Refusals;
use super::session::Session;
use super::stream::{Part, some_in_order};
use super::{CommandError, ExitStatus};
use crate::analyse::{AnalyseOptions, Column, Record, Shown, Status, Summary};
use crate::parse::{FenOptions, LineBatch};
use crate::pipeline::FactCrew;
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
    let crew = facts::crew(session)?;
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
        crew: &crew,
        writer: writer.as_ref(),
        wants_summary: args.summary,
    };
    let work = |parts| task.work(parts);
    let consume = |all: Vec<Result<Done, String>>| {
        for fault in crew.take_faults() {
            session.warn(&fault.to_string());
        }
        for done in all {
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
        }
        Ok(())
    };
    let together = if crew.has_device() { PARTS_TOGETHER } else { 1 };
    let result = some_in_order(&args.files, session.threads, together, work, consume);
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

/// The same where a device finds facts, which wants much to do at once.
const RECORDS_FOR_DEVICE: usize = 1 << 14;

/// Parts of the input that hold so many.
const PARTS_TOGETHER: usize = 16;

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
    crew: &'a FactCrew,
    writer: Option<&'a RecordWriter>,
    wants_summary: bool,
}

impl Task<'_> {
    /// What lines come to that follow each other, or what cannot be read; in order.
    fn work(&self, parts: Vec<Part>) -> Vec<Result<Done, String>> {
        let (mut all, mut batches) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Part::Lines(batch) => batches.push(batch),
                Part::Unreadable(error) => {
                    all.push(Ok(self.records(&std::mem::take(&mut batches))));
                    all.push(Err(error.to_string()));
                }
            }
        }
        all.push(Ok(self.records(&batches)));
        all
    }

    fn records(&self, batches: &[LineBatch]) -> Done {
        let together = match self.crew.has_device() {
            true => RECORDS_FOR_DEVICE,
            false => RECORDS_TOGETHER,
        };
        let mut done = Done::default();
        let mut entries = batches.iter().flat_map(|batch| batch.entries(self.fen));
        loop {
            let some = entries.by_ref().take(together);
            let records = Record::of_many(some, self.options, |positions, facts| {
                self.crew.find(positions, facts);
            });
            if records.is_empty() {
                return done;
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::backend::{BackendError, BackendKind, FactFinder};
    use crate::movegen::MoveFacts;
    use crate::position::PackedPosition;

    /// Finds facts once, and fails halfway through every later batch.
    struct FailsMidway(AtomicU32);

    impl FactFinder for FailsMidway {
        fn find(
            &mut self,
            positions: &[PackedPosition],
            facts: &mut [MoveFacts],
        ) -> Result<(), BackendError> {
            BackendKind::CpuScalar.move_facts(positions, facts)?;
            if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
                return Ok(());
            }
            let half = facts.len() / 2;
            facts[half..].fill(MoveFacts::default());
            Err(BackendError::TimedOut {
                adapter: "Disguise".to_owned(),
                seconds: 1,
            })
        }
    }

    /// The records of some files as CSV, and what could not be read.
    fn written(files: &[PathBuf], crew: &FactCrew, together: usize) -> (String, Vec<String>) {
        let options = AnalyseOptions::default();
        let columns = choose_columns(&[], &options).expect("all columns");
        let writer = RecordWriter::new(RecordFormat::Csv, columns);
        let task = Task {
            fen: FenOptions::default(),
            options: &options,
            crew,
            writer: Some(&writer),
            wants_summary: false,
        };
        let (mut bytes, mut refused) = (Vec::new(), Vec::new());
        let mut output = writer.output(&mut bytes).expect("memory can be written");
        let consume = |all: Vec<Result<Done, String>>| {
            for done in all {
                match done {
                    Err(unreadable) => refused.push(unreadable),
                    Ok(done) => {
                        output.take(done.written)?;
                        refused.extend(done.refused);
                    }
                }
            }
            Ok(())
        };
        let work = |parts| task.work(parts);
        some_in_order(files, 2, together, work, consume).expect("nobody stops it");
        (String::from_utf8(bytes).expect("UTF-8"), refused)
    }

    /// A batch that a device loses is found again by the processor: no record is lost or changed.
    #[test]
    fn a_device_that_fails_midway_changes_no_record() {
        let suites = ["chess960", "tricky", "nowhere", "marcel_sample", "standard"];
        let path = |name| format!("{}/testdata/{name}.epd", env!("CARGO_MANIFEST_DIR")).into();
        let mut files: Vec<PathBuf> = suites.map(path).to_vec();
        files.push("8/8/8/8/8/8/8/8 w - - 0 1".into());
        let plain = FactCrew::processor(BackendKind::fastest());
        let (expected, refused) = written(&files, &plain, 1);
        assert!(expected.lines().count() > 500 && refused.len() >= 2);
        for together in [1, 2, 100] {
            let mut crew = FactCrew::processor(BackendKind::fastest());
            let device = FailsMidway(AtomicU32::new(u32::from(together > 2)));
            crew.add_device("Disguise".to_owned(), vec![Box::new(device)]);
            assert!(crew.has_device());
            let found = written(&files, &crew, together);
            assert_eq!(found, (expected.clone(), refused.clone()), "{together}");
            let faults = crew.take_faults();
            assert_eq!(faults.len(), 1);
            let said = faults[0].to_string();
            assert!(said.contains("Disguise") && !crew.has_device(), "{said}");
        }
    }
}
