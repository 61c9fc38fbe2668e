//! Facts of positions on a GPU: one lane a position finds what can be played and lists the moves that
//! may give check, two or three of some thirty; one lane for each of those makes it.
//!
//! Making every move, as for counts, would cost ten times as much: whether a move may give check shows
//! before it is made.

#[cfg(test)]
mod faults;
mod memory;
mod probe;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub(super) use memory::StoredFacts;
use memory::{FOUND_BYTES, FOUND_WORDS, Memory};

use super::adapter::{AdapterChoice, AdapterKind, AdapterSummary};
use super::buffers::Slice;
use super::calibrate::usual_tuning;
use super::chunk::{ChunkSize, FactPlaces, MOVE_BYTES, Overflow, WORD_BYTES, WORKGROUP_SIZES};
use super::device::Device;
use super::meter::Meter;
use super::options::{GpuOptions, Tuning};
use super::run::{Pipelines, Recorder};
use super::shaders::Kernel;
use crate::backend::{BackendError, DeviceUsage, FactFinder};
use crate::board::MOVES_MAX;
use crate::movegen::MoveFacts;
use crate::position::PackedPosition;

/// Places for moves that may give check on a real GPU: with all that belongs to them some 40 MiB.
const CANDIDATES_HARDWARE: u32 = 1 << 20;

/// The same on a software adapter.
const CANDIDATES_SOFTWARE: u32 = 1 << 16;

/// Finds facts on one device.
pub struct GpuFacts {
    device: Arc<Device>,
    pipelines: Arc<Pipelines>,
    memory: Memory,
    places: FactPlaces,
    chunk: ChunkSize,
    meter: Meter,
}

impl GpuFacts {
    /// Opens a device and has it find facts that the processor finds too; it is refused if one differs.
    ///
    /// What of the tuning is neither decided nor remembered is not measured: it makes little difference
    /// here.
    ///
    /// # Panics
    /// If the workgroup size is decided and not 32, 64, 128 or 256.
    pub fn new(options: &GpuOptions) -> Result<GpuFacts, BackendError> {
        if let Some(size) = options.tuning.workgroup {
            assert!(WORKGROUP_SIZES.contains(&size), "workgroups of {size}");
        }
        let device = Device::open(options)?;
        let tuning = usual_tuning(&device, options);
        let mut finder = GpuFacts::untested(device, tuning, options)?;
        probe::check(&mut finder)?;
        // The first runs of a kernel are slow, and say nothing about the size of chunks.
        finder.chunk = first_chunk(finder.places);
        Ok(finder)
    }

    /// A finder on an open device that still has to prove itself.
    fn untested(
        device: Arc<Device>,
        tuning: Tuning,
        options: &GpuOptions,
    ) -> Result<GpuFacts, BackendError> {
        let pipelines = Arc::new(Pipelines::new(&device, tuning, &Kernel::FINDING)?);
        let wanted = options.leaf_moves.unwrap_or(match device.summary.kind {
            AdapterKind::Software => CANDIDATES_SOFTWARE,
            _ => CANDIDATES_HARDWARE,
        });
        GpuFacts::with_places(device, pipelines, wanted)
    }

    /// Another finder on the same device: what one finds while the other is being fed.
    pub fn another(&self) -> Result<GpuFacts, BackendError> {
        let (device, pipelines) = (Arc::clone(&self.device), Arc::clone(&self.pipelines));
        GpuFacts::with_places(device, pipelines, self.places.candidates)
    }

    fn with_places(
        device: Arc<Device>,
        pipelines: Arc<Pipelines>,
        wanted: u32,
    ) -> Result<GpuFacts, BackendError> {
        let binding_bytes = device.summary.binding_bytes_max;
        let places = FactPlaces::new(wanted, binding_bytes, FOUND_BYTES).ok_or_else(|| {
            BackendError::TooSmall {
                adapter: device.name(),
                binding_bytes,
                needed_bytes: (1 + MOVES_MAX as u64) * MOVE_BYTES,
            }
        })?;
        Ok(GpuFacts {
            memory: Memory::new(&device, places)?,
            meter: Meter::new(&device, places.bytes(FOUND_BYTES)),
            chunk: first_chunk(places),
            device,
            pipelines,
            places,
        })
    }

    /// The adapter this finds facts on, with the limits in use.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.device.summary
    }

    /// What the device did so far.
    pub fn usage(&self) -> DeviceUsage {
        self.meter.usage()
    }

    /// Finds the facts of a chunk, and says how many moves may give check, or that those are too many.
    fn find_chunk(
        &self,
        positions: &[PackedPosition],
        facts: &mut [MoveFacts],
    ) -> Result<Result<u32, Overflow>, BackendError> {
        let (memory, count) = (&self.memory, positions.len() as u32);
        self.meter
            .upload(&self.device, &memory.positions, positions);
        let words = self.meter.done(self.record(count).submit()?);
        let (listed, words) = words.split_last().expect("their number was asked for");
        let places = self.places.candidates;
        if *listed > places {
            let needed = *listed;
            return Ok(Err(Overflow { needed, places }));
        }
        let mut incomplete = 0;
        for (facts, words) in facts.iter_mut().zip(words.chunks_exact(FOUND_WORDS)) {
            let found: StoredFacts = *bytemuck::from_bytes(bytemuck::cast_slice(words));
            incomplete += usize::from(!found.complete());
            *facts = found.facts();
        }
        if incomplete > 0 {
            return Err(BackendError::Unwritten {
                adapter: self.device.name(),
                unwritten: incomplete,
                positions: positions.len(),
            });
        }
        Ok(Ok(*listed))
    }

    /// Everything to be done for the first `count` positions, with what is to be read back.
    fn record(&self, count: u32) -> Recorder<'_> {
        let memory = &self.memory;
        let mut recorder = Recorder::new(&self.device, &self.pipelines, &memory.common);
        let positions = Slice::positions(&memory.positions, count);
        let candidates = Slice::all(&memory.candidates);
        let found = Slice {
            buffer: &memory.found,
            bytes: u64::from(count) * FOUND_BYTES,
        };
        recorder.clear(Slice::moves(&memory.candidates, 1));
        recorder.clear(found);
        let bound = [positions, candidates, found];
        recorder.dispatch(Kernel::Facts, &bound, count);
        let size = Slice::all(&memory.size);
        recorder.dispatch(Kernel::RedoSize, &[candidates, size], 1);
        recorder.dispatch_sized(Kernel::Judge, &bound, &memory.size);
        recorder.read_at(&memory.found, 0, found.bytes);
        recorder.read_at(&memory.candidates, 0, WORD_BYTES);
        recorder
    }
}

/// As many positions as there are places; corrected after each chunk.
fn first_chunk(places: FactPlaces) -> ChunkSize {
    ChunkSize::new(places.positions, places.positions)
}

impl FactFinder for GpuFacts {
    fn find(
        &mut self,
        positions: &[PackedPosition],
        facts: &mut [MoveFacts],
    ) -> Result<(), BackendError> {
        assert_eq!(positions.len(), facts.len(), "facts of each position");
        // What went wrong earlier is never papered over.
        self.device.check()?;
        let mut done = 0;
        while done < positions.len() {
            let size = (self.chunk.get() as usize).min(positions.len() - done);
            let chunk = done..done + size;
            self.meter.start_chunk();
            match self.find_chunk(&positions[chunk.clone()], &mut facts[chunk])? {
                Ok(used) => {
                    let (places, took) = (self.places.candidates, self.meter.longest());
                    self.chunk.learn(size as u32, used, places, took);
                    done += size;
                }
                // One position always has places enough.
                Err(overflow) => {
                    self.meter.used(|usage| usage.overflows += 1);
                    self.chunk.shrink(size as u32, overflow);
                }
            }
        }
        Ok(())
    }
}

/// Finds facts on the device that [`crate::backend::BackendKind::Gpu`] means: opened on first use, the
/// best adapter, a software one if there is no other. Threads take turns.
pub(in crate::backend) fn move_facts(
    positions: &[PackedPosition],
    facts: &mut [MoveFacts],
) -> Result<(), BackendError> {
    static SHARED: OnceLock<Result<Mutex<GpuFacts>, BackendError>> = OnceLock::new();
    let opened = SHARED.get_or_init(|| {
        let options = GpuOptions {
            adapter: AdapterChoice::Any,
            ..GpuOptions::default()
        };
        GpuFacts::new(&options).map(Mutex::new)
    });
    let shared = opened.as_ref().map_err(Clone::clone)?;
    let mut finder = shared.lock().unwrap_or_else(PoisonError::into_inner);
    finder.find(positions, facts)
}
