//! `epd dedupe FILE...`: the first of all records that are the same.

mod sieve;
mod spill;

use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::{Read, read, refusal};
use crate::analyse::{Identifier, Identity};
use crate::commands::args::{DedupeArgs, IdentityArg, IdsArg};
use crate::commands::refusals::Refusals;
use crate::commands::session::Session;
use crate::commands::stream::{Part, in_order};
use crate::commands::{CommandError, ExitStatus};
use crate::parse::with_id;
use sieve::{Item, Rules, Sieve, Verdicts};

/// What stands between the ids of records that became one.
const ID_SEPARATOR: &str = " | ";

pub(super) fn run(session: &Session, args: &DedupeArgs) -> Result<ExitStatus, CommandError> {
    let identifier = Identifier::new(match args.by {
        IdentityArg::Line => Identity::Line,
        IdentityArg::Counters => Identity::Counters,
        IdentityArg::EpSquare => Identity::EpSquare,
        IdentityArg::Position => Identity::Position,
        IdentityArg::Side => Identity::Side,
        IdentityArg::Board => Identity::Board,
    });
    let mut output = Output {
        session,
        out: io::stdout().lock(),
        dropped_to: args.dropped.as_ref().map(create).transpose()?,
        kept: 0,
        dropped: 0,
    };
    let mut sieve = Sieve::new(Rules {
        merge_ids: args.ids == IdsArg::Merge,
        show_dropped: args.dropped.is_some(),
        memory_bytes: session.expand.memory_bytes,
    });
    let mut refusals = Refusals::new(session);
    let mut number = 0;
    let consume = |result: Result<(Vec<Item>, Vec<String>), String>| {
        match result {
            Ok((items, refused)) => {
                for mut item in items {
                    item.number = number;
                    number += 1;
                    sieve.take(item, &mut output)?;
                }
                output.out.flush()?;
                refused.iter().for_each(|it| refusals.line(it));
            }
            Err(unreadable) => refusals.source(&unreadable),
        }
        Ok(())
    };
    in_order(
        &args.files,
        session.threads,
        |part| items(part, session, &identifier),
        consume,
    )?;
    sieve.finish(&mut output)?;
    let note = output.finish()?;
    session.note(&note);
    Ok(refusals.end())
}

fn create(path: &std::path::PathBuf) -> Result<BufWriter<File>, CommandError> {
    let wrong = |error| CommandError::Usage(format!("{}: {error}", path.display()));
    File::create(path).map(BufWriter::new).map_err(wrong)
}

/// Where records go.
struct Output<'a> {
    session: &'a Session,
    out: io::StdoutLock<'static>,
    dropped_to: Option<BufWriter<File>>,
    kept: u64,
    dropped: u64,
}

impl Verdicts for Output<'_> {
    fn keep(&mut self, item: &Item) -> io::Result<()> {
        self.kept += 1;
        let merged = item.is_merged.then(|| item.ids.join(ID_SEPARATOR));
        let line = merged.and_then(|id| with_id(&item.text, &id, self.session.fen));
        writeln!(self.out, "{}", line.as_ref().unwrap_or(&item.text))
    }

    fn drop(&mut self, item: &Item) -> io::Result<()> {
        self.dropped += 1;
        match &mut self.dropped_to {
            Some(file) => writeln!(file, "{}", item.text),
            None => Ok(()),
        }
    }
}

impl Output<'_> {
    fn finish(mut self) -> io::Result<String> {
        self.out.flush()?;
        if let Some(mut file) = self.dropped_to.take() {
            file.flush()?;
        }
        let (kept, dropped) = (self.kept, self.dropped);
        Ok(format!("{kept} records kept, {dropped} duplicates dropped"))
    }
}

/// The records of a part, not numbered yet, and what was refused.
fn items(
    part: Part,
    session: &Session,
    identifier: &Identifier,
) -> Result<(Vec<Item>, Vec<String>), String> {
    let jobs = match read(part, session) {
        Read::Jobs(jobs) => jobs,
        Read::Unreadable(reason) => return Err(reason),
    };
    let (mut items, mut refused) = (Vec::new(), Vec::new());
    for job in jobs {
        match job {
            Ok(job) => items.push(Item {
                number: 0,
                key: identifier.key(&job),
                text: job.text,
                ids: job.id.into_iter().collect(),
                is_merged: false,
            }),
            Err(errors) => refused.push(refusal(&errors)),
        }
    }
    Ok((items, refused))
}
