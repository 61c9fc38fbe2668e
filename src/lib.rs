//! Exact bulk perft.
pub mod attacks;
pub mod backend;
pub mod board;
pub mod expand;
pub mod movegen;
pub mod parse;
pub mod pipeline;
mod pool;
pub mod position;
pub mod reduce;
