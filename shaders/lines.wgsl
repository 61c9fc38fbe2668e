// Attacks of one piece along a line through it.
//
// Rust twins: `attacks/tables.rs` for the lines, `attacks/ray_walk.rs` for the attacks.

// What lies around the square of a set that holds one. A position that was never written has no king;
// it is noticed later, and until then must not lead outside.
fn surroundings_of(square: Bitboard) -> Surroundings {
    return tables.around[bb_first(square) & 63u];
}

// Attacks along one line through a square, both ways at once: subtracting twice the square from the
// blockers above it flips all squares up to and including the next one; turned by half a turn, the
// blockers below it are above.
fn line_attacks(square: Bitboard, line: Bitboard, occupied: Bitboard) -> Bitboard {
    let blockers = occupied & line;
    let up = bb_minus(blockers, bb_shift_up(square, 1u));
    let down = bb_minus(bb_reverse(blockers), bb_shift_up(bb_reverse(square), 1u));
    return (up ^ bb_reverse(down)) & line;
}

// What a rook on this square attacks.
fn rook_lines(square: Bitboard, occupied: Bitboard) -> Bitboard {
    let around = surroundings_of(square);
    return line_attacks(square, around.file, occupied) | line_attacks(square, around.rank, occupied);
}

// What a bishop on this square attacks.
fn bishop_lines(square: Bitboard, occupied: Bitboard) -> Bitboard {
    let around = surroundings_of(square);
    return line_attacks(square, around.diagonal, occupied)
        | line_attacks(square, around.antidiagonal, occupied);
}
