// What limits the moves of a position: checks, pins, attacked squares. Set-wise form.
//
// Rust twin: `movegen/masks.rs`, which finds the same sets piece by piece.

// A square that the king sees, looking out, and an enemy slider sees, looking the other way along
// the same line, is either our piece, and then pinned; or empty, and then between king and checker;
// or an enemy piece, and then of no interest. So pins cost one operation a line.
fn masks_of(pieces: Pieces) -> Masks {
    let empty = ~pieces.occupied;
    let king = pieces.our_king;
    let lifted = empty | king;

    let king_north = fill_north(king, empty);
    let king_south = fill_south(king, empty);
    let from_north = fill_south(pieces.their_orthogonal, lifted);
    let from_south = fill_north(pieces.their_orthogonal, lifted);
    let file = (king_north & from_north) | (king_south & from_south);

    let king_east = fill_east(king, empty);
    let king_west = fill_west(king, empty);
    let from_east = fill_west(pieces.their_orthogonal, lifted);
    let from_west = fill_east(pieces.their_orthogonal, lifted);
    let rank = (king_east & from_east) | (king_west & from_west);

    let king_north_east = fill_north_east(king, empty);
    let king_south_west = fill_south_west(king, empty);
    let from_north_east = fill_south_west(pieces.their_diagonal, lifted);
    let from_south_west = fill_north_east(pieces.their_diagonal, lifted);
    let diagonal = (king_north_east & from_north_east) | (king_south_west & from_south_west);

    let king_north_west = fill_north_west(king, empty);
    let king_south_east = fill_south_east(king, empty);
    let from_north_west = fill_south_east(pieces.their_diagonal, lifted);
    let from_south_east = fill_north_west(pieces.their_diagonal, lifted);
    let antidiagonal = (king_north_west & from_north_west) | (king_south_east & from_south_east);

    let checkers = ((king_north | king_south | king_east | king_west) & pieces.their_orthogonal)
        | ((king_north_east | king_south_west | king_north_west | king_south_east)
            & pieces.their_diagonal)
        | contact_checkers(pieces);
    let answers = checkers | ((file | rank | diagonal | antidiagonal) & empty);
    let danger = from_north | from_south | from_east | from_west
        | from_north_east | from_south_west | from_north_west | from_south_east
        | contact_danger(pieces);
    return Masks(
        check_mask(checkers, answers),
        danger,
        file & pieces.ours,
        rank & pieces.ours,
        diagonal & pieces.ours,
        antidiagonal & pieces.ours,
    );
}
