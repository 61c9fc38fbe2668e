//! `GpuCounter`: a batch in, counts out, chunk by chunk.

use std::sync::Arc;

use super::adapter::{AdapterKind, AdapterSummary};
use super::buffers::Buffers;
use super::calibrate::TunedBy;
use super::chunk::{Arena, ChunkSize, LEAF_MOVES_MIN, MOVE_BYTES, WORKGROUP_SIZES};
use super::device::Device;
use super::meter::Meter;
use super::options::{GpuOptions, Tuning};
use super::run::Pipelines;
use super::shaders::Kernel;
use super::{calibrate, probe};
use crate::backend::{BackendError, DeviceUsage, LeafCounter};
use crate::movegen::{LeafDepth, legal_moves};
use crate::position::{PackedPosition, Position};

/// Positions in one `count` call; they are cut into chunks inside.
const BATCH_HARDWARE: usize = 1 << 20;

/// The same on a software adapter, which is slow enough for a run to wait for its last batch.
const BATCH_SOFTWARE: usize = 1 << 14;

/// Places for moves on a real GPU: 512 MiB of moves, their counts and the redo list, enough work for a submission
/// to outweigh what it costs to start one.
const LEAF_MOVES_HARDWARE: u32 = 1 << 25;

/// The same on a software adapter, where big chunks only fall out of the caches.
const LEAF_MOVES_SOFTWARE: u32 = 1 << 20;

/// Counts leaves on one device.
pub struct GpuCounter {
    pub(super) device: Arc<Device>,
    pub(super) pipelines: Arc<Pipelines>,
    pub(super) buffers: Buffers,
    pub(super) arena: Arena,
    tuned_by: TunedBy,
    /// The chunk size that suits each leaf depth.
    chunks: [ChunkSize; LeafDepth::MAX as usize],
    pub(super) meter: Meter,
}

impl GpuCounter {
    /// Opens a device, measures what of its tuning is not decided, and makes it count known
    /// positions; it is refused if it gets one wrong.
    ///
    /// # Panics
    /// If the workgroup size is decided and not 32, 64, 128 or 256.
    pub fn new(options: &GpuOptions) -> Result<GpuCounter, BackendError> {
        if let Some(size) = options.tuning.workgroup {
            assert!(
                WORKGROUP_SIZES.contains(&size),
                "workgroup sizes are {WORKGROUP_SIZES:?}, not {size}"
            );
        }
        let device = Device::open(options)?;
        let (tuning, tuned_by) = calibrate::tuning(&device, options)?;
        let mut counter = GpuCounter::untested(device, tuning, options)?;
        counter.tuned_by = tuned_by;
        probe::check(&mut counter)?;
        // The first runs of a kernel are slow, and say nothing about the size of chunks.
        counter.chunks = first_chunks(&counter.arena);
        Ok(counter)
    }

    /// A counter on an open device that still has to prove itself.
    pub(super) fn untested(
        device: Arc<Device>,
        tuning: Tuning,
        options: &GpuOptions,
    ) -> Result<GpuCounter, BackendError> {
        let pipelines = Arc::new(Pipelines::new(&device, tuning, &Kernel::COUNTING)?);
        let wanted = options.leaf_moves.unwrap_or(match device.summary.kind {
            AdapterKind::Software => LEAF_MOVES_SOFTWARE,
            _ => LEAF_MOVES_HARDWARE,
        });
        GpuCounter::with_arena(device, pipelines, wanted)
    }

    /// Another counter on the same device, with an arena of its own: what one computes while the
    /// other is being fed.
    pub fn another(&self) -> Result<GpuCounter, BackendError> {
        let (device, pipelines) = (Arc::clone(&self.device), Arc::clone(&self.pipelines));
        GpuCounter::with_arena(device, pipelines, self.arena.leaf_moves)
    }

    /// Allocates the arena: of `wanted` places, or half of that, or half again, as memory allows.
    fn with_arena(
        device: Arc<Device>,
        pipelines: Arc<Pipelines>,
        wanted: u32,
    ) -> Result<GpuCounter, BackendError> {
        let binding_bytes = device.summary.binding_bytes_max;
        let mut wanted = wanted;
        let (arena, buffers) = loop {
            let arena =
                Arena::new(wanted, binding_bytes).ok_or_else(|| BackendError::TooSmall {
                    adapter: device.name(),
                    binding_bytes,
                    needed_bytes: u64::from(LEAF_MOVES_MIN) * MOVE_BYTES,
                })?;
            match Buffers::new(&device, &arena) {
                Ok(buffers) => break (arena, buffers),
                Err(BackendError::OutOfMemory { .. }) if arena.leaf_moves > LEAF_MOVES_MIN => {
                    wanted = arena.leaf_moves / 2;
                }
                Err(error) => return Err(error),
            }
        };
        Ok(GpuCounter {
            meter: Meter::new(&device, arena.bytes()),
            device,
            pipelines,
            buffers,
            arena,
            tuned_by: TunedBy::Choice,
            chunks: first_chunks(&arena),
        })
    }

    /// The adapter this counts on, with the limits in use.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.device.summary
    }

    /// The form of the pipelines in use.
    pub fn tuning(&self) -> Tuning {
        self.pipelines.tuning
    }

    /// How that was come by.
    pub fn tuned_by(&self) -> TunedBy {
        self.tuned_by
    }

    /// Counts a position that does not fit the arena alone: each of its children for itself.
    fn count_by_children(
        &mut self,
        position: &PackedPosition,
        depth: LeafDepth,
    ) -> Result<u32, BackendError> {
        let below = LeafDepth::new(depth.plies() - 1).expect("only deep counts overflow");
        let position = Position::from_packed_unchecked(position);
        let moves = legal_moves(&position);
        let child = |&one| position.play_unchecked(one).packed();
        let children: Vec<PackedPosition> = moves.iter().map(child).collect();
        let mut counts = vec![0; children.len()];
        self.count(&children, below, &mut counts)?;
        let total = counts
            .iter()
            .try_fold(0u32, |sum, &count| sum.checked_add(count));
        let plies = depth.plies();
        total.ok_or(BackendError::CountOverflow { plies })
    }
}

/// First guesses from 30 moves a position; corrected after each chunk.
fn first_chunks(arena: &Arena) -> [ChunkSize; LeafDepth::MAX as usize] {
    [1, 2, 3, 4].map(|plies| {
        let depth = LeafDepth::new(plies).expect("a leaf depth");
        let roots = arena.levels[Arena::top(depth)];
        ChunkSize::new(arena.leaf_moves >> (5 * (plies - 1)), roots)
    })
}

impl LeafCounter for GpuCounter {
    fn batch_max(&self) -> usize {
        match self.device.summary.kind {
            AdapterKind::Software => BATCH_SOFTWARE,
            _ => BATCH_HARDWARE,
        }
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        assert_eq!(positions.len(), counts.len(), "one count a position");
        let batch_max = self.batch_max();
        assert!(
            positions.len() <= batch_max,
            "at most {batch_max} positions a batch"
        );
        // What went wrong earlier is never papered over.
        self.device.check()?;
        let index = depth.plies() as usize - 1;
        let places = match index {
            0 => self.arena.levels[0],
            _ => self.arena.leaf_moves,
        };
        let mut done = 0;
        while done < positions.len() {
            let size = (self.chunks[index].get() as usize).min(positions.len() - done);
            let chunk = done..done + size;
            self.meter.start_chunk();
            match self.count_chunk(&positions[chunk.clone()], depth, &mut counts[chunk])? {
                Ok(used) => {
                    self.chunks[index].learn(size as u32, used, places, self.meter.longest());
                    done += size;
                }
                Err(overflow) => {
                    self.meter.used(|usage| usage.overflows += 1);
                    self.chunks[index].shrink(size as u32, overflow);
                    if size == 1 {
                        counts[done] = self.count_by_children(&positions[done], depth)?;
                        done += 1;
                    }
                }
            }
        }
        Ok(())
    }

    fn usage(&self) -> Option<DeviceUsage> {
        Some(self.meter.usage())
    }
}
