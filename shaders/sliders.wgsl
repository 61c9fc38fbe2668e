// Slider attacks by magic multiplication, one square at a time.
//
// Rust twin: `Magic32` in `attacks/sliders.rs`. WGSL has no 64-bit multiply, so each half has a
// factor of its own.

fn magic_lookup(entry: SliderEntry, occupied: Bitboard) -> Bitboard {
    let product = (occupied & entry.mask) * entry.factor;
    return tables.attacks[entry.offset + ((product.x ^ product.y) >> (entry.shift & 31u))];
}

fn rook_attacks(square: u32, occupied: Bitboard) -> Bitboard {
    return magic_lookup(tables.rook[square], occupied);
}

fn bishop_attacks(square: u32, occupied: Bitboard) -> Bitboard {
    return magic_lookup(tables.bishop[square], occupied);
}

fn between(a: u32, b: u32) -> Bitboard {
    return tables.between[64u * a + b];
}
