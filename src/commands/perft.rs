//! `perft DEPTH`: the count of every depth up to the one asked for.

use std::time::Instant;

use super::args::DepthArgs;
use super::root::root_position;
use super::session::{STOP, Session};
use super::{CommandError, ExitStatus};
use crate::expand::{Expanded, Root};
use crate::pipeline;
use crate::report::{DepthCount, PerftReport, Report};

pub(super) fn run(session: &Session, args: &DepthArgs) -> Result<ExitStatus, CommandError> {
    let (position, warnings) = root_position(session, &args.position)?;
    let counting = session.counting()?;
    let mut report = PerftReport {
        fen: position.to_string(),
        depth: args.depth,
        counts: Vec::new(),
        expanded: Expanded::default(),
        warnings,
        stopped: None,
        run: counting.run.clone(),
    };
    let mut failure = None;
    for depth in args.depth.min(1)..=args.depth {
        let bar = session.bar(&format!("perft({depth})"));
        let start = Instant::now();
        let root = Root {
            position: position.packed(),
            depth,
        };
        match pipeline::count(&[root], &counting.options, &bar, &STOP) {
            Ok(counted) => {
                counting.say(session, &counted);
                let seconds = start.elapsed().as_secs_f64();
                report.counts.push(DepthCount {
                    depth,
                    nodes: counted.nodes[0],
                    seconds,
                });
                report.expanded = counted.expanded;
            }
            Err(error) => {
                report.stopped = Some(format!("perft({depth}): {error}"));
                failure = Some(CommandError::from(error));
                break;
            }
        }
    }
    // Depths already counted are right whatever happened to the next one.
    session.print(&Report::Perft(report))?;
    failure.map_or(Ok(ExitStatus::Good), Err)
}
