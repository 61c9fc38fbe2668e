// Entry point: makes each listed move and counts the replies, all in registers.

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read> moves: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

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
    counts[index] = stored(count_legal(after_move(positions[parent], listed.y)));
}
