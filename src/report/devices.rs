//! What can count on this machine, for people and as JSON.

use std::io::{self, Write};

use comfy_table::{Table, presets};
use serde_json::{Value, json};

use super::machine::{Adapter, Build, Machine};
use super::text::print;
use super::units::{bytes, grouped, seconds};

/// One backend of this build.
#[derive(Clone, Debug)]
pub struct BackendInfo {
    /// Its name in `--backend`.
    pub name: &'static str,
    /// Whether `auto` takes it.
    pub chosen: bool,
    /// Why it cannot run here, if so.
    pub unavailable: Option<std::borrow::Cow<'static, str>>,
    /// Why it runs slower here than it should, if so.
    pub slow: Option<&'static str>,
    /// What it counts with.
    pub uses: &'static str,
}

/// Something an adapter may offer.
#[derive(Clone, Debug)]
pub struct FeatureInfo {
    /// Its name.
    pub name: &'static str,
    /// Whether the adapter has it.
    pub offered: bool,
    /// Whether this program makes use of it.
    pub used: bool,
}

/// One adapter of this machine.
#[derive(Clone, Debug)]
pub struct AdapterInfo {
    /// Which.
    pub adapter: Adapter,
    /// Largest buffer a shader can see at once, in bytes.
    pub binding_bytes_max: u64,
    /// Largest buffer, in bytes.
    pub buffer_bytes_max: u64,
    /// Most invocations in a workgroup.
    pub workgroup_max: u32,
    /// Most storage buffers that a shader can see at once.
    pub storage_buffers_max: u32,
    /// What it offers beyond these.
    pub features: Vec<FeatureInfo>,
    /// How many seconds it took to open it and to count known positions right; or what failed.
    pub self_test: Result<f64, String>,
    /// Whether `auto` takes it.
    pub chosen: bool,
}

/// `devices`: what can count on this machine.
#[derive(Clone, Debug)]
pub struct DevicesReport {
    /// The machine.
    pub machine: Machine,
    /// The program.
    pub build: Build,
    /// All backends of this build.
    pub backends: Vec<BackendInfo>,
    /// All adapters, in the order of their numbers.
    pub adapters: Vec<AdapterInfo>,
    /// What to install, if there is no adapter.
    pub advice: Option<&'static str>,
    /// What `auto` takes, and why.
    pub auto: String,
}

pub(super) fn text(report: &DevicesReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", report.machine.line())?;
    writeln!(out, "{}\n", report.build.line())?;
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["backend", "auto", "uses", "state"]);
    for backend in &report.backends {
        let state = match (&backend.unavailable, backend.slow) {
            (Some(reason), _) => format!("not available: {reason}"),
            (None, Some(reason)) => format!("available, slow: {reason}"),
            (None, None) => "available".to_string(),
        };
        let chosen = if backend.chosen { "chosen" } else { "" };
        table.add_row([backend.name, chosen, backend.uses, &state]);
    }
    print(&table, out)?;
    for adapter in &report.adapters {
        writeln!(out)?;
        adapter_text(adapter, out)?;
    }
    if let Some(advice) = report.advice {
        writeln!(out, "\nno GPU adapter was found; {advice}")?;
    }
    writeln!(out, "\nauto takes {}", report.auto)
}

fn adapter_text(info: &AdapterInfo, out: &mut dyn Write) -> io::Result<()> {
    let adapter = &info.adapter;
    let chosen = if info.chosen { ", chosen by auto" } else { "" };
    writeln!(out, "adapter {}: {}{chosen}", adapter.index, adapter.name)?;
    let passed = match &info.self_test {
        Ok(time) => format!("passed in {} s", seconds(*time)),
        Err(reason) => format!("FAILED: {reason}"),
    };
    let features = |wanted: fn(&&FeatureInfo) -> bool| {
        let names: Vec<&str> = info
            .features
            .iter()
            .filter(wanted)
            .map(|it| it.name)
            .collect();
        if names.is_empty() {
            "none".to_string()
        } else {
            names.join(", ")
        }
    };
    for (label, value) in [
        ("kind", adapter.kind.clone()),
        ("interface", adapter.interface.clone()),
        ("driver", adapter.driver.clone()),
        (
            "limits",
            format!(
                "binding {}, buffer {}, {} invocations in a workgroup, {} storage buffers in a shader",
                bytes(info.binding_bytes_max),
                bytes(info.buffer_bytes_max),
                grouped(info.workgroup_max.into()),
                grouped(info.storage_buffers_max.into()),
            ),
        ),
        ("used", features(|it| it.offered && it.used)),
        ("not used", features(|it| it.offered && !it.used)),
        ("missing", features(|it| !it.offered)),
        ("self-test", passed),
    ] {
        writeln!(out, "  {label:<10} {value}")?;
    }
    Ok(())
}

pub(super) fn json(report: &DevicesReport) -> Value {
    let backends = report.backends.iter().map(|backend| {
        json!({
            "name": backend.name,
            "chosen": backend.chosen,
            "available": backend.unavailable.is_none(),
            "unavailable_reason": backend.unavailable,
            "slow_reason": backend.slow,
            "uses": backend.uses,
        })
    });
    json!({
        "processor": report.machine.processor,
        "threads": report.machine.threads,
        "memory_bytes": report.machine.memory_bytes,
        "machine": report.machine,
        "build": report.build,
        "backends": backends.collect::<Vec<_>>(),
        "gpu_adapters": report.adapters.iter().map(adapter_json).collect::<Vec<_>>(),
        "advice": report.advice,
        "auto": report.auto,
    })
}

fn adapter_json(info: &AdapterInfo) -> Value {
    let features = info.features.iter();
    let features = features
        .map(|it| json!({ "name": it.name, "offered": it.offered, "used": it.offered && it.used }));
    let mut object = json!(info.adapter);
    object["limits"] = json!({
        "binding_bytes_max": info.binding_bytes_max,
        "buffer_bytes_max": info.buffer_bytes_max,
        "workgroup_max": info.workgroup_max,
        "storage_buffers_max": info.storage_buffers_max,
    });
    object["features"] = features.collect();
    object["self_test_passed"] = json!(info.self_test.is_ok());
    object["self_test_seconds"] = json!(info.self_test.as_ref().ok());
    object["self_test_failure"] = json!(info.self_test.as_ref().err());
    object["chosen"] = json!(info.chosen);
    object
}
