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
    let position = root_position(session, &args.position)?;
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
    let roots: Vec<Root> = moves
        .iter()
        .map(|(_, child)| Root {
            position: child.packed(),
            depth,
        })
        .collect();
    let bar = session.bar(&format!("divide({})", args.depth));
    let start = Instant::now();
    let counted = pipeline::count(&roots, &session.count, &bar, &STOP)?;
    bar.clear();
    let nodes = counted.nodes.iter().sum();
    let report = DivideReport {
        fen: position.to_string(),
        depth: args.depth,
        moves: moves
            .into_iter()
            .map(|(text, _)| text)
            .zip(counted.nodes)
            .collect(),
        nodes,
        seconds: start.elapsed().as_secs_f64(),
        run: session.run.clone(),
    };
    session.print(&Report::Divide(report))?;
    Ok(ExitStatus::Good)
}
