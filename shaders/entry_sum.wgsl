// Entry point: adds up the counts below each position: those of its moves, which lie side by side.
// One that was never written, or a sum that passes 32 bits, makes it `UNWRITTEN`.

@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> below: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = element_of(workgroup, lane);
    if index >= arrayLength(&counts) {
        return;
    }
    var sum = 0u;
    var complete = true;
    let end = min(offsets[index + 1u], arrayLength(&below));
    for (var place = offsets[index]; place < end; place += 1u) {
        let count = count_of(below[place]);
        complete = complete && count < UNWRITTEN - sum;
        sum += count;
    }
    counts[index] = stored(select(UNWRITTEN, sum, complete));
}
