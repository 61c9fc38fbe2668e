//! The table: one row for each WGSL function.

mod chess;
mod facts;
mod lines;

use super::inputs::{Input, Inputs};
use crate::attacks::{self, RayWalk, Sliders, fills};
use crate::backend::gpu::chunk::{WORKGROUPS_MAX, fold};
use crate::backend::gpu::shaders::SliderMethod;
use crate::board::{Bitboard, Square};

/// One function and what it is compared with.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// WGSL statements before the calls.
    pub(super) prelude: &'static str,
    /// WGSL expressions of type `Bitboard`.
    pub(super) calls: &'static [&'static str],
    pub(super) inputs: Inputs,
    /// One value a call.
    pub(super) twin: fn(&Input) -> Vec<u64>,
    /// The slider methods with whose parts it is run.
    pub(super) sliders: &'static [SliderMethod],
}

const SETWISE: &[SliderMethod] = &[SliderMethod::Setwise];
const MAGIC: &[SliderMethod] = &[SliderMethod::Magic];

fn sets(name: &'static str, calls: &'static [&'static str], twin: fn(&Input) -> Vec<u64>) -> Row {
    Row {
        name,
        prelude: "",
        calls,
        inputs: Inputs::Sets,
        twin,
        sliders: SETWISE,
    }
}

fn not_empty(
    name: &'static str,
    calls: &'static [&'static str],
    twin: fn(&Input) -> Vec<u64>,
) -> Row {
    Row {
        inputs: Inputs::NotEmpty,
        ..sets(name, calls, twin)
    }
}

fn with(sliders: &'static [SliderMethod], row: Row) -> Row {
    Row { sliders, ..row }
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = words();
    rows.extend(steps());
    rows.extend(whole_sets());
    rows.extend(tables());
    rows.extend(lines::lines());
    rows.extend(lines::replies());
    rows.extend(chess::masks());
    rows.extend(chess::counts());
    rows.extend(chess::moves());
    rows.extend(facts::facts());
    rows
}

fn words() -> Vec<Row> {
    vec![
        sets("bb_shift_up", &["bb_shift_up(a, 1u + word % 63u)"], |i| {
            vec![i.a().0 << (1 + i.word % 63)]
        }),
        sets(
            "bb_shift_down",
            &["bb_shift_down(a, 1u + word % 63u)"],
            |i| vec![i.a().0 >> (1 + i.word % 63)],
        ),
        sets("bb_any", &["Bitboard(u32(bb_any(a)), 0u)"], |i| {
            vec![i.a().any().into()]
        }),
        sets("bb_count", &["Bitboard(bb_count(a), 0u)"], |i| {
            vec![i.a().count().into()]
        }),
        sets(
            "bb_count_onto",
            &["Bitboard(bb_count_onto(word, a), 0u)"],
            |i| vec![i.word.wrapping_add(i.a().count()).into()],
        ),
        sets("bb_minus", &["bb_minus(a, b)"], |i| {
            vec![i.a().0.wrapping_sub(i.b().0)]
        }),
        sets("bb_reverse", &["bb_reverse(a)"], |i| {
            vec![i.a().0.reverse_bits()]
        }),
        sets("bb_bit", &["bb_bit(word & 63u)"], |i| {
            vec![1 << (i.word & 63)]
        }),
        not_empty("bb_first", &["Bitboard(bb_first(a), 0u)"], |i| {
            vec![i.a().0.trailing_zeros().into()]
        }),
        sets("bb_first_bit", &["bb_first_bit(a)"], |i| {
            vec![i.a().first_bit().0]
        }),
        sets("bb_without_first", &["bb_without_first(a)"], |i| {
            vec![i.a().without_first().0]
        }),
        sets("bb_flip_ranks", &["bb_flip_ranks(a)"], |i| {
            vec![i.a().flip_ranks().0]
        }),
        sets("stored", &["Bitboard(stored(a.x), 0u)"], |i| {
            vec![u64::from(!(i.a().0 as u32))]
        }),
        sets("count_of", &["Bitboard(count_of(a.x), 0u)"], |i| {
            vec![u64::from(!(i.a().0 as u32))]
        }),
        sets(
            "element_of",
            &["Bitboard(element_of(vec3(a.x & 255u, b.x & 255u, 0u), word & 63u), 0u)"],
            |i| {
                let workgroup = (i.b().0 & 255) * u64::from(WORKGROUPS_MAX) + (i.a().0 & 255);
                vec![workgroup * 64 + u64::from(i.word & 63)]
            },
        ),
        sets(
            "folded",
            &["folded(a.x).xy", "Bitboard(folded(a.x).z, 0u)"],
            |i| {
                let (x, y) = fold(i.a().0 as u32, 64);
                vec![u64::from(x) | u64::from(y) << 32, 1]
            },
        ),
    ]
}

fn stepped(set: Bitboard, direction: u32) -> u64 {
    match direction {
        0 => set.north().0,
        1 => set.north().east().0,
        2 => set.east().0,
        3 => set.south().east().0,
        4 => set.south().0,
        5 => set.south().west().0,
        6 => set.west().0,
        _ => set.north().west().0,
    }
}

fn steps() -> Vec<Row> {
    vec![
        sets("bb_north", &["bb_north(a)"], |i| vec![stepped(i.a(), 0)]),
        sets("bb_north_east", &["bb_north_east(a)"], |i| {
            vec![stepped(i.a(), 1)]
        }),
        sets("bb_east", &["bb_east(a)"], |i| vec![stepped(i.a(), 2)]),
        sets("bb_south_east", &["bb_south_east(a)"], |i| {
            vec![stepped(i.a(), 3)]
        }),
        sets("bb_south", &["bb_south(a)"], |i| vec![stepped(i.a(), 4)]),
        sets("bb_south_west", &["bb_south_west(a)"], |i| {
            vec![stepped(i.a(), 5)]
        }),
        sets("bb_west", &["bb_west(a)"], |i| vec![stepped(i.a(), 6)]),
        sets("bb_north_west", &["bb_north_west(a)"], |i| {
            vec![stepped(i.a(), 7)]
        }),
        sets("bb_step", &["bb_step(a, word & 7u)"], |i| {
            vec![stepped(i.a(), i.word & 7)]
        }),
        // From a square in the middle of the board, where nothing drops off.
        sets(
            "step_offset",
            &["Bitboard(27u + step_offset(word & 7u), 0u)"],
            |i| {
                let landing = Bitboard(stepped(Bitboard(1 << 27), i.word & 7));
                vec![landing.first().index() as u64]
            },
        ),
    ]
}

fn whole_sets() -> Vec<Row> {
    macro_rules! fill {
        ($name:ident) => {
            sets(
                stringify!($name),
                &[concat!(stringify!($name), "(a, b & ~a)")],
                |i| vec![fills::$name(i.a(), i.b() & !i.a()).0],
            )
        };
    }
    vec![
        sets(
            "way_up",
            &["way_up(a, 9u).two", "way_up(a, 9u).four"],
            |i| {
                let two = i.a().0 & i.a().0 << 9;
                vec![two, two & two << 18]
            },
        ),
        sets(
            "way_down",
            &["way_down(a, 7u).two", "way_down(a, 7u).four"],
            |i| {
                let two = i.a().0 & i.a().0 >> 7;
                vec![two, two & two >> 14]
            },
        ),
        sets(
            "spread_up",
            &["bb_north_east(spread_up(a, way_up(b & NOT_FILE_A, 9u), 9u))"],
            |i| vec![fills::fill_north_east(i.a(), i.b()).0],
        ),
        sets(
            "spread_down",
            &["bb_south(spread_down(a, way_down(b, 8u), 8u))"],
            |i| vec![fills::fill_south(i.a(), i.b()).0],
        ),
        fill!(fill_north),
        fill!(fill_south),
        fill!(fill_east),
        fill!(fill_west),
        fill!(fill_north_east),
        fill!(fill_south_west),
        fill!(fill_north_west),
        fill!(fill_south_east),
        sets("knight_fill", &["knight_fill(a)"], |i| {
            vec![fills::knight_fill(i.a()).0]
        }),
    ]
}

fn square(index: u32) -> Square {
    Square::from_low_bits(index)
}

fn tables() -> Vec<Row> {
    vec![
        with(
            MAGIC,
            sets(
                "magic_lookup",
                &["magic_lookup(tables.rook[word & 63u], a)"],
                |i| vec![RayWalk.rook(square(i.word), i.a()).0],
            ),
        ),
        with(
            MAGIC,
            sets("rook_attacks", &["rook_attacks(word & 63u, a)"], |i| {
                vec![RayWalk.rook(square(i.word), i.a()).0]
            }),
        ),
        with(
            MAGIC,
            sets("bishop_attacks", &["bishop_attacks(word & 63u, a)"], |i| {
                vec![RayWalk.bishop(square(i.word), i.a()).0]
            }),
        ),
        with(
            MAGIC,
            sets(
                "between",
                &["between(word & 63u, (word >> 6u) & 63u)"],
                |i| vec![attacks::between(square(i.word), square(i.word >> 6)).0],
            ),
        ),
        with(
            MAGIC,
            sets("slider_danger", &["slider_danger(a, a & b, b)"], |i| {
                let rooks = i.a().iter().map(|from| RayWalk.rook(from, i.b()));
                let bishops = (i.a() & i.b())
                    .iter()
                    .map(|from| RayWalk.bishop(from, i.b()));
                vec![rooks.chain(bishops).fold(0, |all, attacks| all | attacks.0)]
            }),
        ),
    ]
}
