//! `bench`: the throughput of every backend, measured so that figures can be compared.
//!
//! This file puts the parts together: who is measured (`contenders`), on what (`positions`), how
//! (`measure`), what is made of it (`statistics`, `doubts`, `compare`), and where it goes (`files`).
//! The report prints itself.

mod compare;
mod contenders;
mod doubts;
mod files;
mod measure;
mod positions;
mod statistics;

use std::time::SystemTime;

use super::args::BenchArgs;
use super::machine::{build, machine};
use super::session::{STOP, Session};
use super::{CommandError, ExitStatus, message};
use crate::expand::Progress;
use crate::report::{Bar, BenchReport, BenchSettings, Report, TimedBackend, Timing};
use contenders::{Contender, Field};
use measure::{Failure, Plan, Watcher};
use positions::Subject;

pub(super) fn run(session: &Session, args: &BenchArgs) -> Result<ExitStatus, CommandError> {
    let subjects = positions::subjects(&args.positions)?;
    let old = args.compare.as_deref().map(files::read).transpose()?;
    files::check_folders(args)?;
    let plan = Plan {
        runs: usize::from(args.runs),
        run_seconds: args.time,
        depth_max: args.max_depth.unwrap_or(u32::MAX),
        stop: &STOP,
    };
    let mut report = head(session, &plan);
    let Field {
        contenders,
        left_out,
        ..
    } = Field::new(session)?;
    let old_depth = |contender: &Contender, subject: &Subject| {
        let adapter = contender.adapter.as_ref();
        compare::old_depth(old.as_ref()?, &contender.name, adapter, subject.name)
    };
    let mut screen = Screen { session, bar: None };
    let (backends, failure) = measure_all(&contenders, &subjects, &old_depth, &plan, &mut screen);
    drop(screen);
    report.warnings = doubts::warnings(&report, &contenders, &backends);
    report.backends = backends;
    report.left_out = left_out;
    report.stopped = failure.as_ref().map(ToString::to_string);
    report.comparison = old.map(|old| compare::compare(&old, &report));
    let status = status_of(&report.backends, failure.as_ref());
    session.print(&Report::Bench(Box::new(report.clone())))?;
    match failure {
        // Figures of a run that counted wrong are kept nowhere.
        Some(wrong @ Failure::Wrong(_)) => message("error", &wrong.to_string(), session.color),
        _ => files::export(args, report)?,
    }
    Ok(status)
}

/// A report without figures: when, where and how.
fn head(session: &Session, plan: &Plan<'_>) -> BenchReport {
    BenchReport {
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        command_line: std::env::args_os()
            .enumerate()
            .map(|(index, word)| match index {
                // Where the program lies says nothing about its figures.
                0 => env!("CARGO_PKG_NAME").to_string(),
                _ => word.to_string_lossy().into_owned(),
            })
            .collect(),
        build: build(),
        machine: machine(),
        settings: BenchSettings {
            threads: session.threads,
            runs: plan.runs,
            run_seconds: plan.run_seconds,
            merging: false,
            bulk: true,
        },
        backends: Vec::new(),
        left_out: Vec::new(),
        warnings: Vec::new(),
        comparison: None,
        stopped: None,
    }
}

/// Measures position after position. A backend that fails is not asked again; a wrong count or the
/// user's wish ends everything, and what is finished is returned.
fn measure_all(
    contenders: &[Contender],
    subjects: &[Subject],
    settled_depth: &dyn Fn(&Contender, &Subject) -> Option<u32>,
    plan: &Plan<'_>,
    watcher: &mut dyn Watcher,
) -> (Vec<TimedBackend>, Option<Failure>) {
    let mut backends: Vec<TimedBackend> = contenders.iter().map(untimed).collect();
    for subject in subjects {
        let (fit, running): (Vec<&Contender>, Vec<&mut TimedBackend>) = contenders
            .iter()
            .zip(&mut backends)
            .filter(|(_, backend)| backend.failed.is_none())
            .unzip();
        let depths: Vec<Option<u32>> = fit.iter().map(|it| settled_depth(it, subject)).collect();
        match measure::measure(subject, &fit, &depths, plan, watcher) {
            Err(failure) => return (backends, Some(failure)),
            Ok(results) => {
                for (backend, result) in running.into_iter().zip(results) {
                    match result {
                        Ok(timing) => {
                            watcher.timed(&backend.name, &timing);
                            backend.timings.push(timing);
                        }
                        Err(reason) => backend.failed = Some(reason),
                    }
                }
            }
        }
    }
    for backend in &mut backends {
        if backend.failed.is_none() {
            let nps = backend.timings.iter().map(|timing| timing.nps.median);
            backend.nps_mean = statistics::geometric_mean(nps);
        }
    }
    (backends, None)
}

fn untimed(contender: &Contender) -> TimedBackend {
    TimedBackend {
        name: contender.name.clone(),
        adapter: contender.adapter.clone(),
        pipeline: contender.pipeline.clone(),
        timings: Vec::new(),
        nps_mean: None,
        failed: None,
    }
}

fn status_of(backends: &[TimedBackend], failure: Option<&Failure>) -> ExitStatus {
    match failure {
        Some(Failure::Wrong(_)) => ExitStatus::Mismatch,
        Some(Failure::Interrupted) => ExitStatus::Interrupted,
        _ if backends.iter().any(|it| it.failed.is_some()) => ExitStatus::Device,
        _ => ExitStatus::Good,
    }
}

/// Shows on standard error how far the work has come.
struct Screen<'a> {
    session: &'a Session,
    bar: Option<Bar>,
}

impl Watcher for Screen<'_> {
    fn position(&mut self, name: &str, runs: usize) {
        let bar = self.session.bar("bench");
        bar.begin(name, runs as u64);
        self.bar = Some(bar);
    }

    fn run(&mut self) {
        if let Some(bar) = &self.bar {
            bar.advance(1);
        }
    }

    fn timed(&mut self, backend: &str, timing: &Timing) {
        self.bar = None;
        self.session.note(&format!("{backend} on {timing}"));
    }
}
#[cfg(test)]
mod tests;
