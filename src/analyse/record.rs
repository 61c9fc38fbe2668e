//! `Record`: what is said of one line of input, whether it could be read or not.

use super::game::{Game, play};
use super::{Facts, Outcome};
use crate::board::Color;
use crate::movegen::{MoveFacts, bulk_perft};
use crate::parse::{Entry, Fault, InputError, Job, Origin, PlainLine, operation_moves};
use crate::position::{PackedPosition, Position};

/// What to do with each position besides its facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalyseOptions {
    /// Play the moves of the first operation with this opcode (`pv` or `moves`) and analyse the
    /// position they lead to.
    pub play: Option<&'static str>,
    /// Count the paths of this many plies.
    pub perft: Option<u32>,
}

/// How a line was read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// As it should be.
    Ok,
    /// Read, with something odd about it.
    Warning,
    /// Not read: it holds no legal position.
    Rejected,
}

impl Status {
    /// All of them, best first.
    pub const ALL: [Status; 3] = [Status::Ok, Status::Warning, Status::Rejected];

    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Rejected => "rejected",
        }
    }
}

/// One line of input and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The line as read.
    pub line: RecordLine<'a>,
    /// How it was read.
    pub status: Status,
    /// Everything odd or wrong about it: place, text, reason.
    pub reasons: Vec<String>,
    /// The position and its facts; `None` if the line was rejected.
    pub found: Option<Found>,
}

/// The line of a record.
#[derive(Clone, Debug)]
pub enum RecordLine<'a> {
    /// A FEN and nothing else.
    Plain(PlainLine<'a>),
    /// A line with a position.
    Job(Box<Job>),
    /// A line that was rejected.
    Rejected(Origin),
}

impl RecordLine<'_> {
    /// The file, or member of an archive.
    pub fn source(&self) -> &str {
        match self {
            RecordLine::Plain(line) => line.source,
            RecordLine::Job(job) => &job.origin.source,
            RecordLine::Rejected(origin) => &origin.source,
        }
    }

    /// The line in the file, from 1.
    pub fn number(&self) -> usize {
        match self {
            RecordLine::Plain(line) => line.number,
            RecordLine::Job(job) => job.origin.line,
            RecordLine::Rejected(origin) => origin.line,
        }
    }

    /// File and line.
    pub fn origin(&self) -> String {
        format!("{}:{}", self.source(), self.number())
    }

    /// The record's id; `None` also if the line was rejected.
    pub fn id(&self) -> Option<&str> {
        match self {
            RecordLine::Job(job) => job.id.as_deref(),
            RecordLine::Plain(_) | RecordLine::Rejected(_) => None,
        }
    }

    /// A field of the FEN, from 1; see [`Job::field`]. `None` also if the line was rejected.
    pub fn field(&self, field: usize) -> Option<&str> {
        match self {
            RecordLine::Plain(line) => line.field(field),
            RecordLine::Job(job) => job.field(field),
            RecordLine::Rejected(_) => None,
        }
    }

    /// The line as read; `None` if it was rejected.
    pub fn text(&self) -> Option<&str> {
        match self {
            RecordLine::Plain(line) => Some(line.text()),
            RecordLine::Job(job) => Some(&job.text),
            RecordLine::Rejected(_) => None,
        }
    }
}

/// A position and its facts.
#[derive(Clone, Debug)]
pub struct Found {
    /// The position the facts are about: the line's, or the one its moves lead to.
    pub position: Position,
    /// What it is.
    pub facts: Facts,
    /// The moves played, if moves were to be played.
    pub game: Option<Game>,
    /// The number of paths, if paths were to be counted.
    pub perft: Option<u128>,
}

impl Found {
    /// What has ended the game, repetition last.
    pub fn outcome(&self) -> Option<Outcome> {
        let fivefold = self.game.as_ref().is_some_and(Game::fivefold);
        self.facts
            .outcome()
            .or(fivefold.then_some(Outcome::FivefoldRepetition))
    }
}

impl<'a> Record<'a> {
    /// Analyses what was read of one line.
    ///
    /// An operand of `bm` and its like that is no move makes a warning: the position stands. A line
    /// whose moves are to be played and cannot be is rejected.
    ///
    /// ```
    /// use hyperft::analyse::{AnalyseOptions, Record, Status};
    /// use hyperft::parse::{FenOptions, Source, open_jobs};
    ///
    /// let source = Source::Literal("4k3/8/8/8/8/8/8/4K2R w K - bm Kg1;".to_string());
    /// let job = open_jobs(&source, FenOptions::default()).unwrap().next().unwrap();
    /// let record = Record::of(job, &AnalyseOptions::default());
    /// assert_eq!(record.status, Status::Warning);
    /// assert_eq!(record.reasons, ["opcode bm, `Kg1`: no legal move of this position"]);
    /// assert_eq!(record.found.unwrap().facts.moves.legal_moves, 15);
    /// ```
    pub fn of(entry: impl Into<Entry<'a>>, options: &AnalyseOptions) -> Record<'a> {
        let mut record = Record::without_moves(entry.into(), options);
        if let Some(found) = &mut record.found {
            found.facts.moves = MoveFacts::of(&found.position);
        }
        record
    }

    /// The records of many lines. `find` fills a slice with the facts of a slice of positions.
    pub fn of_many(
        entries: impl Iterator<Item = Entry<'a>>,
        options: &AnalyseOptions,
        find: impl FnOnce(&[PackedPosition], &mut [MoveFacts]),
    ) -> Vec<Record<'a>> {
        let most = entries.size_hint().1.unwrap_or(0);
        let mut positions = Vec::with_capacity(most);
        let mut records: Vec<Record> = Vec::with_capacity(most);
        for entry in entries {
            let record = Record::without_moves(entry, options);
            positions.extend(record.found.as_ref().map(|it| it.position.packed()));
            records.push(record);
        }
        let mut facts = vec![MoveFacts::default(); positions.len()];
        find(&positions, &mut facts);
        let found = records.iter_mut().filter_map(|it| it.found.as_mut());
        for (found, moves) in found.zip(facts) {
            // Packed positions are seen from the side to move.
            found.facts.moves = match found.position.side_to_move() {
                Color::White => moves,
                Color::Black => moves.mirrored(),
            };
        }
        records
    }

    /// All but the facts of the moves, which stay empty.
    #[inline(always)]
    fn without_moves(entry: Entry<'a>, options: &AnalyseOptions) -> Record<'a> {
        match entry {
            Entry::Plain(line, position) => Record {
                line: RecordLine::Plain(line),
                status: Status::Ok,
                reasons: Vec::new(),
                found: Some(Found {
                    facts: Facts::without_moves(&position),
                    game: options.play.map(|_| play(&position, &[]).1),
                    perft: options.perft.map(|depth| bulk_perft(&position, depth)),
                    position,
                }),
            },
            Entry::Job(job) => Record::of_job(job, options),
        }
    }

    /// The same for anything but a plain line.
    #[inline(never)]
    fn of_job(job: Result<Box<Job>, Vec<InputError>>, options: &AnalyseOptions) -> Record<'a> {
        let job = match job {
            Ok(job) => job,
            Err(errors) => return Record::rejected(errors),
        };
        let mut reasons: Vec<String> = job.warnings.iter().map(Fault::to_string).collect();
        reasons.extend(job.problems.iter().map(InputError::reason_alone));
        let (position, game) = match options.play {
            None => (job.position.clone(), None),
            Some(opcode) => match played(&job, opcode) {
                Ok((position, game)) => (position, Some(game)),
                Err(faults) => {
                    reasons.extend(faults.iter().map(Fault::to_string));
                    reasons.dedup();
                    return Record {
                        line: RecordLine::Rejected(job.origin),
                        status: Status::Rejected,
                        reasons,
                        found: None,
                    };
                }
            },
        };
        let status = if reasons.is_empty() {
            Status::Ok
        } else {
            Status::Warning
        };
        Record {
            line: RecordLine::Job(job),
            status,
            reasons,
            found: Some(Found {
                facts: Facts::without_moves(&position),
                perft: options.perft.map(|depth| bulk_perft(&position, depth)),
                position,
                game,
            }),
        }
    }

    fn rejected(mut errors: Vec<InputError>) -> Record<'a> {
        let reasons = errors.iter().map(InputError::reason_alone).collect();
        Record {
            line: RecordLine::Rejected(errors.swap_remove(0).origin),
            status: Status::Rejected,
            reasons,
            found: None,
        }
    }
}

/// Plays the first operation with this opcode; without one the position is its own last.
fn played(job: &Job, opcode: &str) -> Result<(Position, Game), Vec<Fault>> {
    let line = job.operations.iter().find(|it| it.opcode == opcode);
    let moves = match line {
        Some(operation) => operation_moves(&job.position, operation, false)?,
        None => Vec::new(),
    };
    Ok(play(&job.position, &moves))
}
