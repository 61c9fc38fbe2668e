// Bulk counting: the number of legal moves without making or listing one. Set-wise but for the
// sliders, whose moves `count_setwise.wgsl` or `count_magic.wgsl` counts.
//
// Rust twin: `movegen/count.rs`.

// Pawn moves; a promotion is four.
fn count_pawn_moves(pawns: PawnMoves) -> u32 {
    let promotions = countOneBits(pawns.west.y & RANK_8.y)
        + countOneBits(pawns.east.y & RANK_8.y)
        + countOneBits(pawns.push.y & RANK_8.y);
    return bb_count(pawns.west) + bb_count(pawns.east) + bb_count(pawns.push)
        + bb_count(pawns.double_push) + 3u * promotions;
}

// Jumps of all knights of a set onto `targets`: in one direction no two share a target.
fn count_knight_moves(knights: Bitboard, targets: Bitboard) -> u32 {
    let not_a = knights & NOT_FILE_A;
    let not_h = knights & NOT_FILE_H;
    let not_ab = knights & NOT_FILES_AB;
    let not_gh = knights & NOT_FILES_GH;
    return bb_count(bb_shift_up(not_a, 15u) & targets)
        + bb_count(bb_shift_down(not_a, 17u) & targets)
        + bb_count(bb_shift_up(not_h, 17u) & targets)
        + bb_count(bb_shift_down(not_h, 15u) & targets)
        + bb_count(bb_shift_up(not_ab, 6u) & targets)
        + bb_count(bb_shift_down(not_ab, 10u) & targets)
        + bb_count(bb_shift_up(not_gh, 10u) & targets)
        + bb_count(bb_shift_down(not_gh, 6u) & targets);
}

fn count_legal(position: PackedPosition) -> u32 {
    let pieces = unpack(position);
    let masks = masks_of(pieces);
    let targets = ~pieces.ours & masks.check_mask;
    return bb_count(king_fill(pieces.our_king) & ~pieces.ours & ~masks.danger)
        + count_pawn_moves(pawn_moves(pieces, masks))
        + bb_count(castling_rooks(pieces, masks))
        + count_knight_moves(pieces.our_knights & ~pinned_of(masks), targets)
        + count_slider_moves(pieces, masks, targets);
}
