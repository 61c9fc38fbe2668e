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
//! ply or, at the last merged ply, hands them to the frontier. Raw children are never stored.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::children::packed_children;
use super::split::next_ply_fits;
use super::table::{MergeTable, Weighted, mix};
use super::{Context, ExpandError, MergedPly, Root, Split, walk, walked_plies};
use crate::attacks::Magic;
use crate::movegen::{Captures, Quiets};
use crate::pool::Pool;
use crate::position::PackedPosition;

/// Aim for this many positions in a bucket: its table then fits a core's second-level cache.
const BUCKET_POSITIONS: u64 = 2_000;
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
    (positions / BUCKET_POSITIONS)
        .clamp(1, BUCKETS_MAX)
        .next_power_of_two() as usize
}

/// Expands a root with merging; returns what each merged ply held.
pub(super) fn merge<E: Send>(
    context: &Context<'_, E>,
    index: u32,
    root: &Root,
    split: Split,
) -> Result<Vec<MergedPly>, ExpandError<E>> {
    let start = Weighted {
        position: root.position,
        weight: 1,
    };
    let mut parents = Ply {
        buckets: vec![vec![vec![start]]],
        positions: 1,
    };
    let mut reports = Vec::new();
    let mut previous = 1;
    for ply in 1..=split.split_depth {
        let current = parents.positions;
        let fits = next_ply_fits(previous, current, context.options.memory_bytes);
        let last = ply == split.split_depth || !fits;
        context.progress.begin(&format!("ply {ply}"), current);
        let captures = captures_by_bucket(context, &parents)?;
        let pass = Pass {
            context,
            index,
            ply,
            last,
            split,
            depth: root.depth,
        };
        let (next, report) = pass.quiets(parents, captures, previous)?;
        reports.push(report);
        if last {
            break;
        }
        previous = current;
        parents = next;
    }
    Ok(reports)
}

/// Pass 1: the children of captures, in the buckets of the half they leave the side now to move.
fn captures_by_bucket<E: Send>(
    context: &Context<'_, E>,
    parents: &Ply,
) -> Result<Ply, ExpandError<E>> {
    let count = parents.buckets.len();
    let shards = shard_pool(count);
    parents.buckets.par_iter().try_for_each(|bucket| {
        context.check()?;
        shards.with(|shard| {
            for parent in bucket.iter().flatten() {
                packed_children::<Captures>(Magic::new(), &parent.position, |child| {
                    let to = bucket_of(our_half(&child), count);
                    shard[to].push(Weighted {
                        position: child,
                        weight: parent.weight,
                    });
                });
            }
        });
        Ok(())
    })?;
    Ok(Ply::from_shards(shards.into_values(), count))
}

/// Pass 2 of one ply.
struct Pass<'a, 'c, E> {
    context: &'a Context<'c, E>,
    index: u32,
    ply: u32,
    last: bool,
    split: Split,
    depth: u32,
}

impl<E: Send> Pass<'_, '_, E> {
    fn quiets(
        &self,
        parents: Ply,
        captures: Ply,
        previous: u64,
    ) -> Result<(Ply, MergedPly), ExpandError<E>> {
        let growth = parents.positions / previous.max(1) + 1;
        let next_count = if self.last {
            1
        } else {
            bucket_count(parents.positions * growth)
        };
        let next = shard_pool(next_count);
        let tables = Pool::new(MergeTable::new);
        let unique = AtomicU64::new(0);
        let paths = parents
            .buckets
            .into_par_iter()
            .zip(captures.buckets)
            .map(|(bucket, arrived)| {
                self.context.check()?;
                tables.with(|table| {
                    self.merge_bucket(table, &bucket, &arrived)?;
                    unique.fetch_add(table.entries().len() as u64, Ordering::Relaxed);
                    self.pass_on(table, &next)?;
                    let done: usize = bucket.iter().map(Vec::len).sum();
                    self.context.progress.advance(done as u64);
                    Ok(table
                        .entries()
                        .iter()
                        .map(|entry| u128::from(entry.weight))
                        .sum::<u128>())
                })
            })
            .try_reduce(|| 0, |a, b| Ok(a + b))?;
        let report = MergedPly {
            ply: self.ply,
            unique: unique.into_inner(),
            paths,
        };
        Ok((Ply::from_shards(next.into_values(), next_count), report))
    }

    /// All children that belong to one bucket, merged.
    fn merge_bucket(
        &self,
        table: &mut MergeTable,
        bucket: &[Vec<Weighted>],
        arrived: &[Vec<Weighted>],
    ) -> Result<(), ExpandError<E>> {
        let parents: usize = bucket.iter().map(Vec::len).sum();
        let captures: usize = arrived.iter().map(Vec::len).sum();
        table.reset(parents * 8 + captures);
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

    fn pass_on(&self, table: &MergeTable, next: &Pool<Shard>) -> Result<(), ExpandError<E>> {
        if self.last {
            let plies = walked_plies(self.depth - self.ply, self.split.leaf_depth);
            self.context
                .frontier
                .write(self.split.leaf_depth, |writer| {
                    for entry in table.entries() {
                        walk::walk(writer, self.index, &entry.position, plies, entry.weight);
                    }
                })?;
        } else {
            next.with(|shard| {
                let count = shard.len();
                for entry in table.entries() {
                    shard[bucket_of(their_half(&entry.position), count)].push(*entry);
                }
            });
        }
        Ok(())
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
    let pair = mix(low ^ 0x9e37_79b9_7f4a_7c15, mid ^ 0xd6e8_feb8_6659_fd93);
    mix(pair ^ high, 0xa076_1d64_78bd_642f)
}

/// The bucket of a half, of a power of two of them.
#[inline(always)]
fn bucket_of(half: u64, count: usize) -> usize {
    // The upper bits: the tables inside a bucket index by lower ones.
    (half >> 40) as usize & (count - 1)
}
