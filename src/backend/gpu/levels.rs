//! One chunk through the levels of the arena: down by listing and making moves, up by adding.

use super::GpuCounter;
use super::buffers::{Level, Slice, UNWRITTEN, stored};
use super::chunk::{Arena, Overflow};
use super::run::Recorder;
use super::shaders::{Kernel, LastPlies};
use crate::backend::BackendError;
use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

impl GpuCounter {
    /// Counts a chunk and says how many places its last listed level took, or that a level of it
    /// does not fit.
    pub(super) fn count_chunk(
        &self,
        positions: &[PackedPosition],
        depth: LeafDepth,
        counts: &mut [u32],
    ) -> Result<Result<u32, Overflow>, BackendError> {
        let levels = &self.buffers.levels;
        let top = Arena::top(depth);
        let roots = &levels[top].positions;
        self.meter.upload(&self.device, roots, positions);
        let mut sizes = [0; super::chunk::LEVELS];
        sizes[top] = positions.len() as u32;
        let mut recorder = self.recorder();
        recorder.count(&levels[top], sizes[top]);
        if depth.plies() == 1 {
            self.finish(recorder, top, &sizes, &[], counts)?;
            return Ok(Ok(sizes[top]));
        }
        recorder.scan(&levels[top], sizes[top]);
        let words = self.meter.done(recorder.submit()?);
        let mut moves = self.total(&words, sizes[top])?;
        for level in (0..top).rev() {
            if let Some(settled) = self.settled(moves, self.arena.levels[level], counts) {
                return Ok(settled);
            }
            sizes[level] = moves;
            moves = self.expand(level, sizes[level + 1], moves)?;
        }
        if let Some(settled) = self.settled(moves, self.arena.leaf_moves, counts) {
            return Ok(settled);
        }
        let mut recorder = self.recorder();
        let mut below = self.leaves(&mut recorder, &levels[0], sizes[0], moves);
        for (level, &size) in levels[..=top].iter().zip(&sizes) {
            recorder.sum(level, size, below);
            below = Slice::words(&level.counts, size);
        }
        self.finish(recorder, top, &sizes, &sizes[..1], counts)?;
        Ok(Ok(moves))
    }

    /// The end of a chunk whose next level has no moves, or more than there are places for.
    fn settled(
        &self,
        moves: u32,
        places: u32,
        counts: &mut [u32],
    ) -> Option<Result<u32, Overflow>> {
        if moves > places {
            let needed = moves;
            return Some(Err(Overflow { needed, places }));
        }
        (moves == 0).then(|| {
            counts.fill(0);
            Ok(0)
        })
    }

    /// Makes the `moves` moves of the level above, all of its `parents` positions, counts those of
    /// the children and returns their total.
    fn expand(&self, level: usize, parents: u32, moves: u32) -> Result<u32, BackendError> {
        let (above, below) = (&self.buffers.levels[level + 1], &self.buffers.levels[level]);
        let mut recorder = self.recorder();
        let listed = Slice::moves(&below.moves, moves);
        recorder.list(above, parents, listed);
        recorder.dispatch(
            Kernel::Expand,
            &[
                Slice::positions(&above.positions, parents),
                listed,
                Slice::positions(&below.positions, moves),
            ],
            moves,
        );
        recorder.count(below, moves);
        recorder.scan(below, moves);
        let words = self.meter.done(recorder.submit()?);
        self.agree(&words, &[parents])?;
        self.total(&words[1..], moves)
    }

    fn recorder(&self) -> Recorder<'_> {
        Recorder::new(&self.device, &self.pipelines, &self.buffers.common)
    }

    /// Records the listing of a level's moves, and the count of the replies to each.
    fn leaves<'a>(
        &'a self,
        recorder: &mut Recorder<'a>,
        level: &'a Level,
        positions: u32,
        moves: u32,
    ) -> Slice<'a> {
        let listed = Slice::moves(&self.buffers.leaf_moves, moves);
        let counts = Slice::words(&self.buffers.leaf_counts, moves);
        recorder.list(level, positions, listed);
        recorder.clear(counts);
        let positions = Slice::positions(&level.positions, positions);
        match self.pipelines.tuning.last_plies {
            LastPlies::Complete => {
                recorder.dispatch(Kernel::Leaf, &[positions, listed, counts], moves);
            }
            LastPlies::Speculative => {
                // Each move is appended once at most, so the list cannot overflow.
                let redo = Slice::words(&self.buffers.redo, 1 + moves);
                let size = &self.buffers.redo_size;
                recorder.clear(Slice::words(&self.buffers.redo, 1));
                let bound = [positions, listed, counts, redo];
                recorder.dispatch(Kernel::Speculate, &bound, moves);
                recorder.dispatch(Kernel::RedoSize, &[redo, Slice::all(size)], 1);
                recorder.dispatch_sized(Kernel::Redo, &bound, size);
            }
        }
        counts
    }

    /// The total of a scan, which was read back in both its forms.
    fn total(&self, words: &[u32], positions: u32) -> Result<u32, BackendError> {
        let (offset, sum) = (words[0], stored(words[1]));
        if sum == UNWRITTEN {
            return Err(BackendError::Unwritten {
                adapter: self.device.name(),
                unwritten: 1,
                positions: positions as usize,
            });
        }
        if offset != sum {
            return Err(self.device.failed(format!(
                "its scan of {positions} counts ends at {offset} and sums to {sum}"
            )));
        }
        Ok(sum)
    }

    /// Checks that every position listed the moves that were counted.
    fn agree(&self, words: &[u32], listed: &[u32]) -> Result<(), BackendError> {
        for (&agreed, &positions) in words.iter().zip(listed) {
            if agreed != positions {
                return Err(BackendError::Disagreement {
                    adapter: self.device.name(),
                    agreed,
                    positions,
                });
            }
        }
        Ok(())
    }

    /// Submits, checks the levels whose moves were listed, and fetches the counts of the roots.
    fn finish(
        &self,
        mut recorder: Recorder<'_>,
        top: usize,
        sizes: &[u32],
        listed: &[u32],
        counts: &mut [u32],
    ) -> Result<(), BackendError> {
        let roots = &self.buffers.levels[top].counts;
        recorder.read_at(roots, 0, Slice::words(roots, sizes[top]).bytes);
        let words = self.meter.done(recorder.submit()?);
        self.agree(&words, listed)?;
        for (count, &word) in counts.iter_mut().zip(&words[listed.len()..]) {
            *count = stored(word);
        }
        let unwritten = counts.iter().filter(|&&count| count == UNWRITTEN).count();
        if unwritten > 0 {
            return Err(BackendError::Unwritten {
                adapter: self.device.name(),
                unwritten,
                positions: counts.len(),
            });
        }
        Ok(())
    }
}
