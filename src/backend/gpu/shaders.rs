//! The shader table: which parts make up which kernel. A source is its parts joined in order; there
//! is no preprocessor. Choosing a slider method is choosing parts.

/// How slider moves are found in shaders. Both are complete; the slower one checks the other.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SliderMethod {
    /// All sliders at once, by direction: no loop, no table but that of a king's lines.
    Setwise,
    /// One slider at a time, by magic multiplication into a table in device memory.
    Magic,
}

impl SliderMethod {
    /// All methods.
    pub const ALL: [SliderMethod; 2] = [SliderMethod::Setwise, SliderMethod::Magic];

    /// The name used in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            SliderMethod::Setwise => "setwise",
            SliderMethod::Magic => "magic",
        }
    }
}

impl std::fmt::Display for SliderMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// How the last two plies are counted: each move that is listed is made and its replies are counted
/// by an invocation of its own.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum LastPlies {
    /// By one kernel that knows all kinds of moves and all replies.
    Complete,
    /// By a shorter kernel that knows normal moves, and replies where nobody is in check. It lists
    /// all others for the complete one, which runs afterwards.
    Speculative,
}

impl LastPlies {
    /// All forms.
    pub const ALL: [LastPlies; 2] = [LastPlies::Complete, LastPlies::Speculative];

    /// The name used in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            LastPlies::Complete => "complete",
            LastPlies::Speculative => "speculative",
        }
    }
}

impl std::fmt::Display for LastPlies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One kernel in one form, as the backend compiles it.
#[derive(Clone, Debug)]
pub struct ShaderSource {
    /// The kernel's name.
    pub kernel: &'static str,
    /// How it finds slider moves.
    pub slider: SliderMethod,
    /// WGSL with the entry point `main`.
    pub text: String,
    /// The values of its pipeline constants, by name.
    pub constants: Vec<(&'static str, f64)>,
}

/// All kernels in all forms, for whoever wants to know what a compiler makes of them.
pub fn shader_sources(workgroup: u32) -> Vec<ShaderSource> {
    let forms = Kernel::ALL.into_iter().flat_map(|kernel| {
        let sliders = SliderMethod::ALL.into_iter();
        sliders.map(move |slider| (kernel, slider))
    });
    forms
        .map(|(kernel, slider)| ShaderSource {
            kernel: kernel.entry().name.trim_start_matches("entry_"),
            slider,
            text: kernel.source(slider),
            constants: kernel.constants(workgroup),
        })
        .collect()
}

/// One file of `shaders/`.
#[derive(Copy, Clone, Debug)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

macro_rules! part {
    ($constant:ident, $name:literal) => {
        const $constant: Part = Part {
            name: $name,
            text: include_str!(concat!("../../../shaders/", $name, ".wgsl")),
        };
    };
}

part!(WORD, "word_u32x2");
part!(BITBOARD, "bitboard");
part!(FILLS, "fills");
part!(TABLES, "tables");
part!(LINES, "lines");
part!(LINES_SETWISE, "lines_setwise");
part!(POSITION, "position");
part!(MASKS, "masks");
part!(MASKS_SETWISE, "masks_setwise");
part!(MASKS_MAGIC, "masks_magic");
part!(LEGAL, "legal");
part!(COUNT, "count");
part!(COUNT_SETWISE, "count_setwise");
part!(COUNT_MAGIC, "count_magic");
part!(REPLIES_SETWISE, "replies_setwise");
part!(REPLIES_MAGIC, "replies_magic");
part!(MAKE_MOVE, "make_move");
part!(FACTS, "facts");
part!(FOUND, "found");
part!(SLIDERS, "sliders");
part!(DISPATCH, "dispatch");
part!(STORED, "stored");
part!(SCAN, "scan");
part!(ENTRY_COUNT, "entry_count");
part!(ENTRY_LIST, "entry_list");
part!(ENTRY_EXPAND, "entry_expand");
part!(ENTRY_LEAF, "entry_leaf");
part!(ENTRY_SPECULATE, "entry_speculate");
part!(ENTRY_REDO_SIZE, "entry_redo_size");
part!(ENTRY_REDO, "entry_redo");
part!(ENTRY_SUM, "entry_sum");
part!(ENTRY_SCAN_TILES, "entry_scan_tiles");
part!(ENTRY_SCAN_OFFSETS, "entry_scan_offsets");
part!(ENTRY_FACTS, "entry_facts");
part!(ENTRY_JUDGE, "entry_judge");

/// Everything known about chess, for one slider method; no entry point and, but for the tables, no
/// binding.
pub(super) fn core_parts(slider: SliderMethod) -> Vec<Part> {
    let mut parts = vec![WORD, BITBOARD, FILLS, TABLES, LINES, POSITION, MASKS];
    match slider {
        SliderMethod::Setwise => {
            parts.extend([LINES_SETWISE, MASKS_SETWISE, COUNT_SETWISE, REPLIES_SETWISE]);
        }
        SliderMethod::Magic => parts.extend([SLIDERS, MASKS_MAGIC, COUNT_MAGIC, REPLIES_MAGIC]),
    }
    parts.extend([LEGAL, COUNT, MAKE_MOVE, FACTS, FOUND]);
    parts.extend([DISPATCH, STORED, SCAN]);
    parts
}

/// The compute kernels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kernel {
    /// Counts the legal moves of each position.
    Count,
    /// Lists the legal moves of each position.
    List,
    /// Makes each listed move and stores the position.
    Expand,
    /// Makes each listed move and counts the replies.
    Leaf,
    /// The same for moves that are easily made and whose replies are easily counted; lists the others
    /// to be redone.
    Speculate,
    /// Turns the length of a list into the size of a dispatch.
    RedoSize,
    /// Makes each move of the redo list and counts the replies.
    Redo,
    /// Adds up counts below each position.
    Sum,
    /// Adds up tiles of counts.
    ScanTiles,
    /// Turns counts into places.
    ScanOffsets,
    /// Finds what can be played in each position, and lists the moves that may give check.
    Facts,
    /// Makes each of those and finds what it comes to.
    Judge,
}

impl Kernel {
    pub(super) const ALL: [Kernel; 12] = [
        Kernel::Count,
        Kernel::List,
        Kernel::Expand,
        Kernel::Leaf,
        Kernel::Speculate,
        Kernel::RedoSize,
        Kernel::Redo,
        Kernel::Sum,
        Kernel::ScanTiles,
        Kernel::ScanOffsets,
        Kernel::Facts,
        Kernel::Judge,
    ];

    /// Those that count leaves.
    pub(super) const COUNTING: [Kernel; 10] = [
        Kernel::Count,
        Kernel::List,
        Kernel::Expand,
        Kernel::Leaf,
        Kernel::Speculate,
        Kernel::RedoSize,
        Kernel::Redo,
        Kernel::Sum,
        Kernel::ScanTiles,
        Kernel::ScanOffsets,
    ];

    /// Those that find facts.
    pub(super) const FINDING: [Kernel; 3] = [Kernel::Facts, Kernel::RedoSize, Kernel::Judge];

    /// The file with the entry point `main`.
    pub(super) fn entry(self) -> Part {
        match self {
            Kernel::Count => ENTRY_COUNT,
            Kernel::List => ENTRY_LIST,
            Kernel::Expand => ENTRY_EXPAND,
            Kernel::Leaf => ENTRY_LEAF,
            Kernel::Speculate => ENTRY_SPECULATE,
            Kernel::RedoSize => ENTRY_REDO_SIZE,
            Kernel::Redo => ENTRY_REDO,
            Kernel::Sum => ENTRY_SUM,
            Kernel::ScanTiles => ENTRY_SCAN_TILES,
            Kernel::ScanOffsets => ENTRY_SCAN_OFFSETS,
            Kernel::Facts => ENTRY_FACTS,
            Kernel::Judge => ENTRY_JUDGE,
        }
    }

    /// The whole source.
    pub(super) fn source(self, slider: SliderMethod) -> String {
        let mut parts = core_parts(slider);
        parts.push(self.entry());
        join(&parts)
    }

    /// True if the kernel looks up tables at binding 0, and so must be given them.
    pub(super) fn reads_tables(self) -> bool {
        match self {
            Kernel::Count | Kernel::List | Kernel::Expand => true,
            Kernel::Leaf | Kernel::Speculate | Kernel::Redo => true,
            Kernel::Facts | Kernel::Judge => true,
            Kernel::RedoSize | Kernel::Sum | Kernel::ScanTiles | Kernel::ScanOffsets => false,
        }
    }

    /// The pipeline constants, by name, that the kernel uses.
    pub(super) fn constants(self, workgroup: u32) -> Vec<(&'static str, f64)> {
        vec![
            ("WORKGROUP", f64::from(workgroup)),
            ("TILE", f64::from(super::chunk::SCAN_TILE)),
        ]
    }
}

/// The parts one after the other.
pub(super) fn join(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| part.text)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::back::{hlsl, msl, pipeline_constants::process_overrides, spv};
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    fn parse(source: &str) -> (naga::Module, naga::valid::ModuleInfo) {
        let module = naga::front::wgsl::parse_str(source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        (module, info)
    }

    /// What each shading language of a platform makes of a source: SPIR-V, MSL, HLSL.
    fn translate(source: &str, constants: &[(&'static str, f64)]) -> [usize; 3] {
        let (module, info) = parse(source);
        let constants = constants
            .iter()
            .map(|&(name, value)| (name.to_owned(), value))
            .collect();
        let (module, info) =
            process_overrides(&module, &info, None, &constants).expect("constants fit");
        let words = spv::write_vec(&module, &info, &spv::Options::default(), None)
            .expect("SPIR-V can be written");
        let (metal, _) = msl::write_string(
            &module,
            &info,
            &msl::Options {
                // What wgpu asks for at least; `reverse_bits` came with 2.1.
                lang_version: (2, 2),
                fake_missing_bindings: true,
                ..Default::default()
            },
            &msl::PipelineOptions::default(),
        )
        .expect("MSL can be written");
        let mut text = String::new();
        let options = hlsl::Options::default();
        hlsl::Writer::new(&mut text, &options, &hlsl::PipelineOptions::default())
            .write(&module, &info, None)
            .expect("HLSL can be written");
        [words.len(), metal.len(), text.len()]
    }

    #[test]
    fn every_kernel_translates_for_every_platform() {
        for slider in SliderMethod::ALL {
            for kernel in Kernel::ALL {
                let sizes = translate(&kernel.source(slider), &kernel.constants(64));
                assert!(sizes.iter().all(|&size| size > 100), "{kernel:?} {slider}");
            }
        }
    }

    /// Negative control: a part that is missing is noticed.
    #[test]
    #[should_panic(expected = "no definition in scope")]
    fn a_kernel_with_a_missing_part_does_not_parse() {
        let parts: Vec<Part> = core_parts(SliderMethod::Setwise)
            .into_iter()
            .filter(|part| part.name != "fills")
            .collect();
        parse(&join(&parts));
    }

    /// Where the members of a struct of the shaders lie, and its size.
    fn layout(name: &str) -> (Vec<usize>, usize) {
        let (module, _) = parse(&Kernel::Facts.source(SliderMethod::Setwise));
        let (_, found) = module
            .types
            .iter()
            .find(|(_, one)| one.name.as_deref() == Some(name))
            .expect("the struct is there");
        let naga::TypeInner::Struct { members, span } = &found.inner else {
            panic!("a struct");
        };
        let offsets = members.iter().map(|member| member.offset as usize);
        (offsets.collect(), *span as usize)
    }

    /// The structs of the shaders have the layouts of the Rust structs.
    #[test]
    fn structs_have_one_layout() {
        use crate::backend::gpu::facts::StoredFacts;
        use crate::position::PackedPosition;
        use std::mem::offset_of;
        let code = offset_of!(PackedPosition, code);
        let ours = offset_of!(PackedPosition, ours);
        let position = vec![code, code + 8, code + 16, ours];
        assert_eq!(
            layout("PackedPosition"),
            (position, size_of::<PackedPosition>())
        );
        let found = vec![
            offset_of!(StoredFacts, checkers),
            offset_of!(StoredFacts, pinned),
            offset_of!(StoredFacts, moves),
            offset_of!(StoredFacts, special),
            offset_of!(StoredFacts, candidates),
            offset_of!(StoredFacts, judged),
            offset_of!(StoredFacts, others),
            offset_of!(StoredFacts, mates),
        ];
        assert_eq!(layout("Found"), (found, size_of::<StoredFacts>()));
    }

    /// Each file of `shaders/` is a part of some kernel.
    #[test]
    fn no_shader_file_is_forgotten() {
        let mut used: Vec<&str> = Kernel::ALL.iter().map(|k| k.entry().name).collect();
        for slider in SliderMethod::ALL {
            used.extend(core_parts(slider).iter().map(|part| part.name));
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
        for file in std::fs::read_dir(folder).expect("the folder is there") {
            let path = file.expect("it can be listed").path();
            let name = path.file_stem().and_then(|name| name.to_str());
            assert!(name.is_some_and(|name| used.contains(&name)), "{path:?}");
        }
    }
}
