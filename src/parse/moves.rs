//! Several moves: the operands of an operation, and the moves that lead from one position to
//! another. One move is `san.rs`.

use super::epd::Operation;
use super::place::{Fault, Reason, excerpt};
use super::san::{MoveError, parse_move, parse_move_strict};
use crate::board::Move;
use crate::position::Position;

/// A move of a list could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, `{}`: {reason} (in {position})", excerpt(text))]
pub struct PlayError {
    /// Which move it is, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// The FEN of the position it was tried in.
    pub position: String,
    /// What is wrong with it.
    pub reason: MoveError,
}

/// Plays moves, each as [`parse_move`] reads it, and stops at the first that is not legal.
///
/// ```
/// use hyperft::parse::{named_fen, parse_fen, play_moves};
///
/// let start = parse_fen(named_fen("startpos").unwrap()).unwrap();
/// let error = play_moves(&start, &["e2e4", "e7e5", "e4e5", "g1f3"]).unwrap_err();
/// assert_eq!((error.number, error.text.as_str()), (3, "e4e5"));
/// assert_eq!(play_moves(&start, &["e4", "e5"]).unwrap().fullmove_number(), 2);
/// ```
pub fn play_moves<Text: AsRef<str>>(
    position: &Position,
    moves: &[Text],
) -> Result<Position, PlayError> {
    let mut position = position.clone();
    for (index, text) in moves.iter().enumerate() {
        let text = text.as_ref();
        let legal = parse_move(&position, text).map_err(|reason| PlayError {
            number: index + 1,
            text: text.to_string(),
            position: position.to_string(),
            reason,
        })?;
        position = position.play_unchecked(legal);
    }
    Ok(position)
}

/// The moves an operation names: each operand a move of the position, except that the moves of `pv`
/// and `moves` follow one another. `strict` wants them as [`parse_move_strict`] does.
///
/// Pieces of a move with blanks inside (`Qd1 +`, `f8 = Q`) are put together again, a comma after
/// a move is dropped. All operands that are no moves are returned as faults; after a bad move of a
/// `pv` nothing more of it can be read.
///
/// ```
/// use hyperft::parse::{Operation, operation_moves, parse_fen};
///
/// let position = parse_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
/// let best = Operation::new("bm", &["Rd8", "+"]);
/// assert_eq!(operation_moves(&position, &best, false).unwrap().len(), 1);
/// let faults = operation_moves(&position, &Operation::new("bm", &["Rd9"]), false).unwrap_err();
/// assert_eq!(faults[0].to_string(), "opcode bm, `Rd9`: not a move, in SAN or coordinates");
/// ```
pub fn operation_moves(
    position: &Position,
    operation: &Operation,
    strict: bool,
) -> Result<Vec<Move>, Vec<Fault>> {
    let in_sequence = matches!(operation.opcode.as_str(), "pv" | "moves");
    let mut position = position.clone();
    let mut moves = Vec::new();
    let mut faults = Vec::new();
    for text in move_texts(operation, strict) {
        let read = if strict {
            parse_move_strict
        } else {
            parse_move
        };
        match read(&position, &text) {
            Ok(legal) => {
                moves.push(legal);
                if in_sequence {
                    position = position.play_unchecked(legal);
                }
            }
            Err(error) => {
                faults.push(Fault::in_opcode(
                    &operation.opcode,
                    &text,
                    Reason::Move(error),
                ));
                if in_sequence {
                    break;
                }
            }
        }
    }
    if faults.is_empty() {
        Ok(moves)
    } else {
        Err(faults)
    }
}

/// True for operations whose operands are moves.
pub(super) fn names_moves(operation: &Operation) -> bool {
    let opcode = operation.opcode.as_str();
    matches!(opcode, "am" | "bm" | "moves" | "pm" | "pv" | "sm")
}

fn move_texts(operation: &Operation, strict: bool) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for operand in &operation.operands {
        if strict {
            texts.push(operand.text.clone());
            continue;
        }
        let word = operand.text.trim_end_matches(',');
        let is_mark = !word.is_empty() && word.chars().all(|it| "+#!?=".contains(it));
        let continues = is_mark || word.starts_with('=') || word == "e.p.";
        match texts.last_mut() {
            Some(last) if continues || last.ends_with('=') => last.push_str(word),
            _ if word.is_empty() => {}
            _ => texts.push(word.to_string()),
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{named_fen, parse_fen};

    fn texts(operands: &[&str]) -> Vec<String> {
        move_texts(&Operation::new("bm", operands), false)
    }

    #[test]
    fn moves_broken_by_blanks_are_put_together() {
        assert_eq!(texts(&["Qd1", "+"]), ["Qd1+"]);
        assert_eq!(texts(&["f8", "=", "Q", "Kc2"]), ["f8=Q", "Kc2"]);
        assert_eq!(texts(&["f8", "=Q", "!?"]), ["f8=Q!?"]);
        assert_eq!(texts(&["Qd1,", "Qd2"]), ["Qd1", "Qd2"]);
        assert_eq!(texts(&["exd6", "e.p."]), ["exd6e.p."]);
        assert_eq!(texts(&["f8", "Q"]), ["f8", "Q"]);
    }

    #[test]
    fn a_pv_is_played_and_a_set_is_not() {
        let start = parse_fen(named_fen("startpos").unwrap()).unwrap();
        let moves = |opcode: &str, operands: &[&str]| {
            operation_moves(&start, &Operation::new(opcode, operands), false)
        };
        assert_eq!(moves("pv", &["e4", "e5", "Nf3"]).unwrap().len(), 3);
        assert_eq!(moves("bm", &["e4", "e5", "Nf3"]).unwrap_err()[0].text, "e5");
        assert_eq!(moves("bm", &["e5", "Nf6"]).unwrap_err().len(), 2);
        assert_eq!(moves("pv", &["e5", "Nf6"]).unwrap_err().len(), 1);
    }
}
