//! The command line: arguments in, exit status out. One file a command.

mod analyse;
mod args;
mod bench;
mod counting;
mod devices;
mod divide;
mod epd;
mod facts;
#[cfg(feature = "gpu")]
mod gpus;
mod machine;
mod perft;
mod refusals;
mod root;
mod session;
mod shell;
mod stats;
mod stream;
mod suite;
mod unique;

use std::io::{self, Write};

use clap::Parser;

use args::{Cli, CommandArgs};
use session::Session;

use crate::expand::ExpandError;
use crate::pipeline::{CountError, LeafError};

/// What the process's exit status says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// All good.
    Good = 0,
    /// A count differs from the expected one.
    Mismatch = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Something in the input was refused.
    BadInput = 3,
    /// No device, or a device fault that could not be recovered.
    Device = 4,
    /// Results could not be written.
    Output = 5,
    /// Ctrl-C; what was finished has been printed.
    Interrupted = 130,
}

impl ExitStatus {
    /// As the process returns it.
    pub fn code(self) -> std::process::ExitCode {
        std::process::ExitCode::from(self as u8)
    }
}

/// Why a command could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    BadInput(String),
    #[error("{0}")]
    Device(String),
    #[error("interrupted")]
    Interrupted,
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

impl CommandError {
    fn status(&self) -> ExitStatus {
        match self {
            CommandError::Usage(_) => ExitStatus::Usage,
            CommandError::BadInput(_) => ExitStatus::BadInput,
            CommandError::Device(_) => ExitStatus::Device,
            CommandError::Interrupted => ExitStatus::Interrupted,
            // A reader that has had enough, such as `head`, is no error.
            CommandError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitStatus::Good
            }
            CommandError::Output(_) => ExitStatus::Output,
        }
    }
}

impl From<CountError> for CommandError {
    fn from(error: CountError) -> CommandError {
        match error {
            ExpandError::Interrupted => CommandError::Interrupted,
            ExpandError::Consumer(
                error @ (LeafError::Backend(_) | LeafError::Wrong(_) | LeafError::Empty),
            ) => CommandError::Device(error.to_string()),
            too_large => CommandError::Usage(too_large.to_string()),
        }
    }
}

/// Runs the program with the process's arguments.
pub fn run() -> ExitStatus {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are errors to clap, with status 0. If they cannot be written there
            // is nobody to tell.
            let _ = error.print();
            return if error.exit_code() == 0 {
                ExitStatus::Good
            } else {
                ExitStatus::Usage
            };
        }
    };
    let session = match Session::new(&cli.common) {
        Ok(session) => session,
        Err(error) => {
            message("error", &error.to_string(), false);
            return error.status();
        }
    };
    let result = match cli.command {
        CommandArgs::Perft(args) => perft::run(&session, &args),
        CommandArgs::Divide(args) => divide::run(&session, &args),
        CommandArgs::Stats(args) => stats::run(&session, &args),
        CommandArgs::Unique(args) => unique::run(&session, &args),
        CommandArgs::Suite(args) => suite::run(&session, &args),
        CommandArgs::Analyse(args) => analyse::run(&session, &args),
        CommandArgs::Epd { command } => epd::run(&session, &command),
        CommandArgs::Devices => devices::run(&session),
        CommandArgs::Bench(args) => bench::run(&session, &args),
        CommandArgs::Completions { shell } => shell::completions(shell),
        CommandArgs::Man { command } => shell::man(command.as_deref()),
    };
    result.unwrap_or_else(|error| {
        let status = error.status();
        if status != ExitStatus::Good {
            message("error", &error.to_string(), session.color);
        }
        status
    })
}

/// Says something on standard error, with a coloured label before each line.
fn message(label: &str, text: &str, color: bool) {
    let style = match label {
        "warning" => anstyle::AnsiColor::Yellow.on_default().bold(),
        _ => anstyle::AnsiColor::Red.on_default().bold(),
    };
    let style = if color { style } else { anstyle::Style::new() };
    let mut err = io::stderr().lock();
    for line in text.lines() {
        // With standard error closed there is nobody to tell.
        let _ = writeln!(err, "{style}{label}{style:#}: {line}");
    }
}

/// Writes to standard output. A reader that has had enough, such as `head`, is no error, and takes
/// nothing from the exit status.
fn write_out(bytes: &[u8]) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
