// What moves do to the other side's king: where one gives check, and what one comes to once made.
//
// Rust twin: `movegen/facts.rs`.

// Where our pieces would give check, the board as it is.
struct CheckSquares {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    // Our pieces that stand alone between one of our sliders and their king: if one leaves that line,
    // the slider gives check. But for pawns and the king none can move and stay on it: a piece that
    // slides along the line would give check already.
    shields: Bitboard,
}

// What their king sees along a line, and one of our sliders attacks along a line of the same kind, lies
// between the two, as in `masks_of`.
fn check_squares_of(pieces: Pieces) -> CheckSquares {
    let king = pieces.their_king;
    let around = surroundings_of(king);
    let empty = ~pieces.occupied;
    let straight = pieces.our_orthogonal;
    let slanted = pieces.our_diagonal;
    let file = line_attacks(king, around.file, pieces.occupied);
    let rank = line_attacks(king, around.rank, pieces.occupied);
    let diagonal = line_attacks(king, around.diagonal, pieces.occupied);
    let antidiagonal = line_attacks(king, around.antidiagonal, pieces.occupied);
    let between = (file & (fill_north(straight, empty) | fill_south(straight, empty)))
        | (rank & (fill_east(straight, empty) | fill_west(straight, empty)))
        | (diagonal & (fill_north_east(slanted, empty) | fill_south_west(slanted, empty)))
        | (antidiagonal & (fill_north_west(slanted, empty) | fill_south_east(slanted, empty)));
    return CheckSquares(
        bb_south_east(king) | bb_south_west(king),
        around.knight_jumps,
        diagonal | antidiagonal,
        file | rank,
        between & pieces.ours,
    );
}

// Squares on which the piece from `origin`, a knight or slider of ours, gives check, itself or by making
// way.
fn checks_from(pieces: Pieces, squares: CheckSquares, origin: Bitboard) -> Bitboard {
    return carried(pieces.our_knights, origin, squares.knight)
        | carried(pieces.our_diagonal, origin, squares.bishop)
        | carried(pieces.our_orthogonal, origin, squares.rook)
        | carried(squares.shields, origin, BB_ALL);
}

// Squares that a knight or slider of ours attacks.
fn attacks_of(pieces: Pieces, origin: Bitboard) -> Bitboard {
    return carried(pieces.our_knights, origin, surroundings_of(origin).knight_jumps)
        | carried(pieces.our_diagonal, origin, bishop_lines(origin, pieces.occupied))
        | carried(pieces.our_orthogonal, origin, rook_lines(origin, pieces.occupied));
}

// Squares that a piece of ours may go to without leaving the line it is pinned on, if it is.
fn kept_squares(masks: Masks, origin: Bitboard) -> Bitboard {
    let around = surroundings_of(origin);
    let line = carried(masks.pin_file, origin, around.file)
        | carried(masks.pin_rank, origin, around.rank)
        | carried(masks.pin_diagonal, origin, around.diagonal)
        | carried(masks.pin_antidiagonal, origin, around.antidiagonal);
    return select(BB_ALL, line, bb_any(line));
}

// Enemy pieces that give check to our king.
fn checkers_of(pieces: Pieces) -> Bitboard {
    let king = pieces.our_king;
    return contact_checkers(pieces)
        | (rook_lines(king, pieces.occupied) & pieces.their_orthogonal)
        | (bishop_lines(king, pieces.occupied) & pieces.their_diagonal);
}

// Where what a move moved stands afterwards: one piece, or king and castled rook.
fn moved_to(played: u32) -> Bitboard {
    let origin = played & 63u;
    let landing = (played >> 6u) & 63u;
    let castled = Bitboard(select(0x0cu, 0x60u, landing > origin), 0u);
    return select(bb_bit(landing), castled, (played >> 12u) == MOVE_CASTLE);
}

// What a move comes to, as a sum of these: it gives check; only by a piece that did not move; by more
// than one; it mates.
const GIVES_CHECK: u32 = 1u;
const BY_DISCOVERY: u32 = 2u;
const BY_TWO: u32 = 4u;
const MATES: u32 = 8u;

fn verdict_of(position: PackedPosition, played: u32) -> u32 {
    let child = after_move(position, played);
    let checkers = checkers_of(unpack(child));
    if !bb_any(checkers) {
        return 0u;
    }
    // A child is seen from the other side.
    let moved = bb_flip_ranks(moved_to(played));
    let alone = select(BY_DISCOVERY, 0u, bb_any(checkers & moved));
    let kind = select(BY_TWO, alone, bb_count(checkers) == 1u);
    return GIVES_CHECK | kind | select(0u, MATES, count_legal(child) == 0u);
}
