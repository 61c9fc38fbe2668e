//! Lines put together to jobs: most lines are one, a `.perft` block is several. Where lines come
//! from is not known here.

use std::collections::VecDeque;
use std::sync::Arc;

use super::epd::{Operand, Operation, read_epd};
use super::fen::{FenOptions, FenWarning, ParsedFen};
use super::input::{InputError, Job, Origin};
use super::lines::Line;
use super::moves::{names_moves, operation_moves};
use super::place::{Fault, Place, Reason};
use super::suite::{ExpectedCounts, expected_counts};
use super::tokens::split_fields;

/// What a line is to the lines around it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Nothing, or a comment.
    Blank,
    /// A record of its own; ends a block.
    Record,
    /// `id`: begins a block.
    Name,
    /// `epd` or `fen`: the position of a block, or a block of its own.
    Position,
    /// `perft`: belongs to the position before it.
    Count,
}

impl LineKind {
    pub(super) fn of(line: &[u8]) -> LineKind {
        let text = line.trim_ascii();
        let blank = |byte: &u8| byte.is_ascii_whitespace();
        match text.split(blank).next().unwrap_or_default() {
            [] | [b'#', ..] => LineKind::Blank,
            b"id" => LineKind::Name,
            b"epd" | b"fen" => LineKind::Position,
            b"perft" => LineKind::Count,
            _ => LineKind::Record,
        }
    }
}

pub(super) type Ready = VecDeque<Result<Box<Job>, Vec<InputError>>>;

/// The records of one text, as far as they are read.
pub(super) struct Records {
    source: Arc<str>,
    options: FenOptions,
    block: Option<Block>,
}

/// A `.perft` block that may go on.
struct Block {
    /// The line it begins on.
    begin: Origin,
    id: Option<String>,
    state: BlockState,
    errors: Vec<InputError>,
}

enum BlockState {
    /// No position yet.
    Empty,
    /// A position, and the counts so far.
    Position(Box<Job>, ExpectedCounts),
    /// Its position, or a line that may have been its position, was refused and reported: the rest
    /// must not be taken for a part of any other position.
    Refused,
}

impl Records {
    pub(super) fn new(source: Arc<str>, options: FenOptions) -> Records {
        Records {
            source,
            options,
            block: None,
        }
    }

    /// True if the next line may belong to a block.
    pub(super) fn in_block(&self) -> bool {
        self.block.is_some()
    }

    /// Takes a line; whatever is complete then goes to `ready`.
    pub(super) fn take(&mut self, number: usize, line: Result<Line, Fault>, ready: &mut Ready) {
        let origin = Origin {
            source: self.source.clone(),
            line: number,
        };
        let line = match line {
            Ok(line) => line,
            Err(fault) => return self.refuse(&origin, vec![fault], ready),
        };
        let text = line.text.trim();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        if self.options.strict && !line.warnings.is_empty() {
            return self.refuse(&origin, line.warnings, ready);
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "id" => {
                self.finish(ready);
                let mut block = Block::new(origin);
                block.id = Some(unquoted(rest.trim()).to_string());
                self.block = Some(block);
            }
            "epd" | "fen" => self.take_block_position(origin, rest.trim(), line.warnings, ready),
            "perft" => self.take_block_count(&origin, text, rest, line.warnings, ready),
            _ => {
                self.finish(ready);
                let text = if word == "position" {
                    uci_position(rest)
                } else {
                    text
                };
                let job = job_of(origin, text, line.warnings, self.options);
                ready.push_back(job.map(|(job, _)| job));
            }
        }
    }

    /// Ends the block that may be open.
    pub(super) fn finish(&mut self, ready: &mut Ready) {
        if let Some(block) = self.block.take() {
            ready.extend(block.end(self.options.strict));
        }
    }

    fn refuse(&mut self, origin: &Origin, faults: Vec<Fault>, ready: &mut Ready) {
        self.finish(ready);
        let mut block = Block::new(origin.clone());
        block.state = BlockState::Refused;
        self.block = Some(block);
        ready.push_back(Err(at(origin, faults)));
    }

    fn take_block_position(
        &mut self,
        origin: Origin,
        text: &str,
        warnings: Vec<Fault>,
        ready: &mut Ready,
    ) {
        let open = |block: &Block| matches!(block.state, BlockState::Empty);
        if !self.block.as_ref().is_some_and(open) {
            self.finish(ready);
        }
        let block = self.block.get_or_insert_with(|| Block::new(origin.clone()));
        match job_of(origin, text, warnings, self.options) {
            Ok((job, counts)) => block.state = BlockState::Position(job, counts),
            Err(errors) => {
                block.errors.extend(errors);
                block.state = BlockState::Refused;
            }
        }
    }

    fn take_block_count(
        &mut self,
        origin: &Origin,
        text: &str,
        rest: &str,
        warnings: Vec<Fault>,
        ready: &mut Ready,
    ) {
        let block = self
            .block
            .as_mut()
            .map(|block| (&mut block.state, &mut block.errors));
        match block {
            Some((BlockState::Position(job, counts), errors)) => {
                job.warnings.extend(warnings);
                let words: Vec<&str> = rest.trim_end_matches(';').split_whitespace().collect();
                if let Err(fault) = counts.add(&Operation::new("perft", &words)) {
                    errors.push(InputError::new(origin, fault));
                } else if let &[depth, count] = words.as_slice() {
                    let operation = Operation::new(&format!("D{depth}"), &[count]);
                    append(&mut job.text, &operation);
                    job.operations.push(operation);
                }
            }
            Some((BlockState::Refused, _)) => {}
            Some((BlockState::Empty, _)) | None => {
                let fault = Fault::new(None, text, Reason::PositionMissing);
                ready.push_back(Err(at(origin, vec![fault])));
            }
        }
    }
}

impl Block {
    fn new(begin: Origin) -> Block {
        Block {
            begin,
            id: None,
            state: BlockState::Empty,
            errors: Vec::new(),
        }
    }

    /// What the block comes to; `None` if all of it was reported before.
    fn end(mut self, strict: bool) -> Option<Result<Box<Job>, Vec<InputError>>> {
        match self.state {
            BlockState::Position(mut job, counts) if self.errors.is_empty() => {
                if strict && !counts.warnings.is_empty() {
                    return Some(Err(at(&job.origin, counts.warnings)));
                }
                job.expected = counts.counts;
                job.warnings.extend(counts.warnings);
                if let Some(id) = self.id {
                    let quoted = Operand {
                        text: id.clone(),
                        quoted: true,
                    };
                    let operation = Operation {
                        opcode: "id".to_string(),
                        operands: vec![quoted],
                    };
                    append(&mut job.text, &operation);
                    job.operations.push(operation);
                    job.id = Some(id);
                }
                Some(Ok(job))
            }
            BlockState::Empty => {
                let text = format!("id {}", self.id.unwrap_or_default());
                let fault = Fault::new(None, &text, Reason::PositionMissing);
                Some(Err(at(&self.begin, vec![fault])))
            }
            _ if self.errors.is_empty() => None,
            _ => Some(Err(std::mem::take(&mut self.errors))),
        }
    }
}

/// Adds an operation to a line of EPD.
fn append(line: &mut String, operation: &Operation) {
    line.push(' ');
    line.push_str(&operation.to_string());
}

/// What follows the words `position` or `position fen` of a UCI command.
fn uci_position(rest: &str) -> &str {
    let rest = rest.trim_start();
    let fen = rest.strip_prefix("fen");
    fen.filter(|fen| fen.starts_with(char::is_whitespace))
        .map_or(rest, str::trim_start)
}

/// The job of a line, and its counts (which a block goes on filling).
fn job_of(
    origin: Origin,
    text: &str,
    mut warnings: Vec<Fault>,
    options: FenOptions,
) -> Result<(Box<Job>, ExpectedCounts), Vec<InputError>> {
    let record = read_epd(text, options).map_err(|faults| at(&origin, faults))?;
    let mut counts = expected_counts(&record.operations).map_err(|faults| at(&origin, faults))?;
    let problems = at(
        &origin,
        move_faults(&record.position, &record.operations, options),
    );
    if options.strict && !(counts.warnings.is_empty() && problems.is_empty()) {
        let mut errors = at(&origin, counts.warnings);
        errors.extend(problems);
        return Err(errors);
    }
    if !record.position.warnings.is_empty() {
        let (field_texts, _) = split_fields(text);
        let of_fen = |warning: &FenWarning| fen_fault(warning, &field_texts);
        warnings.extend(record.position.warnings.iter().map(of_fen));
    }
    warnings.extend(record.warnings);
    warnings.append(&mut counts.warnings);
    let id = record.operations.iter().find(|it| it.opcode == "id");
    let job = Job {
        id: id.map(Operation::text),
        origin,
        position: record.position.position,
        expected: counts.counts.clone(),
        operations: record.operations,
        warnings,
        problems,
        text: text.to_string(),
    };
    Ok((Box::new(job), counts))
}

fn move_faults(parsed: &ParsedFen, operations: &[Operation], options: FenOptions) -> Vec<Fault> {
    let of_operation =
        |operation: &Operation| operation_moves(&parsed.position, operation, options.strict).err();
    let with_moves = operations.iter().filter(|it| names_moves(it));
    with_moves.filter_map(of_operation).flatten().collect()
}

fn fen_fault(warning: &FenWarning, fields: &[&str]) -> Fault {
    let field = warning.field();
    // A field that is missing, or was taken from an operation, has no text.
    let text = fields.get(field - 1).copied().unwrap_or_default();
    Fault::new(Place::Field(field), text, Reason::Fen(warning.to_string()))
}

fn at(origin: &Origin, faults: Vec<Fault>) -> Vec<InputError> {
    faults
        .into_iter()
        .map(|fault| InputError::new(origin, fault))
        .collect()
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(text)
}
