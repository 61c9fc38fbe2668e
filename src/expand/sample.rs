//! Some positions that stand for a ply, to measure costs on.

use super::children::packed_children;
use super::table::{SALT, mix};
use crate::attacks::Magic;
use crate::movegen::All;
use crate::position::PackedPosition;

/// Positions in a sample.
pub(super) const SAMPLE: usize = 512;

/// One child of each position, as if chosen by chance, and how many children a position has on average.
pub(super) fn children_sample(parents: &[PackedPosition]) -> (Vec<PackedPosition>, f64) {
    let (mut chosen, mut count, mut children) = (Vec::new(), 0, Vec::new());
    for (index, parent) in parents.iter().enumerate() {
        children.clear();
        packed_children::<All>(Magic::new(), parent, |child| children.push(child));
        count += children.len();
        // The same ones in every run.
        let at = mix(index as u64 + 1, SALT[0]) as usize % children.len().max(1);
        chosen.extend(children.get(at));
    }
    (chosen, count as f64 / parents.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_fen;

    #[test]
    fn a_sample_goes_down_ply_by_ply() {
        let start = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let root = [start.expect("a FEN").packed()];
        let mut all = Vec::new();
        packed_children::<All>(Magic::new(), &root[0], |child| all.push(child));
        let (chosen, mean) = children_sample(&root);
        assert!(all.contains(&chosen[0]));
        assert_eq!((chosen.len(), mean), (1, 20.0));
        assert_eq!(children_sample(&all).0.len(), 20);
    }

    #[test]
    fn a_mated_position_has_no_child_to_choose() {
        let mated = parse_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        let mated = [mated.expect("a FEN").packed()];
        assert_eq!(children_sample(&mated), (Vec::new(), 0.0));
    }
}
