//! Legal moves: finding them, counting them, walking their tree.
//!
//! Everything is generic over the side to move, the slider method, and whether the position has an
//! e.p. square or any castling right: each combination is compiled on its own, so the common case
//! (neither) pays for nothing.

mod bulk;
mod children;
mod count;
mod facts;
pub mod lanes;
mod leaf_depth;
mod legal;
mod masks;
mod pairs;
mod perft;
mod replies;
mod stats;

pub use bulk::bulk_perft;
pub use children::{ChildVisitor, visit_children};
pub use count::{any_legal, count_legal};
pub use facts::{MoveFacts, move_facts, tally};
pub use leaf_depth::{DEPTH_MAX, LeafDepth};
pub use legal::{All, Captures, Filter, MoveVisitor, Quiets, generate, legal_moves};
pub use masks::Masks;
pub use pairs::{CountOne, MadeMoves, count_two};
pub use perft::perft;
pub use stats::{PerftStats, perft_stats};
