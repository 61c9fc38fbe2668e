// Sets of squares as two 32-bit words: the low word holds ranks 1 to 4.
//
// Rust twin: `board/bitboard.rs` (and plain `u64` arithmetic). WGSL has no 64-bit integers, and
// where they are an extension they are slower than pairs or wrong, so everything is built on pairs.

alias Bitboard = vec2<u32>;

const BB_EMPTY: Bitboard = Bitboard(0u, 0u);
const BB_ALL: Bitboard = Bitboard(0xffffffffu, 0xffffffffu);

// `squares << steps`, for 1 to 63 steps. With a constant number of steps one form remains.
fn bb_shift_up(squares: Bitboard, steps: u32) -> Bitboard {
    let low = squares.x << (steps & 31u);
    let near = Bitboard(low, (squares.y << (steps & 31u)) | (squares.x >> ((32u - steps) & 31u)));
    return select(near, Bitboard(0u, low), steps >= 32u);
}

// `squares >> steps`, for 1 to 63 steps.
fn bb_shift_down(squares: Bitboard, steps: u32) -> Bitboard {
    let high = squares.y >> (steps & 31u);
    let near = Bitboard((squares.x >> (steps & 31u)) | (squares.y << ((32u - steps) & 31u)), high);
    return select(near, Bitboard(high, 0u), steps >= 32u);
}

fn bb_any(squares: Bitboard) -> bool {
    return (squares.x | squares.y) != 0u;
}

fn bb_count(squares: Bitboard) -> u32 {
    return countOneBits(squares.x) + countOneBits(squares.y);
}

// A sum and the number of squares: adding a count to a sum is free where counting is.
fn bb_count_onto(sum: u32, squares: Bitboard) -> u32 {
    return countOneBits(squares.y) + (countOneBits(squares.x) + sum);
}

// `a - b` of the sets as 64-bit numbers.
fn bb_minus(a: Bitboard, b: Bitboard) -> Bitboard {
    return Bitboard(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

// Turned by half a turn: a1 becomes h8.
fn bb_reverse(squares: Bitboard) -> Bitboard {
    return reverseBits(squares.yx);
}

// The set of one square.
fn bb_bit(square: u32) -> Bitboard {
    let bit = 1u << (square & 31u);
    return select(Bitboard(bit, 0u), Bitboard(0u, bit), square >= 32u);
}

// The square with the lowest index. Not for the empty set.
fn bb_first(squares: Bitboard) -> u32 {
    return select(
        countTrailingZeros(squares.y) + 32u,
        countTrailingZeros(squares.x),
        squares.x != 0u,
    );
}

// The set that holds only the lowest square, empty for the empty set.
fn bb_first_bit(squares: Bitboard) -> Bitboard {
    let low = squares.x & (0u - squares.x);
    let high = squares.y & (0u - squares.y);
    return Bitboard(low, select(0u, high, squares.x == 0u));
}

// The set without its lowest square.
fn bb_without_first(squares: Bitboard) -> Bitboard {
    let high = squares.y & (squares.y - 1u);
    return Bitboard(
        squares.x & (squares.x - 1u),
        select(squares.y, high, squares.x == 0u),
    );
}

// Mirrored between White's and Black's side: rank 1 becomes rank 8.
fn bb_flip_ranks(squares: Bitboard) -> Bitboard {
    let turned = squares.yx;
    let up = (turned << vec2(8u)) | (turned >> vec2(24u));
    let down = (turned >> vec2(8u)) | (turned << vec2(24u));
    return (up & vec2(0x00ff00ffu)) | (down & vec2(0xff00ff00u));
}
