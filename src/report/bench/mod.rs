//! What `bench` measured, as plain data that is also the JSON: fields are named here and nowhere else.

pub(super) mod json;
pub(super) mod markdown;
mod table;
pub(super) mod text;

use serde_derive::{Deserialize, Serialize};

pub use json::{Baseline, BaselineError};

use super::{Adapter, Build, Machine, Stopped};

/// `bench`: the throughput of every backend.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchReport {
    /// When it began, in UTC.
    pub date: String,
    /// The program's arguments.
    pub command_line: Vec<String>,
    /// The program.
    pub build: Build,
    /// The machine.
    pub machine: Machine,
    /// How it was measured.
    pub settings: BenchSettings,
    /// What was measured.
    pub backends: Vec<TimedBackend>,
    /// What was not, and why.
    pub left_out: Vec<LeftOut>,
    /// What to keep in mind when reading the figures.
    pub warnings: Vec<String>,
    /// The figures beside those of another report.
    pub comparison: Option<Comparison>,
    /// Why the run ended before everything was measured.
    pub stopped: Stopped,
}

/// How it was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchSettings {
    /// Threads that expand positions and, for a backend of the processor, count.
    pub threads: usize,
    /// Measured runs of each position by each backend.
    pub runs: usize,
    /// How long a run was meant to take.
    pub run_seconds: f64,
    /// Whether equal positions were merged: never.
    pub merging: bool,
    /// Whether the last moves were counted without making them: always.
    pub bulk: bool,
}

/// A backend and what it achieved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimedBackend {
    /// Its name in `--backend`; for a GPU with the number of the adapter.
    pub name: String,
    /// The adapter, if it has one.
    pub adapter: Option<Adapter>,
    /// What it counts with.
    pub pipeline: String,
    /// What it achieved on each position, in order; those it finished.
    pub timings: Vec<Timing>,
    /// Geometric mean of the medians, in leaves per second; `None` if a position is missing.
    pub nps_mean: Option<f64>,
    /// Why it ended early, if it failed.
    pub failed: Option<String>,
}

/// A position counted over and over by one backend. Every count was right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The position's name.
    pub position: String,
    /// The position.
    pub fen: String,
    /// Plies.
    pub depth: u32,
    /// Of these, the plies counted by the backend.
    pub leaf_depth: u32,
    /// Leaves of one count.
    #[serde(with = "json::decimal")]
    pub nodes: u128,
    /// Positions handed to the backend in one count.
    #[serde(with = "json::decimal")]
    pub positions: u128,
    /// How often a run counted.
    pub counts_per_run: u32,
    /// Wall time of one count, by run: that of the run divided by its counts.
    pub run_seconds: Vec<f64>,
    /// The middle and spread of these.
    pub seconds: Spread,
    /// The same in leaves per second.
    pub nps: Spread,
    /// Positions handed to the backend per second, in the median run.
    pub positions_per_second: f64,
    /// What its device did meanwhile, if it has one.
    pub device: Option<DeviceShare>,
}

/// The middle of some measurements, and how far they lie apart.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// As many lie above as below.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Median of the absolute differences from the median.
    pub mad: f64,
}

/// What a device did in the measured runs: totals of one count on average, and shares of the wall time.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceShare {
    /// Seconds it computed, by its own clock, if it has one.
    pub computing_seconds: Option<f64>,
    /// The same as a share of the wall time; near 1, the device was kept busy.
    pub computing_share: Option<f64>,
    /// Share of the wall time spent handing over positions.
    pub upload_share: f64,
    /// Share of the wall time spent fetching results that were there.
    pub readback_share: f64,
    /// Bytes of positions sent.
    pub uploaded_bytes: f64,
    /// Bytes of counts fetched.
    pub read_bytes: f64,
    /// Submissions.
    pub submissions: f64,
    /// Chunks counted again in smaller parts.
    pub overflows: f64,
    /// Device memory in use, in bytes.
    pub memory_bytes: u64,
}

/// A backend or adapter that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Which.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// Figures beside those of another report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The other report: file, date, commit.
    pub old: String,
    /// In what the two runs differ besides their figures.
    pub differences: Vec<String>,
    /// What both measured.
    pub rows: Vec<Compared>,
    /// Geometric mean of the ratios of each backend, over the positions counted to the same depth.
    pub means: Vec<MeanRatio>,
    /// What only one of them measured.
    pub unmatched: Vec<String>,
}

/// One backend on all positions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeanRatio {
    /// The backend.
    pub backend: String,
    /// Now divided by then; above 1 is faster.
    pub ratio: f64,
}

/// One backend on one position, then and now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// The backend.
    pub backend: String,
    /// The position's name.
    pub position: String,
    /// Plies now.
    pub depth: u32,
    /// Plies then.
    pub old_depth: u32,
    /// Median leaves per second then.
    pub old_nps: f64,
    /// Median leaves per second now.
    pub nps: f64,
    /// Now divided by then; above 1 is faster.
    pub ratio: f64,
}
