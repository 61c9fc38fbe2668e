//! `unique DEPTH`: how many different positions there are at each ply.

use std::time::Instant;

use super::args::DepthArgs;
use super::root::root_position;
use super::session::{STOP, Session};
use super::{CommandError, ExitStatus};
use crate::expand::{self, ExpandError, Root};
use crate::report::{Report, UniqueReport};

pub(super) fn run(session: &Session, args: &DepthArgs) -> Result<ExitStatus, CommandError> {
    let (position, warnings) = root_position(session, &args.position)?;
    let mut report = UniqueReport {
        fen: position.to_string(),
        depth: args.depth,
        plies: Vec::new(),
        warnings,
        stopped: None,
        run: session.processor_run("positions are told apart, not counted by leaf"),
    };
    let root = Root {
        position: position.packed(),
        depth: args.depth,
    };
    let bar = session.bar(&format!("unique({})", args.depth));
    let start = Instant::now();
    let mut each = |ply| report.plies.push((ply, start.elapsed().as_secs_f64()));
    let result = expand::unique(&root, &session.expand, &mut each, &bar, &STOP);
    drop(bar);
    let failure = result.err().map(|error| {
        report.stopped = Some(error.to_string());
        match error {
            ExpandError::Interrupted => CommandError::Interrupted,
            too_large => CommandError::Usage(too_large.to_string()),
        }
    });
    // Plies that are done are right whatever happened to the next one.
    session.print(&Report::Unique(report))?;
    failure.map_or(Ok(ExitStatus::Good), Err)
}
