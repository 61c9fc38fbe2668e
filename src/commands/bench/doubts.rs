//! What a reader of the figures ought to know: reasons to doubt them.

use super::contenders::Contender;
use crate::report::{BenchReport, TimedBackend};

/// Slowest run by fastest, from which on a figure is called unsteady.
const UNSTEADY: f64 = 1.25;

/// Seconds of a run below which the clock and the scheduler are measured too.
const SHORT: f64 = 0.01;

pub(super) fn warnings(
    report: &BenchReport,
    contenders: &[Contender],
    backends: &[TimedBackend],
) -> Vec<String> {
    let mut warnings = Vec::new();
    if report.build.checked {
        warnings.push("a development build, with checks on; build with --release".to_string());
    }
    for contender in contenders {
        if let Some(reason) = contender.slow {
            warnings.push(format!("{} is slow here: {reason}", contender.name));
        }
    }
    let timings: Vec<_> = backends.iter().flat_map(|it| &it.timings).collect();
    let unsteady = timings
        .iter()
        .filter(|it| it.seconds.max > UNSTEADY * it.seconds.min)
        .count();
    if unsteady > 0 {
        warnings.push(format!(
            "in {unsteady} of {} rows the slowest run took over {UNSTEADY} times the fastest: the \
             machine was busy",
            timings.len()
        ));
    }
    let short = timings
        .iter()
        .filter(|it| it.seconds.median * f64::from(it.counts_per_run) < SHORT)
        .count();
    if short > 0 {
        warnings.push(format!(
            "in {short} of {} rows a run took less than {SHORT} s: too short to be trusted, see --time",
            timings.len()
        ));
    }
    warnings
}
