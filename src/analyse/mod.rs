//! What a position is: legal moves by kind, checks, pins, ends of the game.
//!
//! Nothing here reads files or writes output. A fact is computed from a position alone, except
//! repetition, which needs the moves that led to it.

mod facts;
mod material;

pub use facts::{CLAIM_PLIES, DRAW_PLIES, Facts, MoveFacts, Outcome};
pub use material::insufficient_material;
