// Sizes of the scan that turns counts into places.
//
// No Rust twin: `backend/gpu/chunk.rs` does the same arithmetic for buffers.

// Counts that one invocation adds up; set when the pipeline is made.
override TILE: u32 = 32u;
