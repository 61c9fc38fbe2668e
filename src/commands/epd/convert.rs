//! `epd convert FILE...`: the same positions in another notation.

use std::io::Write;

use super::rewrite;
use crate::board::CastlingMode;
use crate::commands::args::{ConvertArgs, EpArg, NotationArg, RightsArg};
use crate::commands::session::Session;
use crate::commands::{CommandError, ExitStatus};
use crate::parse::{FenWriting, write_epd, write_fen};
use crate::position::EnPassantMode;

pub(super) fn run(session: &Session, args: &ConvertArgs) -> Result<ExitStatus, CommandError> {
    // `KQkq` of a standard position is `HAha` by the rules of Chess960.
    if args.rights == RightsArg::Shredder && session.fen.castling == CastlingMode::Standard {
        let message = "--rights shredder writes Chess960 rights: say --chess960 too";
        return Err(CommandError::Usage(message.to_string()));
    }
    let writing = FenWriting {
        ep: match args.ep {
            EpArg::Legal => EnPassantMode::Legal,
            EpArg::PseudoLegal => EnPassantMode::PseudoLegal,
            EpArg::Always => EnPassantMode::Always,
        },
        shredder: args.rights != RightsArg::Xfen,
    };
    rewrite(session, &args.files, |job, bytes| {
        let line = match args.to {
            NotationArg::Fen => write_fen(&job.position, writing),
            NotationArg::Epd => write_epd(&job.position, &job.operations, writing),
        };
        writeln!(bytes, "{line}")?;
        Ok(())
    })
}
