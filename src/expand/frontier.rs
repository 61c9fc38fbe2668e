//! The frontier: positions at the split depth, in parallel arrays, handed on in chunks.

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
    pub weights: Vec<u64>,
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
    pub fn push(&mut self, root: u32, position: PackedPosition, weight: u64) {
        self.positions.push(position);
        self.roots.push(root);
        self.weights.push(weight);
    }

    fn append(&mut self, other: &mut Chunk) {
        self.positions.append(&mut other.positions);
        self.roots.append(&mut other.roots);
        self.weights.append(&mut other.weights);
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.roots.clear();
        self.weights.clear();
    }
}

/// One thread's unfinished chunks, one a leaf depth.
type Unfinished = [Chunk; LeafDepth::MAX as usize];

fn unfinished() -> Unfinished {
    std::array::from_fn(|i| Chunk::new(LeafDepth::new(i as u32 + 1).expect("within the maximum")))
}

/// Collects positions into chunks and hands full ones on.
pub(super) struct Frontier<'a, E> {
    open: Pool<Unfinished>,
    consume: &'a (dyn Fn(&Chunk) -> Result<(), E> + Sync),
}

impl<'a, E> Frontier<'a, E> {
    /// A frontier whose chunks go to `consume`, on the thread that filled them.
    pub(super) fn new(consume: &'a (dyn Fn(&Chunk) -> Result<(), E> + Sync)) -> Frontier<'a, E> {
        Frontier {
            open: Pool::new(unfinished),
            consume,
        }
    }

    /// Lets one thread add positions. The first error of the consumer is returned; positions added
    /// after it are dropped.
    pub(super) fn write<R>(
        &self,
        leaf_depth: LeafDepth,
        writer: impl FnOnce(&mut Writer<'_, E>) -> R,
    ) -> Result<R, ExpandError<E>> {
        self.open.with(|chunks| {
            let chunk = &mut chunks[leaf_depth.plies() as usize - 1];
            let mut access = Writer {
                chunk,
                consume: self.consume,
                failure: None,
            };
            let result = writer(&mut access);
            access
                .failure
                .map_or(Ok(result), |error| Err(ExpandError::Consumer(error)))
        })
    }

    /// Hands on what is left, joined into as few chunks as possible.
    pub(super) fn finish(self) -> Result<(), ExpandError<E>> {
        let mut left = unfinished();
        for chunks in self.open.into_values() {
            for (all, mut part) in left.iter_mut().zip(chunks) {
                if all.positions.len() + part.positions.len() > CHUNK_POSITIONS {
                    (self.consume)(&part).map_err(ExpandError::Consumer)?;
                } else {
                    all.append(&mut part);
                }
            }
        }
        left.iter()
            .filter(|chunk| !chunk.positions.is_empty())
            .try_for_each(self.consume)
            .map_err(ExpandError::Consumer)
    }
}

/// One thread's access to the frontier.
pub(super) struct Writer<'a, E> {
    chunk: &'a mut Chunk,
    consume: &'a (dyn Fn(&Chunk) -> Result<(), E> + Sync),
    failure: Option<E>,
}

impl<E> Writer<'_, E> {
    #[inline]
    pub(super) fn push(&mut self, root: u32, position: PackedPosition, weight: u64) {
        self.chunk.push(root, position, weight);
        if self.chunk.positions.len() >= CHUNK_POSITIONS {
            self.hand_on();
        }
    }

    #[cold]
    fn hand_on(&mut self) {
        if self.failure.is_none() {
            self.failure = (self.consume)(self.chunk).err();
        }
        self.chunk.clear();
    }
}
