//! `Record`: what is said of one line of input, whether it could be read or not.

use super::game::{Game, play};
use super::{Facts, Outcome};
use crate::movegen::bulk_perft;
use crate::parse::{Fault, InputError, Job, Origin, operation_moves};
use crate::position::Position;

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
pub struct Record {
    /// File and line.
    pub origin: Origin,
    /// How it was read.
    pub status: Status,
    /// Everything odd or wrong about it: place, text, reason.
    pub reasons: Vec<String>,
    /// The position and its facts; `None` if the line was rejected.
    pub found: Option<Box<Found>>,
}

/// A position and its facts.
#[derive(Clone, Debug)]
pub struct Found {
    /// The line as read.
    pub job: Job,
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

impl Record {
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
    pub fn of(job: Result<Job, Vec<InputError>>, options: &AnalyseOptions) -> Record {
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
                    let mut all = reasons;
                    all.extend(faults.iter().map(Fault::to_string));
                    all.dedup();
                    return Record {
                        origin: job.origin,
                        status: Status::Rejected,
                        reasons: all,
                        found: None,
                    };
                }
            },
        };
        let facts = Facts::of(&position);
        let perft = options.perft.map(|depth| bulk_perft(&position, depth));
        let status = if reasons.is_empty() {
            Status::Ok
        } else {
            Status::Warning
        };
        Record {
            origin: job.origin.clone(),
            status,
            reasons,
            found: Some(Box::new(Found {
                job,
                position,
                facts,
                game,
                perft,
            })),
        }
    }

    fn rejected(errors: Vec<InputError>) -> Record {
        let reasons = errors.iter().map(InputError::reason_alone).collect();
        let mut errors = errors;
        Record {
            origin: errors.swap_remove(0).origin,
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
