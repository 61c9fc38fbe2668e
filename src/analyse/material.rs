//! Insufficient material: boards on which nobody can be mated.

use crate::board::{Bitboard, Color, Role};
use crate::position::Pieces;

/// True if no sequence of legal moves can end in mate, as far as material alone tells: bare kings,
/// one knight or bishop in all, or any number of bishops that all stand on squares of one colour.
///
/// FIDE's rule ("dead position") also covers blocked boards, which nobody decides by material;
/// two knights can mate with help and are sufficient.
///
/// ```
/// use hyperft::{analyse::insufficient_material, parse::parse_fen};
///
/// let dead = parse_fen("8/2b5/8/3k4/8/3K4/8/2B5 w - - 0 1").unwrap();
/// assert!(insufficient_material(dead.pieces()));
/// ```
pub fn insufficient_material(pieces: &Pieces) -> bool {
    let both = |sets: &[Bitboard; 2]| sets[0] | sets[1];
    if (both(&pieces.pawns) | both(&pieces.orthogonal)).any() {
        return false;
    }
    let knights = both(&pieces.knights);
    let bishops = Color::ALL
        .map(|color| pieces.of_role(color, Role::Bishop))
        .iter()
        .fold(Bitboard::EMPTY, |all, &set| all | set);
    if knights.any() {
        return bishops.is_empty() && !knights.more_than_one();
    }
    (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_fen;

    #[test]
    fn every_small_set_of_pieces_is_judged() {
        for (pieces, dead) in [
            ("", true),
            ("N", true),
            ("n", true),
            ("B", true),
            ("b", true),
            ("P", false),
            ("r", false),
            ("Q", false),
            ("NN", false),
            ("Nn", false),
            ("NB", false),
            ("Nb", false),
            // a3 and c3 are dark, b3 is light.
            ("B1B", true),
            ("B1b", true),
            ("BB", false),
            ("Bb", false),
            ("B1b1B1B", true),
            ("B1b1B1Bb", false),
        ] {
            let squares: usize = pieces
                .chars()
                .map(|letter| letter.to_digit(10).unwrap_or(1) as usize)
                .sum();
            let rank = match 8 - squares {
                0 => pieces.to_string(),
                rest => format!("{pieces}{rest}"),
            };
            let fen = format!("4k3/8/8/8/8/{rank}/8/4K3 w - - 0 1");
            match parse_fen(&fen) {
                Ok(position) => {
                    assert_eq!(insufficient_material(position.pieces()), dead, "{fen}");
                }
                Err(errors) => panic!("{fen}: {errors:?}"),
            }
        }
    }
}
