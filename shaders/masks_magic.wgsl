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
    let king = bb_first(pieces.our_king);
    var checkers = contact_checkers(pieces);
    var answers = checkers;
    var file = BB_EMPTY;
    var rank = BB_EMPTY;
    var diagonal = BB_EMPTY;
    var antidiagonal = BB_EMPTY;
    let orthogonal_snipers = rook_attacks(king, pieces.theirs) & pieces.their_orthogonal;
    var snipers = orthogonal_snipers | (bishop_attacks(king, pieces.theirs) & pieces.their_diagonal);
    while bb_any(snipers) {
        let sniper = bb_first(snipers);
        snipers = bb_without_first(snipers);
        let way = between(king, sniper);
        let shields = way & pieces.ours;
        let count = bb_count(shields);
        if count == 0u {
            checkers |= bb_bit(sniper);
            answers |= way | bb_bit(sniper);
        } else if count == 1u {
            let same_file = ((king ^ sniper) & 7u) == 0u;
            let same_rank = (king >> 3u) == (sniper >> 3u);
            // On a diagonal towards the north-east, file and rank grow together.
            let rising = ((sniper & 7u) > (king & 7u)) == (sniper > king);
            file |= select(BB_EMPTY, shields, same_file);
            rank |= select(BB_EMPTY, shields, same_rank);
            diagonal |= select(BB_EMPTY, shields, !same_file && !same_rank && rising);
            antidiagonal |= select(BB_EMPTY, shields, !same_file && !same_rank && !rising);
        }
    }
    let lifted = pieces.occupied & ~pieces.our_king;
    let danger = contact_danger(pieces)
        | slider_danger(pieces.their_orthogonal, pieces.their_diagonal, lifted);
    return Masks(
        check_mask(checkers, answers),
        danger,
        file,
        rank,
        diagonal,
        antidiagonal,
    );
}
