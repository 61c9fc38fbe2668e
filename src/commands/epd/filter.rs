//! `epd filter EXPRESSION FILE...`: the lines whose record the expression is true of.

use std::io::Write;

use super::rewrite;
use crate::analyse::{AnalyseOptions, Filter, Record};
use crate::commands::args::FilterArgs;
use crate::commands::session::Session;
use crate::commands::{CommandError, ExitStatus};

pub(super) fn run(session: &Session, args: &FilterArgs) -> Result<ExitStatus, CommandError> {
    let usage = |error: crate::analyse::FilterError| CommandError::Usage(error.to_string());
    let filter = Filter::new(&args.expression).map_err(usage)?;
    let options = AnalyseOptions::default();
    rewrite(session, &args.files, |job, bytes| {
        let record = Record::of(Ok(job), &options);
        if filter.keeps(&record).map_err(usage)?
            && let Some(text) = record.line.text()
        {
            writeln!(bytes, "{text}")?;
        }
        Ok(())
    })
}
