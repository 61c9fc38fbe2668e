//! Figures beside those of an earlier report.

use super::statistics::geometric_mean;
use crate::report::{
    Adapter, Baseline, BenchReport, Compared, Comparison, MeanRatio, TimedBackend, Timing,
};

/// The depth to which an earlier report has this backend count a position: the same count again is
/// the best comparison.
pub(super) fn old_depth(
    old: &Baseline,
    backend: &str,
    adapter: Option<&Adapter>,
    position: &str,
) -> Option<u32> {
    let backend = same_backend(&old.report, backend, adapter)?;
    Some(same_position(backend, position)?.depth)
}

/// The backend of a report that is this one: a GPU by the name of its adapter, whatever its number.
fn same_backend<'a>(
    report: &'a BenchReport,
    name: &str,
    adapter: Option<&Adapter>,
) -> Option<&'a TimedBackend> {
    let same = |other: &&TimedBackend| match (adapter, &other.adapter) {
        (None, None) => other.name == name,
        (Some(a), Some(b)) => a.name == b.name && a.interface == b.interface,
        _ => false,
    };
    let of_this_number = |other: &&TimedBackend| same(other) && other.name == name;
    let mut backends = report.backends.iter();
    backends
        .clone()
        .find(of_this_number)
        .or_else(|| backends.find(same))
}

fn same_position<'a>(backend: &'a TimedBackend, position: &str) -> Option<&'a Timing> {
    backend.timings.iter().find(|it| it.position == position)
}

/// Every figure that both reports have, as a ratio.
pub(super) fn compare(old: &Baseline, new: &BenchReport) -> Comparison {
    let mut rows = Vec::new();
    let mut unmatched = Vec::new();
    let mut means = Vec::new();
    for backend in &new.backends {
        let other = same_backend(&old.report, &backend.name, backend.adapter.as_ref());
        let mut ratios = Vec::new();
        for timing in &backend.timings {
            match other.and_then(|other| same_position(other, &timing.position)) {
                None => unmatched.push(format!("new: {} on {}", backend.name, timing.position)),
                Some(old) => {
                    let row = compared(&backend.name, old, timing);
                    if row.depth == row.old_depth {
                        ratios.push(row.ratio);
                    }
                    rows.push(row);
                }
            }
        }
        means.extend(geometric_mean(ratios).map(|ratio| MeanRatio {
            backend: backend.name.clone(),
            ratio,
        }));
    }
    for backend in &old.report.backends {
        let other = same_backend(new, &backend.name, backend.adapter.as_ref());
        let gone = backend.timings.iter().filter(|timing| {
            other.is_none_or(|other| same_position(other, &timing.position).is_none())
        });
        unmatched.extend(gone.map(|it| format!("old: {} on {}", backend.name, it.position)));
    }
    Comparison {
        old: format!(
            "{} ({}, hyperft {}, commit {})",
            old.source,
            old.report.date,
            old.report.build.version,
            old.report.build.commit_name()
        ),
        differences: differences(&old.report, new),
        rows,
        means,
        unmatched,
    }
}

fn compared(backend: &str, old: &Timing, new: &Timing) -> Compared {
    Compared {
        backend: backend.to_string(),
        position: new.position.clone(),
        depth: new.depth,
        old_depth: old.depth,
        old_nps: old.nps.median,
        nps: new.nps.median,
        ratio: new.nps.median / old.nps.median,
    }
}

/// Conditions that are not the same, so that nobody takes another machine for progress.
fn differences(old: &BenchReport, new: &BenchReport) -> Vec<String> {
    let conditions = |report: &BenchReport| {
        let known = |text: &Option<String>| text.as_deref().unwrap_or("unknown").to_string();
        let cores = report.machine.cores.map(|cores| cores.to_string());
        let build = if report.build.checked {
            "with checks"
        } else {
            "for speed"
        };
        [
            ("processor", report.machine.processor.clone()),
            ("cores", known(&cores)),
            ("hardware threads", report.machine.threads.to_string()),
            ("memory", format!("{} bytes", report.machine.memory_bytes)),
            ("system", report.machine.system.clone()),
            ("kernel", report.machine.kernel.clone()),
            ("hyperft", report.build.version.clone()),
            ("commit", report.build.commit_name()),
            ("built", build.to_string()),
            ("compiler", known(&report.build.rustc)),
            ("target", known(&report.build.target)),
            ("GPU support", known(&report.build.graphics)),
            ("threads", report.settings.threads.to_string()),
        ]
    };
    let pairs = conditions(old).into_iter().zip(conditions(new));
    let mut differences: Vec<String> = pairs
        .filter(|(old, new)| old != new)
        .map(|((name, old), (_, new))| format!("{name}: {old}, now {new}"))
        .collect();
    for backend in &new.backends {
        let other = same_backend(old, &backend.name, backend.adapter.as_ref());
        let Some(other) = other else { continue };
        let driver = |it: &TimedBackend| it.adapter.as_ref().map(|it| it.driver.clone());
        for (what, then, now) in [
            ("driver", driver(other), driver(backend)),
            (
                "pipeline",
                Some(other.pipeline.clone()),
                Some(backend.pipeline.clone()),
            ),
        ] {
            if let (Some(then), Some(now)) = (then, now)
                && then != now
            {
                differences.push(format!("{what} of {}: {then}, now {now}", backend.name));
            }
        }
    }
    differences
}
