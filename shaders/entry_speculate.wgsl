// Entry point: makes each listed move, if it is a normal one, and counts the replies, if they are
// easy to count. The index of any other is appended to the redo list.

struct Redo {
    count: atomic<u32>,
    // As many places as there are moves: each is appended once at most.
    moves: array<u32>,
}

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read> moves: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> redo: Redo;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = element_of(workgroup, lane);
    if index >= arrayLength(&moves) {
        return;
    }
    let listed = moves[index];
    // A place that was not written to is noticed later; until then it must not lead outside.
    let parent = min(listed.x, arrayLength(&positions) - 1u);
    let origin = bb_bit(listed.y & 63u);
    let landing = bb_bit((listed.y >> 6u) & 63u);
    let replies = replies_to_normal_move(positions[parent], origin, landing);
    if (listed.y >> 12u) == MOVE_NORMAL && replies != UNWRITTEN {
        counts[index] = stored(replies);
    } else {
        redo.moves[atomicAdd(&redo.count, 1u)] = index;
    }
}
