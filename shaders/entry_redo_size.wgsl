// Entry point, one invocation: how many workgroups a list needs that starts with its length. Elements
// of more than one word are fewer than the words, and then the length alone decides.

struct Redo {
    count: u32,
    moves: array<u32>,
}

@group(0) @binding(1) var<storage, read> redo: Redo;
@group(0) @binding(2) var<storage, read_write> workgroups: array<u32, 3>;

@compute @workgroup_size(1)
fn main() {
    let size = folded(min(redo.count, arrayLength(&redo.moves)));
    workgroups = array(size.x, size.y, size.z);
}
