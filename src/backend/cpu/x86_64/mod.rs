//! Kernels for x86-64 instruction sets: intrinsics and nothing else. The only room with `unsafe`.

mod avx2;
mod avx512;
mod bmi2;
mod compact;
mod lockstep;

use super::super::{BackendKind, LeafCounter};
use super::with_kernel;
use avx2::Avx2;
use avx512::Avx512;
use bmi2::Bmi2;
use lockstep::InLockstep;

pub(super) use bmi2::pext_is_microcoded;
pub(super) use compact::CompactBmi2;

/// A counter with a kernel of this instruction set, if there is one and the processor can run it.
pub(super) fn counter(kind: BackendKind) -> Option<Box<dyn LeafCounter>> {
    match kind {
        BackendKind::CpuAvx512 => Avx512::new().map(|it| with_kernel(InLockstep(it))),
        BackendKind::CpuAvx2 => Avx2::new().map(|it| with_kernel(InLockstep(it))),
        BackendKind::CpuBmi2 => Bmi2::new().map(with_kernel),
        _ => None,
    }
}

/// What the processor lacks for a kind.
pub(super) fn unavailable_because(kind: BackendKind) -> Option<&'static str> {
    let needs_bmi2 = kind != BackendKind::CpuScalar;
    if needs_bmi2 && !Bmi2::is_available() {
        return Some("the processor lacks BMI1, BMI2, LZCNT or POPCNT");
    }
    match kind {
        BackendKind::CpuAvx2 if !Avx2::is_available() => Some("the processor lacks AVX2"),
        BackendKind::CpuAvx512 if !Avx512::is_available() => {
            Some("the processor lacks AVX-512 (F, BW, CD, DQ and VPOPCNTDQ)")
        }
        _ => None,
    }
}
