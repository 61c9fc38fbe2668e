//! `epd validate FILE...`: what is wrong with records, all of it, and what is merely odd.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde_json::json;

use super::{Read, read};
use crate::commands::args::ValidateArgs;
use crate::commands::refusals::Refusals;
use crate::commands::session::Session;
use crate::commands::stream::{Part, in_order};
use crate::commands::{CommandError, ExitStatus};
use crate::parse::{InputError, Origin, harmless};

/// What is said of one line.
struct Verdict {
    origin: Origin,
    id: Option<String>,
    wrong: Vec<String>,
    odd: Vec<String>,
}

/// The ids of one file, and where each was first.
#[derive(Default)]
struct Ids {
    source: Option<Arc<str>>,
    lines: HashMap<String, usize>,
}

impl Ids {
    /// The line that had this id before, in the same file.
    fn earlier(&mut self, origin: &Origin, id: &str) -> Option<usize> {
        if self.source.as_ref() != Some(&origin.source) {
            self.source = Some(origin.source.clone());
            self.lines.clear();
        }
        match self.lines.get(id) {
            Some(&line) => Some(line),
            None => {
                self.lines.insert(id.to_string(), origin.line);
                None
            }
        }
    }
}

pub(super) fn run(session: &Session, args: &ValidateArgs) -> Result<ExitStatus, CommandError> {
    let mut out = io::stdout().lock();
    let mut refusals = Refusals::new(session);
    let mut ids = Ids::default();
    let mut counts = [0_u64; 3];
    let consume = |verdicts: Result<Vec<Verdict>, String>| {
        let verdicts = match verdicts {
            Ok(verdicts) => verdicts,
            Err(unreadable) => {
                refusals.source(&unreadable);
                return Ok(());
            }
        };
        for mut verdict in verdicts {
            if let Some(id) = &verdict.id
                && let Some(line) = ids.earlier(&verdict.origin, id)
            {
                let id = harmless(id);
                verdict
                    .wrong
                    .push(format!("id `{id}`: duplicated, first on line {line}"));
            }
            counts[match (verdict.wrong.is_empty(), verdict.odd.is_empty()) {
                (true, true) => 0,
                (true, false) => 1,
                (false, _) => 2,
            }] += 1;
            print(&verdict, session, &mut out)?;
        }
        out.flush()?;
        Ok(())
    };
    in_order(
        &args.files,
        session.threads,
        |part| judge(part, session),
        consume,
    )?;
    let [good, odd, wrong] = counts;
    if session.json {
        let summary = json!({
            "schema": crate::report::RECORD_SCHEMA,
            "command": "epd validate",
            "ok": good,
            "warning": odd,
            "wrong": wrong,
            "sources_rejected": refusals.sources,
        });
        writeln!(out, "{summary}")?;
    } else {
        writeln!(out, "{good} records ok, {odd} with warnings, {wrong} wrong")?;
    }
    let status = refusals.end();
    Ok(if wrong > 0 {
        ExitStatus::BadInput
    } else {
        status
    })
}

fn judge(part: Part, session: &Session) -> Result<Vec<Verdict>, String> {
    let jobs = match read(part, session) {
        Read::Jobs(jobs) => jobs,
        Read::Unreadable(reason) => return Err(reason),
    };
    let reasons = |errors: &[InputError]| errors.iter().map(InputError::reason_alone).collect();
    let verdict = |job: Result<_, Vec<InputError>>| match job {
        Ok(crate::parse::Job {
            origin,
            id,
            problems,
            warnings,
            ..
        }) => Verdict {
            wrong: reasons(&problems),
            odd: warnings.iter().map(ToString::to_string).collect(),
            origin,
            id,
        },
        Err(errors) => Verdict {
            origin: errors[0].origin.clone(),
            id: None,
            wrong: reasons(&errors),
            odd: Vec::new(),
        },
    };
    Ok(jobs.into_iter().map(verdict).collect())
}

fn print(verdict: &Verdict, session: &Session, out: &mut impl Write) -> io::Result<()> {
    let kinds = [("wrong", &verdict.wrong), ("warning", &verdict.odd)];
    for (kind, reasons) in kinds {
        for reason in reasons {
            if session.json {
                let finding = json!({
                    "schema": crate::report::RECORD_SCHEMA,
                    "kind": kind,
                    "file": verdict.origin.source.as_ref(),
                    "line": verdict.origin.line,
                    "id": verdict.id,
                    "reason": reason,
                });
                writeln!(out, "{finding}")?;
            } else if kind == "wrong" || !session.quiet {
                writeln!(out, "{kind} {}: {reason}", verdict.origin)?;
            }
        }
    }
    Ok(())
}
