//! Adapters and devices: which there are, which to take, how to open one, and what became of it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::shaders::SliderMethod;
use crate::backend::BackendError;

/// How long one submission may take before the device is given up. Chunks are sized for a fraction
/// of a second; a software adapter on a busy machine may need many times that.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What kind of thing an adapter is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum AdapterKind {
    /// A card with its own memory.
    Discrete,
    /// Part of the processor, sharing its memory.
    Integrated,
    /// Lent by a hypervisor.
    Virtual,
    /// No GPU at all: the driver runs shaders on the processor. Right, and slow.
    Software,
    /// The driver does not say.
    Unknown,
}

impl AdapterKind {
    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            AdapterKind::Discrete => "discrete",
            AdapterKind::Integrated => "integrated",
            AdapterKind::Virtual => "virtual",
            AdapterKind::Software => "software",
            AdapterKind::Unknown => "unknown",
        }
    }
}

/// An adapter, as its driver describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Its place in [`adapters`], from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: AdapterKind,
    /// The interface it is reached by: `vulkan`, `metal`, `dx12`.
    pub interface: String,
    /// The driver and its version.
    pub driver: String,
    /// Largest buffer a shader can see at once, in bytes.
    pub binding_bytes_max: u64,
    /// Most invocations in a workgroup.
    pub workgroup_max: u32,
}

/// Which adapter to open.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum AdapterChoice {
    /// The best that is not software: discrete before integrated before the rest.
    #[default]
    Hardware,
    /// The best there is, software if need be.
    Any,
    /// By its place in [`adapters`].
    Index(usize),
    /// The first whose name contains this, in any case of letters.
    Name(String),
}

impl std::fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AdapterChoice::Hardware => f.write_str("that is a real GPU"),
            AdapterChoice::Any => f.write_str("of any kind"),
            AdapterChoice::Index(index) => write!(f, "number {index}"),
            AdapterChoice::Name(name) => write!(f, "named like {name:?}"),
        }
    }
}

/// How to open and use a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuOptions {
    /// Which adapter.
    pub adapter: AdapterChoice,
    /// How slider moves are found.
    pub slider: SliderMethod,
    /// Invocations in a workgroup: 32, 64, 128 or 256.
    pub workgroup: u32,
    /// Places for moves of the last level but one; `None` for what suits the adapter. Lower means
    /// less memory and smaller chunks; it never means a partial count.
    pub leaf_moves: Option<u32>,
    /// Let shaders check every index and bound every loop: slower, for tests and doubtful drivers.
    pub runtime_checks: bool,
    /// Use no more than what WebGPU promises everywhere, even if the adapter offers more.
    pub default_limits: bool,
}

impl Default for GpuOptions {
    fn default() -> GpuOptions {
        GpuOptions {
            adapter: AdapterChoice::Hardware,
            slider: SliderMethod::Setwise,
            workgroup: 64,
            leaf_moves: None,
            runtime_checks: false,
            default_limits: false,
        }
    }
}

/// The adapters of this machine, in the order that [`AdapterChoice::Index`] counts.
pub fn adapters() -> Vec<AdapterSummary> {
    let found = enumerate();
    found
        .iter()
        .enumerate()
        .map(|(index, adapter)| summary(index, adapter))
        .collect()
}

fn enumerate() -> Vec<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let mut found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    // An adapter without compute shaders cannot be used at all.
    found.retain(|adapter| {
        let flags = adapter.get_downlevel_capabilities().flags;
        flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
    });
    found
}

fn summary(index: usize, adapter: &wgpu::Adapter) -> AdapterSummary {
    let info = adapter.get_info();
    let limits = adapter.limits();
    AdapterSummary {
        index,
        name: info.name,
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Cpu => AdapterKind::Software,
            wgpu::DeviceType::Other => AdapterKind::Unknown,
        },
        interface: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info)
            .trim()
            .to_owned(),
        binding_bytes_max: limits.max_storage_buffer_binding_size,
        workgroup_max: limits.max_compute_invocations_per_workgroup,
    }
}

/// The index of the adapter that `choice` means.
fn choose(choice: &AdapterChoice, found: &[AdapterSummary]) -> Option<usize> {
    let best = |software: bool| {
        let rank = |kind| match kind {
            AdapterKind::Discrete => 0,
            AdapterKind::Integrated => 1,
            AdapterKind::Virtual => 2,
            AdapterKind::Unknown => 3,
            AdapterKind::Software => 4,
        };
        found
            .iter()
            .filter(|adapter| software || adapter.kind != AdapterKind::Software)
            .min_by_key(|adapter| rank(adapter.kind))
    };
    let chosen = match choice {
        AdapterChoice::Hardware => best(false),
        AdapterChoice::Any => best(true),
        AdapterChoice::Index(index) => found.get(*index),
        AdapterChoice::Name(part) => {
            let part = part.to_lowercase();
            found
                .iter()
                .find(|adapter| adapter.name.to_lowercase().contains(&part))
        }
    };
    chosen.map(|adapter| adapter.index)
}

/// The adapter that `choice` means, without opening it.
pub fn find_adapter(choice: &AdapterChoice) -> Result<AdapterSummary, BackendError> {
    let mut found = adapters();
    match choose(choice, &found) {
        Some(index) => Ok(found.swap_remove(index)),
        None => Err(no_adapter(choice, &found)),
    }
}

fn no_adapter(choice: &AdapterChoice, found: &[AdapterSummary]) -> BackendError {
    let named = |adapter: &AdapterSummary| format!("{} ({})", adapter.name, adapter.kind.name());
    BackendError::NoAdapter {
        wanted: choice.to_string(),
        found: found.iter().map(named).collect(),
    }
}

/// What the driver's callbacks reported since the device was opened. Nothing is forgotten: a device
/// that failed once is not trusted again.
#[derive(Default)]
struct Reports {
    lost: Option<String>,
    failed: Option<String>,
}

/// An open device.
pub(super) struct Device {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) summary: AdapterSummary,
    reports: Arc<Mutex<Reports>>,
    runtime_checks: bool,
}

impl Device {
    /// Opens the adapter that the options choose.
    pub(super) fn open(options: &GpuOptions) -> Result<Device, BackendError> {
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
        summary.workgroup_max = limits.max_compute_invocations_per_workgroup;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("hyperft"),
            required_limits: limits,
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
        Ok(Device {
            device,
            queue,
            summary,
            reports,
            runtime_checks: options.runtime_checks,
        })
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
        // first, squares are below 64, and table offsets are those of `SliderTable`. The same
        // shaders are tested with the checks on.
        unsafe { self.device.create_shader_module_trusted(descriptor, checks) }
    }

    /// Waits until a submission is done.
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), BackendError> {
        let waited = self.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(TIMEOUT),
        });
        self.check()?;
        match waited {
            Ok(_) => Ok(()),
            Err(wgpu::PollError::Timeout) => Err(BackendError::TimedOut {
                adapter: self.name(),
                seconds: TIMEOUT.as_secs(),
            }),
            Err(error) => Err(self.failed(error)),
        }
    }
}

fn lock(reports: &Mutex<Reports>) -> std::sync::MutexGuard<'_, Reports> {
    reports.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(index: usize, name: &str, kind: AdapterKind) -> AdapterSummary {
        AdapterSummary {
            index,
            name: name.to_owned(),
            kind,
            interface: "vulkan".to_owned(),
            driver: String::new(),
            binding_bytes_max: 1 << 27,
            workgroup_max: 256,
        }
    }

    #[test]
    fn software_is_never_taken_for_hardware() {
        let software = adapter(0, "llvmpipe", AdapterKind::Software);
        let all = [
            software,
            adapter(1, "Small", AdapterKind::Integrated),
            adapter(2, "Big", AdapterKind::Discrete),
        ];
        assert_eq!(choose(&AdapterChoice::Hardware, &all[..1]), None);
        assert_eq!(choose(&AdapterChoice::Any, &all[..1]), Some(0));
        assert_eq!(choose(&AdapterChoice::Hardware, &all), Some(2));
        assert_eq!(choose(&AdapterChoice::Any, &all), Some(2));
        assert_eq!(choose(&AdapterChoice::Index(1), &all), Some(1));
        assert_eq!(choose(&AdapterChoice::Index(3), &all), None);
        let named = |name: &str| choose(&AdapterChoice::Name(name.to_owned()), &all);
        assert_eq!(named("LLVM"), Some(0));
        assert_eq!(named("none"), None);
    }
}
