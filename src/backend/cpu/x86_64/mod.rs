//! Kernels for x86-64 instruction sets: intrinsics and nothing else. The only room with `unsafe`.

mod bmi2;
mod compact;

pub(super) use bmi2::{Bmi2, pext_is_microcoded};
pub(super) use compact::CompactBmi2;
