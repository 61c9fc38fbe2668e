//! The seam: every backend takes a slice of packed positions and fills a slice of counts, or of facts.
//!
//! Nothing to the left (parsing, expanding) or right (reducing, reporting) knows which backend
//! counted. To add one, write its module and add a line to [`BackendKind`].

pub mod cpu;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
mod usage;

use std::borrow::Cow;

pub use error::BackendError;
pub use usage::DeviceUsage;

use crate::movegen::{LeafDepth, MoveFacts};
use crate::position::PackedPosition;

/// Counts leaves below positions. One value is used by one thread at a time.
pub trait LeafCounter: Send {
    /// Most positions accepted by one `count` call.
    fn batch_max(&self) -> usize;

    /// Sets `counts[i]` to the number of legal move paths of length `depth` from `positions[i]`.
    ///
    /// Fails if a count passes 32 bits, which no depth up to [`LeafDepth::deepest`] does.
    ///
    /// # Panics
    /// If the slices differ in length or exceed [`LeafCounter::batch_max`].
    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError>;

    /// What its device did so far; `None` if it has none.
    fn usage(&self) -> Option<DeviceUsage> {
        None
    }
}

/// Finds facts of positions. One value is used by one thread at a time.
pub trait FactFinder: Send {
    /// Sets `facts[i]` to what can be played in `positions[i]`, with the squares as the side to move
    /// sees them. Any number of positions is accepted. No fact of a call that failed may be used.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn find(
        &mut self,
        positions: &[PackedPosition],
        facts: &mut [MoveFacts],
    ) -> Result<(), BackendError>;
}

/// Every backend of this build.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BackendKind {
    /// One position at a time with magic sliders; runs everywhere.
    CpuScalar,
    /// The same, compiled for processors with BMI2 and with PEXT sliders.
    CpuBmi2,
    /// As [`BackendKind::CpuBmi2`], but the leaves of four children at once, in AVX2 vectors.
    CpuAvx2,
    /// The same with eight children in AVX-512 vectors.
    CpuAvx512,
    /// Compute shaders on a GPU; see [`gpu`].
    #[cfg(feature = "gpu")]
    Gpu,
}

impl BackendKind {
    /// All backends: those of the CPU, fastest first, then the others.
    pub const ALL: [BackendKind; if cfg!(feature = "gpu") { 5 } else { 4 }] = [
        BackendKind::CpuAvx512,
        BackendKind::CpuAvx2,
        BackendKind::CpuBmi2,
        BackendKind::CpuScalar,
        #[cfg(feature = "gpu")]
        BackendKind::Gpu,
    ];

    /// Those of the processor, fastest first.
    pub const PROCESSOR: [BackendKind; 4] = [
        BackendKind::CpuAvx512,
        BackendKind::CpuAvx2,
        BackendKind::CpuBmi2,
        BackendKind::CpuScalar,
    ];

    /// The name used in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            BackendKind::CpuScalar => "cpu-scalar",
            BackendKind::CpuBmi2 => "cpu-bmi2",
            BackendKind::CpuAvx2 => "cpu-avx2",
            BackendKind::CpuAvx512 => "cpu-avx512",
            #[cfg(feature = "gpu")]
            BackendKind::Gpu => "gpu",
        }
    }

    /// What it counts with: instructions beyond those of every processor, and how it finds slider
    /// moves.
    pub fn uses(self) -> &'static str {
        match self {
            BackendKind::CpuScalar => "magic tables",
            BackendKind::CpuBmi2 => "BMI1, BMI2, LZCNT, POPCNT; PEXT tables",
            BackendKind::CpuAvx2 => "AVX2, four boards a vector; the rest as cpu-bmi2",
            BackendKind::CpuAvx512 => "AVX-512, eight boards a vector; the rest as cpu-bmi2",
            #[cfg(feature = "gpu")]
            BackendKind::Gpu => "compute shaders",
        }
    }

    /// Why this backend cannot run on this machine; `None` if it can.
    ///
    /// For a GPU this opens the device and has it count known positions, which takes a moment the
    /// first time; ask [`BackendKind::slow_because`] first.
    pub fn unavailable_because(self) -> Option<Cow<'static, str>> {
        match self {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu => gpu::unavailable_because().map(Cow::Owned),
            _ => cpu::unavailable_because(self).map(Cow::Borrowed),
        }
    }

    /// Why `auto` would not choose this backend although it runs; `None` if it is as fast as it
    /// should be.
    pub fn slow_because(self) -> Option<&'static str> {
        match self {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu => gpu::slow_because(),
            _ => cpu::slow_because(self),
        }
    }

    /// The fastest backend of this machine's processor.
    pub fn fastest() -> BackendKind {
        let runs_fast = |kind: &BackendKind| {
            kind.slow_because().is_none() && kind.unavailable_because().is_none()
        };
        BackendKind::PROCESSOR
            .into_iter()
            .find(runs_fast)
            .unwrap_or(BackendKind::CpuScalar)
    }

    /// Sets `facts[i]` to what can be played in `positions[i]`, with the squares as the side to move
    /// sees them.
    ///
    /// On the processor this does not fail. Few positions are looked at on this thread; many are shared
    /// out among the threads of the rayon pool that this is called in. A GPU is opened on first use.
    ///
    /// # Panics
    /// If the slices differ in length.
    ///
    /// ```
    /// use hyperft::{backend::BackendKind, movegen::MoveFacts, parse::parse_fen};
    ///
    /// let mate_in_one = parse_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
    /// let mut facts = [MoveFacts::default()];
    /// BackendKind::fastest().move_facts(&[mate_in_one.packed()], &mut facts).unwrap();
    /// assert_eq!((facts[0].legal_moves, facts[0].mates), (20, 1));
    /// ```
    pub fn move_facts(
        self,
        positions: &[PackedPosition],
        facts: &mut [MoveFacts],
    ) -> Result<(), BackendError> {
        assert_eq!(positions.len(), facts.len(), "facts of each position");
        match self {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu => gpu::facts::move_facts(positions, facts),
            _ => {
                cpu::move_facts(self, positions, facts);
                Ok(())
            }
        }
    }

    /// A counter of this kind for one thread.
    pub fn counter(self) -> Result<Box<dyn LeafCounter>, BackendError> {
        if let Some(reason) = self.unavailable_because() {
            return Err(BackendError::Unavailable {
                backend: self.name(),
                reason,
            });
        }
        match self {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu => gpu::counter(),
            _ => Ok(cpu::counter(self)),
        }
    }
}

impl std::fmt::Display for BackendKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
