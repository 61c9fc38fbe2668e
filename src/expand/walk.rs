//! Expansion without merging: every path is played out.

use rayon::prelude::*;

use super::children::packed_children;
use super::frontier::Writer;
use super::{Context, ExpandError, Root, Split};
use crate::attacks::Magic;
use crate::movegen::All;
use crate::position::PackedPosition;

/// Subtrees enough to keep many threads busy to the end; the plies above them are played out on one
/// thread.
const SUBTREES: usize = 2_000;

/// Plays out one root to its split depth.
pub(super) fn walk_root<E: Send>(
    context: &Context<'_, E>,
    index: u32,
    root: &Root,
    split: Split,
) -> Result<(), ExpandError<E>> {
    let mut subtrees = vec![root.position];
    let mut left = split.split_depth;
    while left > 0 && (1..SUBTREES).contains(&subtrees.len()) {
        let mut next = Vec::new();
        for position in &subtrees {
            packed_children::<All>(Magic::new(), position, |child| next.push(child));
        }
        subtrees = next;
        left -= 1;
    }
    context.progress.begin("subtrees", subtrees.len() as u64);
    subtrees.par_iter().try_for_each(|subtree| {
        context.check()?;
        context.frontier.write(split.leaf_depth, |writer| {
            walk(writer, index, subtree, left, 1);
        })?;
        context.progress.advance(1);
        Ok(())
    })
}

/// Adds every position `plies` below `position` to the frontier, each with the weight of the start.
pub(super) fn walk<E>(
    writer: &mut Writer<'_, E>,
    root: u32,
    position: &PackedPosition,
    plies: u32,
    weight: u128,
) {
    if plies == 0 {
        writer.push(root, *position, weight);
        return;
    }
    packed_children::<All>(Magic::new(), position, |child| {
        if !writer.has_failed() {
            walk(writer, root, &child, plies - 1, weight);
        }
    });
}
