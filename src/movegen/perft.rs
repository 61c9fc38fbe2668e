//! `perft`, ten plain lines: the oracle every backend is held against.

use super::legal_moves;
use crate::position::Position;

/// The number of legal move paths of exactly `depth` plies: no bulk counting, no merging.
///
/// ```
/// use hyperft::{movegen::perft, parse::parse_fen};
///
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// assert_eq!(perft(&parse_fen(kiwipete).unwrap(), 3), 97_862);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let children = legal_moves(position);
    children
        .into_iter()
        .map(|legal| perft(&position.play_unchecked(legal), depth - 1))
        .sum()
}
