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
use std::time::Instant;

use rayon::prelude::*;

use super::children::packed_children;
use super::cost::{Choice, Forecast};
use super::sample::{SAMPLE, children_sample};
use super::split::Growth;
use super::table::{MergeTable, SALT, Weighted, mix};
use super::{Context, ExpandError, MergedPly, Root, Split, walk, walked_plies};
use crate::attacks::Magic;
use crate::movegen::{Captures, LeafDepth, Quiets};
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

    /// Some positions of all buckets.
    fn sample(&self) -> Vec<PackedPosition> {
        let each = (self.positions as usize / SAMPLE).max(1);
        let all = self.buckets.iter().flatten().flatten();
        let some = all.step_by(each).take(SAMPLE);
        some.map(|it| it.position).collect()
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

/// Fewer positions than this are not worth measuring what their children cost.
const MEASURED_MIN: u64 = 50_000;
/// Fewer children than this are done too soon to be timed.
const TIMED_MIN: usize = 1_000;
/// What a child costs in all, against what it costs in the bucket done fastest: captures are made before,
/// and most buckets wait for memory. From counts of the start position with a ply more merged and less.
const BESIDE_BUCKETS: f64 = 1.5;

/// What becomes of the positions of the last ply.
#[derive(Copy, Clone, Debug)]
pub(super) enum Goal {
    /// They are handed to the frontier, after as many plies without merging as memory calls for.
    Frontier(Split),
    /// They are counted and forgotten; every ply before is stored.
    Count,
}

impl Goal {
    /// Plies for the backend if a ply that leaves `left` plies is the last to be merged.
    fn leaf_depth(self, left: u32, choice: Option<Choice>) -> Option<LeafDepth> {
        match (self, choice) {
            (Goal::Count, _) => None,
            (Goal::Frontier(_), Some(choice)) => Some(choice.left),
            (Goal::Frontier(split), None) => LeafDepth::new(split.leaf_depth.plies().min(left)),
        }
    }
}

/// Where merging ended, and why there.
#[derive(Default)]
pub(super) struct Course {
    /// Plies left to the backend, below any that are played out without merging.
    pub(super) leaf_depth: Option<LeafDepth>,
    /// Decisions that were made by measured costs.
    pub(super) choices: Vec<Choice>,
}

/// Plays `plies` plies from a root with merging, or as many as measured costs advise; tells `each` what
/// each merged ply held.
pub(super) fn merge<E: Send>(
    context: &Context<'_, E>,
    index: u32,
    root: &Root,
    (plies, goal): (u32, Goal),
    each: &mut dyn FnMut(MergedPly),
) -> Result<Course, ExpandError<E>> {
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
    let mut merge_ns = None;
    let mut course = Course::default();
    for ply in 1..=root.depth {
        let fits = growth.next_fits(memory_bytes);
        if ply < plies && !fits && matches!(goal, Goal::Count) {
            let needed_bytes = growth.next_bytes();
            return Err(ExpandError::OutOfMemory { ply, needed_bytes });
        }
        let left = root.depth - ply;
        let choice = choose(context, &parents, &growth, merge_ns, (ply, left));
        let choice = choice.filter(|_| fits);
        course.choices.extend(choice);
        let ends = choice.map_or(ply >= plies, |it| it.forecast.ends_here());
        let last = ends || !fits;
        course.leaf_depth = goal.leaf_depth(left, choice);
        context
            .progress
            .begin(&format!("ply {ply}"), parents.positions);
        let rounds = growth.capture_rounds(memory_bytes);
        let next_count = if last { 1 } else { bucket_count(growth.next()) };
        let step = Step {
            context,
            index,
            depth_left: left,
            leaf_depth: course.leaf_depth,
            ply,
            next: (!last).then(|| shard_pool(next_count)),
            tables: Pool::new(MergeTable::new),
            unique: AtomicU64::new(0),
            fastest: AtomicU64::new(u64::MAX),
        };
        let (paths, captures) = step.run(&mut parents, rounds)?;
        let unique = step.unique.into_inner();
        let fastest = step.fastest.into_inner();
        merge_ns = (fastest < u64::MAX).then_some(fastest as f64 / 1e3);
        each(MergedPly { ply, unique, paths });
        let Some(next) = step.next.filter(|_| unique > 0) else {
            break;
        };
        parents = Ply::from_shards(next.into_values(), next_count);
        growth = growth.after(unique, captures);
    }
    Ok(course)
}

/// Measures, before a ply is played that leaves `left` plies, whether to merge one more than that.
/// `None` if nothing is to be measured, or it is not worth it.
fn choose<E>(
    context: &Context<'_, E>,
    parents: &Ply,
    growth: &Growth,
    merge_ns: Option<f64>,
    (ply, left): (u32, u32),
) -> Option<Choice> {
    let gauge = context.gauge?;
    if parents.positions < MEASURED_MIN || !(2..=LeafDepth::ALWAYS.plies()).contains(&left) {
        return None;
    }
    let (left, less) = (LeafDepth::new(left)?, LeafDepth::new(left - 1)?);
    let sample = parents.sample();
    let (this, moves) = children_sample(&sample);
    let (next, next_moves) = children_sample(&this);
    let unique = growth.forecast();
    let forecast = Forecast {
        children: [parents.positions as f64 * moves, unique[0] * next_moves],
        unique,
        merge_ns: merge_ns? * BESIDE_BUCKETS / rayon::current_num_threads() as f64,
        leaf_ns: [gauge.leaf_ns(&this, left)?, gauge.leaf_ns(&next, less)?],
        overlaps: gauge.overlaps(),
    };
    Some(Choice {
        ply,
        left,
        forecast,
    })
}

/// One ply of one root.
struct Step<'a, 'c, E> {
    context: &'a Context<'c, E>,
    index: u32,
    ply: u32,
    /// Plies of the root's depth below this one.
    depth_left: u32,
    /// Plies left to the backend if this is the last ply; `None` if its positions are only counted.
    leaf_depth: Option<LeafDepth>,
    /// Where the next ply is stored; `None` if this is the last to be merged.
    next: Option<Pool<Shard>>,
    tables: Pool<MergeTable>,
    unique: AtomicU64,
    /// Picoseconds a child took in the bucket that was done fastest. A bucket is done in so short a time
    /// that the fastest is hardly disturbed by whatever else the machine does.
    fastest: AtomicU64,
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
                    let started = Instant::now();
                    let paths = self.tables.with(|table| {
                        let children = self.merge_bucket(table, bucket, &arrived)?;
                        let paths = self.pass_on(table)?;
                        if children >= TIMED_MIN {
                            let picoseconds = started.elapsed().as_nanos() as u64 * 1000;
                            let each = picoseconds / children as u64;
                            self.fastest.fetch_min(each, Ordering::Relaxed);
                        }
                        Ok(paths)
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

    /// Pass 2 for one bucket: all children that belong to it, merged. Returns how many there are.
    fn merge_bucket(
        &self,
        table: &mut MergeTable,
        bucket: &[Vec<Weighted>],
        arrived: &[Vec<Weighted>],
    ) -> Result<usize, ExpandError<E>> {
        let parents: usize = bucket.iter().map(Vec::len).sum();
        let captures: usize = arrived.iter().map(Vec::len).sum();
        let mut children = captures;
        table.reset(parents * 4 + captures);
        for capture in arrived.iter().flatten() {
            table.insert(capture.position, capture.weight);
        }
        for parent in bucket.iter().flatten() {
            packed_children::<Quiets>(Magic::new(), &parent.position, |child| {
                table.insert(child, parent.weight);
                children += 1;
            });
        }
        if table.overflowed() {
            return Err(ExpandError::WeightOverflow { ply: self.ply });
        }
        Ok(children)
    }

    /// Stores the merged positions for the next ply, or hands them to the frontier. Returns the
    /// number of paths that lead to them.
    fn pass_on(&self, table: &MergeTable) -> Result<u128, ExpandError<E>> {
        let entries = table.entries();
        self.unique
            .fetch_add(entries.len() as u64, Ordering::Relaxed);
        match (&self.next, self.leaf_depth) {
            (Some(next), _) => next.with(|shard| {
                let count = shard.len();
                for entry in entries {
                    shard[bucket_of(their_half(&entry.position), count)].push(*entry);
                }
            }),
            (None, None) => {}
            (None, Some(leaf_depth)) => {
                let plies = walked_plies(self.depth_left, leaf_depth);
                self.context.frontier.write(leaf_depth, |writer| {
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
