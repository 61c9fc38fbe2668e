//! Validated options: what the flags mean on this machine. Nothing below sees a flag.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::{ColorArg, CommonArgs};
use super::counting::{self, BackendArgs, Counting};
use super::{CommandError, message, write_out};
use crate::board::CastlingMode;
use crate::expand::ExpandOptions;
use crate::movegen::LeafDepth;
use crate::parse::FenOptions;
use crate::report::{Bar, Format, Report, Run};

/// Set by Ctrl-C, looked at by everything that takes long.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Everything a command needs to know besides its own arguments.
pub(super) struct Session {
    pub(super) fen: FenOptions,
    pub(super) expand: ExpandOptions,
    pub(super) threads: usize,
    backend: BackendArgs,
    counting: OnceLock<Counting>,
    pub(super) quiet: bool,
    pub(super) color: bool,
    pub(super) json: bool,
    format: Format,
}

impl Session {
    /// Looks at the machine, sets up the threads and the handling of Ctrl-C.
    pub(super) fn new(args: &CommonArgs) -> Result<Session, CommandError> {
        let memory_bytes = args
            .memory
            .map_or_else(default_memory, |size| size.as_u64());
        let threads = usize::from(args.threads.unwrap_or(0));
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        builder
            .build_global()
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        handle_interrupts()?;
        Ok(Session {
            fen: FenOptions {
                castling: if args.chess960 {
                    CastlingMode::Chess960
                } else {
                    CastlingMode::Standard
                },
                strict: args.strict,
            },
            expand: ExpandOptions {
                merge: !args.no_merge,
                memory_bytes,
                leaf_depth: args.leaf_depth.and_then(LeafDepth::new),
                measure: args.leaf_depth.is_none(),
            },
            threads: rayon::current_num_threads(),
            backend: BackendArgs::new(args),
            counting: OnceLock::new(),
            quiet: args.quiet,
            color: use_color(args.color),
            json: args.json,
            format: if args.json {
                Format::Json
            } else {
                Format::Text {
                    verbose: args.verbose,
                    quiet: args.quiet,
                }
            },
        })
    }

    /// Who counts leaves, and how; devices are opened at the first call.
    pub(super) fn counting(&self) -> Result<&Counting, CommandError> {
        if let Some(counting) = self.counting.get() {
            return Ok(counting);
        }
        let counting = counting::start(self)?;
        Ok(self.counting.get_or_init(|| counting))
    }

    /// What to say beside figures that no leaf counter has part in.
    pub(super) fn processor_run(&self, reason: &str) -> Run {
        Run {
            backend: "cpu".to_owned(),
            backend_reason: reason.to_owned(),
            devices: Vec::new(),
            threads: self.threads,
            bulk: false,
            merging: self.expand.merge,
            memory_bytes: self.expand.memory_bytes,
        }
    }

    /// What was asked for of backends.
    pub(super) fn backend(&self) -> &BackendArgs {
        &self.backend
    }

    /// A progress bar for this session.
    pub(super) fn bar(&self, title: &str) -> Bar {
        Bar::new(title, self.quiet)
    }

    /// Writes a report to standard output.
    pub(super) fn print(&self, report: &Report) -> Result<(), CommandError> {
        let mut bytes = Vec::new();
        report.write(self.format, &mut bytes)?;
        write_out(&bytes)
    }

    /// Writes a report to standard error, beside results on standard output.
    pub(super) fn print_aside(&self, report: &Report) -> Result<(), CommandError> {
        report.write(self.format, &mut io::stderr().lock())?;
        Ok(())
    }

    /// Says how a command went, on standard error, unless asked to be quiet.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Says on standard error that something was read leniently; it may change counts, so this is
    /// said even when asked to be quiet.
    pub(super) fn warn(&self, text: &str) {
        message("warning", text, self.color);
    }
}

/// Half of the memory that is free now, or that a container leaves to this process.
fn default_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let limit = system
        .cgroup_limits()
        .map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit) / 2
}

fn use_color(choice: ColorArg) -> bool {
    match choice {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => {
            let unset = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
            unset && io::stderr().is_terminal()
        }
    }
}

/// The first Ctrl-C asks the work to stop and lets what is finished be printed; the second ends the
/// process.
fn handle_interrupts() -> Result<(), CommandError> {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(super::ExitStatus::Interrupted as i32);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| CommandError::Usage(error.to_string()))
}
