//! Adapters: which there are and which to take. Nothing is opened here.

use crate::backend::BackendError;

/// What it takes to read the device's clock before and after a submission.
pub(super) const TIMESTAMPS: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

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

/// Something an adapter may offer beyond what all have.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AdapterFeature {
    /// What it is called in output.
    pub name: &'static str,
    /// Whether the adapter has it.
    pub offered: bool,
    /// Whether this backend makes use of it where it is offered.
    pub used: bool,
}

impl AdapterFeature {
    /// The features worth knowing about, of which `offered` are there.
    fn all(offered: wgpu::Features) -> Vec<AdapterFeature> {
        let feature = |name, flags, used| AdapterFeature {
            name,
            offered: offered.contains(flags),
            used,
        };
        vec![
            feature("timestamp queries", TIMESTAMPS, true),
            feature("subgroup operations", wgpu::Features::SUBGROUP, false),
            feature("64-bit integers", wgpu::Features::SHADER_INT64, false),
        ]
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
    /// Largest buffer, in bytes.
    pub buffer_bytes_max: u64,
    /// Most invocations in a workgroup.
    pub workgroup_max: u32,
    /// Most storage buffers that a shader can see at once.
    pub storage_buffers_max: u32,
    /// Whether the device's own clock can be read, so that its time is reported beside wall time.
    pub timestamps: bool,
    /// What it offers beyond what all have, and what of that is used.
    pub features: Vec<AdapterFeature>,
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

/// The adapters of this machine, in the order that [`AdapterChoice::Index`] counts.
pub fn adapters() -> Vec<AdapterSummary> {
    let found = enumerate();
    found
        .iter()
        .enumerate()
        .map(|(index, adapter)| summary(index, adapter))
        .collect()
}

/// The adapters themselves, in the same order.
pub(super) fn enumerate() -> Vec<wgpu::Adapter> {
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

pub(super) fn summary(index: usize, adapter: &wgpu::Adapter) -> AdapterSummary {
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
        buffer_bytes_max: limits.max_buffer_size,
        workgroup_max: limits.max_compute_invocations_per_workgroup,
        storage_buffers_max: limits.max_storage_buffers_per_shader_stage,
        timestamps: adapter.features().contains(TIMESTAMPS),
        features: AdapterFeature::all(adapter.features()),
    }
}

/// The index of the adapter that `choice` means.
pub(super) fn choose(choice: &AdapterChoice, found: &[AdapterSummary]) -> Option<usize> {
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

pub(super) fn no_adapter(choice: &AdapterChoice, found: &[AdapterSummary]) -> BackendError {
    let named = |adapter: &AdapterSummary| format!("{} ({})", adapter.name, adapter.kind.name());
    BackendError::NoAdapter {
        wanted: choice.to_string(),
        found: found.iter().map(named).collect(),
    }
}

#[cfg(test)]
impl AdapterSummary {
    /// An adapter with the limits that WebGPU promises.
    pub(super) fn made_up(name: &str, kind: AdapterKind) -> AdapterSummary {
        AdapterSummary {
            index: 0,
            name: name.to_owned(),
            kind,
            interface: "vulkan".to_owned(),
            driver: String::new(),
            binding_bytes_max: 1 << 27,
            buffer_bytes_max: 1 << 28,
            workgroup_max: 256,
            storage_buffers_max: 8,
            timestamps: false,
            features: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(index: usize, name: &str, kind: AdapterKind) -> AdapterSummary {
        AdapterSummary {
            index,
            ..AdapterSummary::made_up(name, kind)
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
