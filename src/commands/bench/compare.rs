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

#[cfg(test)]
mod tests {
    use super::super::statistics::spread;
    use super::*;
    use crate::report::{BenchSettings, Build, Machine};

    /// A GPU as reports have it.
    fn adapter(index: usize, name: &str, driver: &str) -> Option<Adapter> {
        Some(Adapter {
            index,
            name: name.to_string(),
            kind: "discrete".to_string(),
            interface: "vulkan".to_string(),
            driver: driver.to_string(),
        })
    }

    /// A backend with its depth and leaves per second on each position.
    fn backend(name: &str, adapter: Option<Adapter>, timings: &[(&str, u32, f64)]) -> TimedBackend {
        let timing = |&(position, depth, nps): &(&str, u32, f64)| Timing {
            position: position.to_string(),
            fen: String::new(),
            depth,
            leaf_depth: 1,
            nodes: 1,
            positions: 1,
            counts_per_run: 1,
            run_seconds: vec![1.0 / nps],
            seconds: spread(&[1.0 / nps]),
            nps: spread(&[nps]),
            positions_per_second: nps,
            device: None,
        };
        TimedBackend {
            name: name.to_string(),
            adapter,
            pipeline: "magic".to_string(),
            timings: timings.iter().map(timing).collect(),
            nps_mean: None,
            failed: None,
        }
    }

    fn report(threads: usize, backends: Vec<TimedBackend>) -> BenchReport {
        BenchReport {
            date: "then".to_string(),
            command_line: Vec::new(),
            build: Build {
                version: "0.1.0".to_string(),
                commit: None,
                modified: None,
                rustc: None,
                target: None,
                graphics: None,
                checked: false,
            },
            machine: Machine {
                processor: "Abacus".to_string(),
                cores: None,
                threads: 8,
                memory_bytes: 1,
                system: String::new(),
                kernel: String::new(),
            },
            settings: BenchSettings {
                threads,
                runs: 1,
                run_seconds: 1.0,
                merging: false,
                bulk: true,
            },
            backends,
            left_out: Vec::new(),
            warnings: Vec::new(),
            comparison: None,
            stopped: None,
        }
    }

    fn baseline(report: BenchReport) -> Baseline {
        Baseline {
            source: "old.json".to_string(),
            report,
        }
    }

    /// A card was put in, so that the other has another number; its driver is newer, too.
    #[test]
    fn a_gpu_is_known_by_its_name() {
        let timed: &[(&str, u32, f64)] = &[("startpos", 6, 100.0)];
        let old = [
            backend("gpu 0", adapter(0, "Big", "1.0"), timed),
            backend("gpu 1", adapter(1, "Twin", "1.0"), &[("startpos", 6, 40.0)]),
            backend("gpu 2", adapter(2, "Twin", "1.0"), &[("startpos", 6, 50.0)]),
        ];
        let new = [
            backend("gpu 0", adapter(0, "New", "1.0"), timed),
            backend("gpu 1", adapter(1, "Big", "2.0"), &[("startpos", 6, 150.0)]),
            backend("gpu 2", adapter(2, "Twin", "1.0"), &[("startpos", 6, 50.0)]),
        ];
        let old = baseline(report(8, old.to_vec()));
        let big = &new[1];
        assert_eq!(
            old_depth(&old, &big.name, big.adapter.as_ref(), "startpos"),
            Some(6)
        );
        assert_eq!(
            old_depth(&old, &big.name, big.adapter.as_ref(), "kiwipete"),
            None
        );
        assert_eq!(old_depth(&old, "gpu 0", None, "startpos"), None);
        let comparison = compare(&old, &report(8, new.to_vec()));
        let ratios: Vec<(&str, f64)> = comparison
            .rows
            .iter()
            .map(|row| (row.backend.as_str(), row.ratio))
            .collect();
        assert_eq!(ratios, [("gpu 1", 1.5), ("gpu 2", 1.0)]);
        assert_eq!(comparison.differences, ["driver of gpu 1: 1.0, now 2.0"]);
        assert_eq!(comparison.unmatched, ["new: gpu 0 on startpos"]);
    }

    /// Ratios of different depths are shown, but are no part of a mean.
    #[test]
    fn means_are_of_equal_depths() {
        let timed = [
            ("startpos", 6, 100.0),
            ("kiwipete", 5, 100.0),
            ("position3", 7, 100.0),
        ];
        let old = baseline(report(1, vec![backend("cpu", None, &timed)]));
        let timed = [
            ("startpos", 6, 200.0),
            ("kiwipete", 5, 50.0),
            ("position3", 6, 900.0),
        ];
        let comparison = compare(&old, &report(2, vec![backend("cpu", None, &timed)]));
        assert_eq!(comparison.rows.len(), 3);
        let [mean] = &comparison.means[..] else {
            panic!("one backend: {comparison:?}")
        };
        assert!((mean.ratio - 1.0).abs() < 1e-12, "{mean:?}");
        assert_eq!(comparison.differences, ["threads: 1, now 2"]);
    }
}
