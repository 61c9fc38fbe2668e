//! Rows for lines: what is seen and attacked along them, what slides along them, and the replies
//! that are counted line by line.

use super::chess::{after, is_normal, positions};
use super::{MAGIC, Row, SETWISE, sets, square, with};
use crate::attacks::{self, Magic, RayWalk, Sliders, fills};
use crate::backend::gpu::buffers::UNWRITTEN;
use crate::backend::gpu::parity::inputs::Input;
use crate::board::{Bitboard, Move, Role, WhiteSide};
use crate::movegen::{Masks, legal_moves};
use crate::position::{Pieces, Position};

/// Attacks of all squares of a set in one direction.
type Fill = fn(Bitboard, Bitboard) -> Bitboard;
/// A fill, and a step in its direction.
type Way = (Fill, fn(Bitboard) -> Bitboard);

const FILE: [Way; 2] = [
    (fills::fill_north, |set| set.north()),
    (fills::fill_south, |set| set.south()),
];
const RANK: [Way; 2] = [
    (fills::fill_east, |set| set.east()),
    (fills::fill_west, |set| set.west()),
];
const DIAGONAL: [Way; 2] = [
    (fills::fill_north_east, |set| set.north().east()),
    (fills::fill_south_west, |set| set.south().west()),
];
const ANTIDIAGONAL: [Way; 2] = [
    (fills::fill_north_west, |set| set.north().west()),
    (fills::fill_south_east, |set| set.south().east()),
];

/// What `look_along_...` finds: seen, attacked, attacked behind our king.
fn looked_along(ways: [Way; 2], king: Bitboard, sliders: Bitboard, pieces: &Pieces) -> Vec<u64> {
    let empty = !pieces.occupied();
    let mut found = [Bitboard::EMPTY; 3];
    for (fill, step) in ways {
        found[0] |= fill(king, empty);
        found[1] |= fill(sliders, empty);
        found[2] |= step(fill(sliders, empty) & king);
    }
    found.map(|set| set.0).to_vec()
}

/// The sum over single squares of what `count_along_...` counts, and 9.
fn counted_along(ways: [Way; 2], i: &Input) -> Vec<u64> {
    let targets = Bitboard(i.position.code[2]);
    let count = |from: Bitboard| {
        let counts = ways.map(|(fill, _)| (fill(from, i.b() & !i.a()) & targets).count());
        counts.into_iter().sum::<u32>()
    };
    vec![9 + u64::from(i.a().iter().map(|from| count(from.bit())).sum::<u32>())]
}

macro_rules! look {
    ($line:literal, $ways:expr, $sliders:ident) => {
        positions(
            concat!("look_along_", $line),
            concat!(
                "let pieces = unpack(position); let line = look_along_",
                $line,
                "(pieces, surroundings_of(pieces.our_king).",
                $line,
                ");"
            ),
            &["line.seen", "line.attacked", "line.behind"],
            |i| {
                let pieces = i.position.unpack();
                looked_along($ways, pieces.kings[0], pieces.$sliders[1], &pieces)
            },
        )
    };
}

macro_rules! count {
    ($line:literal, $ways:expr) => {
        sets(
            concat!("count_along_", $line),
            &[concat!(
                "Bitboard(count_along_",
                $line,
                "(9u, a, b & ~a, position.high), 0u)"
            )],
            |i| counted_along($ways, i),
        )
    };
}

pub(super) fn lines() -> Vec<Row> {
    vec![
        sets(
            "surroundings_of",
            &[
                "surroundings_of(bb_bit(word & 63u)).file",
                "surroundings_of(bb_bit(word & 63u)).rank",
                "surroundings_of(bb_bit(word & 63u)).diagonal",
                "surroundings_of(bb_bit(word & 63u)).antidiagonal",
                "surroundings_of(bb_bit(word & 63u)).king_steps",
                "surroundings_of(bb_bit(word & 63u)).knight_jumps",
            ],
            |i| {
                let at = square(i.word);
                let both = |ways: [Way; 2]| {
                    let [one, other] = ways.map(|(fill, _)| fill(at.bit(), Bitboard::ALL));
                    (one | other).0
                };
                let mut around = [FILE, RANK, DIAGONAL, ANTIDIAGONAL].map(both).to_vec();
                around.extend([attacks::king_attacks(at).0, attacks::knight_attacks(at).0]);
                around
            },
        ),
        sets(
            "line_attacks",
            &[
                "line_attacks(bb_bit(word & 63u), tables.around[word & 63u].file, a)
                    | line_attacks(bb_bit(word & 63u), tables.around[word & 63u].rank, a)",
                "line_attacks(bb_bit(word & 63u), tables.around[word & 63u].diagonal, a)
                    | line_attacks(bb_bit(word & 63u), tables.around[word & 63u].antidiagonal, a)",
            ],
            |i| {
                let at = square(i.word);
                vec![RayWalk.rook(at, i.a()).0, RayWalk.bishop(at, i.a()).0]
            },
        ),
        look!("file", FILE, orthogonal),
        look!("rank", RANK, orthogonal),
        look!("diagonal", DIAGONAL, diagonal),
        look!("antidiagonal", ANTIDIAGONAL, diagonal),
        count!("file", FILE),
        count!("rank", RANK),
        count!("diagonal", DIAGONAL),
        count!("antidiagonal", ANTIDIAGONAL),
    ]
}

/// The position upside down without changing sides: whoever moves up in it moves down then.
const UPSIDE_DOWN: &str = "let occupied = position.low | position.mid | position.high;
    let pieces = pieces_of(bb_flip_ranks(position.low), bb_flip_ranks(position.mid),
        bb_flip_ranks(position.high), bb_flip_ranks(position.ours & occupied), BB_EMPTY);";

/// The same position without an e.p. square.
fn without_ep(position: &Position) -> Position {
    let mut packed = position.packed();
    packed.ours &= packed.code[0] | packed.code[1] | packed.code[2];
    Position::from_packed_unchecked(&packed)
}

/// Moves of a position in which nobody is in check and no slider pinned, or `UNWRITTEN`.
fn speculated(position: &Position) -> u64 {
    let pieces = position.packed().unpack();
    let masks = Masks::new::<WhiteSide, true>(Magic::new(), &pieces);
    let sliders = pieces.diagonal[0] | pieces.orthogonal[0];
    let pinned = (masks.pin_orthogonal | masks.pin_diagonal) & masks.ours;
    if masks.in_check() || (pinned & sliders).any() {
        return UNWRITTEN.into();
    }
    legal_moves(&without_ep(position)).len() as u64
}

const REPLIES: &[&str] = &["Bitboard(select(7u, replies_to_normal_move(
    position, bb_bit(word & 63u), bb_bit((word >> 6u) & 63u)), (word >> 12u) == MOVE_NORMAL), 0u)"];

pub(super) fn replies() -> Vec<Row> {
    vec![
        positions(
            "count_pawn_replies",
            concat!(
                "let masks = masks_of(unpack(position));
                let occupied = position.low | position.mid | position.high;
                let pieces = pieces_of(bb_flip_ranks(position.low), bb_flip_ranks(position.mid),
                    bb_flip_ranks(position.high), bb_flip_ranks(position.ours & occupied), BB_EMPTY);",
                // Upside down a line that rose falls.
                "let n = count_pawn_replies(9u, pieces, bb_flip_ranks(~pinned_of(masks)),
                    bb_flip_ranks(masks.pin_file), bb_flip_ranks(masks.pin_antidiagonal),
                    bb_flip_ranks(masks.pin_diagonal));"
            ),
            // In check pawns move as they do without a check mask, which is none of its concern.
            &["Bitboard(select(n, 7u, bb_any(~masks.check_mask)), 0u)"],
            |i| {
                let position = Position::from_packed_unchecked(&i.position);
                let pieces = position.packed().unpack();
                if Masks::new::<WhiteSide, true>(Magic::new(), &pieces).in_check() {
                    return vec![7];
                }
                let role = |one: &Move| position.piece_on(one.from()).map(|piece| piece.role);
                let moves = legal_moves(&without_ep(&position));
                vec![9 + moves.into_iter().filter(|one| role(one) == Some(Role::Pawn)).count() as u64]
            },
        ),
        positions(
            "count_replies",
            UPSIDE_DOWN,
            &["Bitboard(count_replies(pieces), 0u)"],
            |i| vec![speculated(&Position::from_packed_unchecked(&i.position))],
        ),
        with(
            SETWISE,
            positions("replies_to_normal_move", "", REPLIES, |i| {
                vec![if is_normal(i) { speculated(&after(i)) } else { 7 }]
            }),
        ),
        with(
            MAGIC,
            positions("replies_to_normal_move", "", REPLIES, |i| {
                vec![if is_normal(i) { legal_moves(&after(i)).len() as u64 } else { 7 }]
            }),
        ),
    ]
}
