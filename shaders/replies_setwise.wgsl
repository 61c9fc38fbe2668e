// Replies to a normal move, counted speculatively: right if the side that replies is not in check,
// has no pinned slider and cannot capture en passant. That is so after nearly all normal moves, and
// with it no mask has to be complete before counting starts: each line is looked along and counted
// before the next, which halves what has to be kept at hand.
//
// Rust twin: `movegen/count.rs`.

// Moves of pawns that move down the board; a promotion is four. `free` are unpinned squares, the
// other sets squares pinned along one line.
fn count_pawn_replies(
    sum: u32,
    pieces: Pieces,
    free: Bitboard,
    pin_file: Bitboard,
    pin_diagonal: Bitboard,
    pin_antidiagonal: Bitboard,
) -> u32 {
    let empty = ~pieces.occupied;
    let push = bb_south(pieces.our_pawns & (free | pin_file)) & empty;
    let west = bb_south_west(pieces.our_pawns & (free | pin_diagonal)) & pieces.theirs;
    let east = bb_south_east(pieces.our_pawns & (free | pin_antidiagonal)) & pieces.theirs;
    let double_push = (push.y >> 8u) & 0xffu & empty.y;
    var n = sum + countOneBits(double_push);
    n = bb_count_onto(n, push);
    n = bb_count_onto(n, west);
    n = bb_count_onto(n, east);
    let promotions = countOneBits(west.x & RANK_1.x)
        + countOneBits(east.x & RANK_1.x)
        + countOneBits(push.x & RANK_1.x);
    return n + 3u * promotions;
}

// The number of legal moves of a side that moves down the board, or `UNWRITTEN` if it is in check or
// one of its sliders is pinned.
fn count_replies(pieces: Pieces) -> u32 {
    let empty = ~pieces.occupied;
    let targets = ~pieces.ours;
    let around = surroundings_of(pieces.our_king);

    let file = look_along_file(pieces, around.file);
    let pin_file = file.seen & file.attacked & pieces.ours;
    var n = count_along_file(0u, pieces.our_orthogonal, empty, targets);
    let rank = look_along_rank(pieces, around.rank);
    let pin_rank = rank.seen & rank.attacked & pieces.ours;
    n = count_along_rank(n, pieces.our_orthogonal, empty, targets);
    let diagonal = look_along_diagonal(pieces, around.diagonal);
    let pin_diagonal = diagonal.seen & diagonal.attacked & pieces.ours;
    n = count_along_diagonal(n, pieces.our_diagonal, empty, targets);
    let antidiagonal = look_along_antidiagonal(pieces, around.antidiagonal);
    let pin_antidiagonal = antidiagonal.seen & antidiagonal.attacked & pieces.ours;
    n = count_along_antidiagonal(n, pieces.our_diagonal, empty, targets);

    let danger = file.attacked | rank.attacked | diagonal.attacked | antidiagonal.attacked
        | bb_north_east(pieces.their_pawns) | bb_north_west(pieces.their_pawns)
        | knight_fill(pieces.their_knights)
        | surroundings_of(pieces.their_king).king_steps;
    let pinned = pin_file | pin_rank | pin_diagonal | pin_antidiagonal;
    let free = ~pinned;
    n = count_knight_moves(n, pieces.our_knights & free, targets);
    n = count_pawn_replies(n, pieces, free, pin_file, pin_diagonal, pin_antidiagonal);
    n = bb_count_onto(n, around.king_steps & targets & ~danger);
    n += countOneBits(castling_rooks(
        pieces.our_king.y >> 24u,
        pieces.our_castling_rooks.y >> 24u,
        pieces.occupied.y >> 24u,
        danger.y >> 24u,
    ));
    let unsure = (danger & pieces.our_king)
        | (pinned & (pieces.our_orthogonal | pieces.our_diagonal));
    return select(n, UNWRITTEN, bb_any(unsure));
}

// The number of replies to a normal move, or `UNWRITTEN`: then it has to be counted otherwise.
fn replies_to_normal_move(position: PackedPosition, origin: Bitboard, landing: Bitboard) -> u32 {
    let child = after_normal_move(position, origin, landing);
    let theirs = (child.low | child.mid | child.high) & ~child.ours;
    return count_replies(pieces_of(child.low, child.mid, child.high, theirs, BB_EMPTY));
}
