// Counts in buffers are stored complemented. A buffer that was cleared, or that nothing wrote,
// then reads as `UNWRITTEN` everywhere, never as a count of zero: zero is a plausible answer.
//
// Rust twin: `stored` in `backend/gpu/buffers.rs`.

const UNWRITTEN: u32 = 0xffffffffu;

fn stored(count: u32) -> u32 {
    return ~count;
}

fn count_of(word: u32) -> u32 {
    return ~word;
}
