// Moves of all sliders, piece by piece with table lookups: the other form of the function of this
// name in `count_setwise.wgsl`.
//
// Rust twin: `movegen/count.rs`.

// A pinned slider stays on the line through it and our king, and has moves only if it slides along
// that line.
fn count_slider_moves(pieces: Pieces, masks: Masks, targets: Bitboard) -> u32 {
    let king = bb_first(pieces.our_king);
    let pinned = pinned_of(masks);
    var count = 0u;
    var left = pieces.our_orthogonal & ~(masks.pin_diagonal | masks.pin_antidiagonal);
    while bb_any(left) {
        let origin = bb_first(left);
        left = bb_without_first(left);
        let kept = select(BB_ALL, line(king, origin), bb_any(bb_bit(origin) & pinned));
        count += bb_count(rook_attacks(origin, pieces.occupied) & targets & kept);
    }
    left = pieces.our_diagonal & ~(masks.pin_file | masks.pin_rank);
    while bb_any(left) {
        let origin = bb_first(left);
        left = bb_without_first(left);
        let kept = select(BB_ALL, line(king, origin), bb_any(bb_bit(origin) & pinned));
        count += bb_count(bishop_attacks(origin, pieces.occupied) & targets & kept);
    }
    return count;
}
