//! `FactCrew`: who finds the facts of positions.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::work::Fault;
use crate::backend::{BackendError, BackendKind, FactFinder};
use crate::movegen::MoveFacts;
use crate::position::PackedPosition;

/// Who finds facts: the processor, or devices with the processor in reserve. Any number of threads ask
/// at the same time.
pub struct FactCrew {
    processor: BackendKind,
    /// Whether the processor finds facts while every device is busy, or only once all have failed.
    beside: bool,
    devices: Vec<Device>,
    /// Where the search for a free device starts.
    next: AtomicUsize,
    faults: Mutex<Vec<Fault>>,
}

/// Finders that share a device.
struct Device {
    name: String,
    slots: Vec<Mutex<Box<dyn FactFinder>>>,
    failed: OnceLock<()>,
}

impl FactCrew {
    /// The processor alone, with a backend of its own that runs here.
    ///
    /// # Panics
    /// If the backend is none of the processor's.
    pub fn processor(kind: BackendKind) -> FactCrew {
        assert!(BackendKind::PROCESSOR.contains(&kind), "{kind}");
        FactCrew {
            processor: kind,
            beside: false,
            devices: Vec::new(),
            next: AtomicUsize::new(0),
            faults: Mutex::new(Vec::new()),
        }
    }

    /// Lets the processor find facts while every device is busy.
    pub fn beside(self) -> FactCrew {
        FactCrew {
            beside: true,
            ..self
        }
    }

    /// Adds a device, with the finders that share it.
    pub fn add_device(&mut self, name: String, finders: Vec<Box<dyn FactFinder>>) {
        self.devices.push(Device {
            name,
            slots: finders.into_iter().map(Mutex::new).collect(),
            failed: OnceLock::new(),
        });
    }

    /// Whether some device still works: it wants many positions at once.
    pub fn has_device(&self) -> bool {
        self.devices.iter().any(|it| it.failed.get().is_none())
    }

    /// Sets `facts[i]` to what can be played in `positions[i]`, with the squares as the side to move
    /// sees them. A device that fails is not asked again, and another or the processor does it all.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn find(&self, positions: &[PackedPosition], facts: &mut [MoveFacts]) {
        assert_eq!(positions.len(), facts.len(), "facts of each position");
        while let Some((device, mut finder)) = self.finder() {
            // It may have failed while it was waited for.
            if device.failed.get().is_some() {
                continue;
            }
            match finder.find(positions, facts) {
                Ok(()) => return,
                Err(error) => self.give_up(device, error),
            }
        }
        let found = self.processor.move_facts(positions, facts);
        found.expect("the processor does not fail");
    }

    /// A finder to use, waited for if there is nothing better to do; `None` for the processor.
    fn finder(&self) -> Option<(&Device, MutexGuard<'_, Box<dyn FactFinder>>)> {
        let living = self.devices.iter().filter(|it| it.failed.get().is_none());
        let slots: Vec<_> = living
            .flat_map(|device| device.slots.iter().map(move |slot| (device, slot)))
            .collect();
        let first = self.next.fetch_add(1, Ordering::Relaxed) % slots.len().max(1);
        let turns = || slots[first..].iter().chain(&slots[..first]);
        let free = turns().find_map(|&(device, slot)| Some((device, slot.try_lock().ok()?)));
        match free {
            None if self.beside => None,
            None => turns().next().map(|&(device, slot)| (device, lock(slot))),
            free => free,
        }
    }

    fn give_up(&self, device: &Device, error: BackendError) {
        if device.failed.set(()).is_ok() {
            let device = device.name.clone();
            lock(&self.faults).push(Fault { device, error });
        }
    }

    /// The devices that failed since this was asked last.
    pub fn take_faults(&self) -> Vec<Fault> {
        std::mem::take(&mut lock(&self.faults))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
