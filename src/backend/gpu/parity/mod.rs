//! Tests only: every WGSL function against its Rust twin.
//!
//! A row names a function, the WGSL expressions that call it, and the twin. The runner joins the same
//! parts as the product, adds an entry point for each row, runs it on an adapter over many inputs and
//! compares. A function without a row fails a test, and damaged functions must be found out.

mod inputs;
mod rows;

use super::buffers::{UNWRITTEN, table_bytes};
use super::device::Device;
use super::shaders::{Kernel, Part, SliderMethod, core_parts, join};
use super::{AdapterChoice, GpuOptions, Tuning, find_adapter};
use inputs::Input;
use rows::{Row, rows};

/// Sets that a row may put out for one input.
pub(super) const OUTPUTS: usize = 16;

/// Options for a device to test on, or `None`, said aloud, if there is no adapter.
pub(super) fn device_options() -> Option<GpuOptions> {
    if let Err(error) = find_adapter(&AdapterChoice::Any) {
        let required = std::env::var("HYPERFT_REQUIRE_GPU").is_ok_and(|value| value == "1");
        assert!(!required, "HYPERFT_REQUIRE_GPU=1, but {error}");
        eprintln!("not run: {error}");
        return None;
    }
    Some(GpuOptions {
        adapter: AdapterChoice::Any,
        tuning: Tuning::default().into(),
        leaf_moves: Some(0),
        ..GpuOptions::default()
    })
}

/// The parts with an entry point `row_N` for each row.
fn source(parts: &[Part], rows: &[&Row]) -> String {
    let mut source = join(parts);
    source.push_str(
        "@group(0) @binding(1) var<storage, read> inputs: array<PackedPosition>;\n\
         @group(0) @binding(2) var<storage, read> words: array<u32>;\n\
         @group(0) @binding(3) var<storage, read_write> outputs: array<Bitboard>;\n",
    );
    for (index, row) in rows.iter().enumerate() {
        source.push_str(&format!(
            "@compute @workgroup_size(WORKGROUP)\n\
             fn row_{index}(@builtin(global_invocation_id) id: vec3<u32>) {{\n\
             let index = id.x;\n\
             if index >= arrayLength(&inputs) {{ return; }}\n\
             let position = inputs[index];\n\
             let word = words[index];\n\
             let a = position.low;\n\
             let b = position.mid;\n\
             let named = tables.rook[0].shift; // Even where not needed: all rows have one layout.\n\
             {}\n",
            row.prelude
        ));
        for (output, call) in row.calls.iter().enumerate() {
            source.push_str(&format!(
                "outputs[index * {OUTPUTS}u + {output}u] = {call};\n"
            ));
        }
        source.push_str("}\n");
    }
    source
}

fn buffer(device: &Device, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let buffer = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes.len() as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    device.queue.write_buffer(&buffer, 0, bytes);
    buffer
}

/// What one entry point makes of the inputs.
fn outputs(
    device: &Device,
    module: &wgpu::ShaderModule,
    entry: &str,
    inputs: &[Input],
) -> Vec<[u64; OUTPUTS]> {
    let storage = wgpu::BufferUsages::STORAGE;
    let positions: Vec<_> = inputs.iter().map(|input| input.position).collect();
    let words: Vec<u32> = inputs.iter().map(|input| input.word).collect();
    // "Not written" must never look like zero.
    let untouched = vec![UNWRITTEN; inputs.len() * OUTPUTS * 2];
    let bound = [
        buffer(device, &table_bytes(), storage),
        buffer(device, bytemuck::cast_slice(&positions), storage),
        buffer(device, bytemuck::cast_slice(&words), storage),
        buffer(
            device,
            bytemuck::cast_slice(&untouched),
            storage | wgpu::BufferUsages::COPY_SRC,
        ),
    ];
    let readback = buffer(
        device,
        bytemuck::cast_slice(&untouched),
        wgpu::BufferUsages::MAP_READ,
    );
    let pipeline = device
        .device
        .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: None,
        });
    let entries: Vec<_> = (0..4)
        .map(|binding| wgpu::BindGroupEntry {
            binding: binding as u32,
            resource: bound[binding].as_entire_binding(),
        })
        .collect();
    let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = device.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((inputs.len() as u32).div_ceil(64), 1, 1);
    }
    encoder.copy_buffer_to_buffer(&bound[3], 0, &readback, 0, readback.size());
    let submission = device.queue.submit([encoder.finish()]);
    readback.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("it maps"));
    device.wait(submission).expect("the device works");
    let view = readback.get_mapped_range(..).expect("it is mapped");
    let words: Vec<u64> = view
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect();
    words
        .chunks_exact(OUTPUTS)
        .map(|sets| sets.try_into().expect("all sets of an input"))
        .collect()
}

/// Runs rows on parts, which may be damaged; the error tells the first difference.
fn check(
    device: &Device,
    parts: &[Part],
    slider: SliderMethod,
    rows: &[&Row],
) -> Result<usize, String> {
    let module = device.module("parity", source(parts, rows));
    let mut compared = 0;
    for (index, row) in rows.iter().enumerate() {
        let inputs = row.inputs.all();
        let entry = format!("row_{index}");
        let found = outputs(device, &module, &entry, inputs);
        for (input, found) in inputs.iter().zip(found) {
            let expected = (row.twin)(input);
            assert_eq!(expected.len(), row.calls.len(), "{}", row.name);
            for (output, &expected) in expected.iter().enumerate() {
                if found[output] != expected {
                    return Err(format!(
                        "{} ({slider}): `{}` of {input} is {:#018x}, its twin says {expected:#018x}",
                        row.name, row.calls[output], found[output]
                    ));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}

fn rows_for(rows: &[Row], slider: SliderMethod) -> Vec<&Row> {
    rows.iter()
        .filter(|row| row.sliders.contains(&slider))
        .collect()
}

#[test]
fn every_function_agrees_with_its_twin() {
    let Some(options) = device_options() else {
        return;
    };
    let device = Device::open(&options).expect("it opens");
    let rows = rows();
    for slider in SliderMethod::ALL {
        let rows = rows_for(&rows, slider);
        let compared = check(&device, &core_parts(slider), slider, &rows)
            .unwrap_or_else(|wrong| panic!("{wrong}"));
        eprintln!(
            "{slider}: {} functions, {compared} values compared",
            rows.len()
        );
    }
}

/// Every function of the core parts, by slider method.
fn functions(slider: SliderMethod) -> Vec<String> {
    let module = naga::front::wgsl::parse_str(&join(&core_parts(slider))).expect("it parses");
    let names = module.functions.iter().map(|(_, one)| one.name.clone());
    names
        .map(|name| name.expect("functions have names"))
        .collect()
}

fn uncovered(rows: &[Row]) -> Vec<String> {
    SliderMethod::ALL
        .into_iter()
        .flat_map(|slider| {
            let covered: Vec<&str> = rows_for(rows, SliderMethod::Setwise)
                .into_iter()
                .chain(rows_for(rows, slider))
                .map(|row| row.name)
                .collect();
            let missing = move |name: &String| !covered.contains(&name.as_str());
            functions(slider).into_iter().filter(missing)
        })
        .collect()
}

/// The functions of the entry points are the exception: they write to buffers, and `tests/gpu.rs` and
/// `tests/gpu_facts.rs` compare what whole kernels find.
#[test]
fn every_function_has_a_row() {
    let mut rows = rows();
    assert_eq!(uncovered(&rows), Vec::<String>::new());
    // Negative control.
    rows.retain(|row| row.name != "knight_fill");
    assert!(uncovered(&rows).contains(&"knight_fill".to_owned()));
    assert_eq!(
        Kernel::ALL.len(),
        12,
        "a new kernel needs a test of its own"
    );
}

/// Negative control: one changed constant in one function is found, and the report names it.
#[test]
fn damaged_functions_are_found_out() {
    let Some(options) = device_options() else {
        return;
    };
    let device = Device::open(&options).expect("it opens");
    let rows = rows();
    let damages = [
        (
            "fill_north_west",
            "way_up(empty & NOT_FILES_A_AND_H, 7u)",
            "way_up(empty, 7u)",
        ),
        ("check_mask", "count == 1u", "count >= 1u"),
        (
            "after_move",
            "kind == MOVE_EN_PASSANT",
            "kind == MOVE_CASTLE",
        ),
        (
            "castling_rooks_of",
            "~masks.pin_rank.x",
            "~masks.pin_file.x",
        ),
        ("check_squares_of", "between & pieces.ours,", "between,"),
        ("moved_to", "landing > origin", "landing < origin"),
        ("verdict_of", "bb_flip_ranks(moved_to", "(moved_to"),
        (
            "masks_of",
            "shared_file & pieces.ours",
            "shared_file & pieces.theirs",
        ),
    ];
    for (name, from, to) in damages {
        let row: Vec<&Row> = rows.iter().filter(|row| row.name == name).collect();
        let mut parts = core_parts(SliderMethod::Setwise);
        check(&device, &parts, SliderMethod::Setwise, &row).expect("undamaged it is right");
        let part = parts
            .iter_mut()
            .find(|part| part.text.contains(from))
            .unwrap_or_else(|| panic!("{name}: nothing to damage"));
        part.text = part.text.replace(from, to).leak();
        let wrong = check(&device, &parts, SliderMethod::Setwise, &row)
            .expect_err("the damage must be found");
        assert!(wrong.starts_with(name), "{wrong}");
    }
}
