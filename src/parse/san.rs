//! One move as text: SAN or coordinates to a [`Move`], and a move to SAN. Whole operations and
//! lines of moves are `moves.rs`; UCI text is written by [`Move::uci`].

use crate::board::{CastlingSide, File, Move, MoveKind, MoveList, Rank, Role, Square};
use crate::movegen::legal_moves;
use crate::position::Position;

/// Why a text does not name a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is no move of any position.
    #[error("not a move, in SAN or coordinates")]
    NotAMove,
    /// It describes a move, but not a legal one here.
    #[error("no legal move of this position")]
    Illegal,
    /// It describes more than one legal move.
    #[error("ambiguous, could be {}", candidates.join(" or "))]
    Ambiguous {
        /// Those moves in SAN, in no particular order.
        candidates: Vec<String>,
    },
    /// It names one move, but is not the way to write it; strict reading only.
    #[error("not the canonical form, which is {canonical}")]
    NotCanonical {
        /// The move in SAN.
        canonical: String,
    },
}

/// Reads a move, leniently; it must name exactly one legal move.
///
/// - Coordinates: `e2e4`, `e2-e4`, `a7a8q`, `a7a8Q`. Castling is the king to its target (`e1g1`) or
///   the king to its rook (`e1h1`), in standard and Chess960 positions alike. Where a Chess960 king
///   may simply step onto its castling target, that step is meant.
/// - SAN: `Nf3`, `exd6`, `e8=Q+`, `O-O`. Marks (`+ # ! ?`, `e.p.`) may be missing or wrong, `x` and
///   `=` may be missing, `0-0` is castling, `ef6` is `exf6`, `e8(Q)` is `e8=Q`, and more squares may
///   be given than are needed (`Ng1-f3`). Blanks inside do no harm.
///
/// ```
/// use hyperft::parse::{MoveError, parse_fen, parse_move};
///
/// let position = parse_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
/// assert_eq!(parse_move(&position, "a8Q"), parse_move(&position, "a7a8Q"));
/// assert_eq!(parse_move(&position, "b8"), Err(MoveError::Illegal));
/// assert!(matches!(parse_move(&position, "a8"), Err(MoveError::Ambiguous { .. })));
/// ```
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let core = without_marks(text);
    let legal = legal_moves(position);
    if let Some(side) = castling_side(&core) {
        let castles = |legal: &Move| {
            let rook = legal.to().file();
            legal.kind() == MoveKind::Castle && CastlingSide::of(legal.from().file(), rook) == side
        };
        return only_one(position, legal.into_iter().filter(castles));
    }
    if let Some(found) = Coordinates::read(&core).and_then(|it| it.find(&legal)) {
        return Ok(found);
    }
    let san = San::read(&core).ok_or(MoveError::NotAMove)?;
    only_one(
        position,
        legal.into_iter().filter(|&it| san.describes(position, it)),
    )
}

/// Reads a move that is written exactly as [`san`] or [`Move::uci`] writes it.
pub fn parse_move_strict(position: &Position, text: &str) -> Result<Move, MoveError> {
    let found = parse_move(position, text)?;
    let canonical = san(position, found);
    if text == canonical || text == found.uci(position.castling_mode()) {
        Ok(found)
    } else {
        Err(MoveError::NotCanonical { canonical })
    }
}

fn only_one(
    position: &Position,
    mut candidates: impl Iterator<Item = Move>,
) -> Result<Move, MoveError> {
    let first = candidates.next().ok_or(MoveError::Illegal)?;
    let others: Vec<Move> = candidates.collect();
    if others.is_empty() {
        return Ok(first);
    }
    let all = std::iter::once(first).chain(others);
    Err(MoveError::Ambiguous {
        candidates: all.map(|it| san(position, it)).collect(),
    })
}

/// The text with no blanks inside, and with no check, mate, e.p. and opinion marks behind it.
fn without_marks(text: &str) -> String {
    let mut core: String = text.split_whitespace().collect();
    loop {
        let unmarked = core.trim_end_matches(['+', '#', '!', '?']);
        let unmarked = ["e.p.", "e.p", "ep"]
            .iter()
            .find_map(|mark| unmarked.strip_suffix(mark))
            .unwrap_or(unmarked);
        if unmarked.len() == core.len() {
            return core;
        }
        core.truncate(unmarked.len());
    }
}

fn castling_side(core: &str) -> Option<CastlingSide> {
    match core.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" | "OO" => Some(CastlingSide::King),
        "O-O-O" | "OOO" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// A move as two squares.
struct Coordinates {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl Coordinates {
    fn read(core: &str) -> Option<Coordinates> {
        let from = core.get(..2)?.parse().ok()?;
        let rest = core.get(2..)?;
        let rest = rest.strip_prefix(['-', 'x']).unwrap_or(rest);
        let (to, promotion) = target(rest)?;
        (rest.len() >= 2 && rest.starts_with(&to.to_string())).then_some(Coordinates {
            from,
            to,
            promotion,
        })
    }

    /// The legal move that goes this way.
    ///
    /// A castle's own target is the rook's square, so both ways to write it are looked for, the
    /// king's target last: it may be reached by an ordinary king move too.
    fn find(&self, legal: &MoveList) -> Option<Move> {
        let same = |&it: &Move| it.from() == self.from && it.promotion() == self.promotion;
        let by_target = |it: &Move| same(it) && it.to() == self.to;
        let by_landing = |it: &Move| same(it) && it.landing() == self.to && self.from != self.to;
        let mut moves = legal.into_iter();
        let found = moves.find(by_target);
        found.or_else(|| legal.into_iter().find(by_landing))
    }
}

/// A square and what a pawn becomes there, from the end of a move.
fn target(text: &str) -> Option<(Square, Option<Role>)> {
    let text = text.strip_suffix(')').unwrap_or(text);
    let last = text.chars().last()?;
    let (text, promotion) = if last.is_ascii_digit() {
        (text, None)
    } else {
        let role =
            Role::from_letter(last).filter(|role| !matches!(role, Role::Pawn | Role::King))?;
        let text = text.strip_suffix(last)?;
        (
            text.strip_suffix(['=', '(', '/']).unwrap_or(text),
            Some(role),
        )
    };
    let square = text.get(text.len().checked_sub(2)?..)?.parse().ok()?;
    Some((square, promotion))
}

/// What a move in SAN says.
struct San {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl San {
    fn read(core: &str) -> Option<San> {
        let piece = core.chars().next().filter(char::is_ascii_uppercase);
        let role = piece.map_or(Some(Role::Pawn), Role::from_letter)?;
        let rest = if piece.is_some() {
            core.get(1..)?
        } else {
            core
        };
        let (to, promotion) = target(rest)?;
        if promotion.is_some() && role != Role::Pawn {
            return None;
        }
        // The target is found from the end; what stands before it says where from.
        let origin = rest.get(..rest.rfind(&to.to_string())?)?;
        let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
        let mut letters = origin.chars().peekable();
        let file = letters.next_if(|it| it.is_ascii_lowercase());
        let rank = letters.next_if(|it| it.is_ascii_digit());
        if letters.next().is_some() {
            return None;
        }
        Some(San {
            role,
            file: file
                .map(|it| File::from_letter(it).ok_or(()))
                .transpose()
                .ok()?,
            rank: rank.map(|it| rank_of(it).ok_or(())).transpose().ok()?,
            to,
            promotion,
        })
    }

    fn describes(&self, position: &Position, legal: Move) -> bool {
        let from = legal.from();
        let moves = position.piece_on(from).map(|piece| piece.role);
        // A pawn move without a file goes straight ahead: a capture always says where from.
        let straight = self.role == Role::Pawn && self.file.is_none() && self.rank.is_none();
        let file = if straight {
            Some(self.to.file())
        } else {
            self.file
        };
        legal.kind() != MoveKind::Castle
            && moves == Some(self.role)
            && legal.to() == self.to
            && file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && (self.promotion.is_none() || self.promotion == legal.promotion())
    }
}

fn rank_of(letter: char) -> Option<Rank> {
    let number = letter.to_digit(10)?.checked_sub(1)?;
    Rank::new(u8::try_from(number).ok()?)
}

/// A legal move of a position in Standard Algebraic Notation, with `+` or `#`.
///
/// ```
/// use hyperft::parse::{parse_fen, parse_move, san};
///
/// let position = parse_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
/// let mate = parse_move(&position, "d1d8").unwrap();
/// assert_eq!(san(&position, mate), "Rd8#");
/// ```
pub fn san(position: &Position, legal: Move) -> String {
    let mut text = match legal.kind() {
        MoveKind::Castle => match CastlingSide::of(legal.from().file(), legal.to().file()) {
            CastlingSide::King => "O-O".to_string(),
            CastlingSide::Queen => "O-O-O".to_string(),
        },
        _ => piece_move(position, legal),
    };
    let after = position.play_unchecked(legal);
    if after.checkers().any() {
        let mate = legal_moves(&after).is_empty();
        text.push(if mate { '#' } else { '+' });
    }
    text
}

fn piece_move(position: &Position, legal: Move) -> String {
    let (from, to) = (legal.from(), legal.to());
    let role = position
        .piece_on(from)
        .map_or(Role::Pawn, |piece| piece.role);
    let takes = position.piece_on(to).is_some() || legal.kind() == MoveKind::EnPassant;
    let mut text = String::new();
    if role == Role::Pawn {
        if takes {
            text.push(from.file().letter());
        }
    } else {
        text.push(role.letter().to_ascii_uppercase());
        text += &origin(position, legal, role);
    }
    if takes {
        text.push('x');
    }
    text += &to.to_string();
    if let Some(promotion) = legal.promotion() {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

/// As much of the square a piece comes from as tells it from others of its kind: nothing, the file,
/// the rank, or both, in this order of preference.
fn origin(position: &Position, legal: Move, role: Role) -> String {
    let from = legal.from();
    let is_rival = |other: &Move| {
        other.to() == legal.to()
            && other.from() != from
            && other.kind() != MoveKind::Castle
            && position.piece_on(other.from()).map(|piece| piece.role) == Some(role)
    };
    let moves = legal_moves(position);
    let rivals: Vec<Square> = moves.into_iter().filter(is_rival).map(Move::from).collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        from.file().to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}

#[cfg(test)]
#[path = "san_tests.rs"]
mod tests;
