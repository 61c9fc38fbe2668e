// Looking along all lines of one kind, set-wise: what our king sees, what their sliders attack.
//
// Rust twin: `movegen/masks.rs`, which looks along lines piece by piece.

// What is seen along the lines of one kind.
struct Line {
    // Squares our king sees.
    seen: Bitboard,
    // Squares their sliders attack. Our king stands in their way.
    attacked: Bitboard,
    // The squares right behind our king that they attack once it has moved.
    behind: Bitboard,
}

fn look_along_file(pieces: Pieces, file: Bitboard) -> Line {
    let empty = ~pieces.occupied;
    let king = pieces.our_king;
    let north = fill_north(pieces.their_orthogonal, empty);
    let south = fill_south(pieces.their_orthogonal, empty);
    return Line(
        line_attacks(king, file, pieces.occupied),
        north | south,
        bb_north(north & king) | bb_south(south & king),
    );
}

fn look_along_rank(pieces: Pieces, rank: Bitboard) -> Line {
    let empty = ~pieces.occupied;
    let king = pieces.our_king;
    let east = fill_east(pieces.their_orthogonal, empty);
    let west = fill_west(pieces.their_orthogonal, empty);
    return Line(
        line_attacks(king, rank, pieces.occupied),
        east | west,
        bb_east(east & king) | bb_west(west & king),
    );
}

fn look_along_diagonal(pieces: Pieces, diagonal: Bitboard) -> Line {
    let empty = ~pieces.occupied;
    let king = pieces.our_king;
    let up = fill_north_east(pieces.their_diagonal, empty);
    let down = fill_south_west(pieces.their_diagonal, empty);
    return Line(
        line_attacks(king, diagonal, pieces.occupied),
        up | down,
        bb_north_east(up & king) | bb_south_west(down & king),
    );
}

fn look_along_antidiagonal(pieces: Pieces, antidiagonal: Bitboard) -> Line {
    let empty = ~pieces.occupied;
    let king = pieces.our_king;
    let up = fill_north_west(pieces.their_diagonal, empty);
    let down = fill_south_east(pieces.their_diagonal, empty);
    return Line(
        line_attacks(king, antidiagonal, pieces.occupied),
        up | down,
        bb_north_west(up & king) | bb_south_east(down & king),
    );
}
