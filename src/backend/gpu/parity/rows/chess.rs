//! Rows for the functions that know chess: masks, counts, moves made.

use super::{Row, sets, with};
use crate::attacks::{self, Magic, fills};
use crate::backend::gpu::parity::inputs::{Input, Inputs};
use crate::backend::gpu::shaders::SliderMethod;
use crate::board::{Bitboard, CASTLING_PATHS, Color, Move, MoveKind, Role, WhiteSide};
use crate::movegen::{Masks, legal_moves};
use crate::position::{PackedPosition, Pieces, Position};

const BOTH: &[SliderMethod] = &SliderMethod::ALL;

/// Takes the position apart, finds its masks.
const TAKE_APART: &str = "let pieces = unpack(position); let masks = masks_of(pieces);";
/// The same, and in check only the squares around our king matter.
const TAKE_APART_NEAR: &str = "let pieces = unpack(position); let masks = masks_of(pieces);
    let steps = surroundings_of(pieces.our_king).king_steps | pieces.our_king;
    let near = select(BB_ALL, steps, bb_any(~masks.check_mask));";
/// Takes it apart and claims an e.p. square, wherever one of their pawns stands below an empty one.
const CLAIM_EP: &str = "var pieces = unpack(position);
    let claimed = bb_bit(40u + (word & 7u));
    let possible = bb_any(bb_south(claimed) & pieces.their_pawns)
        && !bb_any(claimed & pieces.occupied);
    pieces.ep = select(BB_EMPTY, claimed, possible);";
/// The squares of a move.
const TAKE_MOVE: &str = "let kind = word >> 12u;
    let origin = bb_bit(word & 63u);
    let landing = bb_bit((word >> 6u) & 63u);";

const PLANES: &[&str] = &["child.low", "child.mid", "child.high", "child.ours"];

pub(super) fn positions(
    name: &'static str,
    prelude: &'static str,
    calls: &'static [&'static str],
    twin: fn(&Input) -> Vec<u64>,
) -> Row {
    Row {
        prelude,
        inputs: Inputs::Positions,
        ..sets(name, calls, twin)
    }
}

/// Our pieces alone on a pin line through our king, split by the direction of the line.
fn pins(pieces: &Pieces) -> [u64; 4] {
    let masks = Masks::new::<WhiteSide, true>(Magic::new(), pieces);
    let king = pieces.kings[0].first();
    let (file, rank) = (
        Bitboard::of_file(king.file()),
        Bitboard::of_rank(king.rank()),
    );
    let straight = masks.pin_orthogonal & masks.ours;
    let slanted = masks.pin_diagonal & masks.ours;
    let rising: Bitboard = slanted
        .iter()
        .filter(|&one| (one > king) == (one.file().index() > king.file().index()))
        .collect();
    [
        (straight & file).0,
        (straight & rank).0,
        rising.0,
        (slanted & !rising).0,
    ]
}

const MASKS: &[&str] = &[
    "masks.check_mask",
    "masks.danger & near",
    "masks.pin_file",
    "masks.pin_rank",
    "masks.pin_diagonal",
    "masks.pin_antidiagonal",
];

pub(super) fn masks() -> Vec<Row> {
    vec![
        positions(
            "unpack",
            "let pieces = unpack(position);",
            UNPACKED,
            unpacked,
        ),
        positions(
            "pieces_of",
            "let occupied = position.low | position.mid | position.high;
            let pieces = pieces_of(position.low, position.mid, position.high,
                position.ours & occupied, position.ours & ~occupied);",
            UNPACKED,
            unpacked,
        ),
        positions(
            "contact_checkers",
            TAKE_APART,
            &["contact_checkers(pieces)"],
            |i| {
                let pieces = i.position.unpack();
                let king = pieces.kings[0].first();
                let pawns = attacks::pawn_attacks(Color::White, king) & pieces.pawns[1];
                vec![(pawns | (attacks::knight_attacks(king) & pieces.knights[1])).0]
            },
        ),
        positions(
            "contact_danger",
            TAKE_APART,
            &["contact_danger(pieces)"],
            |i| {
                let pieces = i.position.unpack();
                let pushed = pieces.pawns[1].south();
                let knights = fills::knight_fill(pieces.knights[1]);
                let king = attacks::king_attacks(pieces.kings[1].first());
                vec![(pushed.east() | pushed.west() | knights | king).0]
            },
        ),
        sets("check_mask", &["check_mask(a, b)"], |i| {
            vec![match i.a().count() {
                0 => !0,
                1 => i.b().0,
                _ => 0,
            }]
        }),
        with(
            BOTH,
            positions("masks_of", TAKE_APART_NEAR, MASKS, |i| {
                let pieces = i.position.unpack();
                let masks = Masks::new::<WhiteSide, true>(Magic::new(), &pieces);
                let steps = attacks::king_attacks(pieces.kings[0].first());
                let near = match masks.in_check() {
                    true => steps | pieces.kings[0],
                    false => Bitboard::ALL,
                };
                let mut sets = vec![masks.check_mask.0, (masks.danger & near).0];
                sets.extend(pins(&pieces));
                sets
            }),
        ),
        positions("pinned_of", TAKE_APART, &["pinned_of(masks)"], |i| {
            vec![
                pins(&i.position.unpack())
                    .into_iter()
                    .fold(0, |all, pin| all | pin),
            ]
        }),
    ]
}

const UNPACKED: &[&str] = &[
    "pieces.occupied",
    "pieces.ours",
    "pieces.theirs",
    "pieces.our_pawns",
    "pieces.their_pawns",
    "pieces.our_knights",
    "pieces.their_knights",
    "pieces.our_diagonal",
    "pieces.their_diagonal",
    "pieces.our_orthogonal",
    "pieces.their_orthogonal",
    "pieces.our_king",
    "pieces.their_king",
    "pieces.our_castling_rooks",
    "pieces.ep",
];

fn unpacked(i: &Input) -> Vec<u64> {
    let pieces = i.position.unpack();
    let [ours, theirs] = Color::ALL.map(|color| pieces.of(color));
    let mut sets = vec![pieces.occupied(), ours, theirs];
    for both in [
        pieces.pawns,
        pieces.knights,
        pieces.diagonal,
        pieces.orthogonal,
        pieces.kings,
    ] {
        sets.extend(both);
    }
    sets.extend([pieces.castling_rooks & ours, pieces.ep]);
    sets.into_iter().map(|set| set.0).collect()
}

/// The legal moves of one role, with what the role's square is.
fn moves_of(i: &Input, wanted: impl Fn(Role) -> bool) -> Vec<Move> {
    let position = Position::from_packed_unchecked(&i.position);
    let role = |one: &Move| position.piece_on(one.from()).map(|piece| piece.role);
    let moves = legal_moves(&position);
    moves
        .into_iter()
        .filter(|one| role(one).is_some_and(&wanted))
        .collect()
}

/// Where pawns land that go up by `offset` squares.
fn pawn_landings(i: &Input, offset: usize) -> u64 {
    let pawns = moves_of(i, |role| role == Role::Pawn).into_iter();
    pawns
        .filter(|one| one.to().index() - one.from().index() == offset)
        .fold(0, |all, one| all | one.to().bit().0)
}

pub(super) fn counts() -> Vec<Row> {
    vec![
        with(
            BOTH,
            positions(
                "pawn_moves",
                "let pieces = unpack(position); let pawns = pawn_moves(pieces, masks_of(pieces));",
                &[
                    "pawns.west",
                    "pawns.east",
                    "pawns.push",
                    "pawns.double_push",
                ],
                |i| {
                    [7, 9, 8, 16]
                        .map(|offset| pawn_landings(i, offset))
                        .to_vec()
                },
            ),
        ),
        sets(
            "castling_rooks",
            // One square for the king, one on either side of it for rooks, where there is room.
            &["Bitboard(castling_rooks(
            1u << (word & 7u),
            select(0u, 1u << ((word >> 3u) & 7u), ((word >> 3u) & 7u) > (word & 7u))
                | select(0u, 1u << ((word >> 6u) & 7u), ((word >> 6u) & 7u) < (word & 7u)),
            a.x | (1u << (word & 7u)) | (1u << ((word >> 3u) & 7u)) | (1u << ((word >> 6u) & 7u)),
            b.x & b.y), 0u)"],
            |i| {
                let king = (i.word & 7) as usize;
                let (east, west) = ((i.word >> 3 & 7) as usize, (i.word >> 6 & 7) as usize);
                let occupied = Bitboard(i.a().0 | 1 << king | 1 << east | 1 << west);
                let danger = Bitboard(i.b().0 & i.b().0 >> 32);
                let may = |rook: usize| {
                    let path = &CASTLING_PATHS[king][rook];
                    (path.empty & occupied).is_empty() && (path.safe & danger).is_empty()
                };
                let mut rooks = 0;
                if east > king && may(east) {
                    rooks |= 1 << east;
                }
                if west < king && may(west) {
                    rooks |= 1 << west;
                }
                vec![rooks]
            },
        ),
        with(
            BOTH,
            positions(
                "castling_rooks_of",
                TAKE_APART,
                &["Bitboard(castling_rooks_of(pieces, masks), 0u)"],
                |i| {
                    let castles = moves_of(i, |role| role == Role::King).into_iter();
                    vec![
                        castles
                            .filter(|one| one.kind() == MoveKind::Castle)
                            .fold(0, |all, one| all | one.to().bit().0),
                    ]
                },
            ),
        ),
        positions(
            "count_pawn_moves",
            TAKE_APART,
            &["Bitboard(count_pawn_moves(9u, pawn_moves(pieces, masks)), 0u)"],
            |i| vec![9 + moves_of(i, |role| role == Role::Pawn).len() as u64],
        ),
        positions(
            "count_knight_moves",
            TAKE_APART,
            &["Bitboard(count_knight_moves(9u,
            pieces.our_knights & ~pinned_of(masks), ~pieces.ours & masks.check_mask), 0u)"],
            |i| vec![9 + moves_of(i, |role| role == Role::Knight).len() as u64],
        ),
        with(
            BOTH,
            positions(
                "count_slider_moves",
                TAKE_APART,
                &["Bitboard(count_slider_moves(
            pieces, masks, ~pieces.ours & masks.check_mask), 0u)"],
                |i| {
                    let slides = |role| matches!(role, Role::Bishop | Role::Rook | Role::Queen);
                    vec![moves_of(i, slides).len() as u64]
                },
            ),
        ),
        with(
            BOTH,
            positions(
                "count_legal",
                "",
                &["Bitboard(count_legal(position), 0u)"],
                |i| vec![legal_moves(&Position::from_packed_unchecked(&i.position)).len() as u64],
            ),
        ),
    ]
}

/// The pieces with the e.p. square that `CLAIM_EP` claims.
fn claimed(i: &Input) -> Pieces {
    let mut pieces = i.position.unpack();
    let claimed = Bitboard(1 << (40 + (i.word & 7)));
    let possible =
        (claimed.south() & pieces.pawns[1]).any() && (claimed & pieces.occupied()).is_empty();
    pieces.ep = if possible { claimed } else { Bitboard::EMPTY };
    pieces
}

fn planes(position: &PackedPosition) -> Vec<u64> {
    let [low, mid, high] = position.code;
    vec![low, mid, high, position.ours]
}

/// True if the input's move is a normal one.
pub(super) fn is_normal(i: &Input) -> bool {
    i.word >> 12 == 0
}

/// The position after the input's move.
pub(super) fn after(i: &Input) -> Position {
    let position = Position::from_packed_unchecked(&i.position);
    let moves = legal_moves(&position);
    let mut same = moves
        .into_iter()
        .filter(|one| u32::from(one.bits()) == i.word);
    position.play_unchecked(same.next().expect("the move is legal"))
}

fn child(i: &Input) -> Vec<u64> {
    planes(&after(i).packed())
}

/// The role on the landing square after the input's move, as its three bits.
fn landing_code(i: &Input) -> Vec<u64> {
    let position = Position::from_packed_unchecked(&i.position);
    let moves = legal_moves(&position);
    let mut same = moves
        .into_iter()
        .filter(|one| u32::from(one.bits()) == i.word);
    let played = same.next().expect("the move is legal");
    let moved = position.piece_on(played.from()).expect("it moves").role;
    let code = match played.promotion().unwrap_or(moved) {
        Role::Pawn => 0b001,
        Role::Bishop => 0b010,
        Role::Knight => 0b011,
        Role::Rook => 0b100,
        Role::Queen => 0b110,
        Role::King => 0b111,
    };
    let landing = played.to().bit().0;
    (0..3)
        .map(|bit| if code >> bit & 1 == 1 { landing } else { 0 })
        .collect()
}

pub(super) fn moves() -> Vec<Row> {
    vec![
        positions("ep_capturers", CLAIM_EP, &["ep_capturers(pieces)"], |i| {
            vec![claimed(i).ep_capturers::<WhiteSide>(Magic::new()).0]
        }),
        positions("with_ep", CLAIM_EP_CHILD, PLANES, |i| {
            let mut pieces = claimed(i);
            if pieces.ep_capturers::<WhiteSide>(Magic::new()).is_empty() {
                pieces.ep = Bitboard::EMPTY;
            }
            planes(&PackedPosition::pack::<WhiteSide>(&pieces))
        }),
        sets("carried", &["carried(a, bb_bit(word & 63u), b)"], |i| {
            let there = i.a().contains(super::square(i.word));
            vec![if there { i.b().0 } else { 0 }]
        }),
        positions("turned", "let child = turned(position);", PLANES, |i| {
            let mut pieces = i.position.unpack();
            pieces.ep = Bitboard::EMPTY;
            planes(&PackedPosition::pack::<crate::board::BlackSide>(&pieces))
        }),
        positions(
            "without_rights",
            "let child = without_rights(position);",
            PLANES,
            |i| {
                let mut pieces = i.position.unpack();
                pieces.castling_rooks &= !pieces.of(Color::White);
                planes(&PackedPosition::pack::<WhiteSide>(&pieces))
            },
        ),
        positions(
            "landing_code",
            TAKE_MOVE,
            &[
                "landing_code(position, origin, landing, kind)[0]",
                "landing_code(position, origin, landing, kind)[1]",
                "landing_code(position, origin, landing, kind)[2]",
            ],
            landing_code,
        ),
        positions("after_normal_move", NORMAL_MOVE, PLANES, |i| {
            let mut pieces = match is_normal(i) {
                true => after(i).packed().unpack(),
                false => i.position.unpack(),
            };
            // Those of the side that moved are not kept right.
            pieces.castling_rooks &= pieces.of(Color::White);
            planes(&PackedPosition::pack::<WhiteSide>(&pieces))
        }),
        positions("after_castling", CASTLE_OR_MOVE, PLANES, child),
        positions(
            "after_move",
            "let child = after_move(position, word);",
            PLANES,
            child,
        ),
    ]
}

const CLAIM_EP_CHILD: &str = "var pieces = unpack(position);
    let claimed = bb_bit(40u + (word & 7u));
    let possible = bb_any(bb_south(claimed) & pieces.their_pawns)
        && !bb_any(claimed & pieces.occupied);
    let bare = PackedPosition(position.low, position.mid, position.high, pieces.ours);
    let child = with_ep(bare, select(BB_EMPTY, claimed, possible));";

/// Other moves are not made.
const NORMAL_MOVE: &str = "var child = position;
    if (word >> 12u) == MOVE_NORMAL {
        child = turned(after_normal_move(position, bb_bit(word & 63u), bb_bit((word >> 6u) & 63u)));
    }
    let rights = child.low & ~child.mid & child.high & ~child.ours;
    child.low &= ~rights;";

const CASTLE_OR_MOVE: &str = "var child = after_move(position, word);
    if (word >> 12u) == MOVE_CASTLE {
        child = after_castling(position, bb_bit(word & 63u), bb_bit((word >> 6u) & 63u));
    }";
