//! Positions from files, standard input and the command line, one at a time: where a line came from
//! and what it says. How lines are read is `records.rs`, where bytes come from `source.rs`.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::batches::{BatchReader, open_batches};
use super::epd::Operation;
use super::fen::FenOptions;
use super::place::{Fault, Place, Reason};
use super::source::{Source, SourceError};
use super::suite::ExpectedCount;
use super::tokens::split_fields;
use crate::position::Position;

/// A line of a source. Shown as `file:line`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The path; `archive.zip/member` in an archive; `<stdin>` or `<argument>`.
    pub source: Arc<str>,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source, self.line)
    }
}

/// A position to work on, and everything its line says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Where it was read; in a `.perft` block the line of the position.
    pub origin: Origin,
    /// The text of the operation `id`, or of the `id` line of a `.perft` block.
    pub id: Option<String>,
    /// The position.
    pub position: Position,
    /// The perft counts the line expects, by increasing depth, each depth once.
    pub expected: Vec<ExpectedCount>,
    /// All operations in order, those with counts too; the counts of a `.perft` block as `D1`, ...,
    /// and its `id` last.
    pub operations: Vec<Operation>,
    /// What was read leniently.
    pub warnings: Vec<Fault>,
    /// Operands of `am`, `bm`, `moves`, `pm`, `pv` and `sm` that are no moves of the position. The position
    /// stands all the same; report these as refused.
    pub problems: Vec<InputError>,
    /// The line as read, without its end; a `.perft` block as one line of EPD.
    pub text: String,
}

impl Job {
    /// A field of the FEN as the line has it, from 1 (board) to 6 (fullmove number); `None` if the
    /// line does not have it, or names a position in place of the fields.
    pub fn field(&self, field: usize) -> Option<&str> {
        let (fields, _) = split_fields(&self.text);
        let named = fields.first().is_some_and(|board| !board.contains('/'));
        fields
            .get(field.checked_sub(1)?)
            .copied()
            .filter(|_| !named)
    }
}

/// Something refused: file, line, place in the line, text and reason.
///
/// Shown as ``file:line: field 1 (board), `text`: reason``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The line it is in.
    pub origin: Origin,
    /// The part of the line; `None` for the line as a whole.
    pub place: Option<Place>,
    /// The text there, cut to [`super::EXCERPT_CHARS_MAX`] characters.
    pub text: String,
    /// What is wrong with it.
    pub reason: Reason,
}

impl InputError {
    pub(super) fn new(origin: &Origin, fault: Fault) -> InputError {
        InputError {
            origin: origin.clone(),
            place: fault.place,
            text: fault.text,
            reason: fault.reason,
        }
    }
}

impl InputError {
    /// The message without file and line.
    pub fn reason_alone(&self) -> String {
        let fault = Fault {
            place: self.place.clone(),
            text: self.text.clone(),
            reason: self.reason.clone(),
        };
        fault.to_string()
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.origin)?;
        if let Some(place) = &self.place {
            write!(f, "{place}, ")?;
        }
        write!(f, "`{}`: {}", self.text, self.reason)
    }
}

impl std::error::Error for InputError {}

/// Opens a source. Jobs are read while they are asked for, line by line, in order.
///
/// Each line holds one position: FEN, EPD or a perft suite's form (see [`super::read_epd`] and
/// [`super::expected_counts`]), or it is part of a `.perft` block of python-chess: a line `id X`, a
/// line `epd FEN` (or `fen FEN`) and lines `perft DEPTH COUNT`. Blank lines and lines that begin
/// with `#` are skipped, but counted. A line may also be a UCI `position` command (`position startpos
/// moves e2e4 e7e5`): its moves are an operation `moves`.
///
/// A refused line gives an error with all its reasons, and the next line is read as if nothing had
/// been; `perft` lines that belong to a refused position are passed over with it. With
/// [`FenOptions::strict`] every warning is a refusal, and so are moves that are no moves.
///
/// ```
/// use hyperft::parse::{FenOptions, Source, open_jobs};
///
/// let text = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n4k3/8/8/8/8/8/8/4K3R w K - 0 1\n";
/// let source = Source::Literal(text.to_string());
/// let jobs: Vec<_> = open_jobs(&source, FenOptions::default()).unwrap().collect();
/// assert_eq!(jobs[0].as_ref().unwrap().expected[0].count, 15);
/// assert_eq!(
///     jobs[1].as_ref().unwrap_err()[0].to_string(),
///     "<argument>:2: field 1 (board), `4k3/8/8/8/8/8/8/4K3R`: rank 1 has more than 8 squares"
/// );
/// ```
pub fn open_jobs(source: &Source, options: FenOptions) -> Result<JobReader, SourceError> {
    Ok(JobReader {
        batches: open_batches(source)?,
        ready: VecDeque::new(),
        options,
    })
}

/// The jobs of a source; made by [`open_jobs`].
pub struct JobReader {
    batches: BatchReader,
    ready: VecDeque<Result<Job, Vec<InputError>>>,
    options: FenOptions,
}

impl Iterator for JobReader {
    type Item = Result<Job, Vec<InputError>>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            self.ready = self.batches.next()?.jobs(self.options);
        }
        self.ready.pop_front()
    }
}
