//! `AttackTables`: every table with one entry a square (or a pair of squares), built at compile
//! time. Slider tables depend on the occupancy and are filled at start-up: see `sliders.rs`.

use super::ray_walk::{self, DIAGONAL, ORTHOGONAL};
use crate::board::Bitboard;

/// All tables that do not depend on the occupancy.
pub struct AttackTables {
    /// Where a knight jumps from each square.
    pub knight: [Bitboard; 64],
    /// The neighbours of each square.
    pub king: [Bitboard; 64],
    /// What a pawn attacks, by colour (White first), then square.
    pub pawn: [[Bitboard; 64]; 2],
    /// All squares on the ranks and files through each square, itself excluded.
    pub orthogonal: [Bitboard; 64],
    /// All squares on the diagonals through each square, itself excluded.
    pub diagonal: [Bitboard; 64],
    /// Squares strictly between two aligned squares; empty if they are not aligned.
    pub between: [[Bitboard; 64]; 64],
    /// The whole line through two aligned squares, edge to edge; empty if they are not aligned.
    pub line: [[Bitboard; 64]; 64],
}

/// The tables themselves.
pub static TABLES: AttackTables = AttackTables::new();

const KNIGHT_STEPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];
const PAWN_STEPS: [[(i32, i32); 2]; 2] = [[(-1, 1), (1, 1)], [(-1, -1), (1, -1)]];

impl AttackTables {
    const fn new() -> AttackTables {
        let mut tables = AttackTables {
            knight: [Bitboard::EMPTY; 64],
            king: [Bitboard::EMPTY; 64],
            pawn: [[Bitboard::EMPTY; 64]; 2],
            orthogonal: [Bitboard::EMPTY; 64],
            diagonal: [Bitboard::EMPTY; 64],
            between: [[Bitboard::EMPTY; 64]; 64],
            line: [[Bitboard::EMPTY; 64]; 64],
        };
        let mut sq = 0;
        while sq < 64 {
            tables.knight[sq] = steps(sq, &KNIGHT_STEPS);
            tables.king[sq] = steps(sq, &KING_STEPS);
            tables.pawn[0][sq] = steps(sq, &PAWN_STEPS[0]);
            tables.pawn[1][sq] = steps(sq, &PAWN_STEPS[1]);
            tables.orthogonal[sq] = Bitboard(ray_walk::rays(sq, &ORTHOGONAL, 0));
            tables.diagonal[sq] = Bitboard(ray_walk::rays(sq, &DIAGONAL, 0));
            let mut i = 0;
            while i < KING_STEPS.len() {
                fill_ray(&mut tables, sq, KING_STEPS[i]);
                i += 1;
            }
            sq += 1;
        }
        tables
    }
}

/// Sets `between` and `line` for all squares on one ray from `from`.
const fn fill_ray(tables: &mut AttackTables, from: usize, direction: (i32, i32)) {
    let back = (-direction.0, -direction.1);
    let line = 1 << from | ray_walk::ray(from, direction, 0) | ray_walk::ray(from, back, 0);
    let mut between = 0;
    let mut at = from;
    while let Some(next) = ray_walk::step(at, direction) {
        tables.between[from][next] = Bitboard(between);
        tables.line[from][next] = Bitboard(line);
        between |= 1 << next;
        at = next;
    }
}

const fn steps(square: usize, offsets: &[(i32, i32)]) -> Bitboard {
    let mut set = 0;
    let mut i = 0;
    while i < offsets.len() {
        if let Some(target) = ray_walk::step(square, offsets[i]) {
            set |= 1 << target;
        }
        i += 1;
    }
    Bitboard(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn between_and_line_agree_with_ray_walking() {
        for a in Square::all() {
            for b in Square::all() {
                let both = a.bit() | b.bit();
                let rook = ray_walk::rook_attacks(a, both).contains(b);
                let bishop = ray_walk::bishop_attacks(a, both).contains(b);
                let mut expected = Bitboard::EMPTY;
                if rook {
                    expected = ray_walk::rook_attacks(a, both) & ray_walk::rook_attacks(b, both);
                } else if bishop {
                    expected =
                        ray_walk::bishop_attacks(a, both) & ray_walk::bishop_attacks(b, both);
                }
                let line = TABLES.line[a.index()][b.index()];
                assert_eq!(line.any(), (rook || bishop) && a != b, "{a} {b}");
                let between = TABLES.between[a.index()][b.index()];
                assert_eq!(between, expected & line, "{a} {b}");
            }
        }
    }

    #[test]
    fn jumps_are_symmetric() {
        for a in Square::all() {
            for b in Square::all() {
                let (i, j) = (a.index(), b.index());
                assert_eq!(TABLES.knight[i].contains(b), TABLES.knight[j].contains(a));
                assert_eq!(TABLES.king[i].contains(b), TABLES.king[j].contains(a));
                assert_eq!(TABLES.pawn[0][i].contains(b), TABLES.pawn[1][j].contains(a));
            }
        }
    }
}
