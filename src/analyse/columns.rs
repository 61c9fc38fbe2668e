//! The columns of a record: names, meaning, values. Formats and filters are made from this table,
//! so a column is added here and nowhere else.

use std::borrow::Cow;
use std::fmt;

use super::game::Game;
use super::record::{Found, Record};
use crate::board::{Bitboard, CastlingMode, Color};
use crate::parse::{FenWriting, castling_text, harmless};
use crate::position::EnPassantMode;

/// What a column says of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Nothing: the line was rejected, or has no such thing.
    Missing,
    /// Text.
    Text(&'a str),
    /// Text made for this.
    Owned(String),
    /// A number that is small.
    Number(u64),
    /// A count that may pass 2^53.
    Count(u128),
    /// Yes or no.
    Flag(bool),
    /// Several texts.
    Texts(&'a [String]),
    /// Several squares.
    Squares(Bitboard),
}

impl Value<'_> {
    /// The value as text: nothing if it is missing; blanks between squares, `; ` between texts.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Value::Missing => "".into(),
            Value::Text(text) => (*text).into(),
            Value::Owned(text) => text.into(),
            Value::Number(number) => number.to_string().into(),
            Value::Count(count) => count.to_string().into(),
            Value::Flag(flag) => if *flag { "true" } else { "false" }.into(),
            Value::Texts(texts) => texts.join("; ").into(),
            Value::Squares(squares) => {
                let names: Vec<String> = squares.iter().map(|it| it.to_string()).collect();
                names.join(" ").into()
            }
        }
    }

    /// The text with what could take over a terminal written as escapes.
    pub fn harmless_text(&self) -> String {
        harmless(&self.text())
    }
}

macro_rules! columns {
    ($($variant:ident $name:literal $when:ident $about:literal => $value:expr;)*) => {
        /// A column of a record.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Column {
            $(#[doc = $about] $variant,)*
        }

        impl Column {
            /// All columns, in the order of output.
            pub const ALL: &[Column] = &[$(Column::$variant,)*];

            /// The name in headers and JSON, and in filters.
            pub fn name(self) -> &'static str {
                match self {
                    $(Column::$variant => $name,)*
                }
            }

            /// What it says, in one line.
            pub fn about(self) -> &'static str {
                match self {
                    $(Column::$variant => $about,)*
                }
            }

            /// When it is shown although nobody asked for it.
            pub fn shown(self) -> Shown {
                match self {
                    $(Column::$variant => Shown::$when,)*
                }
            }

            /// What it says of a record.
            pub fn value(self, record: &Record) -> Value<'_> {
                match self {
                    $(Column::$variant => $value.of(record),)*
                }
            }
        }
    };
}

/// When a column is shown although nobody asked for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In every record.
    Always,
    /// If moves are played.
    Played,
    /// If paths are counted.
    Counted,
    /// Only if asked for.
    Asked,
}

/// How a value is got: from the record, or from the position that was found.
enum Getter {
    Record(fn(&Record) -> Value<'_>),
    Found(fn(&Found) -> Value<'_>),
}

impl Getter {
    #[inline(always)]
    fn of(self, record: &Record) -> Value<'_> {
        match self {
            Getter::Record(get) => get(record),
            Getter::Found(get) => record.found.as_deref().map_or(Value::Missing, get),
        }
    }
}

/// Marks a getter that looks at the record itself.
const fn record(get: fn(&Record) -> Value<'_>) -> Getter {
    Getter::Record(get)
}

/// Marks a getter that looks at the position.
const fn found(get: fn(&Found) -> Value<'_>) -> Getter {
    Getter::Found(get)
}

columns! {
    File "file" Always "file, or member of an archive" =>
        record(|it| Value::Text(&it.origin.source));
    Line "line" Always "line in the file, from 1" =>
        record(|it| Value::Number(it.origin.line as u64));
    Id "id" Always "the record's id" =>
        found(|it| it.job.id.as_deref().map_or(Value::Missing, Value::Text));
    Status "status" Always "ok, warning or rejected" =>
        record(|it| Value::Text(it.status.name()));
    Reasons "reasons" Always "everything odd or wrong about the line" =>
        record(|it| Value::Texts(&it.reasons));
    Fen "fen" Always "the position written anew; e.p. square only if a capture is legal" =>
        found(|it| Value::Owned(it.position.to_string()));
    SideToMove "side_to_move" Always "w or b" =>
        found(|it| Value::Text(match it.position.side_to_move() {
            Color::White => "w",
            Color::Black => "b",
        }));
    HalfmoveClock "halfmove_clock" Always "plies since a capture or pawn move" =>
        found(|it| Value::Number(it.position.halfmove_clock().into()));
    FullmoveNumber "fullmove_number" Always "number of the move" =>
        found(|it| Value::Number(it.position.fullmove_number().into()));
    CastlingMode "castling_mode" Always "standard or chess960" =>
        found(|it| Value::Text(match it.position.castling_mode() {
            CastlingMode::Standard => "standard",
            CastlingMode::Chess960 => "chess960",
        }));
    CastlingGiven "castling_given" Always "field 3 as the line has it" =>
        found(|it| it.job.field(3).map_or(Value::Missing, Value::Text));
    Castling "castling" Always "castling rights as they stand" =>
        found(|it| Value::Owned(castling_text(&it.position, FenWriting::default().shredder)));
    EpGiven "ep_given" Always "field 4 as the line has it" =>
        found(|it| it.job.field(4).map_or(Value::Missing, Value::Text));
    EpSquare "ep_square" Always "e.p. square on which a capture is legal" =>
        found(|it| match it.position.ep_square(EnPassantMode::Legal) {
            Some(square) => Value::Owned(square.to_string()),
            None => Value::Missing,
        });
    Key "key" Always "Zobrist key, 16 hexadecimal digits" =>
        found(|it| Value::Owned(format!("{:016x}", it.position.key())));
    Pieces "pieces" Always "pieces on the board, kings included" =>
        found(|it| Value::Number(it.position.pieces().occupied().count().into()));
    InCheck "in_check" Always "the side to move is in check" =>
        found(|it| Value::Flag(it.facts.in_check()));
    Checkers "checkers" Always "squares of the pieces that give check" =>
        found(|it| Value::Squares(it.facts.moves.checkers));
    Pinned "pinned" Always "squares of the pieces that are pinned to their king" =>
        found(|it| Value::Squares(it.facts.moves.pinned));
    LegalMoves "legal_moves" Always "legal moves" =>
        found(|it| Value::Number(it.facts.moves.legal_moves.into()));
    Captures "captures" Always "moves that take a piece, e.p. included" =>
        found(|it| Value::Number(it.facts.moves.captures.into()));
    EpCaptures "ep_captures" Always "captures en passant" =>
        found(|it| Value::Number(it.facts.moves.ep_captures.into()));
    Castles "castles" Always "castling moves" =>
        found(|it| Value::Number(it.facts.moves.castles.into()));
    Promotions "promotions" Always "promotions, one for each piece chosen" =>
        found(|it| Value::Number(it.facts.moves.promotions.into()));
    Checks "checks" Always "moves that give check, mates included" =>
        found(|it| Value::Number(it.facts.moves.checks.into()));
    DirectChecks "direct_checks" Always "checks by the moved piece or castled rook alone" =>
        found(|it| Value::Number(it.facts.moves.direct_checks().into()));
    DiscoveryChecks "discovery_checks" Always "checks by one piece that did not move" =>
        found(|it| Value::Number(it.facts.moves.discovery_checks.into()));
    DoubleChecks "double_checks" Always "checks by two pieces" =>
        found(|it| Value::Number(it.facts.moves.double_checks.into()));
    Mates "mates" Always "moves that mate" =>
        found(|it| Value::Number(it.facts.moves.mates.into()));
    Checkmate "checkmate" Always "the side to move is mated" =>
        found(|it| Value::Flag(it.facts.checkmate()));
    Stalemate "stalemate" Always "no legal move, and not in check" =>
        found(|it| Value::Flag(it.facts.stalemate()));
    InsufficientMaterial "insufficient_material" Always
        "bare kings, one minor piece, or bishops of one colour only" =>
        found(|it| Value::Flag(it.facts.insufficient_material));
    FiftyMoves "fifty_moves" Always "a draw can be claimed: 100 plies, and no mate or stalemate" =>
        found(|it| Value::Flag(it.facts.fifty_moves()));
    SeventyFiveMoves "seventy_five_moves" Always
        "drawn without a claim: 150 plies, and no mate or stalemate" =>
        found(|it| Value::Flag(it.facts.seventy_five_moves()));
    Outcome "outcome" Always
        "checkmate, stalemate, insufficient-material, seventy-five-moves, fivefold-repetition" =>
        found(|it| it.outcome().map_or(Value::Missing, |end| Value::Text(end.name())));
    Plies "plies" Played "moves played" =>
        found(|it| of_game(it, |game| Value::Number(game.plies as u64)));
    Occurrences "occurrences" Played "how often the last position has occurred" =>
        found(|it| of_game(it, |game| Value::Number(game.occurrences as u64)));
    Threefold "threefold" Played "a draw can be claimed: three occurrences" =>
        found(|it| of_game(it, |game| Value::Flag(game.threefold())));
    Fivefold "fivefold" Played "drawn without a claim: five occurrences" =>
        found(|it| of_game(it, |game| Value::Flag(game.fivefold())));
    Perft "perft" Counted "paths of the depth asked for" =>
        found(|it| it.perft.map_or(Value::Missing, Value::Count));
    Text "text" Asked "the line as read" =>
        found(|it| Value::Text(&it.job.text));
}

fn of_game(found: &Found, get: fn(&Game) -> Value<'static>) -> Value<'static> {
    found.game.as_ref().map_or(Value::Missing, get)
}

impl Column {
    /// The column with this name.
    ///
    /// ```
    /// use hyperft::analyse::Column;
    ///
    /// assert_eq!(Column::from_name("legal_moves"), Some(Column::LegalMoves));
    /// assert_eq!(Column::from_name("nodes"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Column> {
        Column::ALL.iter().copied().find(|it| it.name() == name)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_words() {
        for (index, column) in Column::ALL.iter().enumerate() {
            let name = column.name();
            assert!(name.bytes().all(|it| it == b'_' || it.is_ascii_lowercase()));
            assert_eq!(Column::from_name(name), Some(*column));
            assert!(
                Column::ALL[..index].iter().all(|it| it.name() != name),
                "{name}"
            );
            assert!(!column.about().is_empty());
        }
    }
}
