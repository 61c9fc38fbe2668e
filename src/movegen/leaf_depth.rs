//! Limits on depth: of a whole count, and of what is counted at once with 32-bit counts.

use crate::board::MOVES_MAX;

/// The greatest depth that can be asked for, in plies. Deeper counts of any position with more than a
/// move or two would not fit 128 bits.
pub const DEPTH_MAX: u32 = 255;

/// How many plies a backend counts below each position: 1 to 3.
///
/// Counts are `u32`. No accepted board has more than [`MOVES_MAX`] legal moves, so three plies fit
/// and four might not.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeafDepth(u32);

const _: () = assert!((MOVES_MAX as u64).pow(LeafDepth::MAX) <= u32::MAX as u64);

impl LeafDepth {
    /// The greatest leaf depth, in plies.
    pub const MAX: u32 = 3;

    /// A leaf depth of 1 to 3 plies.
    pub const fn new(plies: u32) -> Option<LeafDepth> {
        if plies >= 1 && plies <= LeafDepth::MAX {
            Some(LeafDepth(plies))
        } else {
            None
        }
    }

    /// The plies.
    pub const fn plies(self) -> u32 {
        self.0
    }
}
