// Attacks of whole sets of pieces at once, without a table or a loop over squares.
//
// Rust twin: `attacks/fills.rs`. A fill spreads its sources over empty squares in one direction and
// also reaches what stops them. Every source must stand on an occupied square: along ranks the fill
// is a subtraction in each byte, in which an empty source would borrow from its neighbour.

// Spreads towards higher squares in steps of `step`, without the last step onto a blocker.
fn spread_up(sources: Bitboard, empty: Bitboard, step: u32) -> Bitboard {
    var reached = sources;
    var open = empty;
    reached |= open & bb_shift_up(reached, step);
    open &= bb_shift_up(open, step);
    reached |= open & bb_shift_up(reached, 2u * step);
    open &= bb_shift_up(open, 2u * step);
    return reached | (open & bb_shift_up(reached, 4u * step));
}

// Spreads towards lower squares.
fn spread_down(sources: Bitboard, empty: Bitboard, step: u32) -> Bitboard {
    var reached = sources;
    var open = empty;
    reached |= open & bb_shift_down(reached, step);
    open &= bb_shift_down(open, step);
    reached |= open & bb_shift_down(reached, 2u * step);
    open &= bb_shift_down(open, 2u * step);
    return reached | (open & bb_shift_down(reached, 4u * step));
}

fn fill_north(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_north(spread_up(sources, empty, 8u));
}

fn fill_south(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_south(spread_down(sources, empty, 8u));
}

fn fill_north_east(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_north_east(spread_up(sources, empty & NOT_FILE_A, 9u));
}

fn fill_south_west(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_south_west(spread_down(sources, empty & NOT_FILE_H, 9u));
}

fn fill_north_west(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_north_west(spread_up(sources, empty & NOT_FILE_H, 7u));
}

fn fill_south_east(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_south_east(spread_down(sources, empty & NOT_FILE_A, 7u));
}

// One byte is one rank. The h-file counts as a blocker, so no borrow leaves a byte, and subtracting
// twice the sources flips exactly the squares up to and including the next blocker.
fn fill_east(sources: Bitboard, empty: Bitboard) -> Bitboard {
    let blockers = ~empty | vec2(0x80808080u);
    return blockers ^ (blockers - ((sources << vec2(1u)) & NOT_FILE_A));
}

// The same on the reversed word: what was west is then east.
fn fill_west(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return reverseBits(fill_east(reverseBits(sources), reverseBits(empty)));
}

// Squares that rooks on all of `sources` attack.
fn orthogonal_fill(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return fill_north(sources, empty) | fill_south(sources, empty)
        | fill_east(sources, empty) | fill_west(sources, empty);
}

// Squares that bishops on all of `sources` attack.
fn diagonal_fill(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return fill_north_east(sources, empty) | fill_south_west(sources, empty)
        | fill_north_west(sources, empty) | fill_south_east(sources, empty);
}

// The squares of a set and all next to them.
fn king_fill(squares: Bitboard) -> Bitboard {
    let row = squares | bb_east(squares) | bb_west(squares);
    return row | bb_north(row) | bb_south(row);
}

// Squares a knight's jump away from any of a set.
fn knight_fill(squares: Bitboard) -> Bitboard {
    let near = bb_east(squares) | bb_west(squares);
    let far = (bb_shift_up(squares, 2u) & NOT_FILES_AB) | (bb_shift_down(squares, 2u) & NOT_FILES_GH);
    return bb_shift_up(near, 16u) | bb_shift_down(near, 16u)
        | bb_shift_up(far, 8u) | bb_shift_down(far, 8u);
}
