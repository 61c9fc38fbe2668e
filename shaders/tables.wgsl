// The magic tables, in the one buffer that functions may read.
//
// Rust twin: `attacks/sliders.rs`, whose bytes are uploaded as they are.

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

struct Tables {
    rook: array<SliderEntry, 64>,
    bishop: array<SliderEntry, 64>,
    // Squares strictly between two squares, at 64 times the one plus the other.
    between: array<Bitboard, 4096>,
    // The whole line through two squares, edge to edge.
    line: array<Bitboard, 4096>,
    attacks: array<Bitboard>,
}

@group(0) @binding(0) var<storage, read> tables: Tables;
