//! `Pool`: values that worker threads borrow one at a time, such as scratch tables and counters.

use std::sync::{Mutex, PoisonError};

/// Values made on demand, handed to one borrower at a time and kept for the next.
///
/// There are never more values than borrowers at one moment, so a value per worker thread,
/// without knowing which thread a task runs on.
pub struct Pool<T> {
    idle: Mutex<Vec<T>>,
    make: Box<dyn Fn() -> T + Send + Sync>,
}

impl<T> Pool<T> {
    /// An empty pool; `make` is called when no value is idle.
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Pool<T> {
        Pool {
            idle: Mutex::new(Vec::new()),
            make: Box::new(make),
        }
    }

    /// Lends a value to `borrower`. If it panics the value is dropped, not lent again.
    pub fn with<R>(&self, borrower: impl FnOnce(&mut T) -> R) -> R {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut value = idle.unwrap_or_else(&self.make);
        let result = borrower(&mut value);
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(value);
        result
    }

    /// All values ever made, once nobody borrows any more.
    pub fn into_values(self) -> Vec<T> {
        self.idle
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
