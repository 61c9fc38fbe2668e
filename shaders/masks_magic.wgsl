// What limits the moves of a position: checks, pins, attacked squares. Piece by piece, with table
// lookups.
//
// Rust twin: `movegen/masks.rs`.

// What all sliders of these sets attack.
fn slider_danger(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    var danger = BB_EMPTY;
    var left = orthogonal;
    while bb_any(left) {
        danger |= rook_attacks(bb_first(left), occupied);
        left = bb_without_first(left);
    }
    left = diagonal;
    while bb_any(left) {
        danger |= bishop_attacks(bb_first(left), occupied);
        left = bb_without_first(left);
    }
    return danger;
}

// Snipers see our king when our own pieces are looked through. With none of those between they give
// check, with one between they pin it.
fn masks_of(pieces: Pieces) -> Masks {
    let square = bb_first(pieces.our_king) & 63u;
    let around = tables.around[square];
    var checkers = contact_checkers(pieces);
    var answers = checkers;
    var pinned = BB_EMPTY;
    let orthogonal_snipers = rook_attacks(square, pieces.theirs) & pieces.their_orthogonal;
    let diagonal_snipers = bishop_attacks(square, pieces.theirs) & pieces.their_diagonal;
    var snipers = orthogonal_snipers | diagonal_snipers;
    while bb_any(snipers) {
        let sniper = bb_first(snipers);
        snipers = bb_without_first(snipers);
        let way = between(square, sniper);
        let shields = way & pieces.ours;
        let count = bb_count(shields);
        if count == 0u {
            checkers |= bb_bit(sniper);
            answers |= way | bb_bit(sniper);
        } else if count == 1u {
            pinned |= shields;
        }
    }
    let lifted = pieces.occupied & ~pieces.our_king;
    let danger = contact_danger(pieces)
        | slider_danger(pieces.their_orthogonal, pieces.their_diagonal, lifted);
    return Masks(
        check_mask(checkers, answers),
        danger,
        pinned & around.file,
        pinned & around.rank,
        pinned & around.diagonal,
        pinned & around.antidiagonal,
    );
}
