// Positions as they arrive, and taken apart into sets.
//
// Rust twin: `position/packed.rs`, which says what each code means. The side to move is White here:
// packing mirrors the board when Black is to move.

struct PackedPosition {
    low: Bitboard,
    mid: Bitboard,
    high: Bitboard,
    ours: Bitboard,
}

// "Ours" is the side to move. A queen stands in both slider sets.
struct Pieces {
    occupied: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    our_pawns: Bitboard,
    their_pawns: Bitboard,
    our_knights: Bitboard,
    their_knights: Bitboard,
    our_diagonal: Bitboard,
    their_diagonal: Bitboard,
    our_orthogonal: Bitboard,
    their_orthogonal: Bitboard,
    our_king: Bitboard,
    their_king: Bitboard,
    // Our rooks that may still castle.
    our_castling_rooks: Bitboard,
    // The e.p. square: set only if some e.p. capture is legal.
    ep: Bitboard,
}

fn unpack(position: PackedPosition) -> Pieces {
    let low = position.low;
    let mid = position.mid;
    let high = position.high;
    let occupied = low | mid | high;
    let ours = position.ours & occupied;
    let theirs = occupied & ~position.ours;
    let pawns = low & ~(mid | high);
    let knights = low & mid & ~high;
    let diagonal = mid & ~low;
    let orthogonal = high & ~(low & mid);
    let kings = low & mid & high;
    return Pieces(
        occupied,
        ours,
        theirs,
        pawns & ours,
        pawns & theirs,
        knights & ours,
        knights & theirs,
        diagonal & ours,
        diagonal & theirs,
        orthogonal & ours,
        orthogonal & theirs,
        kings & ours,
        kings & theirs,
        low & ~mid & high & ours,
        position.ours & ~occupied,
    );
}
