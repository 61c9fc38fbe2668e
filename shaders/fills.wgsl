// Attacks of whole sets of pieces at once, without a table or a loop over squares.
//
// Rust twin: `attacks/fills.rs`. A fill spreads its sources over empty squares in one direction and
// also reaches what stops them. Every source must stand on an occupied square: along ranks the fill
// is a subtraction in each byte, in which an empty source would borrow from its neighbour.

// Where one, two and four steps in a direction lead over empty squares only. All fills in one
// direction share it, whatever their sources.
struct Way {
    one: Bitboard,
    two: Bitboard,
    four: Bitboard,
}

fn way_up(empty: Bitboard, step: u32) -> Way {
    let two = empty & bb_shift_up(empty, step);
    return Way(empty, two, two & bb_shift_up(two, 2u * step));
}

// The same squares walked the other way: they start where they ended.
fn way_down(empty: Bitboard, step: u32) -> Way {
    let up = way_up(empty, step);
    return Way(empty, bb_shift_down(up.two, step), bb_shift_down(up.four, 3u * step));
}

// Spreads towards higher squares in steps of `step`, without the last step onto a blocker.
fn spread_up(sources: Bitboard, way: Way, step: u32) -> Bitboard {
    var reached = sources | (way.one & bb_shift_up(sources, step));
    reached |= way.two & bb_shift_up(reached, 2u * step);
    return reached | (way.four & bb_shift_up(reached, 4u * step));
}

// Spreads towards lower squares.
fn spread_down(sources: Bitboard, way: Way, step: u32) -> Bitboard {
    var reached = sources | (way.one & bb_shift_down(sources, step));
    reached |= way.two & bb_shift_down(reached, 2u * step);
    return reached | (way.four & bb_shift_down(reached, 4u * step));
}

fn fill_north(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_north(spread_up(sources, way_up(empty, 8u), 8u));
}

fn fill_south(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_south(spread_down(sources, way_down(empty, 8u), 8u));
}

// Nothing goes on from the a-file or the h-file along a diagonal, so one set of empty squares serves
// all four ways.
fn fill_north_east(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_north_east(spread_up(sources, way_up(empty & NOT_FILES_A_AND_H, 9u), 9u));
}

fn fill_south_west(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_south_west(spread_down(sources, way_down(empty & NOT_FILES_A_AND_H, 9u), 9u));
}

fn fill_north_west(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_north_west(spread_up(sources, way_up(empty & NOT_FILES_A_AND_H, 7u), 7u));
}

fn fill_south_east(sources: Bitboard, empty: Bitboard) -> Bitboard {
    return bb_south_east(spread_down(sources, way_down(empty & NOT_FILES_A_AND_H, 7u), 7u));
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

// Squares a knight's jump away from any of a set.
fn knight_fill(squares: Bitboard) -> Bitboard {
    let near = bb_east(squares) | bb_west(squares);
    let far = (bb_shift_up(squares, 2u) & NOT_FILES_AB) | (bb_shift_down(squares, 2u) & NOT_FILES_GH);
    return bb_shift_up(near, 16u) | bb_shift_down(near, 16u)
        | bb_shift_up(far, 8u) | bb_shift_down(far, 8u);
}
