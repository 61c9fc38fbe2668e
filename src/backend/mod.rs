//! The seam: every backend takes a slice of packed positions and fills a slice of counts.
//!
//! Nothing to the left (parsing, expanding) or right (reducing, reporting) knows which backend
//! counted. To add one, write its module and add a line to [`BackendKind`].

pub mod cpu;
mod error;

pub use error::BackendError;

use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// Counts leaves below positions. One value is used by one thread at a time.
pub trait LeafCounter: Send {
    /// Most positions accepted by one `count` call.
    fn batch_max(&self) -> usize;

    /// Sets `counts[i]` to the number of legal move paths of length `depth` from `positions[i]`.
    ///
    /// # Panics
    /// If the slices differ in length or exceed [`LeafCounter::batch_max`].
    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError>;
}

/// Every backend of this build.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BackendKind {
    /// One position at a time with magic sliders; runs everywhere.
    CpuScalar,
    /// The same, compiled for processors with BMI2 and with PEXT sliders.
    CpuBmi2,
}

impl BackendKind {
    /// All backends, fastest first.
    pub const ALL: [BackendKind; 2] = [BackendKind::CpuBmi2, BackendKind::CpuScalar];

    /// The name used in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            BackendKind::CpuScalar => "cpu-scalar",
            BackendKind::CpuBmi2 => "cpu-bmi2",
        }
    }

    /// Why this backend cannot run on this machine; `None` if it can.
    pub fn unavailable_because(self) -> Option<&'static str> {
        match self {
            BackendKind::CpuScalar => None,
            BackendKind::CpuBmi2 => cpu::bmi2_unavailable_because(),
        }
    }

    /// Why `auto` would not choose this backend although it runs; `None` if it is as fast as it
    /// should be.
    pub fn slow_because(self) -> Option<&'static str> {
        match self {
            BackendKind::CpuScalar => None,
            BackendKind::CpuBmi2 => cpu::bmi2_slow_because(),
        }
    }

    /// The fastest backend of this machine.
    pub fn fastest() -> BackendKind {
        let runs_fast = |kind: &BackendKind| {
            kind.unavailable_because().is_none() && kind.slow_because().is_none()
        };
        BackendKind::ALL
            .into_iter()
            .find(runs_fast)
            .unwrap_or(BackendKind::CpuScalar)
    }

    /// A counter of this kind for one thread.
    pub fn counter(self) -> Result<Box<dyn LeafCounter>, BackendError> {
        if let Some(reason) = self.unavailable_because() {
            return Err(BackendError::Unavailable {
                backend: self.name(),
                reason,
            });
        }
        Ok(cpu::counter(self))
    }
}

impl std::fmt::Display for BackendKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
