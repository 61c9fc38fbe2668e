// Which pawns may move where, and which rooks may castle.
//
// Rust twin: `movegen/legal.rs`.

// Squares our pawns may move to, by the way they go. A square is reached by one pawn in each way.
struct PawnMoves {
    west: Bitboard,
    east: Bitboard,
    push: Bitboard,
    double_push: Bitboard,
}

// The e.p. square is one more target, check mask or not, since it is marked only if a capture is
// legal, and a legal one leaves no check. With two pawns that might capture, one may be pinned: the
// pin decides between them. No more can stand in the way of one of the two, as the other still
// stands on the rank from which both captured and capturing pawn vanish.
fn pawn_moves(pieces: Pieces, masks: Masks) -> PawnMoves {
    let free = ~pinned_of(masks);
    let empty = ~pieces.occupied;
    let pushed = bb_north(pieces.our_pawns & (free | masks.pin_file)) & empty;
    let taken = (pieces.theirs & masks.check_mask) | pieces.ep;
    return PawnMoves(
        bb_north_west(pieces.our_pawns & (free | masks.pin_antidiagonal)) & taken,
        bb_north_east(pieces.our_pawns & (free | masks.pin_diagonal)) & taken,
        pushed & masks.check_mask,
        bb_north(pushed & RANK_3) & empty & masks.check_mask,
    );
}

// Rooks that may castle now, on the back rank as the low eight bits: our king, our rooks with the
// right to castle and no pin, all pieces, attacked squares. What king and rook cross or land on must
// be empty but for the two, and none of the king's squares attacked. In check the king's own square
// is, and it is always part of its way. Without rooks the other arguments may be anything.
fn castling_rooks(king: u32, rooks: u32, occupied: u32, danger: u32) -> u32 {
    // The king lands on g and never comes from beyond, the rook on f. All they cross lies side by
    // side, and the squares from one to another are a difference of two powers of two.
    let east = rooks & (0u - king);
    let east_way = 0x80u - king;
    let east_crossed = (max(0x40u, east) << 1u) - min(0x20u, king);
    let east_blocked = ((occupied ^ king ^ east) & east_crossed) | (danger & east_way);
    // On c and d, and the king may come from b.
    let west = rooks ^ east;
    let west_way = (max(0x04u, king) << 1u) - min(0x04u, king);
    let west_crossed = (max(0x08u, king) << 1u) - min(0x04u, west);
    let west_blocked = ((occupied ^ king ^ west) & west_crossed) | (danger & west_way);
    return select(0u, east, east_blocked == 0u) | select(0u, west, west_blocked == 0u);
}

// Our rooks that may castle now. A pinned rook may not: it shields its king along the back rank.
fn castling_rooks_of(pieces: Pieces, masks: Masks) -> u32 {
    let rooks = pieces.our_castling_rooks.x & ~masks.pin_rank.x;
    return castling_rooks(pieces.our_king.x, rooks, pieces.occupied.x, masks.danger.x);
}
