//! What can go wrong in a backend.

use std::borrow::Cow;

/// A backend could not count. No count of the call that failed may be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// This machine cannot run the backend.
    #[error("backend {backend} cannot run here: {reason}")]
    Unavailable {
        /// The backend's name.
        backend: &'static str,
        /// What is missing.
        reason: Cow<'static, str>,
    },
    /// A count of one position passes 32 bits; [`crate::movegen::LeafDepth::deepest`] says how deep
    /// never does.
    #[error("a position has more than 2^32 paths of {plies} plies, too many for one leaf depth")]
    CountOverflow {
        /// Plies counted.
        plies: u32,
    },
    /// No adapter is like the one asked for.
    #[error("no adapter {wanted} (found: {})", listed(.found))]
    NoAdapter {
        /// What was asked for.
        wanted: String,
        /// The names of those there are.
        found: Vec<String>,
    },
    /// The adapter's limits are too low to count one position.
    #[error("adapter {adapter} binds at most {binding_bytes} bytes, {needed_bytes} are needed")]
    TooSmall {
        /// The adapter's name.
        adapter: String,
        /// Largest binding it offers.
        binding_bytes: u64,
        /// What the smallest arena needs.
        needed_bytes: u64,
    },
    /// A buffer could not be allocated.
    #[error("adapter {adapter} has no room for another {bytes} bytes")]
    OutOfMemory {
        /// The adapter's name.
        adapter: String,
        /// Size of the buffers that were asked for.
        bytes: u64,
    },
    /// The device is gone: reset, unplugged or taken away by the driver.
    #[error("device {adapter} was lost: {reason}")]
    DeviceLost {
        /// The adapter's name.
        adapter: String,
        /// The driver's words.
        reason: String,
    },
    /// The driver refused or failed an operation.
    #[error("device {adapter} failed: {reason}")]
    DeviceFailed {
        /// The adapter's name.
        adapter: String,
        /// The driver's words.
        reason: String,
    },
    /// The device did not finish in time.
    #[error("device {adapter} did not answer within {seconds} s")]
    TimedOut {
        /// The adapter's name.
        adapter: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// A count that should have been there was never written.
    #[error("device {adapter} left {unwritten} of {positions} counts unwritten")]
    Unwritten {
        /// The adapter's name.
        adapter: String,
        /// Counts that are missing.
        unwritten: usize,
        /// Counts that were asked for.
        positions: usize,
    },
    /// The device listed other numbers of moves than it counted.
    #[error(
        "device {adapter} listed the moves it had counted for {agreed} of {positions} positions"
    )]
    Disagreement {
        /// The adapter's name.
        adapter: String,
        /// Positions for which both numbers were equal.
        agreed: u32,
        /// Positions that were looked at.
        positions: u32,
    },
    /// The device counted a known position wrong, and is not used.
    #[error(
        "device {adapter} counts {found} for known position {position} at depth {depth}, \
         {expected} is right; it is not used"
    )]
    WrongCount {
        /// The adapter's name.
        adapter: String,
        /// Which of the known positions, from 0.
        position: usize,
        /// Plies counted.
        depth: u32,
        /// The right count.
        expected: u32,
        /// What the device says.
        found: u32,
    },
    /// The device found wrong facts of a known position, and is not used.
    #[error("device {adapter} finds wrong facts of known position {position}; it is not used")]
    WrongFacts {
        /// The adapter's name.
        adapter: String,
        /// Which of the known positions, from 0.
        position: usize,
    },
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
