//! What packagers and shells ask for: completions and the manual page, made from the arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::{CommandError, ExitStatus, write_out};

pub(super) fn completions(shell: Shell) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hyperft", &mut script);
    write_out(&script)?;
    Ok(ExitStatus::Good)
}

/// The page of the program, or of one of its commands.
pub(super) fn man(name: Option<&str>) -> Result<ExitStatus, CommandError> {
    let mut program = Cli::command();
    program.build();
    let command = match name {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            CommandError::Usage(format!("no command `{name}`; see hyperft --help"))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    write_out(&page)?;
    Ok(ExitStatus::Good)
}
