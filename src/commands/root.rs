//! The position that `perft`, `divide` and `stats` start from.

use super::CommandError;
use super::args::PositionArgs;
use super::session::Session;
use crate::parse::{self, ParsedFen};
use crate::position::Position;

/// Reads `--fen` or `--position` (the start position without either) and plays `--moves`. Returns
/// the warnings, which have been given, too.
pub(super) fn root_position(
    session: &Session,
    args: &PositionArgs,
) -> Result<(Position, Vec<String>), CommandError> {
    let text = match (&args.fen, &args.position) {
        (Some(fen), _) => fen.as_str(),
        (None, Some(name)) => parse::named_fen(name).ok_or_else(|| no_such_position(name))?,
        (None, None) => parse::NAMED_POSITIONS[0].fen,
    };
    let ParsedFen { position, warnings } =
        parse::read_fen(text, session.fen).map_err(|errors| {
            let reasons: Vec<String> = errors
                .iter()
                .map(|error| format!("--fen: {error}"))
                .collect();
            CommandError::BadInput(reasons.join("\n"))
        })?;
    let warnings: Vec<String> = warnings
        .iter()
        .map(|warning| format!("--fen: {warning}"))
        .collect();
    for warning in &warnings {
        session.warn(warning);
    }
    let played = parse::play_moves(&position, &args.moves)
        .map_err(|error| CommandError::BadInput(format!("--moves: {error}")))?;
    Ok((played, warnings))
}

/// The names there are, for whoever said another.
pub(super) fn no_such_position(name: &str) -> CommandError {
    let names: Vec<&str> = parse::NAMED_POSITIONS
        .iter()
        .map(|position| position.names[0])
        .collect();
    let names = names.join(", ");
    CommandError::Usage(format!("no position is named `{name}`; there are {names}"))
}
