//! Counting on a GPU: WGSL compute shaders through Vulkan, Metal or Direct3D 12.
//!
//! Breadth first in a bounded arena. For leaf depth 2 and 3 the moves of a level are counted,
//! scanned into places and listed; each listed move is made by an invocation of its own, which
//! stores the child (when there is another level) or counts its replies at once (at the last ply).
//! Counts then go back up by adding neighbours, as all children of a position lie side by side.
//!
//! Nothing here returns a number that was not checked: an adapter counts known positions before it
//! is used, counts that were never written are told from counts of zero, totals too large for the
//! arena make chunks smaller instead of counts lower, and whatever a driver reports is an error.

mod buffers;
mod chunk;
mod device;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod parity;
mod probe;
mod run;
mod shaders;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use device::{AdapterChoice, AdapterKind, AdapterSummary, GpuOptions, adapters, find_adapter};
pub use shaders::SliderMethod;

use self::buffers::{Buffers, Slice, UNWRITTEN, stored};
use self::chunk::{Arena, ChunkSize, LEAF_MOVES_MIN, MOVE_BYTES, Overflow, WORKGROUP_SIZES};
use self::device::Device;
use self::run::{Pipelines, Recorder};
use self::shaders::Kernel;
use super::{BackendError, LeafCounter};
use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// Positions in one `count` call; they are cut into chunks inside.
const BATCH_MAX: usize = 1 << 20;

/// Places for moves on a real GPU: 768 MiB of moves and their counts, enough work for a submission
/// to outweigh what it costs to start one.
const LEAF_MOVES_HARDWARE: u32 = 1 << 26;

/// The same on a software adapter, where big chunks only fall out of the caches.
const LEAF_MOVES_SOFTWARE: u32 = 1 << 20;

/// Counts leaves on one device.
pub struct GpuCounter {
    device: Device,
    pipelines: Pipelines,
    buffers: Buffers,
    arena: Arena,
    /// The chunk size that suits each leaf depth.
    chunks: [ChunkSize; LeafDepth::MAX as usize],
    overflows: u64,
}

impl GpuCounter {
    /// Opens a device and makes it count known positions; it is refused if it gets one wrong.
    ///
    /// # Panics
    /// If `options.workgroup` is not 32, 64, 128 or 256.
    pub fn new(options: &GpuOptions) -> Result<GpuCounter, BackendError> {
        let mut counter = GpuCounter::untested(options)?;
        probe::check(&mut counter)?;
        Ok(counter)
    }

    /// Opens a device that still has to prove itself.
    fn untested(options: &GpuOptions) -> Result<GpuCounter, BackendError> {
        assert!(
            WORKGROUP_SIZES.contains(&options.workgroup),
            "workgroup sizes are {WORKGROUP_SIZES:?}, not {}",
            options.workgroup
        );
        let device = Device::open(options)?;
        let wanted = options.leaf_moves.unwrap_or(match device.summary.kind {
            AdapterKind::Software => LEAF_MOVES_SOFTWARE,
            _ => LEAF_MOVES_HARDWARE,
        });
        let binding_bytes = device.summary.binding_bytes_max;
        let arena = Arena::new(wanted, binding_bytes).ok_or_else(|| BackendError::TooSmall {
            adapter: device.name(),
            binding_bytes,
            needed_bytes: u64::from(LEAF_MOVES_MIN) * MOVE_BYTES,
        })?;
        let buffers = Buffers::new(&device, &arena)?;
        let pipelines = Pipelines::new(&device, options.slider, options.workgroup)?;
        // First guesses from 30 moves a position; corrected after each chunk.
        let chunks =
            [1, 32, 1_024].map(|moves| ChunkSize::new(arena.leaf_moves / moves, arena.roots));
        Ok(GpuCounter {
            device,
            pipelines,
            buffers,
            arena,
            chunks,
            overflows: 0,
        })
    }

    /// The adapter this counts on, with the limits in use.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.device.summary
    }

    /// Device memory in use, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.arena.bytes()
    }

    /// How often a chunk did not fit the arena and was counted in smaller parts.
    pub fn overflows(&self) -> u64 {
        self.overflows
    }

    /// Counts a chunk, or says that a level of it does not fit.
    fn count_chunk(
        &self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<Result<u32, Overflow>, BackendError> {
        let roots = positions.len() as u32;
        let level = &self.buffers.roots;
        self.device
            .queue
            .write_buffer(&level.positions, 0, bytemuck::cast_slice(positions));
        let mut recorder = self.recorder();
        recorder.count(level, roots);
        if depth.plies() == 1 {
            self.finish(recorder, roots, &[], counts)?;
            return Ok(Ok(roots));
        }
        recorder.scan(level, roots);
        let moves = self.total(&recorder.submit()?, roots)?;
        match depth.plies() {
            2 => self.two_plies(roots, moves, counts),
            _ => self.three_plies(roots, moves, counts),
        }
    }

    /// Leaf depth 2, once the moves of the roots are scanned.
    fn two_plies(
        &self,
        roots: u32,
        moves: u32,
        counts: &mut [u32],
    ) -> Result<Result<u32, Overflow>, BackendError> {
        if moves > self.arena.leaf_moves {
            return Ok(Err(Overflow {
                needed: moves,
                places: self.arena.leaf_moves,
            }));
        }
        if moves == 0 {
            counts.fill(0);
            return Ok(Ok(0));
        }
        let mut recorder = self.recorder();
        let level = &self.buffers.roots;
        let below = self.leaves(&mut recorder, level, roots, moves);
        recorder.sum(level, roots, below);
        self.finish(recorder, roots, &[roots], counts)?;
        Ok(Ok(moves))
    }

    /// Leaf depth 3, once the moves of the roots are scanned.
    fn three_plies(
        &self,
        roots: u32,
        children: u32,
        counts: &mut [u32],
    ) -> Result<Result<u32, Overflow>, BackendError> {
        if children > self.arena.children {
            return Ok(Err(Overflow {
                needed: children,
                places: self.arena.children,
            }));
        }
        if children == 0 {
            counts.fill(0);
            return Ok(Ok(0));
        }
        let (level, below) = (&self.buffers.roots, &self.buffers.children);
        let mut recorder = self.recorder();
        let listed = Slice::moves(&self.buffers.root_moves, children);
        recorder.list(level, roots, listed);
        recorder.dispatch(
            Kernel::Expand,
            &[
                Slice::positions(&level.positions, roots),
                listed,
                Slice::positions(&below.positions, children),
            ],
            children,
        );
        recorder.count(below, children);
        recorder.scan(below, children);
        let words = recorder.submit()?;
        self.agree(&words, &[roots])?;
        let moves = self.total(&words[1..], children)?;
        if moves > self.arena.leaf_moves {
            return Ok(Err(Overflow {
                needed: moves,
                places: self.arena.leaf_moves,
            }));
        }
        if moves == 0 {
            counts.fill(0);
            return Ok(Ok(0));
        }
        let mut recorder = self.recorder();
        let leaves = self.leaves(&mut recorder, below, children, moves);
        recorder.sum(below, children, leaves);
        recorder.sum(level, roots, Slice::words(&below.counts, children));
        self.finish(recorder, roots, &[children], counts)?;
        Ok(Ok(moves))
    }

    fn recorder(&self) -> Recorder<'_> {
        Recorder::new(&self.device, &self.pipelines, &self.buffers)
    }

    /// Records the listing of a level's moves, and the count of the replies to each.
    fn leaves<'a>(
        &'a self,
        recorder: &mut Recorder<'a>,
        level: &'a buffers::Level,
        positions: u32,
        moves: u32,
    ) -> Slice<'a> {
        let listed = Slice::moves(&self.buffers.leaf_moves, moves);
        let counts = Slice::words(&self.buffers.leaf_counts, moves);
        recorder.list(level, positions, listed);
        recorder.clear(counts);
        let positions = Slice::positions(&level.positions, positions);
        recorder.dispatch(Kernel::Leaf, &[positions, listed, counts], moves);
        counts
    }

    /// The total of a scan, which was read back in both its forms.
    fn total(&self, words: &[u32], positions: u32) -> Result<u32, BackendError> {
        let (offset, sum) = (words[0], stored(words[1]));
        if sum == UNWRITTEN {
            return Err(BackendError::Unwritten {
                adapter: self.device.name(),
                unwritten: 1,
                positions: positions as usize,
            });
        }
        if offset != sum {
            return Err(self.device.failed(format!(
                "its scan of {positions} counts ends at {offset} and sums to {sum}"
            )));
        }
        Ok(sum)
    }

    /// Checks that every position listed the moves that were counted.
    fn agree(&self, words: &[u32], listed: &[u32]) -> Result<(), BackendError> {
        for (&agreed, &positions) in words.iter().zip(listed) {
            if agreed != positions {
                return Err(BackendError::Disagreement {
                    adapter: self.device.name(),
                    agreed,
                    positions,
                });
            }
        }
        Ok(())
    }

    /// Submits, checks the levels whose moves were listed, and fetches the counts of the roots.
    fn finish(
        &self,
        mut recorder: Recorder<'_>,
        roots: u32,
        listed: &[u32],
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        recorder.read_at(
            &self.buffers.roots.counts,
            0,
            Slice::words(&self.buffers.roots.counts, roots).bytes,
        );
        let words = recorder.submit()?;
        self.agree(&words, listed)?;
        for (count, &word) in counts.iter_mut().zip(&words[listed.len()..]) {
            *count = stored(word);
        }
        let unwritten = counts.iter().filter(|&&count| count == UNWRITTEN).count();
        if unwritten > 0 {
            return Err(BackendError::Unwritten {
                adapter: self.device.name(),
                unwritten,
                positions: counts.len(),
            });
        }
        Ok(())
    }
}

impl LeafCounter for GpuCounter {
    fn batch_max(&self) -> usize {
        BATCH_MAX
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        assert_eq!(positions.len(), counts.len(), "one count a position");
        assert!(
            positions.len() <= BATCH_MAX,
            "at most {BATCH_MAX} positions a batch"
        );
        // What went wrong earlier is never papered over.
        self.device.check()?;
        let index = depth.plies() as usize - 1;
        let places = if index == 0 {
            self.arena.roots
        } else {
            self.arena.leaf_moves
        };
        let mut done = 0;
        while done < positions.len() {
            let size = (self.chunks[index].get() as usize).min(positions.len() - done);
            let chunk = done..done + size;
            match self.count_chunk(&positions[chunk.clone()], depth, &mut counts[chunk])? {
                Ok(used) => {
                    self.chunks[index].grow(size as u32, used, places);
                    done += size;
                }
                Err(overflow) => {
                    self.overflows += 1;
                    self.chunks[index].shrink(size as u32, overflow);
                }
            }
        }
        Ok(())
    }
}

/// One device for the whole process: threads that want a counter of their own take turns.
type Shared = Result<Arc<Mutex<GpuCounter>>, BackendError>;

/// The device that [`super::BackendKind::Gpu`] means, opened on first use.
fn shared(options: Option<&GpuOptions>) -> Shared {
    static SHARED: OnceLock<Shared> = OnceLock::new();
    SHARED
        .get_or_init(|| {
            let default = GpuOptions {
                adapter: AdapterChoice::Any,
                ..GpuOptions::default()
            };
            let counter = GpuCounter::new(options.unwrap_or(&default))?;
            Ok(Arc::new(Mutex::new(counter)))
        })
        .clone()
}

/// Opens the device that [`super::BackendKind::Gpu`] uses from now on, with these options.
///
/// Call it before the first use; the device that was opened first stays. Without a call the best
/// adapter is opened with default options, a software one if there is no other.
pub fn open_shared(options: &GpuOptions) -> Result<AdapterSummary, BackendError> {
    let shared = shared(Some(options))?;
    let counter = shared.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(counter.adapter().clone())
}

struct SharedCounter(Arc<Mutex<GpuCounter>>);

impl LeafCounter for SharedCounter {
    fn batch_max(&self) -> usize {
        BATCH_MAX
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        let mut counter = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counter.count(positions, depth, counts)
    }
}

/// A counter that shares the process's device.
pub(super) fn counter() -> Result<Box<dyn LeafCounter>, BackendError> {
    Ok(Box::new(SharedCounter(shared(None)?)))
}

/// Why the process's device cannot be used; opens it to find out.
pub(super) fn unavailable_because() -> Option<String> {
    shared(None).err().map(|error| error.to_string())
}

/// Why the device would be slow: it is no GPU at all. Opens nothing.
pub(super) fn slow_because() -> Option<&'static str> {
    let hardware = find_adapter(&AdapterChoice::Hardware).is_ok();
    (!hardware).then_some("there is no GPU, only software that runs shaders on the processor")
}
