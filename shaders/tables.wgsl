// All tables, in the one buffer that functions may read.
//
// Rust twins: `attacks/sliders.rs` and `attacks/tables.rs`, whose sets are uploaded as they are.

struct SliderEntry {
    // The squares whose occupancy matters.
    mask: Bitboard,
    // A 32-bit factor for each half.
    factor: vec2<u32>,
    // Where this square's attack sets start.
    offset: u32,
    // 64 minus the number of squares in `mask`; its low five bits are 32 minus that.
    shift: u32,
    padding: vec2<u32>,
}

// What lies around a square of an empty board, the square itself excluded.
struct Surroundings {
    file: Bitboard,
    rank: Bitboard,
    // Towards the north-east and the south-west.
    diagonal: Bitboard,
    antidiagonal: Bitboard,
    king_steps: Bitboard,
    knight_jumps: Bitboard,
}

struct Tables {
    rook: array<SliderEntry, 64>,
    bishop: array<SliderEntry, 64>,
    around: array<Surroundings, 64>,
    // Squares strictly between two squares, at 64 times the one plus the other.
    between: array<Bitboard, 4096>,
    attacks: array<Bitboard>,
}

@group(0) @binding(0) var<storage, read> tables: Tables;
