// Entry point: makes each move that may give check, one lane a move, and adds what it comes to up in
// its position's facts.

struct Candidates {
    count: u32,
    padding: u32,
    moves: array<vec2<u32>>,
}

@group(0) @binding(1) var<storage, read> positions: array<PackedPosition>;
@group(0) @binding(2) var<storage, read> candidates: Candidates;
@group(0) @binding(3) var<storage, read_write> found: array<Found>;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let place = element_of(workgroup, lane);
    if place >= min(candidates.count, arrayLength(&candidates.moves)) {
        return;
    }
    let listed = candidates.moves[place];
    // A place that was not written to is noticed later; until then it must not lead outside.
    let parent = min(listed.x, min(arrayLength(&positions), arrayLength(&found)) - 1u);
    let verdict = verdict_of(positions[parent], listed.y);
    atomicAdd(&found[parent].judged, 1u | ((verdict & GIVES_CHECK) << 16u));
    let discovery = u32((verdict & BY_DISCOVERY) != 0u);
    let two = u32((verdict & BY_TWO) != 0u);
    if (discovery | two) != 0u {
        atomicAdd(&found[parent].others, discovery | (two << 16u));
    }
    if (verdict & MATES) != 0u {
        atomicAdd(&found[parent].mates, 1u);
    }
}
