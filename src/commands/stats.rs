//! `stats DEPTH`: what the last moves do, in the wiki's columns.

use std::time::Instant;

use super::args::DepthArgs;
use super::root::root_position;
use super::session::{STOP, Session};
use super::{CommandError, ExitStatus};
use crate::expand::{ExpandError, Root};
use crate::pipeline;
use crate::report::{Report, StatsReport};

pub(super) fn run(session: &Session, args: &DepthArgs) -> Result<ExitStatus, CommandError> {
    let (position, warnings) = root_position(session, &args.position)?;
    // Statistics look at each last move; no leaf counter is involved.
    let run = session.processor_run("statistics are taken move by move");
    let mut report = StatsReport {
        fen: position.to_string(),
        depths: Vec::new(),
        warnings,
        stopped: None,
        run,
    };
    let mut failure = None;
    for depth in args.depth.min(1)..=args.depth {
        let bar = session.bar(&format!("stats({depth})"));
        let start = Instant::now();
        let root = Root {
            position: position.packed(),
            depth,
        };
        match pipeline::stats(root, &session.expand, &bar, &STOP) {
            Ok(stats) => {
                let seconds = start.elapsed().as_secs_f64();
                report.depths.push((depth, stats, seconds));
            }
            Err(error) => {
                report.stopped = Some(format!("stats({depth}): {error}"));
                failure = Some(match error {
                    ExpandError::Interrupted => CommandError::Interrupted,
                    too_large => CommandError::Usage(too_large.to_string()),
                });
                break;
            }
        }
    }
    session.print(&Report::Stats(report))?;
    failure.map_or(Ok(ExitStatus::Good), Err)
}
