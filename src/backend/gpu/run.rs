//! Pipelines, recorded work and its results.

use std::sync::mpsc;

use super::buffers::{Buffers, Level, Slice};
use super::chunk::{WORD_BYTES, fold, scan_levels};
use super::device::Device;
use super::shaders::{Kernel, SliderMethod};
use crate::backend::BackendError;

/// The compiled kernels.
pub(super) struct Pipelines {
    pipelines: Vec<wgpu::ComputePipeline>,
    workgroup: u32,
}

impl Pipelines {
    /// Compiles all kernels for one slider method and workgroup size.
    pub(super) fn new(
        device: &Device,
        slider: SliderMethod,
        workgroup: u32,
    ) -> Result<Pipelines, BackendError> {
        let source = |kernel: Kernel| kernel.source(slider);
        Pipelines::with_sources(device, workgroup, source)
    }

    /// The same from other sources: tests damage them.
    pub(super) fn with_sources(
        device: &Device,
        workgroup: u32,
        source: impl Fn(Kernel) -> String,
    ) -> Result<Pipelines, BackendError> {
        let pipelines = device.scoped(0, || {
            Kernel::ALL
                .into_iter()
                .map(|kernel| pipeline(device, kernel, source(kernel), workgroup))
                .collect()
        })?;
        Ok(Pipelines {
            pipelines,
            workgroup,
        })
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
    buffers: &'a Buffers,
    encoder: wgpu::CommandEncoder,
    read_bytes: u64,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        device: &'a Device,
        pipelines: &'a Pipelines,
        buffers: &'a Buffers,
    ) -> Recorder<'a> {
        let encoder = device.device.create_command_encoder(&Default::default());
        Recorder {
            device,
            pipelines,
            buffers,
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
        let index = Kernel::ALL.iter().position(|&one| one == kernel);
        let pipeline = &self.pipelines.pipelines[index.expect("every kernel is compiled")];
        let mut bound: Vec<(u32, Slice<'_>)> = (1..).zip(slices.iter().copied()).collect();
        if kernel.reads_tables() {
            bound.push((0, Slice::all(&self.buffers.tables)));
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
        let (x, y) = fold(elements, self.pipelines.workgroup);
        let mut pass = self.encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, 1);
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
        let mut starts = Slice::words(&self.buffers.zero, 1);
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
            .copy_buffer_to_buffer(buffer, offset, &self.buffers.readback, at, bytes);
        self.read_bytes += bytes;
    }

    /// Submits everything and returns what was read back, in the order it was asked for.
    pub(super) fn submit(self) -> Result<Vec<u32>, BackendError> {
        let Recorder {
            device,
            buffers,
            encoder,
            read_bytes,
            ..
        } = self;
        // The buffer is mapped with whatever it held before if a copy was refused: see `check`.
        let submission = device.queue.submit([encoder.finish()]);
        let (sender, mapped) = mpsc::channel();
        let range = ..read_bytes;
        buffers
            .readback
            .map_async(wgpu::MapMode::Read, range, move |result| {
                // The receiver is gone only if the wait failed, and then nobody asks.
                let _ = sender.send(result);
            });
        device.wait(submission)?;
        match mapped.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(device.failed(error)),
            Err(_) => return Err(device.failed("the results were never mapped")),
        }
        let words = {
            let view = buffers
                .readback
                .get_mapped_range(range)
                .map_err(|error| device.failed(error))?;
            view.chunks_exact(4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect()
        };
        buffers.readback.unmap();
        device.check()?;
        Ok(words)
    }
}
