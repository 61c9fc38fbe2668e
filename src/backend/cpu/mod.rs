//! Counting on the processor. Threads are the caller's business: each brings its own counter.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use rayon::prelude::*;

use super::{BackendError, BackendKind, LeafCounter};
use crate::board::WhiteSide;
use crate::movegen::{self, LeafDepth, MoveFacts};
use crate::position::PackedPosition;
use scalar::Kernel;

/// Positions in one `count` call. A CPU has no limit of its own; this keeps the counts of a batch
/// in the cache and gives progress bars something to show.
const BATCH_MAX: usize = 1 << 14;

/// Counts with one kernel, one position after the other.
struct ScalarCounter<K>(K);

impl<K: Kernel> LeafCounter for ScalarCounter<K> {
    fn batch_max(&self) -> usize {
        BATCH_MAX
    }

    fn count(
        &mut self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        assert_eq!(positions.len(), counts.len(), "one count a position");
        assert!(
            positions.len() <= BATCH_MAX,
            "at most {BATCH_MAX} positions a batch"
        );
        for (position, count) in positions.iter().zip(counts) {
            let leaves = scalar::count(self.0, &position.unpack(), depth);
            let plies = depth.plies();
            *count = u32::try_from(leaves).map_err(|_| BackendError::CountOverflow { plies })?;
        }
        Ok(())
    }
}

/// A counter of an available kind.
pub(super) fn counter(kind: BackendKind) -> Box<dyn LeafCounter> {
    #[cfg(target_arch = "x86_64")]
    if kind == BackendKind::CpuBmi2
        && let Some(kernel) = x86_64::Bmi2::new()
    {
        return Box::new(ScalarCounter(kernel));
    }
    debug_assert_eq!(kind, BackendKind::CpuScalar);
    Box::new(ScalarCounter(scalar::Portable::new()))
}

/// Positions whose facts one thread finds before others are asked to help.
const FACTS_SHARE: usize = 1 << 12;

/// The facts of positions, by the kernel of this kind.
pub(super) fn move_facts(kind: BackendKind, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
    #[cfg(target_arch = "x86_64")]
    if kind == BackendKind::CpuBmi2
        && let Some(kernel) = x86_64::Bmi2::new()
    {
        return share_out(kernel, positions, facts);
    }
    let _ = kind;
    share_out(scalar::Portable::new(), positions, facts);
}

fn share_out<K: Kernel + Sync>(kernel: K, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
    if positions.len() <= FACTS_SHARE {
        return find(kernel, positions, facts);
    }
    let shares = positions.par_chunks(FACTS_SHARE);
    shares
        .zip(facts.par_chunks_mut(FACTS_SHARE))
        .for_each(|(positions, facts)| find(kernel, positions, facts));
}

fn find<K: Kernel>(kernel: K, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
    for (position, facts) in positions.iter().zip(facts) {
        *facts = movegen::move_facts::<K, WhiteSide>(kernel, &position.unpack());
    }
}

pub(super) fn bmi2_unavailable_because() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let available = x86_64::Bmi2::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    let available = false;
    (!available).then_some("the processor lacks BMI1, BMI2, LZCNT or POPCNT")
}

pub(super) fn bmi2_slow_because() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let slow = x86_64::pext_is_microcoded();
    #[cfg(not(target_arch = "x86_64"))]
    let slow = false;
    slow.then_some("PEXT is microcoded on this processor (AMD before Zen 3)")
}
