// Moves of all sliders, set-wise: no loop, no table, no divergence.
//
// Rust twin: `movegen/count.rs`.

fn count_along_file(sum: u32, sliders: Bitboard, empty: Bitboard, targets: Bitboard) -> u32 {
    let north = bb_count_onto(sum, fill_north(sliders, empty) & targets);
    return bb_count_onto(north, fill_south(sliders, empty) & targets);
}

fn count_along_rank(sum: u32, sliders: Bitboard, empty: Bitboard, targets: Bitboard) -> u32 {
    let east = bb_count_onto(sum, fill_east(sliders, empty) & targets);
    return bb_count_onto(east, fill_west(sliders, empty) & targets);
}

fn count_along_diagonal(sum: u32, sliders: Bitboard, empty: Bitboard, targets: Bitboard) -> u32 {
    let up = bb_count_onto(sum, fill_north_east(sliders, empty) & targets);
    return bb_count_onto(up, fill_south_west(sliders, empty) & targets);
}

fn count_along_antidiagonal(sum: u32, sliders: Bitboard, empty: Bitboard, targets: Bitboard) -> u32 {
    let up = bb_count_onto(sum, fill_north_west(sliders, empty) & targets);
    return bb_count_onto(up, fill_south_east(sliders, empty) & targets);
}

// Moves of all sliders. A pinned one joins only the fills of its own line. In one direction no two
// sliders reach the same square, so the counts of the fills add up.
fn count_slider_moves(pieces: Pieces, masks: Masks, targets: Bitboard) -> u32 {
    let empty = ~pieces.occupied;
    let free = ~pinned_of(masks);
    let file = pieces.our_orthogonal & (free | masks.pin_file);
    let rank = pieces.our_orthogonal & (free | masks.pin_rank);
    let diagonal = pieces.our_diagonal & (free | masks.pin_diagonal);
    let antidiagonal = pieces.our_diagonal & (free | masks.pin_antidiagonal);
    var sum = count_along_file(0u, file, empty, targets);
    sum = count_along_rank(sum, rank, empty, targets);
    sum = count_along_diagonal(sum, diagonal, empty, targets);
    return count_along_antidiagonal(sum, antidiagonal, empty, targets);
}
