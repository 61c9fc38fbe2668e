// Which element an invocation works on. More workgroups than one dimension of a dispatch may have
// are folded into y, in full rows.
//
// Rust twin: `fold` in `backend/gpu/chunk.rs`.

// Most workgroups in one dimension.
const WORKGROUPS_MAX: u32 = 65535u;

// Invocations in a workgroup; set when the pipeline is made.
override WORKGROUP: u32 = 64u;

fn element_of(workgroup: vec3<u32>, lane: u32) -> u32 {
    return (workgroup.y * WORKGROUPS_MAX + workgroup.x) * WORKGROUP + lane;
}

// The workgroups of a dispatch of at least `elements` invocations.
fn folded(elements: u32) -> vec3<u32> {
    let workgroups = elements / WORKGROUP + u32(elements % WORKGROUP != 0u);
    let rows = workgroups / WORKGROUPS_MAX + u32(workgroups % WORKGROUPS_MAX != 0u);
    return vec3(min(workgroups, WORKGROUPS_MAX), max(rows, 1u), 1u);
}
