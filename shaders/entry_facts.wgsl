// Entry point: what can be played in each position, one lane a position, in one pass over its pieces.
// Moves that may give check are appended to a list, to be made by `entry_judge.wgsl`: all that do are
// among them. A listed move is the pair of `entry_list.wgsl`.
//
// Rust twin: `tally` in `movegen/facts.rs`.

struct Candidates {
    count: atomic<u32>,
    padding: u32,
    // If there are too few places the count says so, and nothing found is used.
    moves: array<vec2<u32>>,
}

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read_write> candidates: Candidates;
@group(0) @binding(3) var<storage, read_write> found: array<Found>;

// Appends a move for each landing square: `base` plus `step` times that square. Returns their number.
fn append(parent: u32, landings: Bitboard, base: u32, step: u32) -> u32 {
    let count = bb_count(landings);
    if count == 0u {
        return 0u;
    }
    var place = atomicAdd(&candidates.count, count);
    var left = landings;
    while bb_any(left) {
        if place < arrayLength(&candidates.moves) {
            candidates.moves[place] = vec2(parent, base + step * bb_first(left));
        }
        left = bb_without_first(left);
        place += 1u;
    }
    return count;
}

// The same for pawns that come from `offset` squares below, if they land on one of `checks`: where a pawn
// gives check, or comes from a square where it shields their king, though it may still do so afterwards.
// Promotions and captures en passant are always appended.
fn append_pawns(
    parent: u32,
    landings: Bitboard,
    checks: Bitboard,
    ep: Bitboard,
    offset: u32,
    kind: u32,
) -> u32 {
    let base = (kind << 12u) - offset;
    var count = append(parent, landings & checks & ~(RANK_8 | ep), base, 65u);
    count += append(parent, landings & ep, (MOVE_EN_PASSANT << 12u) - offset, 65u);
    if bb_any(landings & RANK_8) {
        for (var promoted = 0u; promoted < 4u; promoted += 1u) {
            let promotion = ((MOVE_PROMOTION + promoted) << 12u) - offset;
            count += append(parent, landings & RANK_8, promotion, 65u);
        }
    }
    return count;
}

fn append_all_pawns(parent: u32, pawns: PawnMoves, ep: Bitboard, squares: CheckSquares) -> u32 {
    let pawn = squares.pawn;
    let freed = squares.shields;
    var count = append_pawns(parent, pawns.west, pawn | bb_north_west(freed), ep, 7u, MOVE_NORMAL);
    count += append_pawns(parent, pawns.east, pawn | bb_north_east(freed), ep, 9u, MOVE_NORMAL);
    count += append_pawns(parent, pawns.push, pawn | bb_north(freed), BB_EMPTY, 8u, MOVE_NORMAL);
    let doubled = pawn | bb_shift_up(freed, 16u);
    return count
        + append_pawns(parent, pawns.double_push, doubled, BB_EMPTY, 16u, MOVE_DOUBLE_PUSH);
}

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = element_of(workgroup, lane);
    if index >= arrayLength(&found) {
        return;
    }
    let pieces = unpack(positions[index]);
    let masks = masks_of(pieces);
    let squares = check_squares_of(pieces);

    let pawns = pawn_moves(pieces, masks);
    let taking = PawnMoves(pawns.west, pawns.east, BB_EMPTY, BB_EMPTY);
    let promotions = countOneBits(pawns.west.y & RANK_8.y)
        + countOneBits(pawns.east.y & RANK_8.y)
        + countOneBits(pawns.push.y & RANK_8.y);
    let ep_captures = bb_count(pawns.west & pieces.ep) + bb_count(pawns.east & pieces.ep);
    var moves = count_pawn_moves(0u, pawns);
    var captures = count_pawn_moves(0u, taking);
    var listed = append_all_pawns(index, pawns, pieces.ep, squares);

    let king = bb_first(pieces.our_king);
    let steps = surroundings_of(pieces.our_king).king_steps & ~pieces.ours & ~masks.danger;
    let rooks = castling_rooks_of(pieces, masks);
    let castles = countOneBits(rooks);
    moves = bb_count_onto(moves, steps) + castles;
    captures = bb_count_onto(captures, steps & pieces.theirs);
    listed += append(index, carried(squares.shields, pieces.our_king, steps), king, 64u);
    listed += append(index, Bitboard(rooks, 0u), king | (MOVE_CASTLE << 12u), 64u);

    let targets = ~pieces.ours & masks.check_mask;
    var left = pieces.our_knights | pieces.our_diagonal | pieces.our_orthogonal;
    while bb_any(left) {
        let origin = bb_first_bit(left);
        left ^= origin;
        let reached = attacks_of(pieces, origin) & targets & kept_squares(masks, origin);
        moves = bb_count_onto(moves, reached);
        captures = bb_count_onto(captures, reached & pieces.theirs);
        let checks = reached & checks_from(pieces, squares, origin);
        listed += append(index, checks, bb_first(origin), 64u);
    }

    found[index].checkers = checkers_of(pieces);
    found[index].pinned = pinned_of(masks);
    found[index].moves = moves | (captures << 16u);
    found[index].special = (4u * promotions) | (ep_captures << 16u) | (castles << 24u);
    found[index].candidates = stored(listed);
}
