//! `epd dedupe FILE...`: the first of all records that are the same.

use std::collections::HashSet;
use std::io::{self, Write};

use super::{Read, read, refusal};
use crate::analyse::{Identifier, Identity, IdentityKey};
use crate::commands::args::{DedupeArgs, IdentityArg};
use crate::commands::refusals::Refusals;
use crate::commands::session::Session;
use crate::commands::stream::{Part, in_order};
use crate::commands::{CommandError, ExitStatus};

/// Bytes a key takes in the set at its fullest, right after the set has doubled and while the old
/// half is still there: a slot of 40 bytes and a control byte, 8 slots for 7 keys, times 3 for both.
const KEY_BYTES: u64 = 41 * 8 * 3 / 7;

/// A line and what it is recognised by.
type Keyed = (IdentityKey, String);

pub(super) fn run(session: &Session, args: &DedupeArgs) -> Result<ExitStatus, CommandError> {
    let identifier = Identifier::new(match args.by {
        IdentityArg::Line => Identity::Line,
        IdentityArg::Counters => Identity::Counters,
        IdentityArg::EpSquare => Identity::EpSquare,
        IdentityArg::Position => Identity::Position,
        IdentityArg::Side => Identity::Side,
        IdentityArg::Board => Identity::Board,
    });
    let mut out = io::stdout().lock();
    let mut refusals = Refusals::new(session);
    let mut seen: HashSet<IdentityKey> = HashSet::new();
    let (mut kept, mut dropped) = (0_u64, 0_u64);
    let keys_max = session.expand.memory_bytes / KEY_BYTES;
    let consume = |result: Result<(Vec<Keyed>, Vec<String>), String>| {
        let (lines, refused) = match result {
            Ok(read) => read,
            Err(unreadable) => {
                refusals.source(&unreadable);
                return Ok(());
            }
        };
        for (key, text) in lines {
            if seen.contains(&key) {
                dropped += 1;
                continue;
            }
            if seen.len() as u64 >= keys_max {
                return Err(CommandError::Usage(format!(
                    "{} different records are as many as the memory allows \
                     ({} bytes): allow more with --memory",
                    seen.len(),
                    session.expand.memory_bytes
                )));
            }
            seen.insert(key);
            kept += 1;
            writeln!(out, "{text}")?;
        }
        out.flush()?;
        refused.iter().for_each(|it| refusals.line(it));
        Ok(())
    };
    in_order(
        &args.files,
        session.threads,
        |part| keyed(part, session, &identifier),
        consume,
    )?;
    session.note(&format!(
        "{kept} records kept, {dropped} duplicates dropped"
    ));
    Ok(refusals.end())
}

fn keyed(
    part: Part,
    session: &Session,
    identifier: &Identifier,
) -> Result<(Vec<Keyed>, Vec<String>), String> {
    let jobs = match read(part, session) {
        Read::Jobs(jobs) => jobs,
        Read::Unreadable(reason) => return Err(reason),
    };
    let (mut lines, mut refused) = (Vec::new(), Vec::new());
    for job in jobs {
        match job {
            Ok(job) => lines.push((identifier.key(&job), job.text)),
            Err(errors) => refused.push(refusal(&errors)),
        }
    }
    Ok((lines, refused))
}
