//! `epd COMMAND FILE...`: files of records checked, thinned out and rewritten, line by line and with
//! what they hold kept as it is.

mod convert;
mod dedupe;
mod filter;
mod validate;

use std::io::{self, Write};

use super::args::EpdCommand;
use super::refusals::Refusals;
use super::session::Session;
use super::stream::Part;
use super::{CommandError, ExitStatus};
use crate::parse::{InputError, Job};

pub(super) fn run(session: &Session, command: &EpdCommand) -> Result<ExitStatus, CommandError> {
    match command {
        EpdCommand::Validate(args) => validate::run(session, args),
        EpdCommand::Dedupe(args) => dedupe::run(session, args),
        EpdCommand::Filter(args) => filter::run(session, args),
        EpdCommand::Convert(args) => convert::run(session, args),
    }
}

/// What was read of a part of the input.
enum Read {
    Jobs(Vec<Result<Job, Vec<InputError>>>),
    /// A source that cannot be opened: why.
    Unreadable(String),
}

fn read(part: Part, session: &Session) -> Read {
    match part {
        Part::Lines(batch) => Read::Jobs(batch.jobs(session.fen).into()),
        Part::Unreadable(error) => Read::Unreadable(error.to_string()),
    }
}

/// All reasons against one line, with file and line.
fn refusal(errors: &[InputError]) -> String {
    let reasons: Vec<String> = errors.iter().map(InputError::to_string).collect();
    reasons.join("\n")
}

/// What became of a part: bytes to write, lines that were refused, or the whole source.
enum Written {
    Lines {
        bytes: Vec<u8>,
        refused: Vec<String>,
    },
    Unreadable(String),
}

/// Turns each line into another (or nothing), in parallel, and writes them in order.
fn rewrite(
    session: &Session,
    files: &[std::path::PathBuf],
    line: impl Fn(Job, &mut Vec<u8>) -> Result<(), CommandError> + Sync,
) -> Result<ExitStatus, CommandError> {
    let mut out = io::stdout().lock();
    let mut refusals = Refusals::new(session);
    let work = |part| -> Result<Written, CommandError> {
        let jobs = match read(part, session) {
            Read::Jobs(jobs) => jobs,
            Read::Unreadable(reason) => return Ok(Written::Unreadable(reason)),
        };
        let (mut bytes, mut refused) = (Vec::new(), Vec::new());
        for job in jobs {
            match job {
                Ok(job) => line(job, &mut bytes)?,
                Err(errors) => refused.push(refusal(&errors)),
            }
        }
        Ok(Written::Lines { bytes, refused })
    };
    let consume = |written: Result<Written, CommandError>| {
        match written? {
            Written::Unreadable(reason) => refusals.source(&reason),
            Written::Lines { bytes, refused } => {
                out.write_all(&bytes)?;
                out.flush()?;
                refused.iter().for_each(|it| refusals.line(it));
            }
        }
        Ok(())
    };
    super::stream::in_order(files, session.threads, work, consume)?;
    Ok(refusals.end())
}
