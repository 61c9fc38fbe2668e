// Which element an invocation works on. Beyond 65,535 workgroups a dispatch is folded into y.
//
// No Rust twin: the other half of this convention is `backend/gpu/chunk.rs`.

// Invocations in a workgroup; set when the pipeline is made.
override WORKGROUP: u32 = 64u;

fn element_of(workgroup: vec3<u32>, workgroups: vec3<u32>, lane: u32) -> u32 {
    return (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP + lane;
}
