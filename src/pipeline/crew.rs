//! `Crew`: who counts the leaves of a run.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::backend::{BackendError, BackendKind, DeviceUsage, LeafCounter};

/// Who counts leaves: the processor, devices, or both from one queue.
///
/// A crew outlives many counts: devices are opened once, and one that failed is not asked again.
pub struct Crew {
    processor: Option<BackendKind>,
    /// Whether the processor counts from the start, or only once every device has failed.
    beside: bool,
    pub(super) devices: Vec<Device>,
}

/// Counters that share a device: while one fetches results the device computes for the others.
pub(super) struct Device {
    pub(super) name: String,
    pub(super) slots: Vec<Mutex<Slot>>,
    failure: OnceLock<BackendError>,
}

/// A counter and room for what it is handed and hands back.
pub(super) struct Slot {
    pub(super) counter: Box<dyn LeafCounter>,
    pub(super) positions: Vec<crate::position::PackedPosition>,
    pub(super) counts: Vec<u32>,
}

impl Slot {
    pub(super) fn new(counter: Box<dyn LeafCounter>) -> Slot {
        Slot {
            counter,
            positions: Vec::new(),
            counts: Vec::new(),
        }
    }
}

impl Device {
    /// Why the device is not used any more.
    pub(super) fn failure(&self) -> Option<&BackendError> {
        self.failure.get()
    }

    /// Gives the device up. False if it was given up before.
    pub(super) fn fail(&self, error: BackendError) -> bool {
        self.failure.set(error).is_ok()
    }
}

impl Crew {
    /// The processor alone, with a backend that runs here.
    pub fn processor(kind: BackendKind) -> Crew {
        Crew {
            processor: Some(kind),
            beside: true,
            devices: Vec::new(),
        }
    }

    /// One backend alone: on the processor's threads, or as a device.
    pub fn of(kind: BackendKind) -> Result<Crew, BackendError> {
        // Fails here rather than in the middle of a run.
        let counter = kind.counter()?;
        if counter.usage().is_none() {
            return Ok(Crew::processor(kind));
        }
        let mut crew = Crew::devices();
        crew.add_device(kind.name().to_owned(), vec![counter]);
        Ok(crew)
    }

    /// Devices alone; [`Crew::add_device`] brings them in.
    pub fn devices() -> Crew {
        Crew {
            processor: None,
            beside: false,
            devices: Vec::new(),
        }
    }

    /// Lets the processor take over if every device fails.
    pub fn with_spare(self, kind: BackendKind) -> Crew {
        Crew {
            processor: Some(kind),
            ..self
        }
    }

    /// Adds a device, with the counters that share it.
    pub fn add_device(&mut self, name: String, counters: Vec<Box<dyn LeafCounter>>) {
        let slots = counters.into_iter().map(|it| Mutex::new(Slot::new(it)));
        self.devices.push(Device {
            name,
            slots: slots.collect(),
            failure: OnceLock::new(),
        });
    }

    /// The processor's backend, if it counts or may have to.
    pub(super) fn processor_kind(&self) -> Option<BackendKind> {
        self.processor
    }

    /// The processor's backend, if it counts beside devices.
    pub(super) fn processor_beside(&self) -> Option<BackendKind> {
        self.processor.filter(|_| self.beside)
    }

    /// Whether some device still works.
    pub fn has_device(&self) -> bool {
        self.devices.iter().any(|it| it.failure().is_none())
    }

    /// What each device did so far, by its name; one entry a counter.
    pub fn usage(&self) -> Vec<(&str, DeviceUsage)> {
        let slots = |device: &'_ Device| -> Vec<Option<DeviceUsage>> {
            let lock = |slot: &Mutex<Slot>| {
                let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                slot.counter.usage()
            };
            device.slots.iter().map(lock).collect()
        };
        self.devices
            .iter()
            .flat_map(|device| {
                let used = slots(device).into_iter().flatten();
                used.map(|usage| (device.name.as_str(), usage))
            })
            .collect()
    }
}
