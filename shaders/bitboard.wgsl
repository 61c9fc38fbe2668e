// Steps of whole sets of squares; what would leave the board drops off.
//
// Rust twin: `board/bitboard.rs`. Written only with the functions of the word part.

const NOT_FILE_A: Bitboard = Bitboard(0xfefefefeu, 0xfefefefeu);
const NOT_FILE_H: Bitboard = Bitboard(0x7f7f7f7fu, 0x7f7f7f7fu);
const NOT_FILES_AB: Bitboard = Bitboard(0xfcfcfcfcu, 0xfcfcfcfcu);
const NOT_FILES_GH: Bitboard = Bitboard(0x3f3f3f3fu, 0x3f3f3f3fu);
const NOT_FILES_A_AND_H: Bitboard = Bitboard(0x7e7e7e7eu, 0x7e7e7e7eu);
const RANK_1: Bitboard = Bitboard(0xffu, 0u);
const RANK_3: Bitboard = Bitboard(0xff0000u, 0u);
const RANK_8: Bitboard = Bitboard(0u, 0xff000000u);

// Directions in the order `bb_step` knows them: those at even numbers are a rook's.
const NORTH: u32 = 0u;
const NORTH_EAST: u32 = 1u;
const EAST: u32 = 2u;
const SOUTH_EAST: u32 = 3u;
const SOUTH: u32 = 4u;
const SOUTH_WEST: u32 = 5u;
const WEST: u32 = 6u;
const NORTH_WEST: u32 = 7u;

fn bb_north(squares: Bitboard) -> Bitboard {
    return bb_shift_up(squares, 8u);
}

fn bb_south(squares: Bitboard) -> Bitboard {
    return bb_shift_down(squares, 8u);
}

fn bb_east(squares: Bitboard) -> Bitboard {
    return bb_shift_up(squares, 1u) & NOT_FILE_A;
}

fn bb_west(squares: Bitboard) -> Bitboard {
    return bb_shift_down(squares, 1u) & NOT_FILE_H;
}

fn bb_north_east(squares: Bitboard) -> Bitboard {
    return bb_shift_up(squares, 9u) & NOT_FILE_A;
}

fn bb_north_west(squares: Bitboard) -> Bitboard {
    return bb_shift_up(squares, 7u) & NOT_FILE_H;
}

fn bb_south_east(squares: Bitboard) -> Bitboard {
    return bb_shift_down(squares, 7u) & NOT_FILE_A;
}

fn bb_south_west(squares: Bitboard) -> Bitboard {
    return bb_shift_down(squares, 9u) & NOT_FILE_H;
}

// One step in a numbered direction.
fn bb_step(squares: Bitboard, direction: u32) -> Bitboard {
    switch direction {
        case NORTH: { return bb_north(squares); }
        case NORTH_EAST: { return bb_north_east(squares); }
        case EAST: { return bb_east(squares); }
        case SOUTH_EAST: { return bb_south_east(squares); }
        case SOUTH: { return bb_south(squares); }
        case SOUTH_WEST: { return bb_south_west(squares); }
        case WEST: { return bb_west(squares); }
        default: { return bb_north_west(squares); }
    }
}

// What that step adds to a square's index, modulo 2^32.
fn step_offset(direction: u32) -> u32 {
    switch direction {
        case NORTH: { return 8u; }
        case NORTH_EAST: { return 9u; }
        case EAST: { return 1u; }
        case SOUTH_EAST: { return 0u - 7u; }
        case SOUTH: { return 0u - 8u; }
        case SOUTH_WEST: { return 0u - 9u; }
        case WEST: { return 0u - 1u; }
        default: { return 7u; }
    }
}
