//! What this machine is, and which build this is: the head of every list of figures.

use crate::report::{Build, Machine};

/// The machine this runs on.
pub(super) fn machine() -> Machine {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    system.refresh_cpu_all();
    let processor = system.cpus().first().map(|cpu| cpu.brand().trim());
    let known = |text: Option<String>| text.unwrap_or_else(|| "unknown system".to_string());
    Machine {
        processor: processor.unwrap_or("unknown processor").to_string(),
        cores: sysinfo::System::physical_core_count(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: system.total_memory(),
        system: known(sysinfo::System::long_os_version()),
        kernel: known(sysinfo::System::kernel_version()),
    }
}

/// This build, as `build.rs` saw it. Whoever builds without a git checkout may set the variables.
pub(super) fn build() -> Build {
    let known = |value: Option<&str>| value.map(str::to_string);
    #[cfg(feature = "gpu")]
    let graphics = Some(crate::backend::gpu::library());
    #[cfg(not(feature = "gpu"))]
    let graphics = None;
    Build {
        version: env!("CARGO_PKG_VERSION").to_string(),
        commit: known(option_env!("HYPERFT_COMMIT")),
        modified: option_env!("HYPERFT_MODIFIED").map(|value| value == "true"),
        rustc: known(option_env!("HYPERFT_RUSTC")),
        target: known(option_env!("HYPERFT_TARGET")),
        graphics,
        checked: cfg!(debug_assertions),
    }
}

/// An adapter, as reports name it.
#[cfg(feature = "gpu")]
pub(super) fn adapter(summary: &crate::backend::gpu::AdapterSummary) -> crate::report::Adapter {
    crate::report::Adapter {
        index: summary.index,
        name: summary.name.clone(),
        kind: summary.kind.name().to_string(),
        interface: summary.interface.clone(),
        driver: summary.driver.clone(),
    }
}
