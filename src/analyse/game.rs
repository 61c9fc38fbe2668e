//! Lines of moves: the position they lead to, and how often it has occurred on the way.

use crate::board::Move;
use crate::position::Position;

/// A line of moves, played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The moves played.
    pub plies: usize,
    /// How often the last position has occurred, itself included.
    pub occurrences: usize,
}

impl Game {
    /// A draw can be claimed: the position has occurred three times.
    pub fn threefold(&self) -> bool {
        self.occurrences >= 3
    }

    /// The game is drawn without a claim: the position has occurred five times.
    pub fn fivefold(&self) -> bool {
        self.occurrences >= 5
    }
}

/// Plays moves, which must be legal one after the other, and looks back.
///
/// Positions are the same if board, side to move, castling rights and legal e.p. captures are; the
/// first position counts as an occurrence. Nothing before the last capture or pawn move can occur
/// again, so the look back is as long as the halfmove clock says.
///
/// ```
/// use hyperft::{analyse::play, parse::{operation_moves, read_epd}};
///
/// let line = "startpos pv Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8;";
/// let record = read_epd(line, Default::default()).unwrap();
/// let start = &record.position.position;
/// let moves = operation_moves(start, &record.operations[0], false).unwrap();
/// let (_, game) = play(start, &moves);
/// assert!(game.occurrences == 3 && game.threefold() && !game.fivefold());
/// ```
pub fn play(start: &Position, moves: &[Move]) -> (Position, Game) {
    let mut line = vec![start.clone()];
    let mut last = start.clone();
    for &legal in moves {
        last = last.play_unchecked(legal);
        line.push(last.clone());
    }
    let same = |other: &&Position| {
        other.pieces() == last.pieces() && other.side_to_move() == last.side_to_move()
    };
    let plies = moves.len();
    let reversible = plies.min(last.halfmove_clock() as usize);
    // The same side is to move every other ply, and two plies cannot lead back.
    let earlier = (4..=reversible).step_by(2).map(|back| &line[plies - back]);
    let occurrences = 1 + earlier.filter(same).count();
    (last, Game { plies, occurrences })
}
