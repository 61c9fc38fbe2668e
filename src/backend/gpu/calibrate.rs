//! Which form of the pipelines suits an adapter: timed on it, on real frontier positions.
//!
//! No table of adapters says it: the same chip differs between drivers, and isolated timings of
//! sliders on random boards say the opposite of whole counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::GpuCounter;
use super::adapter::AdapterKind;
use super::chunk::WORKGROUP_SIZES;
use super::device::Device;
use super::options::{GpuOptions, Tuning, TuningChoice};
use super::probe;
use super::remembered;
use super::shaders::{LastPlies, SliderMethod};
use crate::backend::{BackendError, LeafCounter};
use crate::movegen::{LeafDepth, legal_moves};
use crate::position::{PackedPosition, Position};

/// How often each form is timed; the quickest counts, as other work only ever slows it down.
const RUNS: u32 = 3;

/// How a tuning was come by.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TunedBy {
    /// Asked for.
    Choice,
    /// Measured by an earlier run on the same adapter, driver and program version.
    Memory,
    /// Measured now.
    Measuring,
}

impl std::fmt::Display for TunedBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TunedBy::Choice => "asked for",
            TunedBy::Memory => "measured by an earlier run",
            TunedBy::Measuring => "measured now",
        })
    }
}

/// The tuning to use on a device: decided, remembered or measured.
pub(super) fn tuning(
    device: &Arc<Device>,
    options: &GpuOptions,
) -> Result<(Tuning, TunedBy), BackendError> {
    let choice = options.tuning;
    if let Some(known) = known(device, options) {
        return Ok(known);
    }
    let summary = &device.summary;
    let file = options.remembered.as_deref();
    let tuning = measure(device, options)?;
    // What was measured under conditions is not the best of all.
    if let Some(file) = file
        && choice == TuningChoice::default()
    {
        remembered::write(file, summary, tuning);
    }
    Ok((tuning, TunedBy::Measuring))
}

/// The tuning if it is decided or remembered.
fn known(device: &Device, options: &GpuOptions) -> Option<(Tuning, TunedBy)> {
    let choice = options.tuning;
    if let Some(tuning) = decided(choice) {
        return Some((tuning, TunedBy::Choice));
    }
    let summary = &device.summary;
    let tuning = remembered::read(options.remembered.as_deref()?, summary)?;
    let usable = fits(choice, tuning) && tuning.workgroup <= summary.workgroup_max;
    usable.then_some((tuning, TunedBy::Memory))
}

/// The tuning where nothing is worth measuring: decided, remembered, or what does well everywhere.
pub(super) fn usual_tuning(device: &Device, options: &GpuOptions) -> Tuning {
    let known = known(device, options).map(|(tuning, _)| tuning);
    known.unwrap_or_else(|| start(options.tuning))
}

/// What is decided, with the rest as it does well everywhere.
fn start(choice: TuningChoice) -> Tuning {
    Tuning {
        slider: choice.slider.unwrap_or(Tuning::default().slider),
        last_plies: choice.last_plies.unwrap_or(Tuning::default().last_plies),
        workgroup: choice.workgroup.unwrap_or(Tuning::default().workgroup),
    }
}

/// The tuning, if nothing is left open.
fn decided(choice: TuningChoice) -> Option<Tuning> {
    Some(Tuning {
        slider: choice.slider?,
        last_plies: choice.last_plies?,
        workgroup: choice.workgroup?,
    })
}

/// True if a tuning is one of those that a choice leaves open.
fn fits(choice: TuningChoice, tuning: Tuning) -> bool {
    let TuningChoice {
        slider,
        last_plies,
        workgroup,
    } = choice;
    slider.is_none_or(|it| it == tuning.slider)
        && last_plies.is_none_or(|it| it == tuning.last_plies)
        && workgroup.is_none_or(|it| it == tuning.workgroup)
}

/// Times one property after the other, each with the best of those before it.
fn measure(device: &Arc<Device>, options: &GpuOptions) -> Result<Tuning, BackendError> {
    let choice = options.tuning;
    let start = start(choice);
    let workload = Workload::new(device.summary.kind);
    let mut best = (start, workload.time(device, start, options)?);
    let mut challenge = |tuning: fn(Tuning, usize) -> Option<Tuning>| {
        for index in 0.. {
            let Some(tuning) = tuning(best.0, index) else {
                break;
            };
            let allowed = fits(choice, tuning) && tuning.workgroup <= device.summary.workgroup_max;
            if tuning != best.0 && allowed {
                let time = workload.time(device, tuning, options)?;
                if time < best.1 {
                    best = (tuning, time);
                }
            }
        }
        Ok(())
    };
    challenge(|best, index| {
        let slider = *SliderMethod::ALL.get(index)?;
        Some(Tuning { slider, ..best })
    })?;
    challenge(|best, index| {
        let last_plies = *LastPlies::ALL.get(index)?;
        Some(Tuning { last_plies, ..best })
    })?;
    challenge(|best, index| {
        let workgroup = *WORKGROUP_SIZES.get(index)?;
        Some(Tuning { workgroup, ..best })
    })?;
    Ok(best.0)
}

/// Positions to be counted for the clock.
struct Workload {
    positions: Vec<PackedPosition>,
    depth: LeafDepth,
}

impl Workload {
    /// Positions two plies below known ones: enough to fill a GPU, or to take a software adapter
    /// some milliseconds.
    fn new(kind: AdapterKind) -> Workload {
        let (size, plies) = match kind {
            AdapterKind::Software => (500, 2),
            _ => (8_000, 3),
        };
        let frontier: Vec<PackedPosition> = probe::positions().flat_map(below).collect();
        // Spread over all of them: neighbours are siblings, as in a real frontier.
        let frontier = frontier.iter().step_by((frontier.len() / size).max(1));
        Workload {
            positions: frontier.copied().take(size).collect(),
            depth: LeafDepth::new(plies).expect("a leaf depth"),
        }
    }

    /// The shortest time a device takes with a tuning, by its own clock if it has one.
    fn time(
        &self,
        device: &Arc<Device>,
        tuning: Tuning,
        options: &GpuOptions,
    ) -> Result<Duration, BackendError> {
        let mut counter = GpuCounter::untested(Arc::clone(device), tuning, options)?;
        let mut counts = vec![0; self.positions.len()];
        // Drivers compile and allocate at first use.
        counter.count(&self.positions, self.depth, &mut counts)?;
        let mut shortest = Duration::MAX;
        for _ in 0..RUNS {
            let before = counter.usage().and_then(|usage| usage.computing);
            let start = Instant::now();
            counter.count(&self.positions, self.depth, &mut counts)?;
            let wall = start.elapsed();
            let after = counter.usage().and_then(|usage| usage.computing);
            let computing = after.zip(before).map(|(after, before)| after - before);
            shortest = shortest.min(computing.unwrap_or(wall));
        }
        Ok(shortest)
    }
}

/// The positions two plies below one.
pub(super) fn below(position: PackedPosition) -> Vec<PackedPosition> {
    let position = Position::from_packed_unchecked(&position);
    let mut found = Vec::new();
    for &first in legal_moves(&position).iter() {
        let child = position.play_unchecked(first);
        let replies = legal_moves(&child);
        found.extend(
            replies
                .iter()
                .map(|&reply| child.play_unchecked(reply).packed()),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::parity::device_options;

    /// Everything open is measured, and what is measured is remembered for the same adapter only.
    #[test]
    fn a_measured_tuning_is_remembered() {
        let Some(options) = device_options() else {
            return;
        };
        let folder = tempfile::tempdir().expect("a folder can be made");
        let open = GpuOptions {
            tuning: TuningChoice::default(),
            remembered: Some(folder.path().join("deep/adapters.json")),
            ..options
        };
        let device = Device::open(&open).expect("it opens");
        let (first, how) = tuning(&device, &open).expect("it is measured");
        assert_eq!(how, TunedBy::Measuring);
        assert_eq!(tuning(&device, &open), Ok((first, TunedBy::Memory)));
        // A decision that contradicts memory is obeyed, and not remembered.
        let other = match first.slider {
            SliderMethod::Setwise => SliderMethod::Magic,
            SliderMethod::Magic => SliderMethod::Setwise,
        };
        let decided = GpuOptions {
            tuning: TuningChoice {
                slider: Some(other),
                last_plies: Some(LastPlies::Complete),
                workgroup: Some(64),
            },
            ..open.clone()
        };
        let (second, how) = tuning(&device, &decided).expect("it is decided");
        assert_eq!((second.slider, how), (other, TunedBy::Choice));
        assert_eq!(tuning(&device, &open), Ok((first, TunedBy::Memory)));
    }
}
