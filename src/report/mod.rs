//! Results, as plain data, and the formats they are written in. Nothing here counts.
//!
//! One file a format: each turns every kind of [`Report`] into bytes. Records of `analyse`, of which
//! there may be any number, have formats of their own in `records.rs`.

mod bench;
mod devices;
mod json;
mod machine;
#[cfg(feature = "parquet")]
mod parquet;
mod progress;
mod records;
mod summary;
mod text;
mod units;

use std::io::{self, Write};

pub use bench::{
    Baseline, BaselineError, BenchReport, BenchSettings, Compared, Comparison, DeviceShare,
    LeftOut, MeanRatio, Spread, TimedBackend, Timing,
};
pub use devices::{AdapterInfo, BackendInfo, DevicesReport, FeatureInfo};
pub use machine::{Adapter, Build, Machine};
pub use progress::Bar;
pub use records::{RECORD_SCHEMA, RecordFormat, RecordOutput, RecordWriter, Written};
pub use summary::SummaryReport;

use crate::expand::{Expanded, MergedPly};
use crate::movegen::PerftStats;

/// How a run was made; goes beside every figure.
#[derive(Clone, Debug)]
pub struct Run {
    /// Name of the backend that counted.
    pub backend: String,
    /// Why this one.
    pub backend_reason: String,
    /// Devices that counted.
    pub devices: Vec<DeviceRun>,
    /// Threads.
    pub threads: usize,
    /// Whether the last moves were counted without making them.
    pub bulk: bool,
    /// Whether equal positions were merged.
    pub merging: bool,
    /// Bytes merging may take.
    pub memory_bytes: u64,
}

/// How a device was used.
#[derive(Clone, Debug)]
pub struct DeviceRun {
    /// The adapter's name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// The form of its pipelines, and how that was chosen.
    pub tuning: String,
    /// Counters that take turns on it.
    pub slots: usize,
    /// Device memory in use, in bytes.
    pub memory_bytes: u64,
}

/// The count of one depth.
#[derive(Clone, Debug)]
pub struct DepthCount {
    /// Plies.
    pub depth: u32,
    /// Paths.
    pub nodes: u128,
    /// Wall time.
    pub seconds: f64,
}

/// Why a run ended before everything was counted.
pub type Stopped = Option<String>;

/// `perft`: a position counted to each depth up to the one asked for.
#[derive(Clone, Debug)]
pub struct PerftReport {
    /// The position.
    pub fen: String,
    /// The depth asked for.
    pub depth: u32,
    /// Depths counted, from 0 or 1; fewer than asked for if stopped.
    pub counts: Vec<DepthCount>,
    /// How the last depth was split and merged.
    pub expanded: Expanded,
    /// What was read leniently.
    pub warnings: Vec<String>,
    /// Why not all depths were counted.
    pub stopped: Stopped,
    /// How.
    pub run: Run,
}

/// `divide`: perft by root move.
#[derive(Clone, Debug)]
pub struct DivideReport {
    /// The position.
    pub fen: String,
    /// Plies, the root move included.
    pub depth: u32,
    /// UCI text and count of each root move, in order of the text; not all if stopped.
    pub moves: Vec<(String, u128)>,
    /// Their sum, if all were counted and it fits.
    pub nodes: Option<u128>,
    /// Wall time.
    pub seconds: f64,
    /// What was read leniently.
    pub warnings: Vec<String>,
    /// Why not all moves were counted.
    pub stopped: Stopped,
    /// How.
    pub run: Run,
}

/// `stats`: perft statistics of each depth.
#[derive(Clone, Debug)]
pub struct StatsReport {
    /// The position.
    pub fen: String,
    /// Statistics and wall seconds by depth, from 0 or 1; fewer than asked for if stopped.
    pub depths: Vec<(u32, PerftStats, f64)>,
    /// What was read leniently.
    pub warnings: Vec<String>,
    /// Why not all depths were counted.
    pub stopped: Stopped,
    /// How.
    pub run: Run,
}

/// `unique`: the different positions of each ply.
#[derive(Clone, Debug)]
pub struct UniqueReport {
    /// The position.
    pub fen: String,
    /// The last ply asked for.
    pub depth: u32,
    /// The plies from 0, with the wall seconds from the start; fewer than asked for if stopped, or
    /// if the game ends earlier.
    pub plies: Vec<(MergedPly, f64)>,
    /// What was read leniently.
    pub warnings: Vec<String>,
    /// Why not all plies were counted.
    pub stopped: Stopped,
    /// How.
    pub run: Run,
}

/// A count that differs from the expected one.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// File and line.
    pub origin: String,
    /// The record's name, if it has one.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// Plies.
    pub depth: u32,
    /// What the suite says.
    pub expected: u128,
    /// What was counted.
    pub got: u128,
}

/// Mismatches, refusals and warnings that a [`SuiteReport`] lists one by one; all are counted.
pub const LISTED_MAX: usize = 1_000;

/// `suite`: many positions held against their known counts.
#[derive(Clone, Debug)]
pub struct SuiteReport {
    /// Positions read.
    pub positions: u64,
    /// Of these, positions that came without a count.
    pub without_counts: u64,
    /// Counts compared.
    pub checked: u64,
    /// Of these, wrong ones.
    pub wrong: u64,
    /// The wrong ones, the first [`LISTED_MAX`] of them.
    pub mismatches: Vec<Mismatch>,
    /// Records refused.
    pub rejected: u64,
    /// Their reasons, the first [`LISTED_MAX`] of them.
    pub rejections: Vec<String>,
    /// Warnings given.
    pub warned: u64,
    /// The warnings, the first [`LISTED_MAX`] of them.
    pub warnings: Vec<String>,
    /// Counts left out by `--max-depth` or `--max-nodes`.
    pub skipped: u64,
    /// Leaves counted.
    pub nodes: u128,
    /// Wall time.
    pub seconds: f64,
    /// Why the run ended before the last record.
    pub stopped: Stopped,
    /// How.
    pub run: Run,
}

/// Anything a command has to say on standard output.
#[expect(missing_docs, reason = "each variant wraps the report of its name")]
#[derive(Clone, Debug)]
pub enum Report {
    Perft(PerftReport),
    Divide(DivideReport),
    Stats(StatsReport),
    /// See [`UniqueReport`].
    Unique(UniqueReport),
    Suite(SuiteReport),
    Devices(DevicesReport),
    Summary(SummaryReport),
    Bench(Box<BenchReport>),
}

/// An output format.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text {
        /// More detail, such as merged plies.
        verbose: bool,
        /// The result alone.
        quiet: bool,
    },
    /// One JSON object; counts are decimal strings, as they pass 2^53.
    Json,
}

impl BenchReport {
    /// Writes the report as Markdown.
    pub fn write_markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        bench::markdown::write(self, out)
    }
}

impl Report {
    /// Writes the report.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text { verbose, quiet } => text::write(self, verbose, quiet, out),
            Format::Json => json::write(self, out),
        }
    }
}
