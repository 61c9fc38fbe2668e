//! What counting costs on this machine: a little is counted and timed.

use std::time::{Duration, Instant};

use super::crew::Slot;
use super::work::{Work, lock};
use crate::expand::Gauge;
use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// Work that takes this long on a thread is not timed again at twice the size.
const THREAD_ENOUGH: Duration = Duration::from_micros(250);
/// On a device, where handing over takes a while, however little it is.
const DEVICE_ENOUGH: Duration = Duration::from_millis(4);

impl Gauge for Work<'_> {
    fn leaf_ns(&self, sample: &[PackedPosition], depth: LeafDepth) -> Option<f64> {
        let count = |slot: &mut Slot, enough| {
            let batch = slot.counter.batch_max();
            best_ns(sample, batch, enough, |positions| {
                slot.counts.clear();
                slot.counts.resize(positions.len(), 0);
                let counted = slot.counter.count(positions, depth, &mut slot.counts);
                counted.ok()
            })
        };
        let mut rates = Vec::new();
        for (_, slot) in self.living() {
            rates.push(1.0 / count(&mut lock(slot), DEVICE_ENOUGH)?);
        }
        if self.processor_counts().is_some() {
            let one = self.with_processor(|slot| count(slot, THREAD_ENOUGH))??;
            rates.push(rayon::current_num_threads() as f64 / one);
        }
        let rate: f64 = rates.iter().sum();
        (rate > 0.0).then(|| 1.0 / rate)
    }

    fn overlaps(&self) -> bool {
        self.processor_counts().is_none()
    }
}

/// Nanoseconds a position takes: the sample over and over, twice as much each time until `enough` time
/// passes or there are `most`, and the best of three at that size, as others may use the machine too.
/// `None` if `count` fails.
fn best_ns(
    sample: &[PackedPosition],
    most: usize,
    enough: Duration,
    mut count: impl FnMut(&[PackedPosition]) -> Option<()>,
) -> Option<f64> {
    let mut time = |length: usize| -> Option<Duration> {
        let positions: Vec<PackedPosition> = sample.iter().cycle().take(length).copied().collect();
        let start = Instant::now();
        count(&positions)?;
        Some(start.elapsed())
    };
    if sample.is_empty() {
        return None;
    }
    let mut length = 16.min(most);
    let mut best = time(length)?;
    while best < enough && length < most {
        length = (length * 2).min(most);
        best = time(length)?;
    }
    for _ in 0..2 {
        best = best.min(time(length)?);
    }
    Some(best.as_nanos() as f64 / length as f64)
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;

    use super::*;

    #[test]
    fn work_doubles_until_it_takes_long_enough() {
        let sample = vec![PackedPosition::zeroed(); 10];
        let mut lengths = Vec::new();
        let slow = Duration::from_millis(3);
        let ns = best_ns(&sample, 1 << 20, slow, |positions| {
            lengths.push(positions.len());
            if positions.len() >= 128 {
                std::thread::sleep(slow);
            }
            Some(())
        });
        assert_eq!(lengths, [16, 32, 64, 128, 128, 128]);
        assert!(ns.is_some_and(|ns| ns >= 3e6 / 128.0), "{ns:?}");
    }

    #[test]
    fn what_cannot_be_measured_is_not_guessed() {
        let sample = [PackedPosition::zeroed()];
        let enough = Duration::ZERO;
        assert_eq!(best_ns(&sample, 64, enough, |_| None), None);
        assert_eq!(best_ns(&[], 64, enough, |_| Some(())), None);
    }
}
