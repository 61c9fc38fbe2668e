//! What was spent on a device, noted as it is spent.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::device::Device;
use super::run::Done;
use crate::backend::DeviceUsage;
use crate::position::PackedPosition;

/// What a counter or finder spent on its device so far.
pub(super) struct Meter {
    usage: Cell<DeviceUsage>,
    /// How long the longest submission of the current chunk kept the device.
    longest: Cell<Duration>,
}

impl Meter {
    /// Nothing yet but `memory_bytes` of device memory.
    pub(super) fn new(device: &Device, memory_bytes: u64) -> Meter {
        Meter {
            usage: Cell::new(DeviceUsage {
                computing: device.summary.timestamps.then_some(Duration::ZERO),
                memory_bytes,
                ..DeviceUsage::default()
            }),
            longest: Cell::new(Duration::ZERO),
        }
    }

    pub(super) fn usage(&self) -> DeviceUsage {
        self.usage.get()
    }

    /// A chunk begins.
    pub(super) fn start_chunk(&self) {
        self.longest.set(Duration::ZERO);
    }

    /// How long the longest submission of the chunk kept the device.
    pub(super) fn longest(&self) -> Duration {
        self.longest.get()
    }

    /// Changes what has been used so far.
    pub(super) fn used(&self, change: impl FnOnce(&mut DeviceUsage)) {
        let mut usage = self.usage.get();
        change(&mut usage);
        self.usage.set(usage);
    }

    /// Sends positions to a buffer.
    pub(super) fn upload(
        &self,
        device: &Device,
        buffer: &wgpu::Buffer,
        positions: &[PackedPosition],
    ) {
        let start = Instant::now();
        let bytes = bytemuck::cast_slice(positions);
        device.queue.write_buffer(buffer, 0, bytes);
        self.used(|usage| {
            usage.upload += start.elapsed();
            usage.uploaded_bytes += bytes.len() as u64;
        });
    }

    /// Takes note of a submission and returns what it read back.
    pub(super) fn done(&self, done: Done) -> Vec<u32> {
        self.longest.set(self.longest.get().max(done.took()));
        self.used(|usage| {
            usage.submissions += 1;
            usage.read_bytes += size_of_val(&done.words[..]) as u64;
            usage.readback += done.readback;
            usage.computing = usage.computing.zip(done.computing).map(|(a, b)| a + b);
        });
        done.words
    }
}
