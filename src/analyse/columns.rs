//! The columns of a record: names, meaning, values. Formats and filters are made from this table,
//! so a column is added here and nowhere else.

use std::fmt;

use super::game::Game;
use super::record::{Found, Record};
use crate::board::{Bitboard, CastlingMode, Color, Square};
use crate::parse::{FenWriting, harmless, push_castling, push_fen};
use crate::position::{EnPassantMode, Position};

/// What a column says of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing: the line was rejected, or has no such thing.
    Missing,
    /// Text.
    Text(&'a str),
    /// A position, written as FEN.
    Fen(&'a Position),
    /// The castling rights of a position.
    Castling(&'a Position),
    /// A square.
    Square(Square),
    /// A number written as 16 hexadecimal digits.
    Key(u64),
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
    pub fn text(&self) -> String {
        let mut bytes = Vec::new();
        self.push_text(&mut bytes);
        String::from_utf8(bytes).expect("made of text")
    }

    /// Appends [`Value::text`].
    #[inline(always)]
    pub fn push_text(&self, out: &mut Vec<u8>) {
        match self {
            Value::Missing => {}
            Value::Text(text) => out.extend_from_slice(text.as_bytes()),
            Value::Fen(position) => push_fen(position, FenWriting::default(), out),
            Value::Castling(position) => {
                push_castling(position, FenWriting::default().shredder, out);
            }
            Value::Square(square) => out.extend_from_slice(&square.name()),
            Value::Key(key) => push_key(*key, out),
            Value::Number(number) => push_number(*number, out),
            Value::Count(count) => {
                out.extend_from_slice(itoa::Buffer::new().format(*count).as_bytes());
            }
            Value::Flag(true) => out.extend_from_slice(b"true"),
            Value::Flag(false) => out.extend_from_slice(b"false"),
            Value::Texts(texts) => out.extend_from_slice(texts.join("; ").as_bytes()),
            Value::Squares(squares) => {
                for (index, square) in squares.iter().enumerate() {
                    if index > 0 {
                        out.push(b' ');
                    }
                    out.extend_from_slice(&square.name());
                }
            }
        }
    }

    /// The text with what could take over a terminal written as escapes.
    pub fn harmless_text(&self) -> String {
        harmless(&self.text())
    }
}

/// Most numbers have one digit or two.
#[inline(always)]
fn push_number(number: u64, out: &mut Vec<u8>) {
    let digit = |number: u64| b'0' + (number % 10) as u8;
    match number {
        0..10 => out.push(digit(number)),
        10..100 => out.extend_from_slice(&[digit(number / 10), digit(number)]),
        _ => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

fn push_key(key: u64, out: &mut Vec<u8>) {
    let digit = |index: u32| b"0123456789abcdef"[(key >> (60 - 4 * index) & 15) as usize];
    out.extend((0..16).map(digit));
}

macro_rules! columns {
    ($($variant:ident $name:literal $when:ident $kind:ident $about:literal => $value:expr;)*) => {
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

            /// What its values are, where they are not missing.
            pub fn kind(self) -> Kind {
                match self {
                    $(Column::$variant => Kind::$kind,)*
                }
            }

            /// What it says of a record.
            #[inline(always)]
            pub fn value<'a>(self, record: &'a Record<'_>) -> Value<'a> {
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

/// What the values of a column are, for formats that must know before they see one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything written as text.
    Text,
    /// [`Value::Number`].
    Number,
    /// [`Value::Flag`].
    Flag,
}

/// How a value is got: from the record, or from the position that was found.
enum Getter {
    Record(for<'a, 'b> fn(&'a Record<'b>) -> Value<'a>),
    Found(fn(&Found) -> Value<'_>),
}

impl Getter {
    #[inline(always)]
    fn of<'a>(self, record: &'a Record<'_>) -> Value<'a> {
        match self {
            Getter::Record(get) => get(record),
            Getter::Found(get) => record.found.as_ref().map_or(Value::Missing, get),
        }
    }
}

/// Marks a getter that looks at the record itself.
const fn record(get: for<'a, 'b> fn(&'a Record<'b>) -> Value<'a>) -> Getter {
    Getter::Record(get)
}

/// Marks a getter that looks at the position.
const fn found(get: fn(&Found) -> Value<'_>) -> Getter {
    Getter::Found(get)
}

columns! {
    File "file" Always Text "file, or member of an archive" =>
        record(|it| Value::Text(it.line.source()));
    Line "line" Always Number "line in the file, from 1" =>
        record(|it| Value::Number(it.line.number() as u64));
    Id "id" Always Text "the record's id" =>
        record(|it| it.line.id().map_or(Value::Missing, Value::Text));
    Status "status" Always Text "ok, warning or rejected" =>
        record(|it| Value::Text(it.status.name()));
    Reasons "reasons" Always Text "everything odd or wrong about the line" =>
        record(|it| Value::Texts(&it.reasons));
    Fen "fen" Always Text "the position written anew; e.p. square only if a capture is legal" =>
        found(|it| Value::Fen(&it.position));
    SideToMove "side_to_move" Always Text "w or b" =>
        found(|it| Value::Text(match it.position.side_to_move() {
            Color::White => "w",
            Color::Black => "b",
        }));
    HalfmoveClock "halfmove_clock" Always Number "plies since a capture or pawn move" =>
        found(|it| Value::Number(it.position.halfmove_clock().into()));
    FullmoveNumber "fullmove_number" Always Number "number of the move" =>
        found(|it| Value::Number(it.position.fullmove_number().into()));
    CastlingMode "castling_mode" Always Text "standard or chess960" =>
        found(|it| Value::Text(match it.position.castling_mode() {
            CastlingMode::Standard => "standard",
            CastlingMode::Chess960 => "chess960",
        }));
    CastlingGiven "castling_given" Always Text "field 3 as the line has it" =>
        record(|it| it.line.field(3).map_or(Value::Missing, Value::Text));
    Castling "castling" Always Text "castling rights as they stand" =>
        found(|it| Value::Castling(&it.position));
    EpGiven "ep_given" Always Text "field 4 as the line has it" =>
        record(|it| it.line.field(4).map_or(Value::Missing, Value::Text));
    EpSquare "ep_square" Always Text "e.p. square on which a capture is legal" =>
        found(|it| match it.position.ep_square(EnPassantMode::Legal) {
            Some(square) => Value::Square(square),
            None => Value::Missing,
        });
    Key "key" Always Text "Zobrist key, 16 hexadecimal digits" =>
        found(|it| Value::Key(it.position.key()));
    Pieces "pieces" Always Number "pieces on the board, kings included" =>
        found(|it| Value::Number(it.position.pieces().occupied().count().into()));
    InCheck "in_check" Always Flag "the side to move is in check" =>
        found(|it| Value::Flag(it.facts.in_check()));
    Checkers "checkers" Always Text "squares of the pieces that give check" =>
        found(|it| Value::Squares(it.facts.moves.checkers));
    Pinned "pinned" Always Text "squares of the pieces that are pinned to their king" =>
        found(|it| Value::Squares(it.facts.moves.pinned));
    LegalMoves "legal_moves" Always Number "legal moves" =>
        found(|it| Value::Number(it.facts.moves.legal_moves.into()));
    Captures "captures" Always Number "moves that take a piece, e.p. included" =>
        found(|it| Value::Number(it.facts.moves.captures.into()));
    EpCaptures "ep_captures" Always Number "captures en passant" =>
        found(|it| Value::Number(it.facts.moves.ep_captures.into()));
    Castles "castles" Always Number "castling moves" =>
        found(|it| Value::Number(it.facts.moves.castles.into()));
    Promotions "promotions" Always Number "promotions, one for each piece chosen" =>
        found(|it| Value::Number(it.facts.moves.promotions.into()));
    Checks "checks" Always Number "moves that give check, mates included" =>
        found(|it| Value::Number(it.facts.moves.checks.into()));
    DirectChecks "direct_checks" Always Number "checks by the moved piece or castled rook alone" =>
        found(|it| Value::Number(it.facts.moves.direct_checks().into()));
    DiscoveryChecks "discovery_checks" Always Number "checks by one piece that did not move" =>
        found(|it| Value::Number(it.facts.moves.discovery_checks.into()));
    DoubleChecks "double_checks" Always Number "checks by two pieces" =>
        found(|it| Value::Number(it.facts.moves.double_checks.into()));
    Mates "mates" Always Number "moves that mate" =>
        found(|it| Value::Number(it.facts.moves.mates.into()));
    Checkmate "checkmate" Always Flag "the side to move is mated" =>
        found(|it| Value::Flag(it.facts.checkmate()));
    Stalemate "stalemate" Always Flag "no legal move, and not in check" =>
        found(|it| Value::Flag(it.facts.stalemate()));
    InsufficientMaterial "insufficient_material" Always Flag
        "bare kings, one minor piece, or bishops of one colour only" =>
        found(|it| Value::Flag(it.facts.insufficient_material));
    FiftyMoves "fifty_moves" Always Flag "a draw can be claimed: 100 plies, and no mate or stalemate" =>
        found(|it| Value::Flag(it.facts.fifty_moves()));
    SeventyFiveMoves "seventy_five_moves" Always Flag
        "drawn without a claim: 150 plies, and no mate or stalemate" =>
        found(|it| Value::Flag(it.facts.seventy_five_moves()));
    Outcome "outcome" Always Text
        "checkmate, stalemate, insufficient-material, seventy-five-moves, fivefold-repetition" =>
        found(|it| it.outcome().map_or(Value::Missing, |end| Value::Text(end.name())));
    Plies "plies" Played Number "moves played" =>
        found(|it| of_game(it, |game| Value::Number(game.plies as u64)));
    Occurrences "occurrences" Played Number "how often the last position has occurred" =>
        found(|it| of_game(it, |game| Value::Number(game.occurrences as u64)));
    Threefold "threefold" Played Flag "a draw can be claimed: three occurrences" =>
        found(|it| of_game(it, |game| Value::Flag(game.threefold())));
    Fivefold "fivefold" Played Flag "drawn without a claim: five occurrences" =>
        found(|it| of_game(it, |game| Value::Flag(game.fivefold())));
    Perft "perft" Counted Text "paths of the depth asked for" =>
        found(|it| it.perft.map_or(Value::Missing, Value::Count));
    Text "text" Asked Text "the line as read" =>
        record(|it| it.line.text().map_or(Value::Missing, Value::Text));
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
    fn values_are_of_their_columns_kind() {
        use crate::analyse::AnalyseOptions;
        use crate::parse::{FenOptions, Source, open_jobs};
        let lines = "startpos moves e2e4; id \"x\";\n8/8/8/3pP3/8/8/8/K1k4R w - d6 0 1\nx";
        let source = Source::Literal(lines.to_string());
        let options = AnalyseOptions {
            play: Some("moves"),
            perft: Some(1),
        };
        let mut seen = 0;
        for job in open_jobs(&source, FenOptions::default()).unwrap() {
            let record = Record::of(job, &options);
            for &column in Column::ALL {
                let kind = match column.value(&record) {
                    Value::Missing => continue,
                    Value::Number(_) => Kind::Number,
                    Value::Flag(_) => Kind::Flag,
                    _ => Kind::Text,
                };
                assert_eq!(kind, column.kind(), "{column}");
                seen += 1;
            }
        }
        assert!(seen > Column::ALL.len(), "{seen}");
    }

    #[test]
    fn numbers_have_all_their_digits() {
        for number in (0..=1_100).chain([u64::MAX]) {
            assert_eq!(Value::Number(number).text(), number.to_string());
        }
    }

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
