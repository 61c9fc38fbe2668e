// Replies to a normal move: the other form of the function of this name in `replies_setwise.wgsl`.
// Checks and pins cost little here, so nothing is speculated about.
//
// Rust twin: `movegen/count.rs`.

// The number of replies to a normal move.
fn replies_to_normal_move(position: PackedPosition, origin: Bitboard, landing: Bitboard) -> u32 {
    return count_legal(turned(after_normal_move(position, origin, landing)));
}
