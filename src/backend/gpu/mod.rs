//! Counting on a GPU: WGSL compute shaders through Vulkan, Metal or Direct3D 12.
//!
//! Breadth first in a bounded arena. For leaf depth 2 and 3 the moves of a level are counted,
//! scanned into places and listed; each listed move is made by an invocation of its own, which
//! stores the child (when there is another level) or counts its replies at once (at the last ply).
//! At the last ply a short kernel may count what is easy and list the rest for a complete one.
//! Counts then go back up by adding neighbours, as all children of a position lie side by side.
//! Facts of positions are found by kernels of their own: see [`GpuFacts`].
//!
//! Nothing here returns a number that was not checked: an adapter counts known positions before it
//! is used, counts that were never written are told from counts of zero, totals too large for the
//! arena make chunks smaller instead of counts lower, and whatever a driver reports is an error.

mod adapter;
mod buffers;
mod calibrate;
mod chunk;
mod counter;
mod device;
pub(super) mod facts;
#[cfg(test)]
mod faults;
mod levels;
mod meter;
mod options;
#[cfg(test)]
mod parity;
mod probe;
mod remembered;
mod run;
mod shaders;

use std::sync::{Mutex, OnceLock, PoisonError};

pub use adapter::{
    AdapterChoice, AdapterFeature, AdapterKind, AdapterSummary, adapters, find_adapter,
};
pub use calibrate::TunedBy;
pub use counter::GpuCounter;
pub use facts::GpuFacts;
pub use options::{GpuOptions, Tuning, TuningChoice};
pub use shaders::{LastPlies, ShaderSource, SliderMethod, shader_sources};

use super::{BackendError, DeviceUsage, LeafCounter};
use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// The library that reaches GPUs, and its version as far as the build knows it.
pub fn library() -> String {
    format!("wgpu {}", option_env!("HYPERFT_WGPU").unwrap_or("30"))
}

/// Opens a device for several threads: a counter for each, that take turns on it. While one fetches
/// its results and hands over the next positions, the device computes for the others.
///
/// A software adapter gets one: it computes on the same processor and blocks whoever submits.
pub fn open(options: &GpuOptions) -> Result<Vec<GpuCounter>, BackendError> {
    let first = GpuCounter::new(options)?;
    let slots = match first.adapter().kind {
        AdapterKind::Software => 1,
        AdapterKind::Discrete => 3,
        _ => 2,
    };
    let mut counters = vec![first];
    while counters.len() < slots {
        match counters[0].another() {
            Ok(counter) => counters.push(counter),
            // It is only slower with fewer.
            Err(BackendError::OutOfMemory { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(counters)
}

/// The device that [`super::BackendKind::Gpu`] means, opened on first use: the best adapter, a
/// software one if there is no other.
fn shared() -> Result<&'static Mutex<GpuCounter>, BackendError> {
    static SHARED: OnceLock<Result<Mutex<GpuCounter>, BackendError>> = OnceLock::new();
    let opened = SHARED.get_or_init(|| {
        let options = GpuOptions {
            adapter: AdapterChoice::Any,
            tuning: Tuning::default().into(),
            ..GpuOptions::default()
        };
        GpuCounter::new(&options).map(Mutex::new)
    });
    opened.as_ref().map_err(Clone::clone)
}

/// One device for the whole process: threads that want a counter of their own take turns.
struct SharedCounter(&'static Mutex<GpuCounter>);

impl SharedCounter {
    fn with<R>(&self, use_it: impl FnOnce(&mut GpuCounter) -> R) -> R {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl LeafCounter for SharedCounter {
    fn batch_max(&self) -> usize {
        self.with(|counter| counter.batch_max())
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        self.with(|counter| counter.count(positions, depth, counts))
    }

    fn usage(&self) -> Option<DeviceUsage> {
        self.with(|counter| counter.usage())
    }
}

/// A counter that shares the process's device.
pub(super) fn counter() -> Result<Box<dyn LeafCounter>, BackendError> {
    Ok(Box::new(SharedCounter(shared()?)))
}

/// Why the process's device cannot be used; opens it to find out.
pub(super) fn unavailable_because() -> Option<String> {
    shared().err().map(|error| error.to_string())
}

/// Why the device would be slow: it is no GPU at all. Opens nothing.
pub(super) fn slow_because() -> Option<&'static str> {
    let hardware = find_adapter(&AdapterChoice::Hardware).is_ok();
    (!hardware).then_some("there is no GPU, only software that runs shaders on the processor")
}
