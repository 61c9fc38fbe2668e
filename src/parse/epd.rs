//! EPD: a position and its operations, on one line. What operations mean is left to others:
//! expected counts to `suite.rs`, moves to `moves.rs`.

use std::fmt;

use super::fen::{self, FenOptions, FenWriting, ParsedFen, write_fen};
use super::place::{Fault, Place, Reason};
use super::plain;
use super::tokens::{RawOperation, Token, split_fields, split_operations};
use super::{named::named_fen, suite};
use crate::position::Position;

/// A word of an operation after its opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The word; for a string what stands between the quotes, escapes resolved.
    pub text: String,
    /// True if it is a string in double quotes.
    pub quoted: bool,
}

/// An operation: what the suite says about the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name: `bm`, `id`, `D5`, or one unknown to this program.
    pub opcode: String,
    /// The words after it, in order.
    pub operands: Vec<Operand>,
}

/// A line of EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdRecord {
    /// The position, with what was read leniently in its fields.
    pub position: ParsedFen,
    /// The operations in the order of the line.
    pub operations: Vec<Operation>,
    /// What was read leniently in the operations.
    pub warnings: Vec<Fault>,
}

impl Operation {
    /// An operation with unquoted operands.
    pub fn new(opcode: &str, operands: &[&str]) -> Operation {
        let operand = |text: &&str| Operand {
            text: text.to_string(),
            quoted: false,
        };
        Operation {
            opcode: opcode.to_string(),
            operands: operands.iter().map(operand).collect(),
        }
    }

    /// All operands, with a blank between them.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.operands.iter().map(|it| it.text.as_str()).collect();
        texts.join(" ")
    }
}

impl EpdRecord {
    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|it| it.opcode == opcode)
    }
}

/// Reads a line of EPD: four fields, then operations that end with a semicolon each.
///
/// Also read: six fields before the operations; operations that begin with a semicolon (`;D1 20
/// ;D2 400`), as perft suites have them; numbers with no opcode (`;20;400`), which are returned as
/// operations `D1`, `D2`, ...; the name of a position (`startpos`) in place of the fields; `hmvc`
/// and `fmvn`, which are the counters of a position that has no fields 5 and 6.
///
/// Read with a warning: everything [`super::read_fen`] warns of; a last operation without a
/// semicolon; a missing semicolon between operations where the opcode cannot be an operand (`bm
/// Rc8+ dm 26;`); an empty operation (`;;`); `id` or a comment without quotes.
///
/// Refused: fields that are no position; a string without an end; an operation that does not begin
/// with a letter.
///
/// ```
/// use hyperft::parse::{FenOptions, read_epd};
///
/// let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"castle; now\";";
/// let record = read_epd(line, FenOptions::default()).unwrap();
/// assert_eq!(record.operations[1].text(), "castle; now");
/// assert_eq!(record.to_string(), line);
/// ```
pub fn read_epd(line: &str, options: FenOptions) -> Result<EpdRecord, Vec<Fault>> {
    let plain = match plain::fen(line.as_bytes(), options) {
        Some(plain) if line[plain.end..].bytes().all(|byte| byte == b' ') => {
            return Ok(EpdRecord {
                position: plain.into(),
                operations: Vec::new(),
                warnings: Vec::new(),
            });
        }
        plain => plain,
    };
    let (mut fields, mut begin) = split_fields(line);
    if let Some(named) = fields.first().and_then(|name| named_fen(name)) {
        // The name stands for all fields; whatever follows it are operations.
        begin = line.find(fields[0]).unwrap_or(0) + fields[0].len();
        fields = named.split(' ').collect();
    }
    let raw = split_operations(line, begin).map_err(|fault| vec![fault])?;
    let mut warnings = Vec::new();
    let operations = operations(raw, &mut warnings).map_err(|fault| vec![fault])?;
    add_counters(&mut fields, &operations);
    let position = match plain {
        // Unless an operation has given it more fields.
        Some(plain) if plain.fields == fields.len() => plain.into(),
        _ => fen::read_fields(&fields, options)
            .map_err(|errors| errors.into_iter().map(Fault::from).collect::<Vec<_>>())?,
    };
    if options.strict && !warnings.is_empty() {
        return Err(warnings);
    }
    Ok(EpdRecord {
        position,
        operations,
        warnings,
    })
}

/// Takes missing counters from `hmvc` and `fmvn`.
fn add_counters<'a>(fields: &mut Vec<&'a str>, operations: &'a [Operation]) {
    let counter = |opcode: &str| {
        let operation = operations.iter().find(|it| it.opcode == opcode)?;
        operation
            .operands
            .first()
            .map(|operand| operand.text.as_str())
    };
    if fields.len() != 4 {
        return;
    }
    let (halfmoves, fullmoves) = (counter("hmvc"), counter("fmvn"));
    if halfmoves.is_some() || fullmoves.is_some() {
        fields.push(halfmoves.unwrap_or("0"));
        fields.push(fullmoves.unwrap_or("1"));
    }
}

fn operations(raw: Vec<RawOperation>, warnings: &mut Vec<Fault>) -> Result<Vec<Operation>, Fault> {
    // Semicolons either end operations or begin them; then the last one needs none.
    let begun = raw.first().is_some_and(|first| first.tokens.is_empty());
    let last = raw.len().wrapping_sub(1);
    let mut operations = Vec::new();
    let mut bare_count = 0;
    for (index, RawOperation { mut tokens, ended }) in raw.into_iter().enumerate() {
        let Some(first) = tokens.first() else {
            if index > 0 {
                warnings.push(Fault::new(None, ";;", Reason::OperationEmpty));
            }
            continue;
        };
        // UCI's `moves` has nothing behind it, and no semicolon.
        if index == last && !ended && !begun && first.text != "moves" {
            let missing = Reason::FinalSemicolonMissing;
            warnings.push(Fault::in_opcode(&first.text, &first.text, missing));
        }
        let is_count = first.text.starts_with(|it: char| it.is_ascii_digit());
        let is_opcode = first.text.starts_with(|it: char| it.is_ascii_alphabetic());
        if is_count && !first.quoted && tokens.len() == 1 && (begun || index > 0) {
            bare_count += 1;
            operations.push(operation(&format!("D{bare_count}"), &tokens));
        } else if first.quoted || !is_opcode {
            let place = Place::Column(first.column);
            return Err(Fault::new(place, &first.text, Reason::OpcodeExpected));
        } else {
            while let Some(cut) = hidden_operation(&tokens) {
                let rest = tokens.split_off(cut);
                operations.push(operation(&tokens[0].text, &tokens[1..]));
                tokens = rest;
                let opcode = &tokens[0].text;
                warnings.push(Fault::in_opcode(opcode, opcode, Reason::SemicolonMissing));
            }
            operations.push(operation(&tokens[0].text, &tokens[1..]));
        }
    }
    warnings.extend(operations.iter().filter_map(unquoted_string));
    Ok(operations)
}

fn operation(opcode: &str, operands: &[Token]) -> Operation {
    let operand = |token: &Token| Operand {
        text: token.text.clone(),
        quoted: token.quoted,
    };
    Operation {
        opcode: opcode.to_string(),
        operands: operands.iter().map(operand).collect(),
    }
}

/// Opcodes that no move can be mistaken for, and whose operands never look like opcodes.
const PLAIN_OPCODES: [&str; 13] = [
    "acd", "acn", "acs", "am", "bm", "ce", "dm", "fmvn", "hmvc", "id", "pm", "pv", "sm",
];

/// Where a second operation begins for want of a semicolon.
///
/// `c1` to `c8` are opcodes and pawn moves: they begin an operation only before a string.
fn hidden_operation(tokens: &[Token]) -> Option<usize> {
    let opcode = tokens[0].text.as_str();
    let takes_strings = opcode == "id" || !PLAIN_OPCODES.contains(&opcode);
    if takes_strings && !suite::is_count_opcode(opcode) {
        return None;
    }
    (2..tokens.len().saturating_sub(1)).find(|&index| {
        let (word, next) = (&tokens[index], &tokens[index + 1]);
        let plain = PLAIN_OPCODES.contains(&word.text.as_str())
            || suite::is_count_opcode(&word.text)
            || (is_comment(&word.text) && next.quoted);
        plain && !word.quoted
    })
}

/// `c0` to `c9`.
fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

fn unquoted_string(operation: &Operation) -> Option<Fault> {
    if operation.opcode != "id" && !is_comment(&operation.opcode) {
        return None;
    }
    let bare = operation.operands.iter().find(|operand| !operand.quoted)?;
    let reason = Reason::StringUnquoted;
    Some(Fault::in_opcode(&operation.opcode, &bare.text, reason))
}

/// Writes a line of EPD: four fields, then the operations in order.
///
/// A clock that is not at its start (0, and 1 for the fullmove number) is added as `hmvc` or
/// `fmvn` unless the operations have it, so that reading the line gives the same position.
pub fn write_epd(position: &Position, operations: &[Operation], writing: FenWriting) -> String {
    let fen = write_fen(position, writing);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut line = fields.join(" ");
    let mut add = |operation: &Operation| {
        line.push(' ');
        line.push_str(&operation.to_string());
    };
    operations.iter().for_each(&mut add);
    let clocks = [
        ("hmvc", position.halfmove_clock(), 0),
        ("fmvn", position.fullmove_number(), 1),
    ];
    for (opcode, clock, start) in clocks {
        if clock != start && !operations.iter().any(|it| it.opcode == opcode) {
            add(&Operation::new(opcode, &[&clock.to_string()]));
        }
    }
    line
}

/// The line with this `id` in place of its own, or added: fields as they stand, operations written
/// anew. `None` if the line cannot be read.
///
/// ```
/// use hyperft::parse::with_id;
///
/// let line = "4k3/8/8/8/8/8/8/4K2R w K - bm  O-O; id x";
/// assert_eq!(
///     with_id(line, "x | y", Default::default()).unwrap(),
///     "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x | y\";"
/// );
/// ```
pub fn with_id(line: &str, id: &str, options: FenOptions) -> Option<String> {
    let mut operations = read_epd(line, options).ok()?.operations;
    let new = Operation {
        opcode: "id".to_string(),
        operands: vec![Operand {
            text: id.to_string(),
            quoted: true,
        }],
    };
    match operations.iter_mut().find(|it| it.opcode == "id") {
        Some(own) => *own = new,
        None => operations.push(new),
    }
    let (fields, _) = split_fields(line);
    let mut written = match named_fen(fields.first()?) {
        Some(_) => fields[0].to_string(),
        None => fields.join(" "),
    };
    for operation in operations {
        written += &format!(" {operation}");
    }
    Some(written)
}

impl fmt::Display for EpdRecord {
    /// The line written anew by [`write_epd`]; not the text it was read from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position.position;
        f.write_str(&write_epd(
            position,
            &self.operations,
            FenWriting::default(),
        ))
    }
}

impl fmt::Display for Operation {
    /// `opcode operand ...;` with escapes in strings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_str(";")
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let breaks = |letter: char| letter.is_whitespace() || letter == ';' || letter == '"';
        if self.quoted || self.text.is_empty() || self.text.contains(breaks) {
            let escaped = self.text.replace('\\', "\\\\").replace('"', "\\\"");
            write!(f, "\"{escaped}\"")
        } else {
            f.write_str(&self.text)
        }
    }
}

#[cfg(test)]
#[path = "epd_tests.rs"]
mod tests;
