//! `suite FILE...`: known counts, checked.
//!
//! Records are read in batches; all positions and depths of a batch are roots of one frontier, so
//! many positions are counted at once and memory does not grow with the files. An interrupt loses the
//! batch in work.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::args::SuiteArgs;
use super::counting::Counting;
use super::session::{STOP, Session};
use super::{CommandError, ExitStatus, message};
use crate::expand::Root;
use crate::parse::{self, Job, Source};
use crate::pipeline;
use crate::report::{LISTED_MAX, Mismatch, Report, SuiteReport};

/// Records counted together: enough to keep many threads busy, few enough that an interrupt loses
/// little.
const BATCH_RECORDS: usize = 1 << 11;
/// With `--fail-fast`, batches small enough that not much is counted in vain.
const BATCH_RECORDS_FAIL_FAST: usize = 64;

pub(super) fn run(session: &Session, args: &SuiteArgs) -> Result<ExitStatus, CommandError> {
    let mut checker = Checker::new(session, args)?;
    let result = checker.check_files();
    let mut report = checker.report;
    report.seconds = checker.start.elapsed().as_secs_f64();
    if let Err(error) = &result {
        report.stopped = Some(error.to_string());
    } else if args.fail_fast && report.wrong > 0 {
        report.stopped = Some("a count was wrong".to_string());
    } else if report.checked + report.skipped + report.rejected == 0 {
        session.warn("no count was found to check");
    }
    let status = match (
        report.wrong,
        report.rejected,
        report.checked + report.skipped,
    ) {
        (0, 0, 1..) => ExitStatus::Good,
        // Nothing to check is more likely a wrong file than a wish.
        (0, _, _) => ExitStatus::BadInput,
        _ => ExitStatus::Mismatch,
    };
    session.print(&Report::Suite(report))?;
    result.map_or_else(Err, |()| Ok(status))
}

/// Warnings said on standard error: a quirk of a file is often one of its every line.
const WARNINGS_SHOWN: usize = 20;

struct Checker<'a> {
    session: &'a Session,
    counting: &'a Counting,
    args: &'a SuiteArgs,
    batch: Vec<Job>,
    report: SuiteReport,
    start: Instant,
}

impl<'a> Checker<'a> {
    fn new(session: &'a Session, args: &'a SuiteArgs) -> Result<Checker<'a>, CommandError> {
        let counting = session.counting()?;
        let report = SuiteReport {
            positions: 0,
            without_counts: 0,
            checked: 0,
            wrong: 0,
            mismatches: Vec::new(),
            rejected: 0,
            rejections: Vec::new(),
            warned: 0,
            warnings: Vec::new(),
            skipped: 0,
            nodes: 0,
            seconds: 0.0,
            stopped: None,
            run: counting.run.clone(),
        };
        Ok(Checker {
            session,
            counting,
            args,
            batch: Vec::new(),
            report,
            start: Instant::now(),
        })
    }

    fn stopped(&self) -> bool {
        self.args.fail_fast && self.report.wrong > 0
    }

    fn check_files(&mut self) -> Result<(), CommandError> {
        for file in &self.args.files {
            let source = match file.to_str() {
                Some(argument) => Source::from_arg(argument),
                None => Source::File(file.clone()),
            };
            self.read(&source)?;
            if self.stopped() {
                return Ok(());
            }
        }
        self.count_batch()
    }

    /// Reads a source and counts whenever a batch is full. What cannot be read is noted; reading
    /// goes on with the next record or source.
    fn read(&mut self, source: &Source) -> Result<(), CommandError> {
        let limit = if self.args.fail_fast {
            BATCH_RECORDS_FAIL_FAST
        } else {
            BATCH_RECORDS
        };
        let jobs = match parse::open_jobs(source, self.session.fen) {
            Ok(jobs) => jobs,
            Err(error) => {
                self.reject(&[error]);
                return Ok(());
            }
        };
        for job in jobs {
            if STOP.load(Ordering::Relaxed) {
                return Err(CommandError::Interrupted);
            }
            match job {
                Ok(job) => self.accept(job),
                Err(errors) => self.reject(&errors),
            }
            if self.batch.len() >= limit {
                self.count_batch()?;
                if self.stopped() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn accept(&mut self, job: Job) {
        self.report.positions += 1;
        for warning in &job.warnings {
            self.report.warned += 1;
            let text = format!("{}: {warning}", job.origin);
            match self.report.warned as usize {
                ..=WARNINGS_SHOWN => self.session.warn(&text),
                number if number == WARNINGS_SHOWN + 1 => {
                    self.session
                        .warn("further warnings are counted; --json lists them");
                }
                _ => {}
            }
            if self.report.warnings.len() < LISTED_MAX {
                self.report.warnings.push(text);
            }
        }
        // A move that is none is refused; the position and its counts stand.
        if !job.problems.is_empty() {
            self.reject(&job.problems);
        }
        if job.expected.is_empty() {
            self.report.without_counts += 1;
        } else {
            self.batch.push(job);
        }
    }

    /// Notes one refused record, with all its reasons.
    fn reject<E: ToString>(&mut self, errors: &[E]) {
        let reasons: Vec<String> = errors.iter().map(E::to_string).collect();
        let reason = reasons.join("\n");
        message("rejected", &reason, self.session.color);
        self.report.rejected += 1;
        if self.report.rejections.len() < LISTED_MAX {
            self.report.rejections.push(reason);
        }
    }

    fn wanted(&self, depth: u32, count: u128) -> bool {
        self.args.max_depth.is_none_or(|max| depth <= max)
            && self.args.max_nodes.is_none_or(|max| count <= max)
    }

    /// Counts everything the batch asks for, as one frontier, and compares.
    fn count_batch(&mut self) -> Result<(), CommandError> {
        let batch = std::mem::take(&mut self.batch);
        let mut asked = Vec::new();
        for (index, job) in batch.iter().enumerate() {
            for expected in &job.expected {
                if self.wanted(expected.depth, expected.count) {
                    asked.push((index, expected.depth, expected.count));
                } else {
                    self.report.skipped += 1;
                }
            }
        }
        // The longest first, so that no thread is left alone with one at the end.
        asked.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
        let root = |&(index, depth, _): &(usize, u32, u128)| Root {
            position: batch[index].position.packed(),
            depth,
        };
        let roots: Vec<Root> = asked.iter().map(root).collect();
        let bar = self.session.bar("suite");
        let counted = pipeline::count(&roots, &self.counting.options, &bar, &STOP)?;
        drop(bar);
        self.counting.warn_of_faults(self.session, &counted);
        let mut wrong = Vec::new();
        for (&(index, depth, expected), got) in asked.iter().zip(counted.nodes) {
            self.report.checked += 1;
            self.report.nodes += got;
            if got != expected {
                wrong.push((index, depth, expected, got));
            }
        }
        wrong.sort_unstable();
        self.report.wrong += wrong.len() as u64;
        let room = LISTED_MAX.saturating_sub(self.report.mismatches.len());
        let shown = wrong.into_iter().take(room);
        self.report
            .mismatches
            .extend(shown.map(|(index, depth, expected, got)| {
                mismatch(&batch[index], depth, expected, got)
            }));
        Ok(())
    }
}

fn mismatch(job: &Job, depth: u32, expected: u128, got: u128) -> Mismatch {
    Mismatch {
        origin: job.origin.to_string(),
        id: job.id.clone(),
        fen: job.position.to_string(),
        depth,
        expected,
        got,
    }
}
