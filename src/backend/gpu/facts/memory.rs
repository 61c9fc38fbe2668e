//! Device memory of a finder of facts, and what its words mean.

use crate::backend::BackendError;
use crate::backend::gpu::buffers::{Common, dispatch_size, storage, stored, table_bytes};
use crate::backend::gpu::chunk::{FactPlaces, MOVE_BYTES, WORD_BYTES};
use crate::backend::gpu::device::Device;
use crate::board::Bitboard;
use crate::movegen::MoveFacts;
use crate::position::PackedPosition;

/// `Found` of `shaders/found.wgsl`. Sets are two words each, the low one first.
#[derive(Copy, Clone, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(in crate::backend::gpu) struct StoredFacts {
    pub(in crate::backend::gpu) checkers: [u32; 2],
    pub(in crate::backend::gpu) pinned: [u32; 2],
    pub(in crate::backend::gpu) moves: u32,
    pub(in crate::backend::gpu) special: u32,
    pub(in crate::backend::gpu) candidates: u32,
    pub(in crate::backend::gpu) judged: u32,
    pub(in crate::backend::gpu) others: u32,
    pub(in crate::backend::gpu) mates: u32,
}

/// Bytes of the facts of a position.
pub(super) const FOUND_BYTES: u64 = size_of::<StoredFacts>() as u64;
/// Words of them.
pub(super) const FOUND_WORDS: usize = size_of::<StoredFacts>() / size_of::<u32>();

/// The halves of a word.
fn halves(word: u32) -> (u16, u16) {
    (word as u16, (word >> 16) as u16)
}

fn set([low, high]: [u32; 2]) -> Bitboard {
    Bitboard(u64::from(high) << 32 | u64::from(low))
}

impl StoredFacts {
    /// Whether both kernels have written all they had to: as many moves were made as were listed.
    pub(super) fn complete(&self) -> bool {
        stored(self.candidates) == u32::from(halves(self.judged).0)
    }

    pub(super) fn facts(&self) -> MoveFacts {
        let (legal_moves, captures) = halves(self.moves);
        let (promotions, rare) = halves(self.special);
        let (discovery_checks, double_checks) = halves(self.others);
        MoveFacts {
            checkers: set(self.checkers),
            pinned: set(self.pinned),
            legal_moves,
            captures,
            ep_captures: rare & 0xff,
            castles: rare >> 8,
            promotions,
            checks: halves(self.judged).1,
            discovery_checks,
            double_checks,
            mates: self.mates as u16,
        }
    }
}

/// All device memory of a finder.
pub(in crate::backend::gpu) struct Memory {
    pub(super) positions: wgpu::Buffer,
    pub(super) found: wgpu::Buffer,
    /// The number of moves that may give check, and those moves.
    pub(super) candidates: wgpu::Buffer,
    /// The size of the dispatch that makes them.
    pub(super) size: wgpu::Buffer,
    pub(in crate::backend::gpu) common: Common,
}

impl Memory {
    pub(super) fn new(device: &Device, places: FactPlaces) -> Result<Memory, BackendError> {
        let tables = table_bytes();
        let bytes = places.bytes(FOUND_BYTES) + tables.len() as u64;
        device.scoped(bytes, || {
            let positions = u64::from(places.positions);
            let found = positions * FOUND_BYTES;
            Memory {
                positions: storage(
                    device,
                    "positions",
                    positions * size_of::<PackedPosition>() as u64,
                ),
                found: storage(device, "found", found),
                candidates: storage(
                    device,
                    "candidates",
                    (1 + u64::from(places.candidates)) * MOVE_BYTES,
                ),
                size: dispatch_size(device),
                common: Common::new(device, &tables, found + WORD_BYTES),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cleared buffer is incomplete everywhere, and what is written is read as it was meant.
    #[test]
    fn cleared_facts_are_no_facts() {
        let cleared: StoredFacts = bytemuck::Zeroable::zeroed();
        assert!(!cleared.complete());
        let written = StoredFacts {
            checkers: [1, 2],
            pinned: [3, 0],
            moves: 40 | 5 << 16,
            special: 12 | 2 << 16 | 1 << 24,
            candidates: !7,
            judged: 7 | 6 << 16,
            others: 3 | 2 << 16,
            mates: 1,
        };
        assert!(written.complete());
        let facts = MoveFacts {
            checkers: Bitboard(1 | 2 << 32),
            pinned: Bitboard(3),
            legal_moves: 40,
            captures: 5,
            ep_captures: 2,
            castles: 1,
            promotions: 12,
            checks: 6,
            discovery_checks: 3,
            double_checks: 2,
            mates: 1,
        };
        assert_eq!(written.facts(), facts);
        let judged = written.judged - 1;
        assert!(!StoredFacts { judged, ..written }.complete());
    }
}
