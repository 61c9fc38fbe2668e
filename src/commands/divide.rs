//! `divide DEPTH`: perft by root move.

use std::time::Instant;

use super::args::DepthArgs;
use super::root::root_position;
use super::session::{STOP, Session};
use super::{CommandError, ExitStatus};
use crate::expand::Root;
use crate::movegen::legal_moves;
use crate::pipeline;
use crate::report::{DivideReport, Report};

pub(super) fn run(session: &Session, args: &DepthArgs) -> Result<ExitStatus, CommandError> {
    let (position, warnings) = root_position(session, &args.position)?;
    let Some(depth) = args.depth.checked_sub(1) else {
        let reason = "divide needs a depth of at least 1: the root move is the first ply";
        return Err(CommandError::Usage(reason.to_string()));
    };
    let mut moves: Vec<_> = legal_moves(&position)
        .into_iter()
        .map(|legal| {
            (
                legal.uci(position.castling_mode()),
                position.play_unchecked(legal),
            )
        })
        .collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    let counting = session.counting()?;
    let mut report = DivideReport {
        fen: position.to_string(),
        depth: args.depth,
        moves: Vec::new(),
        nodes: None,
        seconds: 0.0,
        warnings,
        stopped: None,
        run: counting.run.clone(),
    };
    let start = Instant::now();
    let mut failure = None;
    // One move after the other, each on all threads: what is finished can be printed if the rest is
    // not, and each has the whole memory.
    for (text, child) in moves {
        let bar = session.bar(&format!("divide({}) {text}", args.depth));
        let root = Root {
            position: child.packed(),
            depth,
        };
        match pipeline::count(&[root], &counting.options, &bar, &STOP) {
            Ok(counted) => {
                counting.warn_of_faults(session, &counted);
                report.moves.push((text, counted.nodes[0]));
            }
            Err(error) => {
                report.stopped = Some(format!("{text}: {error}"));
                failure = Some(CommandError::from(error));
                break;
            }
        }
    }
    report.seconds = start.elapsed().as_secs_f64();
    if failure.is_none() {
        let counts = report.moves.iter().map(|(_, nodes)| *nodes);
        report.nodes = counts.into_iter().try_fold(0u128, u128::checked_add);
        if report.nodes.is_none() {
            report.stopped = Some("the sum exceeds 128 bits".to_string());
        }
    }
    session.print(&Report::Divide(report))?;
    failure.map_or(Ok(ExitStatus::Good), Err)
}
