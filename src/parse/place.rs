//! Where in a line something is wrong, and what: the words every message of this room is made of.
//! Which file and which line it is, `input.rs` adds.

use std::fmt;

use super::fen::{FenError, field_name};
use super::san::MoveError;

/// Longest piece of input repeated in a message, in characters.
pub const EXCERPT_CHARS_MAX: usize = 80;

/// A text as messages show it: [`harmless`], and cut to [`EXCERPT_CHARS_MAX`] characters with an
/// ellipsis for the rest.
///
/// ```
/// assert_eq!(hyperft::parse::excerpt("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
/// ```
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => harmless(&text[..end]) + "…",
        None => harmless(text),
    }
}

/// A text with control characters and text-direction marks written as `\u{..}`, so that no input
/// can take over the terminal it is printed on.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let turns_text = matches!(
            letter,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        );
        match letter {
            '\t' => shown.push_str("\\t"),
            '\0' => shown.push_str("\\0"),
            _ if letter.is_control() || turns_text => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A field of the FEN, from 1 (board) to 6 (fullmove number).
    Field(usize),
    /// The operation with this opcode.
    Opcode(String),
    /// The text from this character on, from 1.
    Column(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field(field) => write!(f, "field {field} ({})", field_name(*field)),
            Place::Opcode(opcode) => write!(f, "opcode {}", excerpt(opcode)),
            Place::Column(column) => write!(f, "column {column}"),
        }
    }
}

/// Something wrong with a line, or merely odd: where, which text, why.
///
/// A reader returns faults as errors, or as warnings when it could read on; with
/// [`super::FenOptions::strict`] each warning is an error.
///
/// ```
/// use hyperft::parse::{FenOptions, read_epd};
///
/// let faults = read_epd("8/8/8/8/8/8/8/K1k5 w - - id \"x", FenOptions::default()).unwrap_err();
/// assert_eq!(faults[0].to_string(), "column 29, `\"x`: the string has no closing quote");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The part of the line; `None` for the line as a whole.
    pub place: Option<Place>,
    /// The text there, cut by [`excerpt`].
    pub text: String,
    /// What is wrong with it.
    pub reason: Reason,
}

impl Fault {
    pub(super) fn new(place: impl Into<Option<Place>>, text: &str, reason: Reason) -> Fault {
        Fault {
            place: place.into(),
            text: excerpt(text),
            reason,
        }
    }

    pub(super) fn in_opcode(opcode: &str, text: &str, reason: Reason) -> Fault {
        Fault::new(Place::Opcode(opcode.to_string()), text, reason)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}, ")?;
        }
        write!(f, "`{}`: {}", self.text, self.reason)
    }
}

impl std::error::Error for Fault {}

impl From<FenError> for Fault {
    fn from(error: FenError) -> Fault {
        let place = Place::Field(error.field);
        Fault::new(place, &error.text, Reason::Fen(error.reason))
    }
}

/// What can be wrong with a line of input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum Reason {
    #[error("{0}")]
    Fen(String),
    #[error("the string has no closing quote")]
    StringUnterminated,
    #[error("expected an opcode, which begins with a letter")]
    OpcodeExpected,
    #[error("the last operation has no semicolon")]
    FinalSemicolonMissing,
    #[error("no semicolon before this operation")]
    SemicolonMissing,
    #[error("two semicolons with no operation between them")]
    OperationEmpty,
    #[error("a string without quotes")]
    StringUnquoted,
    #[error("expected a count, a whole number of 0 or more")]
    CountExpected,
    #[error("the count is too large (more than 128 bits)")]
    CountTooLarge,
    #[error("expected a depth, 0 to {}", crate::movegen::DEPTH_MAX)]
    DepthExpected,
    #[error("looks like a perft count; write it as D<depth> <count>")]
    CountMisspelt,
    #[error("the count of depth {depth} is already {count}")]
    CountContradicts { depth: u32, count: u128 },
    #[error("a count not written as D{depth} {count}")]
    CountUnusual { depth: u32, count: u128 },
    #[error("no position belongs to this line: expected an epd or fen line")]
    PositionMissing,
    #[error("{0}")]
    Move(#[from] MoveError),
    #[error("the text is not UTF-8; read as Latin-1")]
    NotUtf8,
    #[error("a NUL byte at the end of the line")]
    NulAtEnd,
    #[error("a NUL byte inside the line")]
    NulInside,
    #[error("the line is longer than {} MiB", .bytes_max >> 20)]
    LineTooLong { bytes_max: usize },
    #[error("{what}; expected lines of UTF-8 text")]
    NotText { what: &'static str },
    #[error("reading stopped here: {0}")]
    ReadFailed(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_harmless() {
        assert_eq!(excerpt("e2e4"), "e2e4");
        let long = "x".repeat(EXCERPT_CHARS_MAX + 1);
        assert_eq!(excerpt(&long[1..]), long[1..], "80 characters fit");
        assert_eq!(excerpt(&long), format!("{}…", &long[1..]));
        assert_eq!(
            excerpt("a\tb\0c\u{7}\u{202e}d"),
            "a\\tb\\0c\\u{7}\\u{202e}d"
        );
        assert_eq!(excerpt("Müller"), "Müller");
    }
}
