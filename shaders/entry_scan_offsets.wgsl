// Entry point, way down the scan: where the moves of each element of a tile start, given where
// those of the tile start. There is one offset more than counts: the total.

@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> offsets: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = element_of(workgroup, lane);
    let first = tile * TILE;
    let length = arrayLength(&counts);
    if first >= length {
        return;
    }
    let end = min(first + TILE, length);
    var start = starts[tile];
    for (var place = first; place < end; place += 1u) {
        offsets[place] = start;
        start += count_of(counts[place]);
    }
    if end == length {
        offsets[length] = start;
    }
}
