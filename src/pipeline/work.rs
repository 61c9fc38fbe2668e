//! One run of a crew: chunks are counted where they are made, or queued for devices.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::crew::{Crew, Device, Slot};
use super::queue::Queue;
use super::verify::Verifier;
use super::{CountOptions, LeafError};
use crate::backend::{BackendError, BackendKind};
use crate::expand::Chunk;
use crate::pool::Pool;
use crate::reduce::Totals;

/// A device that failed during a run, whose work others took over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The device.
    pub device: String,
    /// What became of it.
    pub error: BackendError,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; others did its work", self.error)
    }
}

/// Everything the threads of a run share.
pub(super) struct Work<'a> {
    crew: &'a Crew,
    totals: &'a Totals,
    stop: &'a AtomicBool,
    verifier: Verifier,
    queue: Queue,
    /// Device threads that still take chunks.
    serving: AtomicUsize,
    processor: Pool<Result<Slot, BackendError>>,
    faults: Mutex<Vec<Fault>>,
    failure: Mutex<Option<LeafError>>,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        options: &'a CountOptions,
        totals: &'a Totals,
        stop: &'a AtomicBool,
    ) -> Work<'a> {
        let crew = &*options.crew;
        // A batch for each counter in work, and the next one.
        let batch = |slot: &Mutex<Slot>| lock(slot).counter.batch_max();
        let living = crew.devices.iter().filter(|it| it.failure().is_none());
        let slots: Vec<usize> = living.flat_map(|it| it.slots.iter().map(batch)).collect();
        let kind = crew.processor_kind();
        Work {
            crew,
            totals,
            stop,
            verifier: Verifier::new(options.verify),
            queue: Queue::new(2 * slots.iter().sum::<usize>()),
            serving: AtomicUsize::new(slots.len()),
            processor: Pool::new(move || match kind {
                Some(kind) => kind.counter().map(Slot::new),
                None => unreachable!("only a crew with a processor counts on it"),
            }),
            faults: Mutex::new(Vec::new()),
            failure: Mutex::new(None),
        }
    }

    /// The counters of devices that have not failed.
    pub(super) fn living(&self) -> impl Iterator<Item = (&'a Device, &'a Mutex<Slot>)> {
        let living = self.crew.devices.iter();
        let living = living.filter(|it| it.failure().is_none());
        living.flat_map(|device| device.slots.iter().map(move |slot| (device, slot)))
    }

    /// Deals with a chunk of the expansion, on the thread that made it.
    pub(super) fn consume(&self, chunk: &Chunk) -> Result<(), LeafError> {
        loop {
            self.check()?;
            if self.serving.load(Ordering::Acquire) == 0 {
                return self.count_here(chunk, self.crew.processor_kind());
            }
            if self.queue.offer(chunk) {
                return Ok(());
            }
            if let Some(kind) = self.crew.processor_beside() {
                return self.count_here(chunk, Some(kind));
            }
            if self.stop.load(Ordering::Relaxed) {
                // The expansion looks at it too and ends with an error.
                return Ok(());
            }
            self.queue.wait();
        }
    }

    /// The processor's backend, if it counts from the start.
    pub(super) fn processor_counts(&self) -> Option<BackendKind> {
        let alone = !self.crew.has_device();
        let processor = self.crew.processor_kind().filter(|_| alone);
        processor.or(self.crew.processor_beside())
    }

    /// Lends one thread's counter of the processor, if it has one that works.
    pub(super) fn with_processor<R>(&self, borrower: impl FnOnce(&mut Slot) -> R) -> Option<R> {
        let lend = |slot: &mut Result<Slot, BackendError>| slot.as_mut().ok().map(borrower);
        self.processor.with(lend)
    }

    /// Counts what is queued beside the devices, once the expansion is done.
    pub(super) fn help(&self) -> Result<(), LeafError> {
        if let Some(kind) = self.crew.processor_beside() {
            self.count_queued(kind)?;
        }
        Ok(())
    }

    /// Counts what devices that failed at the very end have left.
    /// Returns the faults there were and how many positions were verified.
    pub(super) fn finish(self) -> Result<(Vec<Fault>, u64), LeafError> {
        self.check()?;
        if let Some(kind) = self.crew.processor_kind() {
            self.count_queued(kind)?;
        }
        for (device, slot) in self.living() {
            self.serve(device, slot);
        }
        self.check()?;
        match self.queue.try_take() {
            None => Ok((lock(&self.faults).clone(), self.verifier.verified())),
            Some(_) => Err(self.nobody()),
        }
    }

    /// Drops what is queued: there will be no result.
    pub(super) fn abandon(&self) {
        while self.queue.try_take().is_some() {}
    }

    /// No chunk will be added.
    pub(super) fn close(&self) {
        self.queue.close();
    }

    /// A device thread: counts queued chunks until there are no more or the device fails.
    pub(super) fn serve(&self, device: &Device, slot: &Mutex<Slot>) {
        let leaving = Leaving(self);
        let batch = lock(slot).counter.batch_max();
        while let Some(chunks) = self.queue.take(batch) {
            // Locked for each batch, as costs may be measured on the device before the first.
            let mut slot = lock(slot);
            if self.stop.load(Ordering::Relaxed) || self.check().is_err() {
                // There will be no result, so nothing is owed; the queue is emptied for whoever
                // waits for room.
                continue;
            }
            if device.failure().is_some() {
                self.queue.put_back(chunks);
                break;
            }
            match self.count_chunks(&device.name, &mut slot, &chunks) {
                Ok(()) => {}
                Err(LeafError::Backend(error)) => {
                    if device.fail(error.clone()) {
                        let device = device.name.clone();
                        lock(&self.faults).push(Fault { device, error });
                    }
                    self.queue.put_back(chunks);
                    break;
                }
                Err(error) => self.fail(error),
            }
        }
        drop(leaving);
    }

    /// Counts a chunk on this thread.
    fn count_here(&self, chunk: &Chunk, kind: Option<BackendKind>) -> Result<(), LeafError> {
        let Some(kind) = kind else {
            return Err(self.nobody());
        };
        self.processor.with(|slot| match slot {
            Ok(slot) => self.count_chunks(kind.name(), slot, std::slice::from_ref(chunk)),
            Err(error) => Err(error.clone().into()),
        })
    }

    /// Counts queued chunks on all threads until there are none.
    fn count_queued(&self, kind: BackendKind) -> Result<(), LeafError> {
        let results = rayon::broadcast(|_| {
            while let Some(chunk) = self.queue.try_take() {
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                self.count_here(&chunk, Some(kind))?;
            }
            Ok(())
        });
        results.into_iter().collect()
    }

    /// Counts chunks of one leaf depth together and adds them up; all of them, or none.
    fn count_chunks(
        &self,
        counter: &str,
        slot: &mut Slot,
        chunks: &[Chunk],
    ) -> Result<(), LeafError> {
        let depth = chunks[0].leaf_depth;
        let positions = match chunks {
            [one] => &one.positions,
            many => {
                slot.positions.clear();
                for chunk in many {
                    slot.positions.extend_from_slice(&chunk.positions);
                }
                &slot.positions
            }
        };
        slot.counts.clear();
        slot.counts.resize(positions.len(), 0);
        let batch = slot.counter.batch_max();
        let batches = positions.chunks(batch).zip(slot.counts.chunks_mut(batch));
        for (positions, counts) in batches {
            slot.counter.count(positions, depth, counts)?;
            self.verifier.check(counter, positions, depth, counts)?;
        }
        let mut counts = &slot.counts[..];
        for chunk in chunks {
            let (own, others) = counts.split_at(chunk.positions.len());
            self.totals.add(chunk, own)?;
            counts = others;
        }
        Ok(())
    }

    fn fail(&self, error: LeafError) {
        lock(&self.failure).get_or_insert(error);
        self.queue.wake();
    }

    fn check(&self) -> Result<(), LeafError> {
        lock(&self.failure).clone().map_or(Ok(()), Err)
    }

    /// The error when there is nobody left to count: what became of the last device.
    fn nobody(&self) -> LeafError {
        let failures = self.crew.devices.iter().rev().find_map(Device::failure);
        match failures {
            Some(error) => LeafError::Backend(error.clone()),
            None => LeafError::Empty,
        }
    }
}

/// Notes that a device thread ends, in whatever way.
struct Leaving<'a>(&'a Work<'a>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        // `finish` serves once more, when nobody counts threads any longer.
        let leave = |serving: usize| serving.checked_sub(1);
        let _ = self
            .0
            .serving
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, leave);
        self.0.queue.wake();
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
