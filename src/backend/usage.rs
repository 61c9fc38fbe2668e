//! What a backend that has a device of its own spent on it.

use std::time::Duration;

/// What a device did for a counter since it was made, beside the wall time that its user sees.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceUsage {
    /// Submissions sent to the device.
    pub submissions: u64,
    /// Bytes of positions sent to it.
    pub uploaded_bytes: u64,
    /// Bytes of counts and totals fetched from it.
    pub read_bytes: u64,
    /// Time this side took to hand over positions.
    pub upload: Duration,
    /// Time the device computed, by its own clock; `None` if it has no timestamps.
    pub computing: Option<Duration>,
    /// Time this side took to fetch results once they were there.
    pub readback: Duration,
    /// Chunks that did not fit the arena and were counted in smaller parts.
    pub overflows: u64,
    /// Device memory in use, in bytes.
    pub memory_bytes: u64,
}
