// Entry point: makes each move of the redo list and counts the replies, whatever they are.

struct Redo {
    count: u32,
    moves: array<u32>,
}

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read> moves: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read> redo: Redo;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let place = element_of(workgroup, lane);
    if place >= min(redo.count, arrayLength(&redo.moves)) {
        return;
    }
    // A place that was not written to is noticed later; until then it must not lead outside.
    let index = min(redo.moves[place], arrayLength(&moves) - 1u);
    let listed = moves[index];
    let parent = min(listed.x, arrayLength(&positions) - 1u);
    counts[index] = stored(count_legal(after_move(positions[parent], listed.y)));
}
