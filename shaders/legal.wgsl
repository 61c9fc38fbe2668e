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

// All squares of the first rank from one to the other, both included; one bit each, neither zero.
fn rank_span(a: u32, b: u32) -> u32 {
    return (max(a, b) << 1u) - min(a, b);
}

// True if the king may castle with this rook of the first rank (zero if there is none): the squares
// that either crosses or lands on are empty but for the two, and none of the king's is attacked.
fn may_castle(
    king: u32,
    rook: u32,
    king_lands: u32,
    rook_lands: u32,
    occupied: u32,
    danger: u32,
) -> bool {
    let king_way = rank_span(king, king_lands);
    let crossed = (king_way | rank_span(rook, rook_lands)) & ~(king | rook);
    return rook != 0u && ((occupied & crossed) | (danger & king_way)) == 0u;
}

// Our rooks that may castle now. A pinned rook may not: it shields its king along the back rank.
// In check the king's own square is attacked, and it is always part of the king's way.
fn castling_rooks(pieces: Pieces, masks: Masks) -> Bitboard {
    let king = pieces.our_king.x & 0xffu;
    let rooks = pieces.our_castling_rooks.x & ~masks.pin_rank.x & 0xffu;
    let east = rooks & ~((king << 1u) - 1u);
    let west = rooks & (king - 1u);
    let kingside = may_castle(king, east, 0x40u, 0x20u, pieces.occupied.x, masks.danger.x);
    let queenside = may_castle(king, west, 0x04u, 0x08u, pieces.occupied.x, masks.danger.x);
    return Bitboard(select(0u, east, kingside) | select(0u, west, queenside), 0u);
}
