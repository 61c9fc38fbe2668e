//! Expansion with exact merging, by half-key grouping.
//!
//! A move that is no capture leaves the *other* side's half of the board as it was: its pieces and
//! its castling rights. So positions are kept in buckets by the half of the side *not* to move.
//! All quiet children of a bucket keep that half, hence two quiet children can only be equal if
//! their parents are in one bucket, and a bucket merges them on its own, in a table that fits the
//! cache. Only captures change the half and travel to another bucket.
//!
//! For each ply: pass 1 plays the captures and routes each child to the bucket of its new half;
//! pass 2 takes one bucket at a time, inserts the captures that arrived, plays the quiet moves
//! straight into the table, and either routes the different positions to the buckets of the next
//! ply or, at the last merged ply, hands them to the frontier. Children of quiet moves, which are
//! most, are never stored raw; where those of captures would not fit the memory, the two passes are
//! made in rounds, each for a part of the buckets.
//!
//! The budget covers what is stored: two plies and the captures of a round. The tables of the
//! buckets in work, one a thread, come on top.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::children::packed_children;
use super::split::Growth;
use super::table::{MergeTable, SALT, Weighted, mix};
use super::{Context, ExpandError, MergedPly, Root, Split, walk, walked_plies};
use crate::attacks::Magic;
use crate::movegen::{Captures, Quiets};
use crate::pool::Pool;
use crate::position::PackedPosition;

/// Aim for this many positions in a bucket: its table then fits a core's second-level cache.
const BUCKET_POSITIONS: u64 = 2_000;
/// Buckets for plies of moderate size: enough to share among threads.
const BUCKETS_SHARED: u64 = 64;
const BUCKETS_MAX: u64 = 1 << 16;

/// One thread's share of a ply: a vector for each bucket.
type Shard = Vec<Vec<Weighted>>;

/// A ply in buckets; each bucket is what the threads' shards hold for it.
struct Ply {
    buckets: Vec<Vec<Vec<Weighted>>>,
    positions: u64,
}

impl Ply {
    fn from_shards(shards: Vec<Shard>, bucket_count: usize) -> Ply {
        let mut buckets: Vec<Vec<Vec<Weighted>>> = (0..bucket_count).map(|_| Vec::new()).collect();
        let mut positions = 0;
        for shard in shards {
            for (bucket, part) in buckets.iter_mut().zip(shard) {
                positions += part.len() as u64;
                if !part.is_empty() {
                    bucket.push(part);
                }
            }
        }
        Ply { buckets, positions }
    }
}

fn shard_pool(bucket_count: usize) -> Pool<Shard> {
    Pool::new(move || (0..bucket_count).map(|_| Vec::new()).collect())
}

/// A number of buckets for about this many positions, a power of two.
fn bucket_count(positions: u64) -> usize {
    let least = (positions / 16).clamp(1, BUCKETS_SHARED);
    (positions / BUCKET_POSITIONS)
        .clamp(least, BUCKETS_MAX)
        .next_power_of_two() as usize
}

/// What becomes of the positions of the last ply.
#[derive(Copy, Clone, Debug)]
pub(super) enum Goal {
    /// They are handed to the frontier, after as many plies without merging as memory calls for.
    Frontier(Split),
    /// They are counted and forgotten; every ply before is stored.
    Count,
}

/// Plays `plies` plies from a root with merging; tells `each` what each merged ply held.
pub(super) fn merge<E: Send>(
    context: &Context<'_, E>,
    index: u32,
    root: &Root,
    (plies, goal): (u32, Goal),
    each: &mut dyn FnMut(MergedPly),
) -> Result<(), ExpandError<E>> {
    let memory_bytes = context.options.memory_bytes;
    let start = Weighted {
        position: root.position,
        weight: 1,
    };
    let mut parents = Ply {
        buckets: vec![vec![vec![start]]],
        positions: 1,
    };
    let mut growth = Growth::new();
    for ply in 1..=plies {
        let last = ply == plies || !growth.next_fits(memory_bytes);
        if last && ply < plies && matches!(goal, Goal::Count) {
            let needed_bytes = growth.next_bytes();
            return Err(ExpandError::OutOfMemory { ply, needed_bytes });
        }
        context
            .progress
            .begin(&format!("ply {ply}"), parents.positions);
        let rounds = growth.capture_rounds(memory_bytes);
        let next_count = if last { 1 } else { bucket_count(growth.next()) };
        let step = Step {
            context,
            index,
            depth_left: root.depth - ply,
            goal,
            ply,
            next: (!last).then(|| shard_pool(next_count)),
            tables: Pool::new(MergeTable::new),
            unique: AtomicU64::new(0),
        };
        let (paths, captures) = step.run(&mut parents, rounds)?;
        let unique = step.unique.into_inner();
        each(MergedPly { ply, unique, paths });
        let Some(next) = step.next.filter(|_| unique > 0) else {
            break;
        };
        parents = Ply::from_shards(next.into_values(), next_count);
        growth = growth.after(unique, captures);
    }
    Ok(())
}

/// One ply of one root.
struct Step<'a, 'c, E> {
    context: &'a Context<'c, E>,
    index: u32,
    ply: u32,
    /// Plies of the root's depth below this one.
    depth_left: u32,
    goal: Goal,
    /// Where the next ply is stored; `None` if this is the last to be merged.
    next: Option<Pool<Shard>>,
    tables: Pool<MergeTable>,
    unique: AtomicU64,
}

impl<E: Send> Step<'_, '_, E> {
    /// Both passes, in as many rounds as asked for. Returns the paths to this ply and the number of
    /// captures among its moves. The parents are used up.
    fn run(&self, parents: &mut Ply, rounds: u64) -> Result<(u128, u64), ExpandError<E>> {
        let count = parents.buckets.len();
        let size = count.div_ceil(rounds as usize);
        let (mut paths, mut captures) = (0, 0);
        for first in (0..count).step_by(size) {
            let range = first..count.min(first + size);
            let arrived = self.captures(parents, range.clone())?;
            captures += arrived.positions;
            let spent = range.end == count;
            paths += parents.buckets[range]
                .par_iter_mut()
                .zip(arrived.buckets)
                .map(|(bucket, arrived)| {
                    self.context.check()?;
                    let paths = self.tables.with(|table| {
                        self.merge_bucket(table, bucket, &arrived)?;
                        self.pass_on(table)
                    })?;
                    let done: usize = bucket.iter().map(Vec::len).sum();
                    self.context.progress.advance(done as u64);
                    if spent {
                        // No later round plays captures: free what is done with.
                        bucket.clear();
                    }
                    Ok(paths)
                })
                .try_reduce(
                    || 0,
                    |a: u128, b| {
                        a.checked_add(b)
                            .ok_or(ExpandError::WeightOverflow { ply: self.ply })
                    },
                )?;
        }
        Ok((paths, captures))
    }

    /// Pass 1: the children of captures that belong to a range of buckets, those of the half they
    /// leave the side now to move.
    fn captures(&self, parents: &Ply, range: Range<usize>) -> Result<Ply, ExpandError<E>> {
        let count = parents.buckets.len();
        let shards = shard_pool(range.len());
        parents.buckets.par_iter().try_for_each(|bucket| {
            self.context.check()?;
            shards.with(|shard| {
                for parent in bucket.iter().flatten() {
                    packed_children::<Captures>(Magic::new(), &parent.position, |child| {
                        let to = bucket_of(our_half(&child), count);
                        if range.contains(&to) {
                            let weight = parent.weight;
                            shard[to - range.start].push(Weighted {
                                position: child,
                                weight,
                            });
                        }
                    });
                }
            });
            Ok(())
        })?;
        Ok(Ply::from_shards(shards.into_values(), range.len()))
    }

    /// Pass 2 for one bucket: all children that belong to it, merged.
    fn merge_bucket(
        &self,
        table: &mut MergeTable,
        bucket: &[Vec<Weighted>],
        arrived: &[Vec<Weighted>],
    ) -> Result<(), ExpandError<E>> {
        let parents: usize = bucket.iter().map(Vec::len).sum();
        let captures: usize = arrived.iter().map(Vec::len).sum();
        table.reset(parents * 4 + captures);
        for capture in arrived.iter().flatten() {
            table.insert(capture.position, capture.weight);
        }
        for parent in bucket.iter().flatten() {
            packed_children::<Quiets>(Magic::new(), &parent.position, |child| {
                table.insert(child, parent.weight);
            });
        }
        if table.overflowed() {
            return Err(ExpandError::WeightOverflow { ply: self.ply });
        }
        Ok(())
    }

    /// Stores the merged positions for the next ply, or hands them to the frontier. Returns the
    /// number of paths that lead to them.
    fn pass_on(&self, table: &MergeTable) -> Result<u128, ExpandError<E>> {
        let entries = table.entries();
        self.unique
            .fetch_add(entries.len() as u64, Ordering::Relaxed);
        match (&self.next, self.goal) {
            (Some(next), _) => next.with(|shard| {
                let count = shard.len();
                for entry in entries {
                    shard[bucket_of(their_half(&entry.position), count)].push(*entry);
                }
            }),
            (None, Goal::Count) => {}
            (None, Goal::Frontier(split)) => {
                let plies = walked_plies(self.depth_left, split.leaf_depth);
                self.context.frontier.write(split.leaf_depth, |writer| {
                    for entry in entries {
                        let (position, weight) = (&entry.position, entry.weight);
                        walk::walk(writer, self.index, position, plies, weight);
                    }
                })?;
            }
        }
        let weights = entries.iter().map(|entry| entry.weight);
        let sum = |total: u128, weight: u128| total.checked_add(weight);
        weights
            .into_iter()
            .try_fold(0, sum)
            .ok_or(ExpandError::WeightOverflow { ply: self.ply })
    }
}

/// A hash of the half of the side to move, as that side sees it.
#[inline(always)]
fn our_half(position: &PackedPosition) -> u64 {
    half_hash(position.code.map(|plane| plane & position.ours))
}

/// A hash of the half of the other side, as that side sees it: equal to [`our_half`] of the same
/// pieces when it is their turn.
#[inline(always)]
fn their_half(position: &PackedPosition) -> u64 {
    half_hash(
        position
            .code
            .map(|plane| (plane & !position.ours).swap_bytes()),
    )
}

#[inline(always)]
fn half_hash(planes: [u64; 3]) -> u64 {
    let [low, mid, high] = planes;
    mix(mix(low ^ SALT[0], mid ^ SALT[1]) ^ high, SALT[2])
}

/// The bucket of a half, of a power of two of them.
#[inline(always)]
fn bucket_of(half: u64, count: usize) -> usize {
    (half >> 40) as usize & (count - 1)
}
