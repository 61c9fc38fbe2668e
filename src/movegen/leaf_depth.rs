//! Limits on depth: of a whole count, and of what is counted at once with 32-bit counts.

use crate::board::{Color, MOVES_MAX};
use crate::position::PackedPosition;

/// The greatest depth that can be asked for, in plies. Deeper counts of any position with more than a
/// move or two would not fit 128 bits.
pub const DEPTH_MAX: u32 = 255;

/// How many plies a backend counts below each position: 1 to 4.
///
/// Counts are `u32`. No accepted board has more than [`MOVES_MAX`] legal moves, so three plies always
/// fit; four fit where neither side has more pieces than promotions can give: see
/// [`LeafDepth::deepest`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeafDepth(u32);

/// Most moves of a position with the material of a game, a known record that nobody has beaten since
/// it was proved to be one for positions that play can reach.
const GAME_MOVES_MAX: u64 = 218;

const _: () = assert!((MOVES_MAX as u64).pow(LeafDepth::ALWAYS.0) <= u32::MAX as u64);
const _: () = assert!(GAME_MOVES_MAX.pow(LeafDepth::MAX) <= u32::MAX as u64);

impl LeafDepth {
    /// The greatest leaf depth, in plies.
    pub const MAX: u32 = 4;

    /// The greatest leaf depth that suits every accepted board.
    pub const ALWAYS: LeafDepth = LeafDepth(3);

    /// A leaf depth of 1 to 4 plies.
    pub const fn new(plies: u32) -> Option<LeafDepth> {
        if plies >= 1 && plies <= LeafDepth::MAX {
            Some(LeafDepth(plies))
        } else {
            None
        }
    }

    /// The plies.
    pub const fn plies(self) -> u32 {
        self.0
    }

    /// The greatest leaf depth for a position and all that can follow from it: 4 if each side's
    /// pieces beyond those of the start are made up for by missing pawns, else 3.
    pub fn deepest(position: &PackedPosition) -> LeafDepth {
        let pieces = position.unpack();
        let of_a_game = |color| !pieces.has_too_much_material(color);
        if Color::ALL.into_iter().all(of_a_game) {
            LeafDepth(LeafDepth::MAX)
        } else {
            LeafDepth::ALWAYS
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_fen;

    #[test]
    fn four_plies_need_the_material_of_a_game() {
        let deepest = |fen| LeafDepth::deepest(&parse_fen(fen).expect("a FEN").packed()).plies();
        assert_eq!(
            deepest("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            4
        );
        // The record: nine queens and no pawn.
        assert_eq!(
            deepest("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
            4
        );
        assert_eq!(
            deepest("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KBR w - - 0 1"),
            3
        );
        assert_eq!(deepest("k7/8/8/8/8/8/P7/KNNN4 b - - 0 1"), 4);
        assert_eq!(deepest("k7/8/8/8/8/PPPPPPPP/8/KNNN4 b - - 0 1"), 3);
    }
}
