//! Perft with bulk counting and nothing else: for small depths where a backend would be a detour.

use super::{All, ChildVisitor, count_legal, visit_children};
use crate::attacks::Magic;
use crate::board::{BlackSide, Color, Side, WhiteSide};
use crate::position::{Pieces, Position};

/// The number of legal move paths of exactly `depth` plies, as [`super::perft()`] counts them, but
/// with the last move of each path counted and not made.
///
/// ```
/// use hyperft::{movegen::bulk_perft, parse::parse_fen};
///
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// assert_eq!(bulk_perft(&parse_fen(kiwipete).unwrap(), 3), 97_862);
/// ```
pub fn bulk_perft(position: &Position, depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    let mut paths = Paths { depth, total: 0 };
    let pieces = position.pieces();
    let (ep, castling) = (pieces.ep.any(), pieces.castling_rooks.any());
    match position.side_to_move() {
        Color::White => paths.add_any::<WhiteSide>(pieces, ep, castling),
        Color::Black => paths.add_any::<BlackSide>(pieces, ep, castling),
    }
    paths.total
}

/// Adds up the paths of `depth` plies below each position it is shown.
struct Paths {
    depth: u32,
    total: u128,
}

impl Paths {
    fn add_any<Us: Side>(&mut self, pieces: &Pieces, ep: bool, castling: bool) {
        match (ep, castling) {
            (false, false) => self.add::<Us, false, false>(pieces),
            (false, true) => self.add::<Us, false, true>(pieces),
            (true, false) => self.add::<Us, true, false>(pieces),
            (true, true) => self.add::<Us, true, true>(pieces),
        }
    }

    #[inline(never)]
    fn add<Us: Side, const EP: bool, const CASTLING: bool>(&mut self, pieces: &Pieces) {
        if self.depth == 1 {
            self.total += u128::from(count_legal::<Us, EP, CASTLING>(Magic::new(), pieces));
            return;
        }
        self.depth -= 1;
        visit_children::<Us, All, EP, CASTLING>(Magic::new(), pieces, self);
        self.depth += 1;
    }
}

impl<Us: Side> ChildVisitor<Us> for Paths {
    #[inline(always)]
    fn child<const EP: bool, const CASTLING: bool>(&mut self, child: &Pieces) {
        self.add::<Us, EP, CASTLING>(child);
    }
}
