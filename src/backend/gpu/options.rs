//! How to open and use a device.

use std::path::PathBuf;
use std::time::Duration;

use super::adapter::AdapterChoice;
use super::shaders::{LastPlies, SliderMethod};

/// How long one submission may take before the device is given up. Chunks are sized for a fraction
/// of a second; a software adapter on a busy machine may need many times that.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The form of the pipelines: what may differ between adapters without changing a count.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// How slider moves are found.
    pub slider: SliderMethod,
    /// How the last two plies are counted.
    pub last_plies: LastPlies,
    /// Invocations in a workgroup: 32, 64, 128 or 256.
    pub workgroup: u32,
}

impl Default for Tuning {
    /// What does well everywhere.
    fn default() -> Tuning {
        Tuning {
            slider: SliderMethod::Setwise,
            last_plies: LastPlies::Speculative,
            workgroup: 64,
        }
    }
}

impl std::fmt::Display for Tuning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tuning {
            slider,
            last_plies,
            workgroup,
        } = self;
        write!(
            f,
            "{slider} sliders, {last_plies} last plies, workgroups of {workgroup}"
        )
    }
}

/// Parts of a [`Tuning`] that are decided; the rest is measured on the adapter.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TuningChoice {
    /// How slider moves are found.
    pub slider: Option<SliderMethod>,
    /// How the last two plies are counted.
    pub last_plies: Option<LastPlies>,
    /// Invocations in a workgroup: 32, 64, 128 or 256.
    pub workgroup: Option<u32>,
}

impl From<Tuning> for TuningChoice {
    fn from(tuning: Tuning) -> TuningChoice {
        TuningChoice {
            slider: Some(tuning.slider),
            last_plies: Some(tuning.last_plies),
            workgroup: Some(tuning.workgroup),
        }
    }
}

/// How to open and use a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuOptions {
    /// Which adapter.
    pub adapter: AdapterChoice,
    /// What of the pipelines is decided; the rest is measured when the device is opened.
    pub tuning: TuningChoice,
    /// File in which measured tunings are remembered by adapter, driver and program version; `None`
    /// to measure each time.
    pub remembered: Option<PathBuf>,
    /// Places for moves of the last level but one, or for those that may give check where facts are
    /// found; `None` for what suits the adapter. Lower means less memory and smaller chunks; it never
    /// means a partial result.
    pub leaf_moves: Option<u32>,
    /// Let shaders check every index and bound every loop: slower, for tests and doubtful drivers.
    pub runtime_checks: bool,
    /// Use no more than what WebGPU promises everywhere, even if the adapter offers more.
    pub default_limits: bool,
    /// How long one submission may take before the device is given up.
    pub timeout: Duration,
}

impl Default for GpuOptions {
    fn default() -> GpuOptions {
        GpuOptions {
            adapter: AdapterChoice::Hardware,
            tuning: TuningChoice::default(),
            remembered: None,
            leaf_moves: None,
            runtime_checks: false,
            default_limits: false,
            timeout: TIMEOUT,
        }
    }
}
