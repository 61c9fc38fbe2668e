//! What a position is: legal moves by kind, checks, pins, ends of the game; and records of it, one
//! for each line of input.
//!
//! Nothing here reads files or writes output. A fact is computed from a position alone, except
//! repetition, which needs the moves that led to it.

mod columns;
mod facts;
mod filter;
mod game;
mod identity;
mod material;
mod record;
mod summary;

pub use columns::{Column, Kind, Shown, Value};
pub use facts::{CLAIM_PLIES, DRAW_PLIES, Facts, Outcome};
pub use filter::{Filter, FilterError};
pub use game::{Game, play};
pub use identity::{Identifier, Identity, IdentityKey};
pub use material::insufficient_material;
pub use record::{AnalyseOptions, Found, Record, RecordLine, Status};
pub use summary::{Histogram, Summary};
