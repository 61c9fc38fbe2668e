//! Lines of files, worked on in parallel and handed on in order, with little memory: the reading
//! thread is never more than some batches ahead of what has been handed on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::CommandError;
use super::session::STOP;
use crate::parse::{self, BatchReader, LineBatch, Source, SourceError};

/// Parts in the works for each thread: enough that none waits, few enough for any memory.
const PARTS_A_THREAD: usize = 4;

/// A piece of the input.
pub(super) enum Part {
    Lines(LineBatch),
    /// A source that cannot be opened.
    Unreadable(SourceError),
}

/// The parts of all files, in order.
struct Parts<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    current: Option<BatchReader>,
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        loop {
            if STOP.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(batches) = &mut self.current {
                match batches.next() {
                    Some(batch) => return Some(Part::Lines(batch)),
                    None => self.current = None,
                }
            }
            let file = self.files.next()?;
            match parse::open_batches(&Source::from_arg(&file.to_string_lossy())) {
                Ok(batches) => self.current = Some(batches),
                Err(error) => return Some(Part::Unreadable(error)),
            }
        }
    }
}

/// Some parts at a time.
struct Together<'a> {
    parts: Parts<'a>,
    count: usize,
}

impl Iterator for Together<'_> {
    type Item = Vec<Part>;

    fn next(&mut self) -> Option<Vec<Part>> {
        let some: Vec<Part> = self.parts.by_ref().take(self.count).collect();
        (!some.is_empty()).then_some(some)
    }
}

/// Does `work` on every part of the files, on `threads` threads, and hands the results to `consume`
/// in the order of the input. Ends with the first error of `consume`, or when asked to stop.
pub(super) fn in_order<T: Send>(
    files: &[PathBuf],
    threads: usize,
    work: impl Fn(Part) -> T + Sync,
    mut consume: impl FnMut(T) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let work = |parts: Vec<Part>| -> Vec<T> { parts.into_iter().map(&work).collect() };
    let consume = |results: Vec<T>| results.into_iter().try_for_each(&mut consume);
    some_in_order(files, threads, 1, work, consume)
}

/// The same with `together` parts at a time.
pub(super) fn some_in_order<T: Send>(
    files: &[PathBuf],
    threads: usize,
    together: usize,
    work: impl Fn(Vec<Part>) -> T + Sync,
    mut consume: impl FnMut(T) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let parts = Together {
        parts: Parts {
            files: files.iter(),
            current: None,
        },
        count: together,
    };
    if threads <= 1 {
        for some in parts {
            consume(work(some))?;
        }
    } else {
        in_parallel(parts, threads, &work, &mut consume)?;
    }
    if STOP.load(Ordering::Relaxed) {
        return Err(CommandError::Interrupted);
    }
    Ok(())
}

fn in_parallel<T: Send>(
    parts: Together<'_>,
    threads: usize,
    work: &(impl Fn(Vec<Part>) -> T + Sync),
    consume: &mut impl FnMut(T) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    // Of many parts together one for each thread must do, and two that wait.
    let limit = (threads * PARTS_A_THREAD / parts.count).max(threads + 2);
    // Some may be read when those that were handed on have given their place back.
    let (give_place, places) = sync_channel(limit);
    for _ in 0..limit {
        let _ = give_place.send(());
    }
    let (send_part, receive_part) = sync_channel::<(usize, Vec<Part>)>(limit);
    let (send_result, results) = sync_channel::<(usize, T)>(limit);
    let receive_part = Mutex::new(receive_part);
    std::thread::scope(|scope| {
        scope.spawn(move || read_ahead(parts, &places, &send_part));
        for _ in 0..threads {
            let send_result = send_result.clone();
            let receive_part = &receive_part;
            scope.spawn(move || {
                loop {
                    let next = receive_part
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv();
                    let Ok((number, part)) = next else { break };
                    if send_result.send((number, work(part))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send_result);
        // Moved in, so that an early return closes the channels and ends the threads.
        let (give_place, results) = (give_place, results);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, result) in &results {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                consume(result)?;
                next += 1;
                let _ = give_place.send(());
            }
        }
        Ok(())
    })
}

fn read_ahead(parts: Together<'_>, places: &Receiver<()>, out: &SyncSender<(usize, Vec<Part>)>) {
    for numbered in parts.enumerate() {
        if places.recv().is_err() || out.send(numbered).is_err() {
            break;
        }
    }
}
