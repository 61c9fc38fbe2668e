//! What do the compute shaders cost on real GPUs' instruction sets? Needs no GPU.
//!
//!     cargo bench --bench shader_cost             # every kernel, several AMD families
//!     cargo bench --bench shader_cost -- --check  # fails if a figure is worse than it has to be
//!     cargo bench --bench shader_cost -- --test   # fails if any kernel spills registers
//!
//! Mesa's RADV driver compiles for a named family on a null device (on Debian: `apt-get install
//! mesa-vulkan-drivers`); where it is not installed this says so and ends well. The figures are the
//! compiler's own: instructions, vector registers, and an estimate of inverse throughput. They are
//! deterministic, and good for comparing two versions of a kernel; a loop is weighted by a guessed
//! number of turns, and caches that miss are not modelled.

mod radv;
mod statistics;

use std::process::{Command, ExitCode};

use hyperft::backend::gpu::{ShaderSource, SliderMethod, shader_sources};
use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use radv::Radv;
use statistics::Statistics;

/// The families compiled for: RDNA 3, RDNA 1, RDNA 2, GCN 5, GCN 4.
const FAMILIES: [&str; 5] = ["gfx1100", "navi10", "navi21", "vega10", "polaris10"];
/// The families that count when it comes to failing.
const CHECKED: [&str; 2] = ["gfx1100", "navi10"];
const WORKGROUP: u32 = 64;

/// The most that kernels may cost on `CHECKED` families: kernel, sliders, instructions, vector registers,
/// inverse throughput. For those that count it was reached by a trial before they were written; those that
/// find facts cost a little less when they were.
const LIMITS: [(&str, SliderMethod, [u64; 3]); 5] = [
    ("count", SliderMethod::Setwise, [929, 120, 1_361]),
    ("count", SliderMethod::Magic, [734, 60, 3_061]),
    ("speculate", SliderMethod::Setwise, [858, 72, 1_202]),
    ("facts", SliderMethod::Setwise, [2_400, 120, 8_000]),
    ("judge", SliderMethod::Setwise, [1_450, 96, 1_950]),
];

fn main() -> ExitCode {
    let has = |name: &str| std::env::args().any(|argument| argument == name);
    if has("--child") {
        return report();
    }
    let Some(manifest) = radv::manifest() else {
        println!("not run: Mesa's RADV driver is not installed");
        return ExitCode::SUCCESS;
    };
    let families = match has("--test") || has("--check") {
        true => &CHECKED[..],
        false => &FAMILIES[..],
    };
    let mut columns = Vec::new();
    for &family in families {
        match compile_for(family, &manifest) {
            Ok(column) => columns.push(column),
            Err(error) => {
                println!("not compiled for {family}: {error}");
                if CHECKED.contains(&family) {
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    print_table(&columns);
    let mut failures = spills(&columns);
    if has("--check") {
        failures.extend(excesses(&columns));
    }
    for failure in &failures {
        println!("{failure}");
    }
    match failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// The figures of one family.
struct Column {
    family: String,
    driver: String,
    rows: Vec<(String, String, Statistics)>,
}

/// What the child process prints: the null device's family is read when the driver is loaded.
fn report() -> ExitCode {
    let radv = match Radv::open() {
        Ok(radv) => radv,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{}", radv.driver);
    assert_spills_show(&radv);
    for source in shader_sources(WORKGROUP) {
        let statistics = radv.compile(&spirv(&source)).expect("RADV compiles it");
        let statistics = Statistics::of(&statistics).unwrap_or_else(|missing| panic!("{missing}"));
        println!("{}\t{}\t{statistics}", source.kernel, source.slider);
    }
    ExitCode::SUCCESS
}

fn compile_for(family: &str, manifest: &std::path::Path) -> Result<Column, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .arg("--child")
        .env(radv::FAMILY, family)
        .env("VK_ICD_FILENAMES", manifest)
        .env("VK_DRIVER_FILES", manifest)
        .env("MESA_SHADER_CACHE_DISABLE", "1")
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    let driver = lines.next().unwrap_or_default().to_owned();
    let rows = lines.map(|line| {
        let mut cells = line.splitn(3, '\t').map(str::to_owned);
        let mut next = || cells.next().ok_or(format!("no figures in {line:?}"));
        Ok((next()?, next()?, next()?.parse()?))
    });
    Ok(Column {
        family: family.to_owned(),
        driver,
        rows: rows.collect::<Result<_, String>>()?,
    })
}

fn print_table(columns: &[Column]) {
    let Some(first) = columns.first() else {
        return;
    };
    println!("{}, workgroups of {WORKGROUP}", first.driver);
    println!("instructions / vector registers / inverse throughput\n");
    print!("| kernel | sliders |");
    columns
        .iter()
        .for_each(|column| print!(" {} |", column.family));
    println!("\n| --- | --- |{}", " --- |".repeat(columns.len()));
    for (index, (kernel, slider, _)) in first.rows.iter().enumerate() {
        print!("| {kernel} | {slider} |");
        for column in columns {
            print!(" {} |", column.rows[index].2.cell());
        }
        println!();
    }
    println!();
}

/// Kernels that spill registers to memory.
fn spills(columns: &[Column]) -> Vec<String> {
    let checked = columns.iter().filter(|it| CHECKED.contains(&&*it.family));
    let rows = checked.flat_map(|column| column.rows.iter().map(move |row| (column, row)));
    rows.filter(|(_, row)| row.2.spilled > 0)
        .map(|(column, (kernel, slider, figures))| {
            let (spilled, family) = (figures.spilled, &column.family);
            format!("{kernel}, {slider} sliders: {spilled} registers spilled on {family}")
        })
        .collect()
}

/// Kernels that cost more than `LIMITS`.
fn excesses(columns: &[Column]) -> Vec<String> {
    let mut found = Vec::new();
    for column in columns {
        for (kernel, slider, limits) in LIMITS {
            let row = column
                .rows
                .iter()
                .find(|(name, form, _)| name == kernel && *form == slider.name());
            let (_, _, figures) = row.expect("the limits name kernels");
            let figures = [
                figures.instructions,
                figures.vgprs,
                figures.inverse_throughput,
            ];
            if figures
                .iter()
                .zip(&limits)
                .any(|(figure, limit)| figure > limit)
            {
                let family = &column.family;
                found.push(format!(
                    "{kernel}, {slider} sliders: {figures:?} on {family}, at most {limits:?}"
                ));
            }
        }
    }
    found
}

/// Translates a source as wgpu does for Vulkan, without the checks that would be inserted.
fn spirv(source: &ShaderSource) -> Vec<u32> {
    let text = &source.text;
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    let flags = naga::valid::ValidationFlags::all();
    let info = naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    let constants = source.constants.iter();
    let constants = constants
        .map(|&(name, value)| (name.to_owned(), value))
        .collect();
    let (stage, entry) = (naga::ShaderStage::Compute, "main");
    let (module, info) = naga::back::pipeline_constants::process_overrides(
        &module,
        &info,
        Some((stage, entry)),
        &constants,
    )
    .expect("the constants fit");
    let unchecked = BoundsCheckPolicy::Unchecked;
    let options = spv::Options {
        lang_version: (1, 6),
        flags: spv::WriterFlags::empty(),
        bounds_check_policies: BoundsCheckPolicies {
            index: unchecked,
            buffer: unchecked,
            image_load: unchecked,
            binding_array: unchecked,
        },
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..spv::Options::default()
    };
    let pipeline = spv::PipelineOptions {
        shader_stage: stage,
        entry_point: entry.to_owned(),
    };
    spv::write_vec(&module, &info, &options, Some(&pipeline)).expect("SPIR-V can be written")
}

/// Negative controls: a kernel that keeps more values at hand than there are registers spills, and
/// figures that are missing are missed.
fn assert_spills_show(radv: &Radv) {
    const VALUES: usize = 300;
    let mut text = String::from(
        "@group(0) @binding(1) var<storage, read_write> words: array<u32>;\n\
         @compute @workgroup_size(64)\n\
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n\
         let first = id.x * 1024u;\n",
    );
    for value in 0..VALUES {
        text += &format!("var v{value} = words[first + {value}u];\n");
    }
    text += "for (var turn = 0u; turn < words[0]; turn += 1u) {\n";
    for value in 0..VALUES {
        text += &format!("v{value} = v{value} * v{} + turn;\n", (value + 7) % VALUES);
    }
    text += "}\n";
    for value in 0..VALUES {
        text += &format!("words[first + {value}u] = v{value};\n");
    }
    text += "}\n";
    let source = ShaderSource {
        kernel: "spilling",
        slider: SliderMethod::Setwise,
        text,
        constants: Vec::new(),
    };
    let named = radv.compile(&spirv(&source)).expect("RADV compiles it");
    let figures = Statistics::of(&named).unwrap_or_else(|missing| panic!("{missing}"));
    assert!(
        figures.spilled > 0,
        "{VALUES} values do not fit, but {figures} says so"
    );
    for index in 0..named.len() {
        let mut fewer = named.clone();
        let (name, _) = fewer.remove(index);
        let needed = statistics::NAMES.contains(&&*name);
        assert_eq!(Statistics::of(&fewer).is_err(), needed, "without {name}");
    }
}
