//! `PerftStats`: what the last moves of all paths do, in the columns of the Chess Programming Wiki.

use super::legal_moves;
use crate::board::{Bitboard, Move, MoveKind, Square};
use crate::position::Position;

/// Perft statistics: the moves of the last ply by what they do.
///
/// The classes overlap as on the wiki: an e.p. capture is also a capture, a capturing promotion
/// counts as both, every mate is also a check.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftStats {
    /// All paths.
    pub nodes: u128,
    /// Last moves that take a piece, e.p. included.
    pub captures: u128,
    /// Captures en passant.
    pub ep_captures: u128,
    /// Castling moves.
    pub castles: u128,
    /// Promotions, one for each piece chosen.
    pub promotions: u128,
    /// Moves after which the side to move is in check, mates included.
    pub checks: u128,
    /// Checks by exactly one piece, which is neither the moved piece nor the castled rook or king.
    pub discovery_checks: u128,
    /// Checks by two pieces.
    pub double_checks: u128,
    /// Checkmates.
    pub mates: u128,
}

impl PerftStats {
    /// Adds another position's statistics, `weight` times.
    ///
    /// # Panics
    /// If a total does not fit 128 bits.
    pub fn add(&mut self, other: &PerftStats, weight: u128) {
        for (total, part) in [
            (&mut self.nodes, other.nodes),
            (&mut self.captures, other.captures),
            (&mut self.ep_captures, other.ep_captures),
            (&mut self.castles, other.castles),
            (&mut self.promotions, other.promotions),
            (&mut self.checks, other.checks),
            (&mut self.discovery_checks, other.discovery_checks),
            (&mut self.double_checks, other.double_checks),
            (&mut self.mates, other.mates),
        ] {
            let product = part
                .checked_mul(weight)
                .expect("a statistic exceeds 128 bits");
            *total = total
                .checked_add(product)
                .expect("a statistic exceeds 128 bits");
        }
    }
}

/// The statistics of all paths of `depth` plies; at depth 0 only `nodes` (1) is counted.
pub fn perft_stats(position: &Position, depth: u32) -> PerftStats {
    let mut stats = PerftStats::default();
    if depth == 0 {
        stats.nodes = 1;
        return stats;
    }
    for legal in &legal_moves(position) {
        if depth == 1 {
            stats.add(&of_move(position, legal), 1);
        } else {
            stats.add(&perft_stats(&position.play_unchecked(legal), depth - 1), 1);
        }
    }
    stats
}

fn of_move(position: &Position, legal: Move) -> PerftStats {
    let after = position.play_unchecked(legal);
    let checkers = after.checkers();
    let castles = legal.kind() == MoveKind::Castle;
    // When castling, a check by the rook (or, in composed boards, past the king) is no discovery.
    let moved = legal.landing().bit() | legal.rook_landing().map_or(Bitboard::EMPTY, Square::bit);
    let ep_capture = legal.kind() == MoveKind::EnPassant;
    let takes = !castles
        && position
            .pieces()
            .of(!position.side_to_move())
            .contains(legal.to());
    let one = |yes: bool| u128::from(yes);
    PerftStats {
        nodes: 1,
        captures: one(takes || ep_capture),
        ep_captures: one(ep_capture),
        castles: one(castles),
        promotions: one(legal.promotion().is_some()),
        checks: one(checkers.any()),
        discovery_checks: one(checkers.count() == 1 && (checkers & moved).is_empty()),
        double_checks: one(checkers.more_than_one()),
        mates: one(checkers.any() && legal_moves(&after).is_empty()),
    }
}
