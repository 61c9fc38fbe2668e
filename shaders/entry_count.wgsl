// Entry point: the number of legal moves of each position.

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = element_of(workgroup, lane);
    if index >= arrayLength(&counts) {
        return;
    }
    counts[index] = stored(count_legal(positions[index]));
}
