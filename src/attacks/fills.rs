//! Attacks of whole sets of pieces at once, without a table or a loop over squares.
//!
//! A slider fill in one direction doubles its reach three times (Kogge-Stone): sources spread over
//! `empty` squares, and the last step also reaches what stops them.

use crate::board::Bitboard;

/// The squares of `set` and all next to them.
#[inline(always)]
pub fn king_fill(set: Bitboard) -> Bitboard {
    let row = set | set.east() | set.west();
    row | row.north() | row.south()
}

/// Squares a knight's jump away from any of `set`.
#[inline(always)]
pub fn knight_fill(set: Bitboard) -> Bitboard {
    let (east, west) = (set.east(), set.west());
    let near = east | west;
    let far = east.east() | west.west();
    near.north().north() | near.south().south() | far.north() | far.south()
}

/// Squares that rooks on all squares of `set` attack, given which squares are empty.
#[inline(always)]
pub fn orthogonal_fill(set: Bitboard, empty: Bitboard) -> Bitboard {
    fill_north(set, empty) | fill_south(set, empty) | fill_east(set, empty) | fill_west(set, empty)
}

/// Squares that bishops on all squares of `set` attack, given which squares are empty.
#[inline(always)]
pub fn diagonal_fill(set: Bitboard, empty: Bitboard) -> Bitboard {
    fill_north_east(set, empty)
        | fill_south_west(set, empty)
        | fill_north_west(set, empty)
        | fill_south_east(set, empty)
}

/// What sliders on all squares of `set` attack to the north.
#[inline(always)]
pub fn fill_north(set: Bitboard, empty: Bitboard) -> Bitboard {
    up::<8>(set, empty).north()
}

/// What sliders on all squares of `set` attack to the south.
#[inline(always)]
pub fn fill_south(set: Bitboard, empty: Bitboard) -> Bitboard {
    down::<8>(set, empty).south()
}

/// What sliders on all squares of `set` attack to the east.
#[inline(always)]
pub fn fill_east(set: Bitboard, empty: Bitboard) -> Bitboard {
    up::<1>(set, empty & !Bitboard::FILE_A).east()
}

/// What sliders on all squares of `set` attack to the west.
#[inline(always)]
pub fn fill_west(set: Bitboard, empty: Bitboard) -> Bitboard {
    down::<1>(set, empty & !Bitboard::FILE_H).west()
}

/// What sliders on all squares of `set` attack to the north-east.
#[inline(always)]
pub fn fill_north_east(set: Bitboard, empty: Bitboard) -> Bitboard {
    up::<9>(set, empty & !Bitboard::FILE_A).north().east()
}

/// What sliders on all squares of `set` attack to the south-west.
#[inline(always)]
pub fn fill_south_west(set: Bitboard, empty: Bitboard) -> Bitboard {
    down::<9>(set, empty & !Bitboard::FILE_H).south().west()
}

/// What sliders on all squares of `set` attack to the north-west.
#[inline(always)]
pub fn fill_north_west(set: Bitboard, empty: Bitboard) -> Bitboard {
    up::<7>(set, empty & !Bitboard::FILE_H).north().west()
}

/// What sliders on all squares of `set` attack to the south-east.
#[inline(always)]
pub fn fill_south_east(set: Bitboard, empty: Bitboard) -> Bitboard {
    down::<7>(set, empty & !Bitboard::FILE_A).south().east()
}

/// Spreads `set` towards higher squares in steps of `STEP` over the squares of `open`.
#[inline(always)]
fn up<const STEP: u32>(set: Bitboard, open: Bitboard) -> Bitboard {
    let (mut reached, mut open) = (set.0, open.0);
    reached |= open & reached << STEP;
    open &= open << STEP;
    reached |= open & reached << (2 * STEP);
    open &= open << (2 * STEP);
    Bitboard(reached | open & reached << (4 * STEP))
}

/// Spreads `set` towards lower squares.
#[inline(always)]
fn down<const STEP: u32>(set: Bitboard, open: Bitboard) -> Bitboard {
    let (mut reached, mut open) = (set.0, open.0);
    reached |= open & reached >> STEP;
    open &= open >> STEP;
    reached |= open & reached >> (2 * STEP);
    open &= open >> (2 * STEP);
    Bitboard(reached | open & reached >> (4 * STEP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::{TABLES, ray_walk};
    use crate::board::Square;

    /// A fixed sequence of boards from nearly empty to nearly full.
    fn boards() -> impl Iterator<Item = (Bitboard, Bitboard)> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..2_000).map(move |i| {
            let occupied = match i % 3 {
                0 => next() & next() & next(),
                1 => next() & next(),
                _ => next() | next(),
            };
            (Bitboard(next() & next()), Bitboard(occupied))
        })
    }

    #[test]
    fn fills_equal_the_union_over_single_squares() {
        for (set, occupied) in boards() {
            let union = |attacks: &dyn Fn(Square) -> Bitboard| {
                set.iter()
                    .fold(Bitboard::EMPTY, |all, square| all | attacks(square))
            };
            let rook = union(&|square| ray_walk::rook_attacks(square, occupied));
            assert_eq!(orthogonal_fill(set, !occupied), rook, "{set:?}{occupied:?}");
            let bishop = union(&|square| ray_walk::bishop_attacks(square, occupied));
            assert_eq!(diagonal_fill(set, !occupied), bishop, "{set:?}{occupied:?}");
            let knight = union(&|square| TABLES.knight[square.index()]);
            assert_eq!(knight_fill(set), knight, "{set:?}");
            let king = union(&|square| TABLES.king[square.index()]) | set;
            assert_eq!(king_fill(set), king, "{set:?}");
        }
    }
}
