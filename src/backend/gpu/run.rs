//! Pipelines, recorded work and its results.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::buffers::{CLOCK_BYTES, Common, Level, Slice};
use super::chunk::{WORD_BYTES, fold, scan_levels};
use super::device::Device;
use super::options::Tuning;
use super::shaders::Kernel;
use crate::backend::BackendError;

/// Compiled kernels.
pub(super) struct Pipelines {
    pipelines: Vec<(Kernel, wgpu::ComputePipeline)>,
    pub(super) tuning: Tuning,
}

impl Pipelines {
    /// Compiles kernels in the form that `tuning` says.
    pub(super) fn new(
        device: &Device,
        tuning: Tuning,
        kernels: &[Kernel],
    ) -> Result<Pipelines, BackendError> {
        let source = |kernel: Kernel| kernel.source(tuning.slider);
        Pipelines::with_sources(device, tuning, kernels, source)
    }

    /// The same from other sources: tests damage them.
    pub(super) fn with_sources(
        device: &Device,
        tuning: Tuning,
        kernels: &[Kernel],
        source: impl Fn(Kernel) -> String,
    ) -> Result<Pipelines, BackendError> {
        let compile = |&kernel: &Kernel| {
            let pipeline = pipeline(device, kernel, source(kernel), tuning.workgroup);
            (kernel, pipeline)
        };
        let pipelines = device.scoped(0, || kernels.iter().map(compile).collect())?;
        Ok(Pipelines { pipelines, tuning })
    }

    /// A kernel that was compiled.
    fn of(&self, kernel: Kernel) -> &wgpu::ComputePipeline {
        let mut compiled = self.pipelines.iter();
        let found = compiled.find(|(one, _)| *one == kernel);
        &found.expect("a kernel is compiled before it is used").1
    }
}

fn pipeline(
    device: &Device,
    kernel: Kernel,
    source: String,
    workgroup: u32,
) -> wgpu::ComputePipeline {
    let label = kernel.entry().name;
    let module = device.module(label, source);
    device
        .device
        .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &kernel.constants(workgroup),
                ..Default::default()
            },
            cache: None,
        })
}

/// Work that is being recorded, to be submitted in one go.
pub(super) struct Recorder<'a> {
    device: &'a Device,
    pipelines: &'a Pipelines,
    common: &'a Common,
    encoder: wgpu::CommandEncoder,
    read_bytes: u64,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        device: &'a Device,
        pipelines: &'a Pipelines,
        common: &'a Common,
    ) -> Recorder<'a> {
        let mut encoder = device.device.create_command_encoder(&Default::default());
        if let Some(clock) = &common.clock {
            encoder.write_timestamp(&clock.queries, 0);
        }
        Recorder {
            device,
            pipelines,
            common,
            encoder,
            read_bytes: 0,
        }
    }

    /// Makes a buffer read as never written.
    pub(super) fn clear(&mut self, slice: Slice<'_>) {
        self.encoder
            .clear_buffer(slice.buffer, 0, Some(slice.bytes));
    }

    /// Runs a kernel, one invocation for each of `elements`, with `slices` at bindings 1, 2, ...
    pub(super) fn dispatch(&mut self, kernel: Kernel, slices: &[Slice<'_>], elements: u32) {
        let (x, y) = fold(elements, self.pipelines.tuning.workgroup);
        self.pass(kernel, slices, |pass| pass.dispatch_workgroups(x, y, 1));
    }

    /// The same with as many workgroups as `size` will say on the device.
    pub(super) fn dispatch_sized(
        &mut self,
        kernel: Kernel,
        slices: &[Slice<'_>],
        size: &wgpu::Buffer,
    ) {
        self.pass(kernel, slices, |pass| {
            pass.dispatch_workgroups_indirect(size, 0);
        });
    }

    fn pass(
        &mut self,
        kernel: Kernel,
        slices: &[Slice<'_>],
        dispatch: impl FnOnce(&mut wgpu::ComputePass<'_>),
    ) {
        let pipeline = self.pipelines.of(kernel);
        let mut bound: Vec<(u32, Slice<'_>)> = (1..).zip(slices.iter().copied()).collect();
        if kernel.reads_tables() {
            bound.push((0, Slice::all(&self.common.tables)));
        }
        let entries: Vec<wgpu::BindGroupEntry<'_>> = bound
            .iter()
            .map(|(binding, slice)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: slice.buffer,
                    offset: 0,
                    size: wgpu::BufferSize::new(slice.bytes),
                }),
            })
            .collect();
        let group = self
            .device
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(kernel.entry().name),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
        let mut pass = self.encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        dispatch(&mut pass);
    }

    /// Counts the moves of each of the first `count` positions of a level.
    pub(super) fn count(&mut self, level: &Level, count: u32) {
        let counts = Slice::words(&level.counts, count);
        self.clear(counts);
        let positions = Slice::positions(&level.positions, count);
        self.dispatch(Kernel::Count, &[positions, counts], count);
    }

    /// Turns the counts of a level into offsets, and reads back the total twice: as the last offset
    /// and, stored like a count, as the topmost sum.
    pub(super) fn scan(&mut self, level: &Level, count: u32) {
        let sizes = scan_levels(count);
        let mut below = Slice::words(&level.counts, count);
        for (&size, (sums, _)) in sizes.iter().zip(&level.scan) {
            let sums = Slice::words(sums, size);
            self.clear(sums);
            self.dispatch(Kernel::ScanTiles, &[below, sums], size);
            below = sums;
        }
        let mut starts = Slice::words(&self.common.zero, 1);
        for step in (0..sizes.len()).rev() {
            let (counts, offsets, length) = match step {
                0 => (&level.counts, &level.offsets, count),
                _ => (
                    &level.scan[step - 1].0,
                    &level.scan[step - 1].1,
                    sizes[step - 1],
                ),
            };
            let offsets = Slice::words(offsets, length + 1);
            let counts = Slice::words(counts, length);
            self.dispatch(Kernel::ScanOffsets, &[counts, starts, offsets], sizes[step]);
            starts = offsets;
        }
        self.read_at(&level.offsets, u64::from(count) * WORD_BYTES, WORD_BYTES);
        let (top, _) = &level.scan[sizes.len() - 1];
        self.read_at(top, 0, WORD_BYTES);
    }

    /// Lists the moves of a level that has been scanned, `total` of them.
    pub(super) fn list(&mut self, level: &Level, count: u32, moves: Slice<'_>) {
        self.clear(Slice::all(&level.agreed));
        self.dispatch(
            Kernel::List,
            &[
                Slice::positions(&level.positions, count),
                Slice::words(&level.offsets, count + 1),
                moves,
                Slice::all(&level.agreed),
            ],
            count,
        );
        self.read_at(&level.agreed, 0, WORD_BYTES);
    }

    /// Adds `below`, one count for each listed move, up into the counts of a level.
    pub(super) fn sum(&mut self, level: &Level, count: u32, below: Slice<'_>) {
        let counts = Slice::words(&level.counts, count);
        self.clear(counts);
        let offsets = Slice::words(&level.offsets, count + 1);
        self.dispatch(Kernel::Sum, &[offsets, below, counts], count);
    }

    /// Reads part of a buffer back once all that is recorded before is done.
    pub(super) fn read_at(&mut self, buffer: &wgpu::Buffer, offset: u64, bytes: u64) {
        let at = self.read_bytes;
        self.encoder
            .copy_buffer_to_buffer(buffer, offset, &self.common.readback, at, bytes);
        self.read_bytes += bytes;
    }

    /// Submits everything and waits for it.
    pub(super) fn submit(mut self) -> Result<Done, BackendError> {
        let words_bytes = self.read_bytes;
        if let Some(clock) = &self.common.clock {
            let encoder = &mut self.encoder;
            encoder.write_timestamp(&clock.queries, 1);
            encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
            self.read_at(&clock.resolved, 0, CLOCK_BYTES);
        }
        let (device, readback) = (self.device, &self.common.readback);
        let range = ..self.read_bytes;
        let start = Instant::now();
        // The buffer is mapped with whatever it held before if a copy was refused: see `check`.
        let submission = device.queue.submit([self.encoder.finish()]);
        let (sender, mapped) = mpsc::channel();
        readback.map_async(wgpu::MapMode::Read, range, move |result| {
            // The receiver is gone only if the wait failed, and then nobody asks.
            let _ = sender.send(result);
        });
        device.wait(submission)?;
        let wall = start.elapsed();
        match mapped.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(device.failed(error)),
            Err(_) => return Err(device.failed("the results were never mapped")),
        }
        let mut words: Vec<u32> = {
            let view = readback
                .get_mapped_range(range)
                .map_err(|error| device.failed(error))?;
            view.chunks_exact(4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect()
        };
        readback.unmap();
        device.check()?;
        let ticks = words.split_off((words_bytes / WORD_BYTES) as usize);
        let period = device.queue.get_timestamp_period();
        Ok(Done {
            words,
            wall,
            computing: computing(&ticks, period),
            readback: start.elapsed() - wall,
        })
    }
}

/// What came of a submission.
pub(super) struct Done {
    /// What was read back, in the order it was asked for.
    pub(super) words: Vec<u32>,
    /// Time from submitting to the results being there.
    pub(super) wall: Duration,
    /// Time the device computed, if it has a clock.
    pub(super) computing: Option<Duration>,
    /// Time it took to fetch the results.
    pub(super) readback: Duration,
}

impl Done {
    /// How long the device was kept busy, as well as can be told.
    pub(super) fn took(&self) -> Duration {
        self.computing.unwrap_or(self.wall)
    }
}

/// The time between two readings of the device's clock, whose ticks take `period` nanoseconds.
fn computing(ticks: &[u32], period: f32) -> Option<Duration> {
    let [low0, high0, low1, high1] = *ticks else {
        return None;
    };
    let reading = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    // A clock that was reset in between says nothing.
    let elapsed = reading(low1, high1).checked_sub(reading(low0, high0))?;
    Some(Duration::from_nanos(
        (elapsed as f64 * f64::from(period)) as u64,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_of_the_clock_are_64_bits() {
        let two = |first: u64, second: u64| {
            [first, second]
                .map(|it| [it as u32, (it >> 32) as u32])
                .concat()
        };
        let ticks = two(u64::from(u32::MAX), u64::from(u32::MAX) + 1_000);
        assert_eq!(computing(&ticks, 2.0), Some(Duration::from_micros(2)));
        assert_eq!(computing(&two(5, 4), 1.0), None);
        assert_eq!(computing(&[], 1.0), None);
    }
}
