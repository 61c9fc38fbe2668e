// What is found of a position, and the list of moves that may give check. The first kernel writes all
// but the last three words, the second adds up in those; both start as zero.
//
// Rust twin: `StoredFacts` in `backend/gpu/facts/memory.rs`.

struct Found {
    checkers: Bitboard,
    pinned: Bitboard,
    // All legal moves; captures, from the 17th bit.
    moves: u32,
    // Promotions; from the 17th bit captures en passant; from the 25th castles.
    special: u32,
    // Moves that may give check, stored like a count.
    candidates: u32,
    // How many of them were made; from the 17th bit how many do give check.
    judged: atomic<u32>,
    // Checks by discovery; from the 17th bit double checks.
    others: atomic<u32>,
    mates: atomic<u32>,
}
