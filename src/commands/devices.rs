//! `devices`: what can count on this machine.

use super::session::Session;
use super::{CommandError, ExitStatus};
use crate::backend::BackendKind;
use crate::report::{BackendInfo, DevicesReport, Report};

pub(super) fn run(session: &Session) -> Result<ExitStatus, CommandError> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    system.refresh_cpu_all();
    let processor = system
        .cpus()
        .first()
        .map_or("unknown processor", |cpu| cpu.brand());
    let info = |kind: BackendKind| BackendInfo {
        name: kind.name(),
        chosen: kind == BackendKind::fastest(),
        unavailable: kind.unavailable_because(),
        slow: kind.slow_because(),
    };
    let report = DevicesReport {
        processor: processor.trim().to_string(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: system.total_memory(),
        backends: BackendKind::ALL.into_iter().map(info).collect(),
    };
    session.print(&Report::Devices(report))?;
    Ok(ExitStatus::Good)
}
