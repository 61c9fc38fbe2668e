// The position after a move, seen by the side that then moves.
//
// Rust twin: `position/make_move.rs`; `ep_capturers` is in `position/pieces.rs`. A move is the 16
// bits of `board/moves.rs`: origin, landing square (the rook's when castling), kind.

const MOVE_NORMAL: u32 = 0u;
const MOVE_DOUBLE_PUSH: u32 = 1u;
const MOVE_EN_PASSANT: u32 = 2u;
const MOVE_CASTLE: u32 = 3u;
const MOVE_PROMOTION: u32 = 4u;

// Our pawns that may legally capture onto the e.p. square: those after whose capture, with both
// pawns gone and the capturer on its new square, nothing attacks our king.
fn ep_capturers(pieces: Pieces) -> Bitboard {
    let captured = bb_south(pieces.ep);
    let king = pieces.our_king;
    let around = surroundings_of(king);
    let contact = (around.knight_jumps & pieces.their_knights)
        | ((bb_north_east(king) | bb_north_west(king)) & pieces.their_pawns & ~captured);
    var legal = BB_EMPTY;
    var candidates = (bb_east(captured) | bb_west(captured)) & pieces.our_pawns;
    if bb_any(contact) {
        return legal;
    }
    while bb_any(candidates) {
        let origin = bb_first_bit(candidates);
        candidates ^= origin;
        let occupied = (pieces.occupied ^ origin ^ captured) | pieces.ep;
        let straight = line_attacks(king, around.file, occupied)
            | line_attacks(king, around.rank, occupied);
        let slanted = line_attacks(king, around.diagonal, occupied)
            | line_attacks(king, around.antidiagonal, occupied);
        let attackers = (straight & pieces.their_orthogonal) | (slanted & pieces.their_diagonal);
        legal |= select(origin, BB_EMPTY, bb_any(attackers));
    }
    return legal;
}

// `squares` if the plane holds the square of `at`, nothing otherwise.
fn carried(plane: Bitboard, at: Bitboard, squares: Bitboard) -> Bitboard {
    return select(BB_EMPTY, squares, bb_any(plane & at));
}

// The board from the other side's point of view.
fn turned(position: PackedPosition) -> PackedPosition {
    let theirs = (position.low | position.mid | position.high) & ~position.ours;
    return PackedPosition(
        bb_flip_ranks(position.low),
        bb_flip_ranks(position.mid),
        bb_flip_ranks(position.high),
        bb_flip_ranks(theirs),
    );
}

// Our rooks keep standing, our rights are gone: the code of a castling rook becomes a rook's.
fn without_rights(position: PackedPosition) -> PackedPosition {
    let rights = position.low & ~position.mid & position.high & position.ours;
    return PackedPosition(position.low & ~rights, position.mid, position.high, position.ours);
}

fn after_castling(position: PackedPosition, king: Bitboard, rook: Bitboard) -> PackedPosition {
    let kingside = rook.x > king.x;
    let king_lands = Bitboard(select(0x04u, 0x40u, kingside), 0u);
    let rook_lands = Bitboard(select(0x08u, 0x20u, kingside), 0u);
    let lost = without_rights(position);
    let keep = ~(king | rook);
    return turned(PackedPosition(
        (lost.low & keep) | king_lands,
        (lost.mid & keep) | king_lands,
        (lost.high & keep) | king_lands | rook_lands,
        (lost.ours & keep) | king_lands | rook_lands,
    ));
}

// The three bits of the piece that stands on the landing square afterwards, as sets: the moved
// piece, a rook without its right to castle, or what a pawn becomes.
fn landing_code(position: PackedPosition, origin: Bitboard, landing: Bitboard, kind: u32)
    -> array<Bitboard, 3> {
    let low = carried(position.low, origin, landing);
    let mid = carried(position.mid, origin, landing);
    let high = carried(position.high, origin, landing);
    if kind >= MOVE_PROMOTION {
        // Knight 011, bishop 010, rook 100, queen 110, in the order of the kinds.
        return array(
            select(BB_EMPTY, landing, kind == MOVE_PROMOTION),
            select(landing, BB_EMPTY, kind == MOVE_PROMOTION + 2u),
            select(BB_EMPTY, landing, kind >= MOVE_PROMOTION + 2u),
        );
    }
    return array(low & ~(high & ~mid), mid, high);
}

// The child position with its e.p. square, if `squares` (their view) can legally be captured on.
fn with_ep(child: PackedPosition, ep: Bitboard) -> PackedPosition {
    var pieces = unpack(child);
    pieces.ep = ep;
    let legal = bb_any(ep_capturers(pieces));
    return PackedPosition(
        child.low,
        child.mid,
        child.high,
        child.ours | select(BB_EMPTY, ep, legal),
    );
}

// The board after a normal move, not turned: seen by the side that made it. Good for counting replies
// only: its set `ours` also holds squares that are empty now, and rights to castle of the side that
// moved are left as they were.
fn after_normal_move(position: PackedPosition, origin: Bitboard, landing: Bitboard) -> PackedPosition {
    let low = bb_any(position.low & origin);
    let mid = bb_any(position.mid & origin);
    let high = bb_any(position.high & origin);
    let keep = ~(origin | landing);
    return PackedPosition(
        // A castling rook that moved is a rook.
        (position.low & keep) | select(BB_EMPTY, landing, low && (mid || !high)),
        (position.mid & keep) | select(BB_EMPTY, landing, mid),
        (position.high & keep) | select(BB_EMPTY, landing, high),
        position.ours | landing,
    );
}

// The position after a legal move.
fn after_move(position: PackedPosition, played: u32) -> PackedPosition {
    let kind = played >> 12u;
    let origin = bb_bit(played & 63u);
    let landing = bb_bit((played >> 6u) & 63u);
    if kind == MOVE_CASTLE {
        return after_castling(position, origin, landing);
    }
    let code = landing_code(position, origin, landing, kind);
    let is_king = bb_any(position.low & position.mid & position.high & origin);
    let captured = select(BB_EMPTY, bb_south(landing), kind == MOVE_EN_PASSANT);
    let keep = ~(origin | landing | captured);
    let rights = position.low & ~position.mid & position.high & position.ours;
    let kept_low = select(keep, keep & ~rights, is_king);
    let child = turned(PackedPosition(
        (position.low & kept_low) | code[0],
        (position.mid & keep) | code[1],
        (position.high & keep) | code[2],
        (position.ours & keep) | landing,
    ));
    if kind == MOVE_DOUBLE_PUSH {
        return with_ep(child, bb_flip_ranks(bb_north(origin)));
    }
    return child;
}
