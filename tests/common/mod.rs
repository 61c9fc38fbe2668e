//! Shared by the test files: positions with fixed seeds, and the slow oracle.

pub mod plain;
pub mod positions;
