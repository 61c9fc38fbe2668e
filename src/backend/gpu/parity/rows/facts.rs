//! Rows for the functions that find what a move does to the other side's king.

use super::chess::{after, positions};
use super::{Row, sets, square, with};
use crate::attacks::{self, Magic, RayWalk, Sliders};
use crate::backend::gpu::parity::inputs::Input;
use crate::backend::gpu::shaders::SliderMethod;
use crate::board::{Bitboard, CASTLING_PATHS, Color, Role, Square, WhiteSide};
use crate::movegen::{Masks, legal_moves};
use crate::position::{Pieces, Position};

/// Takes the position apart, with the square that the move leaves.
const TAKE_ORIGIN: &str = "let pieces = unpack(position);
    let origin = bb_bit(word & 63u);";

/// Our pieces without which one of our sliders would attack their king.
fn shields(pieces: &Pieces) -> Bitboard {
    let king = pieces.king(Color::Black);
    let uncovers = |square: &Square| {
        let occupied = pieces.occupied() & !square.bit();
        let sliders = (RayWalk.rook(king, occupied) & pieces.orthogonal[0])
            | (RayWalk.bishop(king, occupied) & pieces.diagonal[0]);
        (sliders & !square.bit()).any()
    };
    pieces.of(Color::White).iter().filter(uncovers).collect()
}

/// Squares from which a piece attacks a square, and those it attacks from there, for knights and
/// sliders; none for others.
fn reach(role: Option<Role>, at: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Some(Role::Knight) => attacks::knight_attacks(at),
        Some(Role::Bishop) => RayWalk.bishop(at, occupied),
        Some(Role::Rook) => RayWalk.rook(at, occupied),
        Some(Role::Queen) => RayWalk.bishop(at, occupied) | RayWalk.rook(at, occupied),
        Some(Role::Pawn | Role::King) | None => Bitboard::EMPTY,
    }
}

/// The square that the input's move leaves, and what stands there.
fn origin(i: &Input) -> (Square, Option<Role>) {
    let origin = square(i.word);
    let position = Position::from_packed_unchecked(&i.position);
    (origin, position.piece_on(origin).map(|piece| piece.role))
}

/// `MOVE_CASTLE` of the shaders.
const CASTLE: u32 = 3;

/// Where what the input's move moved stands afterwards.
fn moved_to(i: &Input) -> Bitboard {
    let (from, to) = (square(i.word), square(i.word >> 6));
    if i.word >> 12 != CASTLE {
        return to.bit();
    }
    let path = &CASTLING_PATHS[from.file().index()][to.file().index()];
    path.king_target | path.rook_target
}

/// The sum of what the input's move comes to: check 1, by discovery 2, by two 4, mate 8.
fn verdict(i: &Input) -> u64 {
    let child = after(i);
    // The position is seen from White's side.
    let (checkers, moved) = (child.checkers(), moved_to(i));
    if checkers.is_empty() {
        return 0;
    }
    let kind = match (checkers.count(), (checkers & moved).any()) {
        (1, true) => 0,
        (1, false) => 2,
        _ => 4,
    };
    let mates = legal_moves(&child).is_empty();
    1 + kind + if mates { 8 } else { 0 }
}

pub(super) fn facts() -> Vec<Row> {
    vec![
        sets("rook_lines", &["rook_lines(bb_bit(word & 63u), a)"], |i| {
            vec![RayWalk.rook(square(i.word), i.a()).0]
        }),
        sets(
            "bishop_lines",
            &["bishop_lines(bb_bit(word & 63u), a)"],
            |i| vec![RayWalk.bishop(square(i.word), i.a()).0],
        ),
        positions(
            "check_squares_of",
            "let squares = check_squares_of(unpack(position));",
            &[
                "squares.pawn",
                "squares.knight",
                "squares.bishop",
                "squares.rook",
                "squares.shields",
            ],
            |i| {
                let pieces = i.position.unpack();
                let king = pieces.king(Color::Black);
                let from = |role| reach(Some(role), king, pieces.occupied());
                vec![
                    attacks::pawn_attacks(Color::Black, king).0,
                    from(Role::Knight).0,
                    from(Role::Bishop).0,
                    from(Role::Rook).0,
                    shields(&pieces).0,
                ]
            },
        ),
        positions(
            "checks_from",
            TAKE_ORIGIN,
            &["checks_from(pieces, check_squares_of(pieces), origin)"],
            |i| {
                let pieces = i.position.unpack();
                let (origin, role) = origin(i);
                let king = pieces.king(Color::Black);
                let direct = reach(role, king, pieces.occupied());
                let shields = shields(&pieces).contains(origin);
                vec![if shields { !0 } else { direct.0 }]
            },
        ),
        positions(
            "attacks_of",
            TAKE_ORIGIN,
            &["attacks_of(pieces, origin)"],
            |i| {
                let (origin, role) = origin(i);
                vec![reach(role, origin, i.position.unpack().occupied()).0]
            },
        ),
        positions(
            "kept_squares",
            TAKE_ORIGIN,
            &["kept_squares(masks_of(pieces), origin)"],
            |i| {
                let pieces = i.position.unpack();
                let masks = Masks::new::<WhiteSide, true>(Magic::new(), &pieces);
                let (origin, _) = origin(i);
                if !(masks.pin_orthogonal | masks.pin_diagonal).contains(origin) {
                    return vec![!0];
                }
                let line = attacks::line(pieces.king(Color::White), origin);
                vec![(line & !origin.bit()).0]
            },
        ),
        positions("checkers_of", "", &["checkers_of(unpack(position))"], |i| {
            vec![Position::from_packed_unchecked(&i.position).checkers().0]
        }),
        positions("moved_to", "", &["moved_to(word)"], |i| vec![moved_to(i).0]),
        with(
            &SliderMethod::ALL,
            positions(
                "verdict_of",
                "",
                &["Bitboard(verdict_of(position, word), 0u)"],
                |i| vec![verdict(i)],
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::parity::inputs::Inputs;

    /// Every verdict occurs among the inputs, and castles among the moves.
    #[test]
    fn all_verdicts_occur() {
        let inputs = Inputs::Positions.all();
        for wanted in [0, 1, 3, 5, 9, 11] {
            let count = inputs.iter().filter(|it| verdict(it) == wanted).count();
            eprintln!("verdict {wanted}: {count} of {}", inputs.len());
            assert!(count > 0, "verdict {wanted}");
        }
        let castle = |i: &&Input| i.word >> 12 == CASTLE;
        assert!(inputs.iter().filter(castle).count() > 50);
    }
}
