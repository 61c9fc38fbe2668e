//! FEN to and from positions. One position's text only: EPD operations are `epd.rs`.

use std::borrow::Cow;
use std::fmt;

use super::place::excerpt;
use super::plain::{self, PlainFen};
use crate::board::{Bitboard, CastlingMode, CastlingSide, Color, File, Piece, Rank, Role, Square};
use crate::position::{
    CastlingClaim, EnPassantMode, Judged, Pieces, Position, Setup, SetupError, SetupWarning,
    Squares,
};

/// How to read a FEN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FenOptions {
    /// How the castling field is judged; see [`Setup::judge`].
    pub castling: CastlingMode,
    /// Refuse whatever would otherwise be read with a warning.
    pub strict: bool,
}

impl Default for FenOptions {
    fn default() -> FenOptions {
        FenOptions {
            castling: CastlingMode::Standard,
            strict: false,
        }
    }
}

/// Why a text is not a position: which field, what stands there, what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field {field} ({}), `{}`: {reason}", field_name(*field), excerpt(text))]
pub struct FenError {
    /// The field, from 1 (board) to 6 (fullmove number).
    pub field: usize,
    /// The text of that field.
    pub text: String,
    /// What is wrong.
    pub reason: String,
}

/// Something read leniently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenWarning {
    /// A field is missing; its default was taken.
    FieldMissing {
        /// The missing field, from 1.
        field: usize,
    },
    /// A counter is `-`; its default was taken.
    CounterDash {
        /// The counter's field, 5 or 6.
        field: usize,
    },
    /// Fullmove number 0 was read as 1.
    FullmoveZero,
    /// The setup is odd.
    Setup(SetupWarning),
}

impl FenWarning {
    /// The field it is about, from 1.
    pub fn field(&self) -> usize {
        match self {
            FenWarning::FieldMissing { field } | FenWarning::CounterDash { field } => *field,
            FenWarning::FullmoveZero => 6,
            FenWarning::Setup(warning) => warning.field(),
        }
    }
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenWarning::FieldMissing { field } => {
                write!(f, "field {field} ({}) is missing", field_name(*field))
            }
            FenWarning::CounterDash { field } => {
                write!(
                    f,
                    "field {field} ({}) is - and not a number",
                    field_name(*field)
                )
            }
            FenWarning::FullmoveZero => f.write_str("fullmove number 0 read as 1"),
            FenWarning::Setup(warning) => warning.fmt(f),
        }
    }
}

/// A position read from text, and what was read leniently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedFen {
    /// The position.
    pub position: Position,
    /// What a strict reader would have refused.
    pub warnings: Vec<FenWarning>,
}

impl From<PlainFen> for ParsedFen {
    fn from(plain: PlainFen) -> ParsedFen {
        ParsedFen {
            position: plain.position,
            warnings: Vec::new(),
        }
    }
}

/// What the fields of a FEN are called.
pub fn field_name(field: usize) -> &'static str {
    match field {
        1 => "board",
        2 => "side to move",
        3 => "castling",
        4 => "en passant",
        5 => "halfmove clock",
        _ => "fullmove number",
    }
}

/// Reads a FEN in standard mode, leniently; for more say use [`read_fen`].
///
/// ```
/// use hyperft::parse::parse_fen;
///
/// let error = parse_fen("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap_err();
/// assert_eq!(error[0].field, 1);
/// assert_eq!(error[0].reason, "rank 7 has more than 8 squares");
/// ```
pub fn parse_fen(text: &str) -> Result<Position, Vec<FenError>> {
    read_fen(text, FenOptions::default()).map(|parsed| parsed.position)
}

/// Reads a FEN of three to six fields separated by any white space.
///
/// Both counters may be missing, as in EPD; they are 0 and 1 then. Read with a warning: a missing
/// e.p. field or last counter, `-` for a counter, fullmove number 0. All reasons against a board
/// are returned, not only the first, and so are all fields that cannot be read.
pub fn read_fen(text: &str, options: FenOptions) -> Result<ParsedFen, Vec<FenError>> {
    match plain::fen(text.as_bytes(), options) {
        Some(plain) if plain.end == text.len() => Ok(plain.into()),
        _ => read_fen_with_care(text, options),
    }
}

/// The same for any text: whatever is wrong or odd is found here.
pub(super) fn read_fen_with_care(
    text: &str,
    options: FenOptions,
) -> Result<ParsedFen, Vec<FenError>> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if let Some(extra) = fields.get(6) {
        return Err(error(6, extra, "text after the sixth field"));
    }
    read_fields(&fields, options)
}

/// Reads the (up to six) fields of a FEN, already split.
pub(super) fn read_fields(
    fields: &[&str],
    options: FenOptions,
) -> Result<ParsedFen, Vec<FenError>> {
    let mut warnings = Vec::new();
    let setup = read_setup(fields, &mut warnings)?;
    let text_of = |field: usize| {
        fields
            .get(field - 1)
            .copied()
            .unwrap_or_default()
            .to_string()
    };
    let judged = setup.judge(options.castling).map_err(|reasons| {
        let reason_of = |reason: SetupError| FenError {
            field: reason.field(),
            text: text_of(reason.field()),
            reason: reason.to_string(),
        };
        reasons.into_iter().map(reason_of).collect::<Vec<_>>()
    })?;
    let Judged {
        position,
        warnings: oddities,
    } = judged;
    warnings.extend(oddities.into_iter().map(FenWarning::Setup));
    if options.strict && !warnings.is_empty() {
        let refused = |warning: &FenWarning| FenError {
            field: warning.field(),
            text: text_of(warning.field()),
            reason: warning.to_string(),
        };
        return Err(warnings.iter().map(refused).collect());
    }
    Ok(ParsedFen { position, warnings })
}

fn read_setup(fields: &[&str], warnings: &mut Vec<FenWarning>) -> Result<Setup, Vec<FenError>> {
    let mut errors = Vec::new();
    // A field that is missing or wrong leaves its default and an error.
    let mut checked = |field: usize, needed: bool, read: &mut dyn FnMut(&str) -> FieldResult| {
        let result = match fields.get(field - 1) {
            Some(&text) => read(text).map_err(|reason| error(field, text, &reason)),
            None if needed => Err(error(field, "", "the field is missing")),
            None => Ok(()),
        };
        errors.extend(result.err().into_iter().flatten());
    };
    let mut setup = Setup::empty();
    checked(1, true, &mut |text| {
        setup.board = read_board(text)?;
        Ok(())
    });
    checked(2, true, &mut |text| {
        setup.side_to_move = match text {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err("expected w or b".into()),
        };
        Ok(())
    });
    checked(3, true, &mut |text| {
        setup.castling = read_castling(text)?;
        Ok(())
    });
    checked(4, false, &mut |text| {
        let wrong = |_| "expected - or a square such as e3";
        setup.ep_square = match text {
            "-" => None,
            text => Some(text.parse().map_err(wrong)?),
        };
        Ok(())
    });
    checked(5, false, &mut |text| {
        setup.halfmove_clock = read_counter(text)?.unwrap_or(0);
        Ok(())
    });
    checked(6, false, &mut |text| {
        setup.fullmove_number = read_counter(text)?.unwrap_or(1);
        Ok(())
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    warnings.extend(field_warnings(fields));
    if setup.fullmove_number == 0 {
        warnings.push(FenWarning::FullmoveZero);
        setup.fullmove_number = 1;
    }
    Ok(setup)
}

/// What reading one field gives: nothing, as it writes into the setup, or what is wrong.
type FieldResult = Result<(), Cow<'static, str>>;

/// Fields that are missing or `-` where a strict reader wants something.
fn field_warnings(fields: &[&str]) -> Vec<FenWarning> {
    let mut warnings = Vec::new();
    // Four fields are EPD and six are FEN; three or five are neither.
    if fields.len() == 3 || fields.len() == 5 {
        let field = fields.len() + 1;
        warnings.push(FenWarning::FieldMissing { field });
    }
    let dashes = (5..=6).filter(|field| fields.get(field - 1) == Some(&"-"));
    warnings.extend(dashes.map(|field| FenWarning::CounterDash { field }));
    warnings
}

/// A counter; `None` for `-`.
fn read_counter(text: &str) -> Result<Option<u32>, Cow<'static, str>> {
    if text == "-" {
        return Ok(None);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("expected a number, 0 or more".into());
    }
    let too_large = |_| "the number is too large (more than 32 bits)";
    Ok(Some(text.parse().map_err(too_large)?))
}

pub(super) fn read_board(text: &str) -> Result<Squares, Cow<'static, str>> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("{} ranks, expected 8", ranks.len()).into());
    }
    let mut board = Squares::EMPTY;
    for (rank, letters) in Rank::all().rev().zip(ranks) {
        let mut files = File::all();
        for letter in letters.chars() {
            let too_many = || format!("rank {rank} has more than 8 squares");
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                for _ in 0..empty {
                    files.next().ok_or_else(too_many)?;
                }
            } else {
                let unknown = || format!("`{}` on rank {rank}", letter.escape_default());
                let piece = Piece::from_letter(letter).ok_or_else(unknown)?;
                let file = files.next().ok_or_else(too_many)?;
                board.put(Square::at(file, rank), Some(piece));
            }
        }
        let short = files.count();
        if short > 0 {
            return Err(format!("rank {rank} has {} squares, expected 8", 8 - short).into());
        }
    }
    Ok(board)
}

fn read_castling(text: &str) -> Result<CastlingField, Cow<'static, str>> {
    if text == "-" {
        return Ok(Cow::Borrowed(&[]));
    }
    let claim = |letter: char| {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let claim = match letter.to_ascii_lowercase() {
            'k' => CastlingClaim::Side(CastlingSide::King),
            'q' => CastlingClaim::Side(CastlingSide::Queen),
            _ => CastlingClaim::File(
                File::from_letter(letter)
                    .ok_or("expected - or letters of KQkq, or of A-H and a-h")?,
            ),
        };
        Ok((color, claim))
    };
    let claims: Result<Vec<_>, _> = text.chars().map(claim).collect();
    claims.map(Cow::Owned)
}

/// The letters of a castling field.
type CastlingField = Cow<'static, [(Color, CastlingClaim)]>;

fn error(field: usize, text: &str, reason: &str) -> Vec<FenError> {
    vec![FenError {
        field,
        text: text.to_string(),
        reason: reason.to_string(),
    }]
}

/// How to write a FEN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FenWriting {
    /// When the e.p. square is written.
    pub ep: EnPassantMode,
    /// In Chess960 positions write rook files (`HAha`, Shredder-FEN) and not `KQkq` with a file
    /// only where a rook is not the outermost (X-FEN).
    pub shredder: bool,
}

impl Default for FenWriting {
    fn default() -> FenWriting {
        FenWriting {
            ep: EnPassantMode::Legal,
            shredder: true,
        }
    }
}

/// Writes the six fields of a position.
pub fn write_fen(position: &Position, writing: FenWriting) -> String {
    text_of(|out| push_fen(position, writing, out))
}

/// Appends what [`write_fen`] writes.
pub fn push_fen(position: &Position, writing: FenWriting, out: &mut Vec<u8>) {
    push_board(position, out);
    out.extend_from_slice(match position.side_to_move() {
        Color::White => b" w ",
        Color::Black => b" b ",
    });
    push_castling(position, writing.shredder, out);
    out.push(b' ');
    match position.ep_square(writing.ep) {
        Some(square) => out.extend_from_slice(&square.name()),
        None => out.push(b'-'),
    }
    for counter in [position.halfmove_clock(), position.fullmove_number()] {
        out.push(b' ');
        out.extend_from_slice(itoa::Buffer::new().format(counter).as_bytes());
    }
}

fn text_of(push: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = Vec::with_capacity(96);
    push(&mut bytes);
    String::from_utf8(bytes).expect("made of ASCII letters")
}

impl fmt::Display for Position {
    /// The FEN: e.p. square only if a capture is legal; Shredder-FEN rights in Chess960 mode.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_fen(self, FenWriting::default()))
    }
}

fn push_board(position: &Position, out: &mut Vec<u8>) {
    let pieces = position.pieces();
    let (letters, occupied) = (pieces.letters(), pieces.occupied().0);
    // Seven slashes and at most a letter a square.
    let (mut text, mut length) = ([0; 72], 0);
    for rank in (0..8).rev() {
        let (mut row, mut next) = ((occupied >> (8 * rank)) as u8, 0);
        while row != 0 {
            let file = row.trailing_zeros() as u8;
            row &= row - 1;
            // How many squares are empty before it; the digit of none is written over.
            text[length] = b'0' + file - next;
            length += usize::from(file > next);
            text[length] = letters[8 * rank + usize::from(file)];
            length += 1;
            next = file + 1;
        }
        text[length] = b'0' + 8 - next;
        length += usize::from(next < 8);
        text[length] = b'/';
        length += usize::from(rank > 0);
    }
    out.extend_from_slice(&text[..length]);
}

/// Field 3: the rights as letters, king side first; `-` if there are none.
pub fn castling_text(position: &Position, shredder: bool) -> String {
    text_of(|out| push_castling(position, shredder, out))
}

/// Appends what [`castling_text`] gives.
pub fn push_castling(position: &Position, shredder: bool, out: &mut Vec<u8>) {
    let pieces = position.pieces();
    if pieces.castling_rooks.is_empty() {
        out.push(b'-');
        return;
    }
    match position.castling_mode() {
        CastlingMode::Standard => {
            for (corner, letter) in [(7, b'K'), (0, b'Q'), (63, b'k'), (56, b'q')] {
                if pieces.castling_rooks.0 >> corner & 1 == 1 {
                    out.push(letter);
                }
            }
        }
        CastlingMode::Chess960 => push_rooks(pieces, shredder, out),
    }
}

/// The rights of any rooks.
fn push_rooks(pieces: &Pieces, shredder: bool, out: &mut Vec<u8>) {
    for color in Color::ALL {
        let king = pieces.king(color).file();
        let rights = pieces.castling_rooks & color.back_rank();
        let rooks = pieces.of_role(color, Role::Rook) & color.back_rank();
        // From the h-file to the a-file: king side first, as KQkq.
        for file in File::all().rev() {
            if (rights & Bitboard::of_file(file)).is_empty() {
                continue;
            }
            let side = CastlingSide::of(king, file);
            let beyond = rooks.iter().any(|other| match side {
                CastlingSide::King => other.file() > file,
                CastlingSide::Queen => other.file() < file,
            });
            let letter = match (shredder || beyond, side) {
                (true, _) => file.letter() as u8,
                (false, CastlingSide::King) => b'k',
                (false, CastlingSide::Queen) => b'q',
            };
            out.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
}
