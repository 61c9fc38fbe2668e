//! Chunks on their way from the expansion to the devices.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::expand::Chunk;

/// How long a thread waits before it looks again whether the run was stopped.
const PATIENCE: Duration = Duration::from_millis(50);

/// A queue that holds a bounded number of positions.
pub(super) struct Queue {
    state: Mutex<State>,
    /// Something was put in, taken out, or the queue was closed.
    changed: Condvar,
    /// Most positions that wait at once.
    positions_max: usize,
}

struct State {
    chunks: VecDeque<Chunk>,
    positions: usize,
    closed: bool,
}

impl State {
    fn pop(&mut self) -> Option<Chunk> {
        let chunk = self.chunks.pop_front()?;
        self.positions -= chunk.positions.len();
        Some(chunk)
    }
}

impl Queue {
    pub(super) fn new(positions_max: usize) -> Queue {
        Queue {
            state: Mutex::new(State {
                chunks: VecDeque::new(),
                positions: 0,
                closed: false,
            }),
            changed: Condvar::new(),
            positions_max,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a copy of a chunk in if there is room; an empty queue has room for any chunk.
    pub(super) fn offer(&self, chunk: &Chunk) -> bool {
        let mut state = self.lock();
        let positions = state.positions + chunk.positions.len();
        if state.positions > 0 && positions > self.positions_max {
            return false;
        }
        state.positions = positions;
        state.chunks.push_back(chunk.clone());
        self.changed.notify_all();
        true
    }

    /// Puts chunks that were taken out and not counted back where they came from.
    pub(super) fn put_back(&self, chunks: Vec<Chunk>) {
        let mut state = self.lock();
        for chunk in chunks.into_iter().rev() {
            state.positions += chunk.positions.len();
            state.chunks.push_front(chunk);
        }
        self.changed.notify_all();
    }

    /// Takes the next chunk, and those after it that have the same leaf depth, as long as they hold
    /// at most `positions` together. Waits for one; `None` once the queue is closed and empty.
    pub(super) fn take(&self, positions: usize) -> Option<Vec<Chunk>> {
        let mut state = self.lock();
        let first = loop {
            if let Some(chunk) = state.pop() {
                break chunk;
            }
            if state.closed {
                return None;
            }
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        };
        let (depth, mut taken) = (first.leaf_depth, first.positions.len());
        let mut chunks = vec![first];
        while let Some(next) = state.chunks.front()
            && next.leaf_depth == depth
            && taken + next.positions.len() <= positions
        {
            taken += next.positions.len();
            chunks.extend(state.pop());
        }
        self.changed.notify_all();
        Some(chunks)
    }

    /// Takes a chunk if there is one.
    pub(super) fn try_take(&self) -> Option<Chunk> {
        let chunk = self.lock().pop();
        self.changed.notify_all();
        chunk
    }

    /// Waits a moment for something to change.
    pub(super) fn wait(&self) {
        let waited = self.changed.wait_timeout(self.lock(), PATIENCE);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Nothing more will be put in, but for chunks that are put back.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Wakes whoever waits, as something outside changed.
    pub(super) fn wake(&self) {
        // Taken and released, so that nobody falls asleep between looking and waiting.
        drop(self.lock());
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::LeafDepth;
    use crate::parse::parse_fen;

    fn chunk(plies: u32, positions: usize) -> Chunk {
        let start = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let position = start.expect("a FEN").packed();
        let mut chunk = Chunk::new(LeafDepth::new(plies).expect("a leaf depth"));
        (0..positions).for_each(|_| chunk.push(0, position, 1));
        chunk
    }

    fn sizes(chunks: Option<Vec<Chunk>>) -> Vec<usize> {
        let chunks = chunks.expect("there are some");
        chunks.iter().map(|it| it.positions.len()).collect()
    }

    #[test]
    fn chunks_of_one_depth_are_taken_together() {
        let queue = Queue::new(100);
        for (plies, size) in [(2, 10), (2, 20), (2, 5), (3, 1), (2, 1)] {
            assert!(queue.offer(&chunk(plies, size)));
        }
        assert_eq!(sizes(queue.take(34)), [10, 20]);
        assert_eq!(sizes(queue.take(34)), [5]);
        let taken = queue.take(34);
        queue.put_back(taken.expect("there is one"));
        assert_eq!(sizes(queue.take(34)), [1]);
        queue.close();
        assert_eq!(sizes(queue.take(34)), [1]);
        assert!(queue.take(34).is_none());
    }

    #[test]
    fn a_full_queue_refuses_and_an_empty_one_never_does() {
        let queue = Queue::new(10);
        assert!(queue.offer(&chunk(1, 11)));
        assert!(!queue.offer(&chunk(1, 1)));
        assert_eq!(sizes(queue.take(1)), [11]);
        assert!(queue.offer(&chunk(1, 10)));
        assert!(!queue.offer(&chunk(1, 1)));
        assert!(queue.try_take().is_some());
        assert!(queue.try_take().is_none());
    }
}
