// What limits the moves of a position: the part that both slider methods share. `masks_of` is in
// `masks_setwise.wgsl` and `masks_magic.wgsl`.
//
// Rust twin: `movegen/masks.rs`.

struct Masks {
    // Where a piece other than the king may go: everywhere when not in check; the checker and the
    // squares between when in check; nowhere in double check.
    check_mask: Bitboard,
    // Squares they attack with our king lifted off the board. Along a line through it no more than
    // the next square behind may be among them: a king in check steps no further, and cannot castle.
    danger: Bitboard,
    // Our pinned pieces, by the line they may still move on.
    pin_file: Bitboard,
    pin_rank: Bitboard,
    pin_diagonal: Bitboard,
    pin_antidiagonal: Bitboard,
}

// Knights and pawns that give check.
fn contact_checkers(pieces: Pieces) -> Bitboard {
    let king = pieces.our_king;
    return (surroundings_of(king).knight_jumps & pieces.their_knights)
        | ((bb_north_east(king) | bb_north_west(king)) & pieces.their_pawns);
}

// What their pawns, knights and king attack.
fn contact_danger(pieces: Pieces) -> Bitboard {
    return bb_south_east(pieces.their_pawns) | bb_south_west(pieces.their_pawns)
        | knight_fill(pieces.their_knights) | surroundings_of(pieces.their_king).king_steps;
}

// Everything without a checker, `answers` with one, nothing with more.
fn check_mask(checkers: Bitboard, answers: Bitboard) -> Bitboard {
    let count = bb_count(checkers);
    return select(select(BB_EMPTY, answers, count == 1u), BB_ALL, count == 0u);
}

fn pinned_of(masks: Masks) -> Bitboard {
    return masks.pin_file | masks.pin_rank | masks.pin_diagonal | masks.pin_antidiagonal;
}
