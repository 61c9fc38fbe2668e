//! An open device: how it is opened, and what became of it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::adapter::{AdapterSummary, TIMESTAMPS, choose, enumerate, no_adapter, summary};
use super::options::GpuOptions;
use crate::backend::BackendError;

/// What the driver's callbacks reported since the device was opened. Nothing is forgotten: a device
/// that failed once is not trusted again.
#[derive(Default)]
struct Reports {
    lost: Option<String>,
    failed: Option<String>,
    timed_out: bool,
}

/// An open device.
pub(super) struct Device {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) summary: AdapterSummary,
    reports: Arc<Mutex<Reports>>,
    runtime_checks: bool,
    timeout: Duration,
}

impl Device {
    /// Opens the adapter that the options choose.
    pub(super) fn open(options: &GpuOptions) -> Result<Arc<Device>, BackendError> {
        let found = enumerate();
        let summaries: Vec<AdapterSummary> = found
            .iter()
            .enumerate()
            .map(|(index, adapter)| summary(index, adapter))
            .collect();
        let index = choose(&options.adapter, &summaries)
            .ok_or_else(|| no_adapter(&options.adapter, &summaries))?;
        let mut summary = summaries[index].clone();
        let limits = if options.default_limits {
            wgpu::Limits::default()
        } else {
            // Without asking for them one gets the defaults, not what the adapter has.
            found[index].limits()
        };
        summary.binding_bytes_max = limits
            .max_storage_buffer_binding_size
            .min(limits.max_buffer_size);
        summary.buffer_bytes_max = limits.max_buffer_size;
        summary.workgroup_max = limits.max_compute_invocations_per_workgroup;
        summary.storage_buffers_max = limits.max_storage_buffers_per_shader_stage;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("hyperft"),
            required_limits: limits,
            required_features: found[index].features() & TIMESTAMPS,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(found[index].request_device(&descriptor))
            .map_err(|error| BackendError::DeviceFailed {
                adapter: summary.name.clone(),
                reason: error.to_string(),
            })?;
        let reports = Arc::new(Mutex::new(Reports::default()));
        let seen = Arc::clone(&reports);
        // Without this handler an error would panic in the middle of a driver call.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&seen).failed.get_or_insert(error.to_string());
        }));
        let seen = Arc::clone(&reports);
        device.set_device_lost_callback(move |reason, message| {
            lock(&seen)
                .lost
                .get_or_insert(format!("{reason:?} {message}"));
        });
        Ok(Arc::new(Device {
            device,
            queue,
            summary,
            reports,
            runtime_checks: options.runtime_checks,
            timeout: options.timeout,
        }))
    }

    /// The adapter's name.
    pub(super) fn name(&self) -> String {
        self.summary.name.clone()
    }

    pub(super) fn failed(&self, reason: impl ToString) -> BackendError {
        BackendError::DeviceFailed {
            adapter: self.name(),
            reason: reason.to_string(),
        }
    }

    /// An error if anything at all was reported.
    pub(super) fn check(&self) -> Result<(), BackendError> {
        let reports = lock(&self.reports);
        if let Some(reason) = &reports.lost {
            return Err(BackendError::DeviceLost {
                adapter: self.name(),
                reason: reason.clone(),
            });
        }
        if reports.timed_out {
            return Err(BackendError::TimedOut {
                adapter: self.name(),
                seconds: self.timeout.as_secs(),
            });
        }
        match &reports.failed {
            Some(reason) => Err(self.failed(reason)),
            None => Ok(()),
        }
    }

    /// Runs `make`, which may allocate `bytes`, and reports what the driver had against it.
    pub(super) fn scoped<T>(
        &self,
        bytes: u64,
        make: impl FnOnce() -> T,
    ) -> Result<T, BackendError> {
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let validation = pollster::block_on(validation.pop());
        let memory = pollster::block_on(memory.pop());
        let internal = pollster::block_on(internal.pop());
        self.check()?;
        if memory.is_some() {
            return Err(BackendError::OutOfMemory {
                adapter: self.name(),
                bytes,
            });
        }
        match validation.or(internal) {
            Some(error) => Err(self.failed(error)),
            None => Ok(made),
        }
    }

    /// Compiles a source.
    pub(super) fn module(&self, label: &str, source: String) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(Cow::Owned(source)),
        };
        if self.runtime_checks {
            return self.device.create_shader_module(descriptor);
        }
        // The inserted loop bounds and clamps stop drivers from unrolling: latency by their own
        // estimate was 38% lower without them.
        let checks = wgpu::ShaderRuntimeChecks::unchecked();
        // SAFETY: the sources are this crate's own, not a user's. Every loop ends: each clears a bit
        // of a set, or counts up to a bound that was read once. Every index is below the length of
        // its array: those that come from the invocation or from another buffer are compared with it
        // first, squares are below 64, table offsets are those of `SliderTable`, and the redo list
        // has a place for each invocation that may append to it, once. The same shaders are tested
        // with the checks on.
        unsafe { self.device.create_shader_module_trusted(descriptor, checks) }
    }

    /// Waits until a submission is done.
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), BackendError> {
        let waited = self.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(self.timeout),
        });
        self.check()?;
        match waited {
            Ok(_) => Ok(()),
            Err(wgpu::PollError::Timeout) => {
                // What it is still busy with would be mistaken for the results of the next chunk.
                lock(&self.reports).timed_out = true;
                self.check()
            }
            Err(error) => Err(self.failed(error)),
        }
    }
}

fn lock(reports: &Mutex<Reports>) -> std::sync::MutexGuard<'_, Reports> {
    reports.lock().unwrap_or_else(PoisonError::into_inner)
}
