// Moves of all sliders, set-wise: no loop, no table, no divergence.
//
// Rust twin: `movegen/count.rs`.

// Moves of all sliders. A pinned one joins only the fills of its own line. In one direction no two
// sliders reach the same square, so the counts of the fills add up.
fn count_slider_moves(pieces: Pieces, masks: Masks, targets: Bitboard) -> u32 {
    let empty = ~pieces.occupied;
    let free = ~pinned_of(masks);
    let file = pieces.our_orthogonal & (free | masks.pin_file);
    let rank = pieces.our_orthogonal & (free | masks.pin_rank);
    let diagonal = pieces.our_diagonal & (free | masks.pin_diagonal);
    let antidiagonal = pieces.our_diagonal & (free | masks.pin_antidiagonal);
    return bb_count(fill_north(file, empty) & targets)
        + bb_count(fill_south(file, empty) & targets)
        + bb_count(fill_east(rank, empty) & targets)
        + bb_count(fill_west(rank, empty) & targets)
        + bb_count(fill_north_east(diagonal, empty) & targets)
        + bb_count(fill_south_west(diagonal, empty) & targets)
        + bb_count(fill_north_west(antidiagonal, empty) & targets)
        + bb_count(fill_south_east(antidiagonal, empty) & targets);
}
