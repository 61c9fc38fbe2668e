// What limits the moves of a position: checks, pins, attacked squares. Set-wise form.
//
// Rust twin: `movegen/masks.rs`, which finds the same sets piece by piece.

// A square that our king sees along a line, and that an enemy slider attacks along a line of the same
// kind, lies between the two: it could not be reached from both otherwise. It is either our piece,
// and then pinned; or empty, and then between king and checker; or an enemy piece, and then of no
// interest. So pins cost one operation a line.
fn masks_of(pieces: Pieces) -> Masks {
    let around = surroundings_of(pieces.our_king);
    let file = look_along_file(pieces, around.file);
    let rank = look_along_rank(pieces, around.rank);
    let diagonal = look_along_diagonal(pieces, around.diagonal);
    let antidiagonal = look_along_antidiagonal(pieces, around.antidiagonal);
    let checkers = ((file.seen | rank.seen) & pieces.their_orthogonal)
        | ((diagonal.seen | antidiagonal.seen) & pieces.their_diagonal)
        | contact_checkers(pieces);
    let shared_file = file.seen & file.attacked;
    let shared_rank = rank.seen & rank.attacked;
    let shared_diagonal = diagonal.seen & diagonal.attacked;
    let shared_antidiagonal = antidiagonal.seen & antidiagonal.attacked;
    let between = (shared_file | shared_rank | shared_diagonal | shared_antidiagonal)
        & ~pieces.occupied;
    let danger = file.attacked | rank.attacked | diagonal.attacked | antidiagonal.attacked
        | file.behind | rank.behind | diagonal.behind | antidiagonal.behind
        | contact_danger(pieces);
    return Masks(
        check_mask(checkers, checkers | between),
        danger,
        shared_file & pieces.ours,
        shared_rank & pieces.ours,
        shared_diagonal & pieces.ours,
        shared_antidiagonal & pieces.ours,
    );
}
