// Moves of all sliders, piece by piece with table lookups: the other form of the function of this
// name in `count_setwise.wgsl`.
//
// Rust twin: `movegen/count.rs`.

// A pinned slider stays on the line through it and our king, and has moves only if it slides along
// that line. Of the king's lines its own moves touch only that one.
fn count_slider_moves(pieces: Pieces, masks: Masks, targets: Bitboard) -> u32 {
    let around = surroundings_of(pieces.our_king);
    let pinned = pinned_of(masks);
    var count = 0u;
    var kept = targets & (around.file | around.rank);
    var left = pieces.our_orthogonal & ~(masks.pin_diagonal | masks.pin_antidiagonal);
    while bb_any(left) {
        let origin = bb_first_bit(left);
        left ^= origin;
        let allowed = select(targets, kept, bb_any(origin & pinned));
        count = bb_count_onto(count, rook_attacks(bb_first(origin), pieces.occupied) & allowed);
    }
    kept = targets & (around.diagonal | around.antidiagonal);
    left = pieces.our_diagonal & ~(masks.pin_file | masks.pin_rank);
    while bb_any(left) {
        let origin = bb_first_bit(left);
        left ^= origin;
        let allowed = select(targets, kept, bb_any(origin & pinned));
        count = bb_count_onto(count, bishop_attacks(bb_first(origin), pieces.occupied) & allowed);
    }
    return count;
}
