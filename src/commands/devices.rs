//! `devices`: what can count on this machine. An adapter that cannot be used is part of the answer,
//! not a failure.

#[cfg(feature = "gpu")]
use std::time::Instant;

#[cfg(feature = "gpu")]
use super::machine::adapter;
use super::machine::{build, machine};
use super::session::Session;
use super::{CommandError, ExitStatus};
use crate::backend::BackendKind;
#[cfg(feature = "gpu")]
use crate::backend::gpu;
#[cfg(feature = "gpu")]
use crate::report::FeatureInfo;
use crate::report::{AdapterInfo, BackendInfo, DevicesReport, Report};

pub(super) fn run(session: &Session) -> Result<ExitStatus, CommandError> {
    let mut adapters = adapters();
    let (chosen, auto) = automatic(&mut adapters);
    let info = |kind: BackendKind| BackendInfo {
        name: kind.name(),
        chosen: kind == chosen,
        unavailable: kind.unavailable_because(),
        slow: kind.slow_because(),
        uses: kind.uses(),
    };
    let build = build();
    let report = DevicesReport {
        machine: machine(),
        advice: (build.graphics.is_some() && adapters.is_empty()).then_some(ADVICE),
        build,
        backends: BackendKind::ALL.into_iter().map(info).collect(),
        adapters,
        auto: format!("{chosen}: {auto}"),
    };
    session.print(&Report::Devices(report))?;
    Ok(ExitStatus::Good)
}

/// What makes an adapter appear.
const ADVICE: &str = if cfg!(target_os = "linux") {
    "install a Vulkan driver: the maker's own for NVIDIA; for AMD and Intel, or in software without any \
     GPU, Mesa's (package mesa-vulkan-drivers on Debian, Ubuntu and Fedora)"
} else if cfg!(target_os = "macos") {
    "Metal needs a Mac with a GPU that macOS supports"
} else if cfg!(windows) {
    "install the driver of the GPU's maker, with Direct3D 12 or Vulkan"
} else {
    "install a Vulkan driver"
};

#[cfg(not(feature = "gpu"))]
fn adapters() -> Vec<AdapterInfo> {
    Vec::new()
}

/// Every adapter, opened and tested.
#[cfg(feature = "gpu")]
fn adapters() -> Vec<AdapterInfo> {
    gpu::adapters().iter().map(adapter_info).collect()
}

#[cfg(feature = "gpu")]
fn adapter_info(summary: &gpu::AdapterSummary) -> AdapterInfo {
    let options = gpu::GpuOptions {
        adapter: gpu::AdapterChoice::Index(summary.index),
        // Any tuning will do to see whether it counts right.
        tuning: gpu::Tuning::default().into(),
        ..gpu::GpuOptions::default()
    };
    let start = Instant::now();
    let opened = gpu::GpuCounter::new(&options);
    let seconds = start.elapsed().as_secs_f64();
    let features = summary.features.iter().map(|feature| FeatureInfo {
        name: feature.name,
        offered: feature.offered,
        used: feature.used,
    });
    AdapterInfo {
        adapter: adapter(summary),
        binding_bytes_max: summary.binding_bytes_max,
        buffer_bytes_max: summary.buffer_bytes_max,
        workgroup_max: summary.workgroup_max,
        storage_buffers_max: summary.storage_buffers_max,
        features: features.collect(),
        self_test: opened.map(|_| seconds).map_err(|error| error.to_string()),
        chosen: false,
    }
}

#[cfg(not(feature = "gpu"))]
fn automatic(_: &mut [AdapterInfo]) -> (BackendKind, String) {
    processor("built without GPU support")
}

/// What `auto` takes here, and why: the best adapter that is a GPU, if it counts right. Marks it.
#[cfg(feature = "gpu")]
fn automatic(adapters: &mut [AdapterInfo]) -> (BackendKind, String) {
    let best = match gpu::find_adapter(&gpu::AdapterChoice::Hardware) {
        Ok(best) => best.index,
        Err(error) => return processor(&error.to_string()),
    };
    match adapters.iter_mut().find(|it| it.adapter.index == best) {
        Some(AdapterInfo {
            self_test: Err(reason),
            ..
        }) => processor(reason),
        Some(info) => {
            info.chosen = true;
            let reason = format!("adapter {best} is a GPU that counts known positions right");
            (BackendKind::Gpu, reason)
        }
        // It was unplugged meanwhile.
        None => processor("the GPU is gone"),
    }
}

fn processor(no_gpu: &str) -> (BackendKind, String) {
    let reason = format!("fastest on this processor; {no_gpu}");
    (BackendKind::fastest(), reason)
}
