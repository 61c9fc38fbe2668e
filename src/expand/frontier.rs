//! The frontier: positions at the split depth, in parallel arrays, handed on in chunks.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::ExpandError;
use crate::movegen::LeafDepth;
use crate::pool::Pool;
use crate::position::PackedPosition;

/// Positions in a full chunk. Only the last chunks of a run are smaller.
pub const CHUNK_POSITIONS: usize = 1 << 14;

/// Part of the frontier: positions that a backend counts to one leaf depth, in parallel arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Plies to count below each position.
    pub leaf_depth: LeafDepth,
    /// The positions.
    pub positions: Vec<PackedPosition>,
    /// For each position the index of the root it belongs to.
    pub roots: Vec<u32>,
    /// For each position the number of paths from its root that lead to it.
    pub weights: Vec<u128>,
}

impl Chunk {
    /// An empty chunk.
    pub fn new(leaf_depth: LeafDepth) -> Chunk {
        Chunk {
            leaf_depth,
            positions: Vec::new(),
            roots: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds a position.
    #[inline]
    pub fn push(&mut self, root: u32, position: PackedPosition, weight: u128) {
        self.positions.push(position);
        self.roots.push(root);
        self.weights.push(weight);
    }

    /// The chunk in pieces of at most `length` positions, in order.
    fn pieces(&self, length: usize) -> impl Iterator<Item = Chunk> {
        let starts = (0..self.positions.len()).step_by(length);
        starts.map(move |start| {
            let range = start..self.positions.len().min(start + length);
            Chunk {
                leaf_depth: self.leaf_depth,
                positions: self.positions[range.clone()].to_vec(),
                roots: self.roots[range.clone()].to_vec(),
                weights: self.weights[range].to_vec(),
            }
        })
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.roots.clear();
        self.weights.clear();
    }
}

/// Takes finished chunks, from many threads.
pub(super) type Consumer<'a, E> = &'a (dyn Fn(&Chunk) -> Result<(), E> + Sync);

/// One thread's unfinished chunks, one a leaf depth.
type Unfinished = [Chunk; LeafDepth::MAX as usize];

fn unfinished() -> Unfinished {
    std::array::from_fn(|i| Chunk::new(LeafDepth::new(i as u32 + 1).expect("within the maximum")))
}

/// Collects the positions of a frontier into chunks and hands full ones on.
pub(super) struct Frontier<'a, E> {
    open: Pool<Unfinished>,
    consume: Consumer<'a, E>,
    stop: &'a AtomicBool,
}

impl<'a, E: Send> Frontier<'a, E> {
    /// A frontier whose chunks go to `consume`, on the thread that filled them, until `stop` is set.
    pub(super) fn new(consume: Consumer<'a, E>, stop: &'a AtomicBool) -> Frontier<'a, E> {
        let open = Pool::new(unfinished);
        Frontier {
            open,
            consume,
            stop,
        }
    }

    /// Lets one thread add positions. Fails if the consumer did, or if the run was stopped; what was
    /// added after that is dropped.
    pub(super) fn write(
        &self,
        leaf_depth: LeafDepth,
        add: impl FnOnce(&mut Writer<'_, E>),
    ) -> Result<(), ExpandError<E>> {
        self.open.with(|chunks| {
            let mut writer = Writer {
                chunk: &mut chunks[leaf_depth.plies() as usize - 1],
                consume: self.consume,
                stop: self.stop,
                failure: None,
            };
            add(&mut writer);
            writer.failure.map_or(Ok(()), Err)
        })
    }

    /// Hands on what is left, in pieces that keep all threads busy.
    pub(super) fn finish(self) -> Result<(), ExpandError<E>> {
        let left: Vec<Chunk> = self.open.into_values().into_iter().flatten().collect();
        let positions: usize = left.iter().map(|chunk| chunk.positions.len()).sum();
        let length = positions.div_ceil(4 * rayon::current_num_threads()).max(1);
        let pieces: Vec<Chunk> = left.iter().flat_map(|chunk| chunk.pieces(length)).collect();
        pieces.par_iter().try_for_each(|piece| {
            super::check_stop(self.stop)?;
            (self.consume)(piece).map_err(ExpandError::Consumer)
        })
    }
}

/// One thread's access to the frontier.
pub(super) struct Writer<'a, E> {
    chunk: &'a mut Chunk,
    consume: Consumer<'a, E>,
    stop: &'a AtomicBool,
    failure: Option<ExpandError<E>>,
}

impl<E> Writer<'_, E> {
    #[inline]
    pub(super) fn push(&mut self, root: u32, position: PackedPosition, weight: u128) {
        self.chunk.push(root, position, weight);
        if self.chunk.positions.len() >= CHUNK_POSITIONS {
            self.hand_on();
        }
    }

    /// True once adding more is in vain.
    #[inline]
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    #[cold]
    fn hand_on(&mut self) {
        if self.stop.load(Ordering::Relaxed) {
            self.failure = Some(ExpandError::Interrupted);
        }
        if self.failure.is_none() {
            self.failure = (self.consume)(self.chunk).err().map(ExpandError::Consumer);
        }
        self.chunk.clear();
    }
}
