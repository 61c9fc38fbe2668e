//! Validated options: what the flags mean on this machine. Nothing below sees a flag.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::{BackendChoice, ColorArg, CommonArgs};
use super::{CommandError, message, write_out};
use crate::backend::BackendKind;
use crate::board::CastlingMode;
use crate::expand::ExpandOptions;
use crate::parse::FenOptions;
use crate::pipeline::CountOptions;
use crate::report::{Bar, Format, Report, Run};

/// Set by Ctrl-C, looked at by everything that takes long.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Everything a command needs to know besides its own arguments.
pub(super) struct Session {
    pub(super) fen: FenOptions,
    pub(super) count: CountOptions,
    pub(super) run: Run,
    pub(super) quiet: bool,
    pub(super) color: bool,
    pub(super) json: bool,
    format: Format,
}

impl Session {
    /// Looks at the machine, sets up the threads and the handling of Ctrl-C.
    pub(super) fn new(args: &CommonArgs) -> Result<Session, CommandError> {
        let (backend, backend_reason) = choose_backend(args.backend)?;
        let memory_bytes = args
            .memory
            .map_or_else(default_memory, |size| size.as_u64());
        let threads = usize::from(args.threads.unwrap_or(0));
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        builder
            .build_global()
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        handle_interrupts()?;
        let merge = !args.no_merge;
        Ok(Session {
            fen: FenOptions {
                castling: if args.chess960 {
                    CastlingMode::Chess960
                } else {
                    CastlingMode::Standard
                },
                strict: args.strict,
            },
            count: CountOptions {
                backend,
                expand: ExpandOptions {
                    merge,
                    memory_bytes,
                },
            },
            run: Run {
                backend: backend.name(),
                backend_reason,
                threads: rayon::current_num_threads(),
                bulk: true,
                merging: merge,
                memory_bytes,
            },
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

fn choose_backend(choice: BackendChoice) -> Result<(BackendKind, String), CommandError> {
    let kind = match choice {
        BackendChoice::Auto => {
            let why = "fastest on this processor; a GPU is used only when asked for";
            return Ok((BackendKind::fastest(), why.to_string()));
        }
        BackendChoice::Cpu => {
            let why = "fastest on this processor";
            return Ok((BackendKind::fastest(), why.to_string()));
        }
        BackendChoice::Kind(kind) => kind,
    };
    match kind.unavailable_because() {
        Some(reason) => Err(CommandError::Device(format!(
            "{kind} cannot run here: {reason}"
        ))),
        None => Ok((kind, "asked for".to_string())),
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
