// Bulk counting: the number of legal moves without making or listing one. Set-wise but for the
// sliders, whose moves `count_setwise.wgsl` or `count_magic.wgsl` counts.
//
// Rust twin: `movegen/count.rs`.

// Pawn moves; a promotion is four.
fn count_pawn_moves(sum: u32, pawns: PawnMoves) -> u32 {
    let promotions = countOneBits(pawns.west.y & RANK_8.y)
        + countOneBits(pawns.east.y & RANK_8.y)
        + countOneBits(pawns.push.y & RANK_8.y);
    var n = bb_count_onto(sum, pawns.west);
    n = bb_count_onto(n, pawns.east);
    n = bb_count_onto(n, pawns.push);
    return bb_count_onto(n, pawns.double_push) + 3u * promotions;
}

// Jumps of all knights of a set onto `targets`: in one direction no two share a target.
fn count_knight_moves(sum: u32, knights: Bitboard, targets: Bitboard) -> u32 {
    let not_a = knights & NOT_FILE_A;
    let not_h = knights & NOT_FILE_H;
    let not_ab = knights & NOT_FILES_AB;
    let not_gh = knights & NOT_FILES_GH;
    var n = bb_count_onto(sum, bb_shift_up(not_a, 15u) & targets);
    n = bb_count_onto(n, bb_shift_down(not_a, 17u) & targets);
    n = bb_count_onto(n, bb_shift_up(not_h, 17u) & targets);
    n = bb_count_onto(n, bb_shift_down(not_h, 15u) & targets);
    n = bb_count_onto(n, bb_shift_up(not_ab, 6u) & targets);
    n = bb_count_onto(n, bb_shift_down(not_ab, 10u) & targets);
    n = bb_count_onto(n, bb_shift_up(not_gh, 10u) & targets);
    return bb_count_onto(n, bb_shift_down(not_gh, 6u) & targets);
}

fn count_legal(position: PackedPosition) -> u32 {
    let pieces = unpack(position);
    let masks = masks_of(pieces);
    let targets = ~pieces.ours & masks.check_mask;
    let steps = surroundings_of(pieces.our_king).king_steps & ~pieces.ours & ~masks.danger;
    var n = bb_count_onto(0u, steps);
    n += countOneBits(castling_rooks_of(pieces, masks));
    n = count_pawn_moves(n, pawn_moves(pieces, masks));
    n = count_knight_moves(n, pieces.our_knights & ~pinned_of(masks), targets);
    return n + count_slider_moves(pieces, masks, targets);
}
