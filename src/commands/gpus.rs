//! GPUs for a session: which to open, and what to do without.

use std::path::PathBuf;

use super::CommandError;
use super::counting::{Found, processor};
use super::session::Session;
use crate::backend::gpu::{self, AdapterChoice, AdapterKind, GpuCounter, GpuFacts, GpuOptions};
use crate::backend::{BackendError, BackendKind, FactFinder, LeafCounter};
use crate::pipeline::{Crew, FactCrew};
use crate::report::DeviceRun;

/// A real GPU if there is one that counts right, else the processor.
pub(super) fn auto(session: &Session) -> Found {
    let mut crew = Crew::devices().with_spare(BackendKind::fastest());
    match open(session, &mut crew, AdapterChoice::Hardware) {
        Ok(device) => Found {
            crew,
            name: BackendKind::Gpu.name().to_owned(),
            reason: "a GPU that counts known positions right".to_owned(),
            devices: vec![device],
        },
        Err(error) => processor(&format!("fastest on this processor; {error}")),
    }
}

/// The devices that were named, or the best adapter, even if it is software.
pub(super) fn asked_for(session: &Session) -> Result<Found, CommandError> {
    let mut crew = Crew::devices();
    let devices = open_all(session, &mut crew, named(session))?;
    Ok(Found {
        crew,
        name: BackendKind::Gpu.name().to_owned(),
        reason: "asked for".to_owned(),
        devices,
    })
}

/// The processor, and the devices that were named or every real GPU.
pub(super) fn all(session: &Session) -> Result<Found, CommandError> {
    let kind = BackendKind::fastest();
    let mut crew = Crew::processor(kind);
    let named = &session.backend().devices;
    let devices = if named.is_empty() {
        every_gpu(session, &mut crew)
    } else {
        open_all(session, &mut crew, named.clone())?
    };
    if devices.is_empty() {
        return Ok(processor("all there is: no GPU was found"));
    }
    Ok(Found {
        crew,
        name: format!("{kind} and {}", BackendKind::Gpu),
        reason: "all asked for".to_owned(),
        devices,
    })
}

/// The adapters that were named, or any.
fn named(session: &Session) -> Vec<AdapterChoice> {
    match &session.backend().devices[..] {
        [] => vec![AdapterChoice::Any],
        named => named.to_vec(),
    }
}

fn open_all(
    session: &Session,
    crew: &mut Crew,
    choices: Vec<AdapterChoice>,
) -> Result<Vec<DeviceRun>, CommandError> {
    choices
        .into_iter()
        .map(|choice| open(session, crew, choice))
        .collect::<Result<_, _>>()
        .map_err(|error| CommandError::Device(error.to_string()))
}

/// Every real GPU that can be opened; the others are named.
fn every_gpu(session: &Session, crew: &mut Crew) -> Vec<DeviceRun> {
    let mut devices = Vec::new();
    for adapter in real() {
        match open(session, crew, adapter) {
            Ok(device) => devices.push(device),
            Err(error) => session.warn(&format!("not used: {error}")),
        }
    }
    devices
}

/// The adapters that are real GPUs.
fn real() -> impl Iterator<Item = AdapterChoice> {
    let adapters = gpu::adapters().into_iter();
    let real = adapters.filter(|it| it.kind != AdapterKind::Software);
    real.map(|it| AdapterChoice::Index(it.index))
}

/// Opens a device and brings it into the crew.
pub(super) fn open(
    session: &Session,
    crew: &mut Crew,
    adapter: AdapterChoice,
) -> Result<DeviceRun, BackendError> {
    let counters = gpu::open(&options(session, adapter))?;
    let device = describe(&counters);
    let counters = counters.into_iter();
    let boxed = counters.map(|it| Box::new(it) as Box<dyn LeafCounter>);
    crew.add_device(device.name.clone(), boxed.collect());
    Ok(device)
}

fn options(session: &Session, adapter: AdapterChoice) -> GpuOptions {
    GpuOptions {
        adapter,
        tuning: session.backend().tuning,
        remembered: remembered(),
        ..GpuOptions::default()
    }
}

/// Brings the devices that find facts into a crew: those that were named, or the best adapter, even if
/// it is software.
pub(super) fn find_facts(session: &Session, crew: &mut FactCrew) -> Result<(), CommandError> {
    for adapter in named(session) {
        let opened = open_facts(session, crew, adapter);
        opened.map_err(|error| CommandError::Device(error.to_string()))?;
    }
    Ok(())
}

/// Brings every device in that was named, or every real GPU; one of those that cannot be used is only
/// named.
pub(super) fn find_facts_too(session: &Session, crew: &mut FactCrew) -> Result<(), CommandError> {
    if !session.backend().devices.is_empty() {
        return find_facts(session, crew);
    }
    for adapter in real() {
        if let Err(error) = open_facts(session, crew, adapter) {
            session.warn(&format!("not used: {error}"));
        }
    }
    Ok(())
}

/// Opens a device and brings it into the crew: two finders, so that it never waits for the processor.
fn open_facts(
    session: &Session,
    crew: &mut FactCrew,
    adapter: AdapterChoice,
) -> Result<(), BackendError> {
    let first = GpuFacts::new(&options(session, adapter))?;
    let summary = first.adapter();
    let (name, kind) = (summary.name.clone(), summary.kind);
    let mut finders: Vec<Box<dyn FactFinder>> = Vec::new();
    if kind != AdapterKind::Software {
        finders.push(Box::new(first.another()?));
    }
    finders.push(Box::new(first));
    crew.add_device(name, finders);
    Ok(())
}

/// Where measured tunings are kept: the user's cache folder.
fn remembered() -> Option<PathBuf> {
    Some(dirs::cache_dir()?.join("hyperft/tunings.json"))
}

fn describe(counters: &[GpuCounter]) -> DeviceRun {
    let first = &counters[0];
    let adapter = first.adapter();
    let memory = |counter: &GpuCounter| counter.usage().map_or(0, |it| it.memory_bytes);
    DeviceRun {
        name: adapter.name.clone(),
        kind: adapter.kind.name(),
        driver: adapter.driver.clone(),
        tuning: format!("{} ({})", first.tuning(), first.tuned_by()),
        slots: counters.len(),
        memory_bytes: counters.iter().map(memory).sum(),
    }
}
