// Entry point, way up the scan: the sum of each tile of counts. Run again on the sums until one is
// left. Reduce-then-scan needs neither barriers nor a promise of forward progress between
// workgroups, which not every GPU gives.

@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> tiles: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = element_of(workgroup, lane);
    if tile >= arrayLength(&tiles) {
        return;
    }
    let end = min((tile + 1u) * TILE, arrayLength(&counts));
    var sum = 0u;
    var complete = true;
    for (var place = tile * TILE; place < end; place += 1u) {
        let count = count_of(counts[place]);
        complete = complete && count != UNWRITTEN;
        sum += count;
    }
    tiles[tile] = stored(select(UNWRITTEN, sum, complete));
}
