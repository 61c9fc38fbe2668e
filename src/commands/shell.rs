//! What packagers and shells ask for: completions and the manual page, made from the arguments.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::{CommandError, ExitStatus};

pub(super) fn completions(shell: Shell) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hyperft", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitStatus::Good)
}

pub(super) fn man() -> Result<ExitStatus, CommandError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    io::stdout().lock().write_all(&page)?;
    Ok(ExitStatus::Good)
}
