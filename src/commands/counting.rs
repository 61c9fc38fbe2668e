//! Who counts: what `--backend` and the GPU flags come to on this machine.

use std::sync::Arc;

use super::CommandError;
use super::args::{BackendChoice, CommonArgs};
#[cfg(feature = "gpu")]
use super::gpus;
use super::session::Session;
use crate::backend::BackendKind;
#[cfg(feature = "gpu")]
use crate::backend::gpu::{AdapterChoice, TuningChoice};
use crate::expand::ExpandOptions;
use crate::movegen::LeafDepth;
use crate::pipeline::{CountOptions, Counted, Crew};
use crate::report::{DeviceRun, Run};

/// Plies left to a GPU: shipping one position for fewer is bound by the bus.
const GPU_LEAF_DEPTH: Option<LeafDepth> = LeafDepth::new(3);

/// The flags about backends.
pub(super) struct BackendArgs {
    pub(super) choice: BackendChoice,
    #[cfg(feature = "gpu")]
    pub(super) devices: Vec<AdapterChoice>,
    #[cfg(feature = "gpu")]
    pub(super) tuning: TuningChoice,
}

impl BackendArgs {
    pub(super) fn new(args: &CommonArgs) -> BackendArgs {
        BackendArgs {
            choice: args.backend,
            #[cfg(feature = "gpu")]
            devices: args.gpu.device.iter().map(|it| adapter(it)).collect(),
            #[cfg(feature = "gpu")]
            tuning: TuningChoice {
                slider: args.gpu.slider,
                last_plies: args.gpu.last_plies,
                workgroup: args.gpu.workgroup,
            },
        }
    }
}

/// A number is an index, anything else part of a name.
#[cfg(feature = "gpu")]
fn adapter(text: &str) -> AdapterChoice {
    match text.parse() {
        Ok(index) => AdapterChoice::Index(index),
        Err(_) => AdapterChoice::Name(text.to_owned()),
    }
}

/// How leaves are counted in this session, and what to say of it beside every figure.
pub(super) struct Counting {
    pub(super) options: CountOptions,
    pub(super) run: Run,
}

impl Counting {
    /// Says which devices failed on the way to a result. The result is right all the same.
    pub(super) fn warn_of_faults(&self, session: &Session, counted: &Counted) {
        for fault in &counted.faults {
            session.warn(&fault.to_string());
        }
    }
}

/// Who was found to count.
pub(super) struct Found {
    pub(super) crew: Crew,
    pub(super) name: String,
    pub(super) reason: String,
    pub(super) devices: Vec<DeviceRun>,
}

/// Opens what was asked for.
pub(super) fn start(session: &Session) -> Result<Counting, CommandError> {
    let found = find(session)?;
    let on_device = if found.devices.is_empty() {
        None
    } else {
        GPU_LEAF_DEPTH
    };
    let expand = ExpandOptions {
        leaf_depth: session.expand.leaf_depth.or(on_device),
        ..session.expand.clone()
    };
    Ok(Counting {
        run: Run {
            backend: found.name,
            backend_reason: found.reason,
            devices: found.devices,
            threads: session.threads,
            bulk: true,
            merging: expand.merge,
            memory_bytes: expand.memory_bytes,
        },
        options: CountOptions {
            crew: Arc::new(found.crew),
            expand,
        },
    })
}

fn find(session: &Session) -> Result<Found, CommandError> {
    match session.backend().choice {
        BackendChoice::Cpu => Ok(processor("fastest on this processor")),
        #[cfg(feature = "gpu")]
        BackendChoice::Kind(BackendKind::Gpu) => gpus::asked_for(session),
        BackendChoice::Kind(kind) => match kind.unavailable_because() {
            Some(reason) => {
                let text = format!("{kind} cannot run here: {reason}");
                Err(CommandError::Device(text))
            }
            None => Ok(one(kind, "asked for")),
        },
        #[cfg(feature = "gpu")]
        BackendChoice::Auto if session.backend().devices.is_empty() => Ok(gpus::auto(session)),
        #[cfg(feature = "gpu")]
        BackendChoice::Auto => gpus::asked_for(session),
        #[cfg(feature = "gpu")]
        BackendChoice::All => gpus::all(session),
        #[cfg(not(feature = "gpu"))]
        BackendChoice::Auto | BackendChoice::All => Ok(processor(
            "fastest on this processor; built without GPU support",
        )),
    }
}

/// The fastest backend of the processor.
pub(super) fn processor(reason: &str) -> Found {
    one(BackendKind::fastest(), reason)
}

fn one(kind: BackendKind, reason: &str) -> Found {
    Found {
        crew: Crew::processor(kind),
        name: kind.name().to_owned(),
        reason: reason.to_owned(),
        devices: Vec::new(),
    }
}
