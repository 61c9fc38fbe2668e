//! Zobrist keys: 64-bit numbers that equal positions share. A match is likely, not certain, so
//! nothing that must be exact relies on them.

use super::Pieces;
use crate::board::{Bitboard, Color, Role};

struct Keys {
    /// By colour, White first, then kind of piece.
    piece: [[[u64; 64]; 6]; 2],
    castling_rook: [u64; 64],
    ep_file: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = Keys::new();

/// The key of a position, from scratch. The e.p. file counts only if `pieces.ep` is set, which in a
/// position means that an e.p. capture is legal.
pub(super) fn key(pieces: &Pieces, side_to_move: Color) -> u64 {
    let side = match side_to_move {
        Color::White => 0,
        Color::Black => KEYS.black_to_move,
    };
    side ^ part(pieces, Bitboard::ALL)
}

/// What a move changes in the key: xor it with the old key to get the new one.
///
/// Only squares on which something differs are looked at.
pub(super) fn change(before: &Pieces, after: &Pieces) -> u64 {
    let mut changed = (before.castling_rooks ^ after.castling_rooks) | before.ep | after.ep;
    for side in 0..2 {
        changed |= before.pawns[side] ^ after.pawns[side];
        changed |= before.knights[side] ^ after.knights[side];
        changed |= before.diagonal[side] ^ after.diagonal[side];
        changed |= before.orthogonal[side] ^ after.orthogonal[side];
        changed |= before.kings[side] ^ after.kings[side];
    }
    KEYS.black_to_move ^ part(before, changed) ^ part(after, changed)
}

/// The share of some squares in the key.
fn part(pieces: &Pieces, squares: Bitboard) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let keys = &KEYS.piece[color as usize][role as usize];
            for square in pieces.of_role(color, role) & squares {
                key ^= keys[square.index()];
            }
        }
    }
    key ^ rights(pieces, squares)
}

/// The share of castling rights and e.p. square.
fn rights(pieces: &Pieces, squares: Bitboard) -> u64 {
    let mut key = 0;
    for square in pieces.castling_rooks & squares {
        key ^= KEYS.castling_rook[square.index()];
    }
    for square in pieces.ep & squares {
        key ^= KEYS.ep_file[square.file().index()];
    }
    key
}

impl Keys {
    const fn new() -> Keys {
        let mut keys = Keys {
            piece: [[[0; 64]; 6]; 2],
            castling_rook: [0; 64],
            ep_file: [0; 8],
            black_to_move: 0,
        };
        let mut state = 0x6879_7065_7266_7421;
        let mut i = 0;
        while i < 2 * 6 * 64 {
            keys.piece[i / 384][i / 64 % 6][i % 64] = next(&mut state);
            i += 1;
        }
        i = 0;
        while i < 64 {
            keys.castling_rook[i] = next(&mut state);
            i += 1;
        }
        i = 0;
        while i < 8 {
            keys.ep_file[i] = next(&mut state);
            i += 1;
        }
        keys.black_to_move = next(&mut state);
        keys
    }
}

/// splitmix64 (Steele, Lea and Flood, 2014): enough randomness for a table of keys.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
