//! Counting on the processor. Threads are the caller's business: each brings its own counter.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use rayon::prelude::*;

use super::{BackendError, BackendKind, LeafCounter};
use crate::board::WhiteSide;
use crate::movegen::{self, CountOne, LeafDepth, MoveFacts};
use crate::position::PackedPosition;
use scalar::Kernel;

/// Positions in one `count` call. A CPU has no limit of its own; this keeps the counts of a batch
/// in the cache and gives progress bars something to show.
const BATCH_MAX: usize = 1 << 14;

/// Counts with one kernel, one position after the other.
struct KernelCounter<K: Kernel> {
    kernel: K,
    scratch: K::Scratch,
}

impl<K: Kernel> LeafCounter for KernelCounter<K> {
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
            let pieces = position.unpack();
            let leaves = scalar::count(self.kernel, &mut self.scratch, &pieces, depth);
            let plies = depth.plies();
            *count = u32::try_from(leaves).map_err(|_| BackendError::CountOverflow { plies })?;
        }
        Ok(())
    }
}

fn with_kernel<K: Kernel + 'static>(kernel: K) -> Box<dyn LeafCounter> {
    Box::new(KernelCounter {
        kernel,
        scratch: K::Scratch::default(),
    })
}

/// A counter of an available kind.
pub(super) fn counter(kind: BackendKind) -> Box<dyn LeafCounter> {
    #[cfg(target_arch = "x86_64")]
    if let Some(counter) = x86_64::counter(kind) {
        return counter;
    }
    debug_assert_eq!(kind, BackendKind::CpuScalar);
    with_kernel(scalar::Portable::new())
}

/// Positions whose facts one thread finds before others are asked to help.
const FACTS_SHARE: usize = 1 << 12;

/// The facts of positions, by the kernel of this kind, or the best there is for a kind that has none.
pub(super) fn move_facts(kind: BackendKind, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
    #[cfg(target_arch = "x86_64")]
    if kind != BackendKind::CpuScalar
        && let Some(kernel) = x86_64::CompactBmi2::new()
    {
        return share_out(kernel, positions, facts);
    }
    let _ = kind;
    share_out(scalar::Portable::new(), positions, facts);
}

fn share_out<K: CountOne + Sync>(kernel: K, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
    if positions.len() <= FACTS_SHARE {
        return find(kernel, positions, facts);
    }
    let shares = positions.par_chunks(FACTS_SHARE);
    shares
        .zip(facts.par_chunks_mut(FACTS_SHARE))
        .for_each(|(positions, facts)| find(kernel, positions, facts));
}

fn find<K: CountOne>(kernel: K, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
    for (position, facts) in positions.iter().zip(facts) {
        *facts = movegen::move_facts::<K, WhiteSide>(kernel, &position.unpack());
    }
}

/// Why this processor cannot run a kernel; `None` if it can.
pub(super) fn unavailable_because(kind: BackendKind) -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    return x86_64::unavailable_because(kind);
    #[cfg(not(target_arch = "x86_64"))]
    (kind != BackendKind::CpuScalar).then_some("the processor is not an x86-64")
}

/// Why a kernel that runs here is slower than it should be.
pub(super) fn slow_because(kind: BackendKind) -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let slow = kind != BackendKind::CpuScalar && x86_64::pext_is_microcoded();
    #[cfg(not(target_arch = "x86_64"))]
    let slow = false;
    let _ = kind;
    slow.then_some("PEXT is microcoded on this processor (AMD before Zen 3)")
}

#[cfg(test)]
mod check;
