// Entry point: the legal moves of each position, one lane a position, at the places the scan of the
// counts gave them. A move is the pair (index of its position, 16 bits as in `board/moves.rs`), but a
// double push that lands beside no enemy pawn is a normal move: nobody can capture it en passant.
//
// Rust twin of what is listed: `movegen/legal.rs`. Slider moves are found by stepping all sliders of
// a line at once, so this needs neither tables nor attack sets.

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> moves: array<vec2<u32>>;
// Positions whose moves came out as many as were counted.
@group(0) @binding(4) var<storage, read_write> agreed: atomic<u32>;

// Lists moves to each of `landings`; each comes from the square `offset` below. Returns the next
// free place. The bounds test never fails unless listing and counting disagree, which is noticed.
fn emit(parent: u32, at: u32, landings: Bitboard, offset: u32, kind: u32) -> u32 {
    var place = at;
    var left = landings;
    while bb_any(left) {
        let landing = bb_first(left);
        left = bb_without_first(left);
        let played = (landing - offset) | (landing << 6u) | (kind << 12u);
        if place < arrayLength(&moves) {
            moves[place] = vec2(parent, played);
        }
        place += 1u;
    }
    return place;
}

fn emit_pawn_way(parent: u32, at: u32, landings: Bitboard, ep: Bitboard, offset: u32) -> u32 {
    var place = emit(parent, at, landings & ~(RANK_8 | ep), offset, MOVE_NORMAL);
    place = emit(parent, place, landings & ep, offset, MOVE_EN_PASSANT);
    for (var promoted = 0u; promoted < 4u; promoted += 1u) {
        place = emit(parent, place, landings & RANK_8, offset, MOVE_PROMOTION + promoted);
    }
    return place;
}

fn emit_sliders(parent: u32, at: u32, pieces: Pieces, masks: Masks) -> u32 {
    let free = ~pinned_of(masks);
    var place = at;
    for (var direction = 0u; direction < 8u; direction += 1u) {
        var front = BB_EMPTY;
        switch direction & 3u {
            case NORTH: { front = pieces.our_orthogonal & (free | masks.pin_file); }
            case EAST: { front = pieces.our_orthogonal & (free | masks.pin_rank); }
            case NORTH_EAST: { front = pieces.our_diagonal & (free | masks.pin_diagonal); }
            default: { front = pieces.our_diagonal & (free | masks.pin_antidiagonal); }
        }
        let offset = step_offset(direction);
        for (var steps = 1u; steps < 8u && bb_any(front); steps += 1u) {
            front = bb_step(front, direction) & ~pieces.ours;
            place = emit(parent, place, front & masks.check_mask, steps * offset, MOVE_NORMAL);
            front &= ~pieces.occupied;
        }
    }
    return place;
}

fn emit_knights(parent: u32, at: u32, knights: Bitboard, targets: Bitboard) -> u32 {
    var place = emit(parent, at, bb_shift_up(knights & NOT_FILE_A, 15u) & targets, 15u, MOVE_NORMAL);
    place = emit(parent, place, bb_shift_up(knights & NOT_FILE_H, 17u) & targets, 17u, MOVE_NORMAL);
    place = emit(parent, place, bb_shift_up(knights & NOT_FILES_AB, 6u) & targets, 6u, MOVE_NORMAL);
    place = emit(parent, place, bb_shift_up(knights & NOT_FILES_GH, 10u) & targets, 10u, MOVE_NORMAL);
    let down_15 = bb_shift_down(knights & NOT_FILE_H, 15u) & targets;
    place = emit(parent, place, down_15, 0u - 15u, MOVE_NORMAL);
    let down_17 = bb_shift_down(knights & NOT_FILE_A, 17u) & targets;
    place = emit(parent, place, down_17, 0u - 17u, MOVE_NORMAL);
    let down_6 = bb_shift_down(knights & NOT_FILES_GH, 6u) & targets;
    place = emit(parent, place, down_6, 0u - 6u, MOVE_NORMAL);
    let down_10 = bb_shift_down(knights & NOT_FILES_AB, 10u) & targets;
    return emit(parent, place, down_10, 0u - 10u, MOVE_NORMAL);
}

fn emit_king(parent: u32, at: u32, pieces: Pieces, masks: Masks) -> u32 {
    let king = bb_first(pieces.our_king);
    let targets = surroundings_of(pieces.our_king).king_steps & ~pieces.ours & ~masks.danger;
    var place = at;
    var left = targets;
    while bb_any(left) {
        let landing = bb_first_bit(left);
        left ^= landing;
        place = emit(parent, place, landing, bb_first(landing) - king, MOVE_NORMAL);
    }
    left = Bitboard(castling_rooks_of(pieces, masks), 0u);
    while bb_any(left) {
        let rook = bb_first_bit(left);
        left ^= rook;
        place = emit(parent, place, rook, bb_first(rook) - king, MOVE_CASTLE);
    }
    return place;
}

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let parent = element_of(workgroup, lane);
    if parent >= arrayLength(&positions) {
        return;
    }
    let pieces = unpack(positions[parent]);
    let masks = masks_of(pieces);
    let pawns = pawn_moves(pieces, masks);
    let targets = ~pieces.ours & masks.check_mask;
    var place = emit_king(parent, offsets[parent], pieces, masks);
    place = emit_pawn_way(parent, place, pawns.west, pieces.ep, 7u);
    place = emit_pawn_way(parent, place, pawns.east, pieces.ep, 9u);
    place = emit_pawn_way(parent, place, pawns.push, BB_EMPTY, 8u);
    let beside = bb_east(pieces.their_pawns) | bb_west(pieces.their_pawns);
    place = emit(parent, place, pawns.double_push & ~beside, 16u, MOVE_NORMAL);
    place = emit(parent, place, pawns.double_push & beside, 16u, MOVE_DOUBLE_PUSH);
    place = emit_knights(parent, place, pieces.our_knights & ~pinned_of(masks), targets);
    place = emit_sliders(parent, place, pieces, masks);
    if place == offsets[parent + 1u] {
        atomicAdd(&agreed, 1u);
    }
}
