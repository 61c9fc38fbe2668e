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

// Sets from the three bits of each square's code, and from which of the squares are ours.
fn pieces_of(low: Bitboard, mid: Bitboard, high: Bitboard, ours: Bitboard, ep: Bitboard) -> Pieces {
    let occupied = low | mid | high;
    let pawns = low & ~(mid | high);
    let kings = low & mid & high;
    let knights = (low & mid) ^ kings;
    let diagonal = mid & ~low;
    let orthogonal = high & ~(low & mid);
    return Pieces(
        occupied,
        ours,
        occupied ^ ours,
        pawns & ours,
        pawns & ~ours,
        knights & ours,
        knights & ~ours,
        diagonal & ours,
        diagonal & ~ours,
        orthogonal & ours,
        orthogonal & ~ours,
        kings & ours,
        kings & ~ours,
        low & ~mid & high & ours,
        ep,
    );
}

// Ours on an empty square marks the e.p. square.
fn unpack(position: PackedPosition) -> Pieces {
    let occupied = position.low | position.mid | position.high;
    let ours = position.ours;
    return pieces_of(position.low, position.mid, position.high, ours & occupied, ours & ~occupied);
}
