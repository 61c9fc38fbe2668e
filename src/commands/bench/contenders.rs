//! Who is measured: every backend of the processor, every adapter; and who is not, with the reason.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::CommandError;
use super::super::args::BackendChoice;
use super::super::counting::expand_options;
use super::super::session::Session;
use crate::backend::{BackendKind, DeviceUsage};
use crate::expand::{ExpandOptions, NoProgress, Root};
use crate::pipeline::{self, CountError, CountOptions, Counted, Crew};
use crate::report::{Adapter, LeftOut};

/// A backend to be measured.
pub(super) struct Contender {
    /// Its name in `--backend`; for a GPU with the number of the adapter.
    pub(super) name: String,
    pub(super) adapter: Option<Adapter>,
    /// What it counts with.
    pub(super) pipeline: String,
    /// Why its figures will be low, if so.
    pub(super) slow: Option<&'static str>,
    /// As `perft` counts with it, but for merging.
    pub(super) options: CountOptions,
}

impl Contender {
    /// Counts every path below a root.
    pub(super) fn count(&self, root: Root, stop: &AtomicBool) -> Result<Counted, CountError> {
        pipeline::count(&[root], &self.options, &NoProgress, stop)
    }

    /// What its devices did so far, all their counters together; `None` if it has none.
    pub(super) fn usage(&self) -> Option<DeviceUsage> {
        let used = self.options.crew.usage();
        used.into_iter().map(|(_, usage)| usage).reduce(together)
    }
}

fn together(a: DeviceUsage, b: DeviceUsage) -> DeviceUsage {
    DeviceUsage {
        submissions: a.submissions + b.submissions,
        uploaded_bytes: a.uploaded_bytes + b.uploaded_bytes,
        read_bytes: a.read_bytes + b.read_bytes,
        upload: a.upload + b.upload,
        computing: a.computing.zip(b.computing).map(|(a, b)| a + b),
        readback: a.readback + b.readback,
        overflows: a.overflows + b.overflows,
        memory_bytes: a.memory_bytes + b.memory_bytes,
    }
}

/// Who counts, without merging.
pub(super) fn unmerged(crew: Arc<Crew>, expand: ExpandOptions) -> CountOptions {
    CountOptions {
        crew,
        expand: ExpandOptions {
            merge: false,
            ..expand
        },
        // The totals are known; looking at single counts would only take time.
        verify: 0.0,
    }
}

/// Those to be measured and those left out.
pub(super) struct Field<'a> {
    session: &'a Session,
    pub(super) contenders: Vec<Contender>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Field<'_> {
    /// Everybody that was asked for; if nothing in particular was, every backend of the processor
    /// and every real GPU.
    ///
    /// # Errors
    /// If nobody can count.
    pub(super) fn new(session: &Session) -> Result<Field<'_>, CommandError> {
        let mut field = Field {
            session,
            contenders: Vec::new(),
            left_out: Vec::new(),
        };
        match session.backend().choice {
            #[cfg(feature = "gpu")]
            BackendChoice::Auto | BackendChoice::Kind(BackendKind::Gpu)
                if !session.backend().devices.is_empty() =>
            {
                field.add_named()?;
            }
            BackendChoice::Auto => {
                for kind in BackendKind::PROCESSOR {
                    field.add_processor(kind);
                }
                field.add_adapters(false);
            }
            #[cfg(feature = "gpu")]
            BackendChoice::Kind(BackendKind::Gpu) => field.add_adapters(true),
            BackendChoice::Cpu | BackendChoice::All | BackendChoice::Kind(_) => {
                field.add_as_perft_would()?;
            }
        }
        if field.contenders.is_empty() {
            let reasons: Vec<String> = field
                .left_out
                .iter()
                .map(|it| format!("{}: {}", it.name, it.reason))
                .collect();
            return Err(CommandError::Device(reasons.join("\n")));
        }
        Ok(field)
    }

    fn leave_out(&mut self, name: impl ToString, reason: impl ToString) {
        self.left_out.push(LeftOut {
            name: name.to_string(),
            reason: reason.to_string(),
        });
    }

    fn add_processor(&mut self, kind: BackendKind) {
        if let Some(reason) = kind.unavailable_because() {
            self.leave_out(kind, reason);
            return;
        }
        let crew = Arc::new(Crew::processor(kind));
        self.contenders.push(Contender {
            name: kind.name().to_string(),
            adapter: None,
            pipeline: kind.uses().to_string(),
            slow: kind.slow_because(),
            options: unmerged(crew, expand_options(self.session, false)),
        });
    }

    /// The backend, or several from one queue, that any other command would count with.
    fn add_as_perft_would(&mut self) -> Result<(), CommandError> {
        let counting = self.session.counting()?;
        let name = counting.run.backend.clone();
        let kinds = BackendKind::ALL.into_iter();
        let used = kinds.filter(|kind| name.split(' ').any(|word| word == kind.name()));
        let mut pipeline: Vec<String> = used.map(|kind| kind.uses().to_string()).collect();
        let devices = counting.run.devices.iter();
        pipeline.extend(devices.map(|it| format!("{}: {}", it.name, it.tuning)));
        let options = counting.options.clone();
        self.contenders.push(Contender {
            name,
            adapter: None,
            pipeline: pipeline.join(" + "),
            slow: None,
            options: unmerged(options.crew, options.expand),
        });
        Ok(())
    }

    #[cfg(not(feature = "gpu"))]
    fn add_adapters(&mut self, _: bool) {
        self.leave_out("gpu", "built without GPU support");
    }
}

#[cfg(feature = "gpu")]
mod adapters {
    use super::{Arc, CommandError, Contender, Crew, Field, expand_options, unmerged};
    use crate::backend::gpu::{self, AdapterChoice, AdapterKind, AdapterSummary};
    use crate::commands::gpus;
    use crate::commands::machine::adapter;

    impl Field<'_> {
        /// Every adapter, those in software only if asked for.
        pub(super) fn add_adapters(&mut self, software: bool) {
            let adapters = gpu::adapters();
            if adapters.is_empty() {
                let reason = "no adapter was found; `hyperft devices` says what to install";
                self.leave_out("gpu", reason);
            }
            for summary in &adapters {
                if software || summary.kind != AdapterKind::Software {
                    self.add_adapter(summary);
                } else {
                    let reason = "it is software on the processor, measured only if asked for";
                    self.leave_out(name(summary), format!("{}: {reason}", summary.name));
                }
            }
        }

        /// The adapters that `--device` names.
        pub(super) fn add_named(&mut self) -> Result<(), CommandError> {
            for choice in &self.session.backend().devices {
                let found = gpu::find_adapter(choice);
                let summary = found.map_err(|error| CommandError::Device(error.to_string()))?;
                self.add_adapter(&summary);
            }
            Ok(())
        }

        fn add_adapter(&mut self, summary: &AdapterSummary) {
            let mut crew = Crew::devices();
            let choice = AdapterChoice::Index(summary.index);
            match gpus::open(self.session, &mut crew, choice) {
                Err(error) => self.leave_out(name(summary), error),
                Ok(device) => self.contenders.push(Contender {
                    name: name(summary),
                    adapter: Some(adapter(summary)),
                    pipeline: device.tuning,
                    slow: (summary.kind == AdapterKind::Software)
                        .then_some("it is software that runs shaders on the processor"),
                    options: unmerged(Arc::new(crew), expand_options(self.session, true)),
                }),
            }
        }
    }

    fn name(summary: &AdapterSummary) -> String {
        format!("gpu {}", summary.index)
    }
}
