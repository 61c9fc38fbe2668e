//! What vector kernels must stand: their sets against plain ones, every number of siblings, and whole counts
//! against the plain perft. And the one kernel without vectors, on which the checks themselves are tested.

use super::scalar::Kernel;
use super::with_kernel;
use crate::attacks::{Magic, Sliders};
use crate::board::{Bitboard, BlackSide, Color, MoveKind, Role, Side, WhiteSide};
use crate::movegen::lanes::{CountSiblings, LANES_MAX, Lanes, Lockstep, Siblings, count_replies};
use crate::movegen::{
    All, CountOne, LeafDepth, MadeMoves, Masks, MoveVisitor, count_two, generate, legal_moves,
    perft,
};
use crate::position::{Pieces, Position};
use positions::{Family, Sample, batch};

#[path = "../../../tests/common/positions.rs"]
mod positions;

/// Boards of random games and random boards.
fn samples() -> Vec<Sample> {
    let families = [
        Family::Standard,
        Family::Chess960,
        Family::Composed,
        Family::Composed,
    ];
    let batches = families.into_iter().enumerate();
    batches
        .flat_map(|(index, family)| batch(family, index as u64))
        .collect()
}

/// Its name, what it gave, and what it gives on the plain set of a lane.
type Operation<'a, L> = (&'a str, L, &'a dyn Fn(usize) -> u64);

/// The first operation on `L` that does not do lane by lane what it does on a plain set.
pub(super) fn unlike_plain_sets<L: Lanes>(proof: L::Proof) -> Option<String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..2_000 {
        // Of all densities, and now and then empty.
        let mut sets = || -> [u64; LANES_MAX] {
            std::array::from_fn(|lane| match (round + lane) % 5 {
                0 => random(),
                1 => random() & random(),
                2 => random() & random() & random() & random(),
                3 => random() | random(),
                _ => 0,
            })
        };
        let (a, b) = (sets(), sets());
        let one_a_rank = a.map(|set| set & 0x0102_0408_1020_4080);
        let one_rank = a.map(|set| set & 0xff << (8 * (round % 8)));
        let load = |sets: &[u64; LANES_MAX]| L::load(proof, sets);
        let (va, vb) = (load(&a), load(&b));
        let by = [1, 7, 8, 9, 16, 36][round % 6];
        let operations: [Operation<L>; 11] = [
            ("&", va & vb, &|i| a[i] & b[i]),
            ("|", va | vb, &|i| a[i] | b[i]),
            ("!", !va, &|i| !a[i]),
            ("without", va.without(vb), &|i| Lanes::without(a[i], b[i])),
            ("up", va.up(by), &|i| Lanes::up(a[i], by)),
            ("down", va.down(by), &|i| Lanes::down(a[i], by)),
            ("where_empty", va.where_empty(), &|i| a[i].where_empty()),
            ("first", va.first(), &|i| a[i].first()),
            ("last_by_rank", load(&one_a_rank).last_by_rank(), &|i| {
                one_a_rank[i].last_by_rank()
            }),
            ("last_on_rank", load(&one_rank).last_on_rank(), &|i| {
                one_rank[i].last_on_rank()
            }),
            ("see_east", va.see_east(va | vb), &|i| {
                a[i].see_east(a[i] | b[i])
            }),
        ];
        for (name, lanes, plain) in operations {
            let lanes = lanes.store();
            if let Some(lane) = (0..L::COUNT).find(|&lane| lanes[lane] != plain(lane)) {
                return Some(format!(
                    "{name}, lane {lane}: {a:x?} {b:x?} gave {lanes:x?}"
                ));
            }
        }
        if va.any() != a[..L::COUNT].iter().any(|&set| set != 0) {
            return Some(format!("any: {a:x?}"));
        }
        let counts = va.counts().plus(vb.counts()).plus(va.counts());
        for lanes in 0..=L::COUNT {
            let plain: u32 = (0..lanes)
                .map(|i| 2 * a[i].count_ones() + b[i].count_ones())
                .sum();
            if counts.total(lanes) != plain {
                return Some(format!("total of {lanes}: {a:x?} {b:x?}"));
            }
        }
    }
    None
}

/// The first board and number of children whose replies come out wrong: from one to three vectors full.
pub(super) fn first_wrong_siblings<C>(counter: C, lanes: usize) -> Option<String>
where
    C: CountSiblings<Scratch = Siblings>,
{
    let mut siblings = Siblings::default();
    for sample in samples() {
        let parent = &sample.position;
        let replies: Vec<u32> = legal_moves(parent)
            .into_iter()
            .map(|played| perft(&parent.play_unchecked(played), 1) as u32)
            .collect();
        for count in 1..=(3 * lanes).min(replies.len()) {
            // A different part of the moves each time.
            let skipped = count * 5 % (replies.len() - count + 1);
            let got = match parent.side_to_move() {
                Color::White => {
                    count_some::<C, WhiteSide>(counter, parent, &mut siblings, skipped, count)
                }
                Color::Black => {
                    count_some::<C, BlackSide>(counter, parent, &mut siblings, skipped, count)
                }
            };
            let expected: u32 = replies[skipped..][..count].iter().sum();
            if got != expected {
                return Some(format!(
                    "{}: {count} children from number {skipped}: {got}, not {expected}",
                    sample.fen
                ));
            }
        }
    }
    None
}

/// The replies to `count` of the moves, in the order in which all are generated.
fn count_some<C, Us: Side>(
    counter: C,
    parent: &Position,
    siblings: &mut Siblings,
    skipped: usize,
    count: usize,
) -> u32
where
    C: CountSiblings<Scratch = Siblings>,
{
    let pieces = parent.pieces();
    let mut some = Some {
        made: Lockstep::new::<Us>(counter, pieces, siblings),
        moves: 0,
        wanted: skipped..skipped + count,
        side: std::marker::PhantomData::<Us>,
    };
    let masks = Masks::new::<Us, true>(Magic::new(), pieces);
    generate::<Us, All, true, true>(Magic::new(), pieces, &masks, &mut some);
    MadeMoves::<Us, true>::replies(some.made)
}

/// Makes the moves of a range.
struct Some<M, Us> {
    made: M,
    moves: usize,
    wanted: std::ops::Range<usize>,
    side: std::marker::PhantomData<Us>,
}

impl<M: MadeMoves<Us, true>, Us: Side> MoveVisitor for Some<M, Us> {
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        if self.wanted.contains(&self.moves) {
            self.made.make(role, kind, captures, from, to);
        }
        self.moves += 1;
    }
}

/// The first count of two or three plies that is not that of the plain perft.
pub(super) fn first_wrong_count<K: Kernel + 'static>(kernel: K) -> Option<String> {
    let mut counter = with_kernel(kernel);
    for sample in samples() {
        for depth in [LeafDepth::new(1), LeafDepth::new(2), LeafDepth::new(3)] {
            let depth = depth.expect("a leaf depth");
            // Composed boards have too many moves to go deep on all of them.
            let expected = perft(&sample.position, depth.plies().min(2));
            if depth.plies() == 3 && expected > 600 {
                continue;
            }
            let expected = perft(&sample.position, depth.plies());
            let mut counts = [0];
            let counted = counter.count(&[sample.position.packed()], depth, &mut counts);
            if counted.is_err() || u64::from(counts[0]) != expected {
                return Some(format!(
                    "{}: {depth:?}: {counts:?}, not {expected}",
                    sample.fen
                ));
            }
        }
    }
    None
}

/// One lane, without vectors; it may be made to count wrong.
#[derive(Copy, Clone)]
struct OneLane {
    damage: fn(&Pieces, &Siblings, u32) -> u32,
}

impl CountOne for OneLane {
    type Scratch = Siblings;

    fn sliders(self) -> impl Sliders {
        Magic::new()
    }

    fn replies_to<'a, Us: Side, const CASTLING: bool>(
        self,
        parent: &'a Pieces,
        siblings: &'a mut Siblings,
    ) -> impl MadeMoves<Us, CASTLING> {
        Lockstep::new::<Us>(self, parent, siblings)
    }
}

impl CountSiblings for OneLane {
    fn count_siblings<Us: Side, const CASTLING: bool>(
        self,
        parent: &Pieces,
        siblings: &Siblings,
    ) -> u32 {
        let counted = count_replies::<u64, Us, CASTLING>((), parent, siblings);
        (self.damage)(parent, siblings, counted)
    }
}

impl Kernel for OneLane {
    fn count_two<Us: Side, const EP: bool, const CASTLING: bool>(
        self,
        pieces: &Pieces,
        siblings: &mut Siblings,
    ) -> u32 {
        count_two::<OneLane, Us, EP, CASTLING>(self, pieces, siblings)
    }
}

const SOUND: OneLane = OneLane {
    damage: |_, _, counted| counted,
};

#[test]
fn one_lane_counts_every_number_of_siblings() {
    // As many as three full vectors of the widest kind.
    assert_eq!(first_wrong_siblings(SOUND, LANES_MAX), None);
}

#[test]
fn one_lane_counts_like_the_plain_perft() {
    assert_eq!(first_wrong_count(SOUND), None);
}

#[test]
fn plain_sets_behave_like_themselves() {
    assert_eq!(unlike_plain_sets::<u64>(()), None);
}

#[test]
fn a_kernel_that_counts_wrong_is_found_out() {
    let forgets_a_tail = OneLane {
        damage: |_, siblings, counted| {
            if siblings.len() == 9 {
                counted - 1
            } else {
                counted
            }
        },
    };
    let wrong = first_wrong_siblings(forgets_a_tail, 4).expect("a difference");
    assert!(wrong.contains(": 9 children"), "{wrong}");
    let miscounts_pawnless_boards = OneLane {
        damage: |parent, _, counted| counted + u32::from(parent.pawns[0].is_empty()),
    };
    assert!(first_wrong_siblings(miscounts_pawnless_boards, 4).is_some());
    assert!(first_wrong_count(miscounts_pawnless_boards).is_some());
}
