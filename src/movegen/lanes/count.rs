//! The leaf count in lanes.

use super::rays::KingRays;
use super::siblings::{SIBLINGS_MAX, Siblings};
use super::ways::{Landing, Ways};
use super::{LANES_MAX, Lanes};
use crate::attacks;
use crate::board::{Bitboard, CASTLING_PATHS, Color, Side, Square};
use crate::position::Pieces;

/// The legal moves of `Us` in all siblings together, e.p. captures apart.
///
/// The siblings are children of `parent`, in which the other side was to move. `CASTLING` must be true
/// if `Us` may still castle in the parent.
#[inline(always)]
pub fn count_replies<L: Lanes, Us: Side, const CASTLING: bool>(
    proof: L::Proof,
    parent: &Pieces,
    siblings: &Siblings,
) -> u32 {
    let mut total = 0;
    let mut from = 0;
    while from < siblings.len() {
        let boards = Boards::<L>::load::<Us>(proof, parent, siblings, from);
        let counts = boards.count::<Us, CASTLING>(proof, parent);
        // The lanes behind the last sibling hold what an earlier one left there.
        total += counts.total(L::COUNT.min(siblings.len() - from));
        from += L::COUNT;
    }
    total
}

/// Several boards.
struct Boards<L> {
    /// The replier's.
    pawns: L,
    diagonal: L,
    orthogonal: L,
    ours: L,
    /// What it has lost.
    taken: L,
    /// Of the side that has moved.
    their_pawns: L,
    their_knights: L,
    their_diagonal: L,
    their_orthogonal: L,
    their_king_zone: L,
    theirs: L,
    occupied: L,
    ways: Ways<L>,
}

/// What the other side's pieces do to the replier.
struct Threats<L> {
    /// Squares they attack, some of those behind the king included.
    danger: L,
    checkers: L,
    /// Where pieces other than the king may go; everywhere if it is not in check.
    check_mask: L,
    pins: Pins<L>,
}

/// Pinned pieces of the replier, by the line on which they may still move.
struct Pins<L> {
    file: L,
    rank: L,
    rising: L,
    falling: L,
    all: L,
}

impl<L: Lanes> Boards<L> {
    #[inline(always)]
    fn load<Us: Side>(
        proof: L::Proof,
        parent: &Pieces,
        siblings: &Siblings,
        from: usize,
    ) -> Boards<L> {
        let us = Us::COLOR as usize;
        let load = |sets: &[u64; SIBLINGS_MAX]| L::load(proof, &sets[from..]);
        let taken = load(&siblings.taken);
        let left = |set: Bitboard| L::splat(proof, set.0).without(taken);
        let ours = left(parent.of(Us::COLOR));
        let (their_pawns, their_knights) = (load(&siblings.pawns), load(&siblings.knights));
        let (their_diagonal, their_orthogonal) =
            (load(&siblings.diagonal), load(&siblings.orthogonal));
        let sliders = their_diagonal | their_orthogonal;
        let theirs = their_pawns | their_knights | sliders | load(&siblings.kings);
        let occupied = ours | theirs;
        Boards {
            pawns: left(parent.pawns[us]),
            diagonal: left(parent.diagonal[us]),
            orthogonal: left(parent.orthogonal[us]),
            ours,
            taken,
            their_pawns,
            their_knights,
            their_diagonal,
            their_orthogonal,
            their_king_zone: load(&siblings.king_zones),
            theirs,
            occupied,
            ways: Ways::new(proof, occupied),
        }
    }

    #[inline(always)]
    fn count<Us: Side, const CASTLING: bool>(&self, proof: L::Proof, parent: &Pieces) -> L {
        let king = parent.king(Us::COLOR);
        let threats = self.threats::<Us>(proof, king);
        let targets = threats.check_mask.without(self.ours);
        let steps = L::splat(proof, attacks::king_attacks(king).0);
        let mut counts = steps.without(self.ours | threats.danger).counts();
        counts = counts.plus(self.pawns::<Us>(proof, parent, &threats));
        for from in parent.knights[Us::COLOR as usize] {
            let idle = (self.taken | threats.pins.all) & L::splat(proof, from.bit().0);
            let jumps = L::splat(proof, attacks::knight_attacks(from).0) & targets;
            counts = counts.plus((jumps & idle.where_empty()).counts());
        }
        counts = counts.plus(self.sliders(proof, &threats.pins, targets));
        if CASTLING {
            counts = counts.plus(self.castling::<Us>(proof, parent, &threats));
        }
        counts
    }

    #[inline(always)]
    fn threats<Us: Side>(&self, proof: L::Proof, king: Square) -> Threats<L> {
        let none = L::splat(proof, 0);
        let landing = Landing::new(proof, !none);
        let pushed = backward::<L, Us>(self.their_pawns);
        let mut danger = self.their_king_zone | landing.beside(pushed);
        let mut checkers =
            self.their_pawns & L::splat(proof, attacks::pawn_attacks(Us::COLOR, king).0);
        if self.their_knights.any() {
            danger = danger | knight_fill(self.their_knights, &landing);
            let jumps = L::splat(proof, attacks::knight_attacks(king).0);
            checkers = checkers | self.their_knights & jumps;
        }

        // A piece of ours that stands alone between the king and a slider is the first one that both see.
        let rays = KingRays::of(king);
        let (mut file, mut rank, mut rising, mut falling) = (none, none, none, none);
        if self.their_orthogonal.any() {
            let seen_on_file = self.ways.files(self.their_orthogonal, &landing);
            let seen_on_rank = self.ways.ranks(self.their_orthogonal, &landing);
            let [north, south] = self.on_rays(proof, rays.file);
            let first_on_file = [north.first(), south.last_by_rank()];
            let [east, west] = self.on_rays(proof, rays.rank);
            let first_on_rank = [east.first(), west.last_on_rank()];
            danger = danger | either(seen_on_file) | either(seen_on_rank);
            file = facing(seen_on_file, first_on_file);
            rank = facing(seen_on_rank, first_on_rank);
            let first = either(first_on_file) | either(first_on_rank);
            checkers = checkers | self.their_orthogonal & first;
        }
        if self.their_diagonal.any() {
            let seen_rising = self.ways.rising(self.their_diagonal, &landing);
            let seen_falling = self.ways.falling(self.their_diagonal, &landing);
            let [north_east, south_west] = self.on_rays(proof, rays.rising);
            let first_rising = [north_east.first(), south_west.last_by_rank()];
            let [north_west, south_east] = self.on_rays(proof, rays.falling);
            let first_falling = [north_west.first(), south_east.last_by_rank()];
            danger = danger | either(seen_rising) | either(seen_falling);
            rising = facing(seen_rising, first_rising);
            falling = facing(seen_falling, first_falling);
            let first = either(first_rising) | either(first_falling);
            checkers = checkers | self.their_diagonal & first;
        }

        let mut check_mask = !none;
        if checkers.any() {
            let sliders = self.their_orthogonal | self.their_diagonal;
            let (answers, behind) = answer(proof, king, checkers, checkers & sliders);
            check_mask = answers;
            danger = danger | behind;
        }
        Threats {
            danger,
            checkers,
            check_mask,
            pins: Pins::new(self.ours, file, rank, rising, falling),
        }
    }

    /// The pieces on each of two rays.
    #[inline(always)]
    fn on_rays(&self, proof: L::Proof, [up, down]: [u64; 2]) -> [L; 2] {
        [
            self.occupied & L::splat(proof, up),
            self.occupied & L::splat(proof, down),
        ]
    }

    /// Counts of the pawns' moves, by where the pawns stand.
    #[inline(always)]
    fn pawns<Us: Side>(&self, proof: L::Proof, parent: &Pieces, threats: &Threats<L>) -> L {
        let pins = &threats.pins;
        let open = !self.occupied;
        let pushing = self.pawns.without(pins.all_but(pins.file)) & backward::<L, Us>(open);
        let push = pushing & backward::<L, Us>(threats.check_mask);
        let landing = backward::<L, Us>(open & threats.check_mask);
        let double_push = pushing & L::splat(proof, Us::PAWN_RANK.0) & backward::<L, Us>(landing);

        let takable = Landing::new(proof, self.theirs & threats.check_mask);
        let (west_pins, east_pins) = match Us::COLOR {
            Color::White => (pins.falling, pins.rising),
            Color::Black => (pins.rising, pins.falling),
        };
        let from_west = backward::<L, Us>(takable.westward).up(1);
        let from_east = backward::<L, Us>(takable.eastward).down(1);
        let west = self.pawns.without(pins.all_but(west_pins)) & from_west;
        let east = self.pawns.without(pins.all_but(east_pins)) & from_east;

        let mut counts = push.counts().plus(double_push.counts());
        counts = counts.plus(west.counts()).plus(east.counts());
        if (parent.pawns[Us::COLOR as usize] & Us::SEVENTH_RANK).any() {
            let seventh = L::splat(proof, Us::SEVENTH_RANK.0);
            for moving in [push, west, east] {
                // Counted once above; a promotion is four moves.
                let promotions = (moving & seventh).counts();
                counts = counts.plus(promotions).plus(promotions).plus(promotions);
            }
        }
        counts
    }

    #[inline(always)]
    fn sliders(&self, proof: L::Proof, pins: &Pins<L>, targets: L) -> L {
        let mut counts = L::splat(proof, 0);
        let landing = &Landing::new(proof, targets);
        if self.orthogonal.any() {
            let on_file = self.orthogonal.without(pins.all_but(pins.file));
            let on_rank = self.orthogonal.without(pins.all_but(pins.rank));
            counts = plus_both(counts, self.ways.files(on_file, landing));
            counts = plus_both(counts, self.ways.ranks(on_rank, landing));
        }
        if self.diagonal.any() {
            let rising = self.diagonal.without(pins.all_but(pins.rising));
            let falling = self.diagonal.without(pins.all_but(pins.falling));
            counts = plus_both(counts, self.ways.rising(rising, landing));
            counts = plus_both(counts, self.ways.falling(falling, landing));
        }
        counts
    }

    #[inline(always)]
    fn castling<Us: Side>(&self, proof: L::Proof, parent: &Pieces, threats: &Threats<L>) -> L {
        let shift = match Us::COLOR {
            Color::White => 0,
            Color::Black => 56,
        };
        let king = parent.king(Us::COLOR).file().index();
        let mut counts = L::splat(proof, 0);
        for rook in parent.castling_rooks & Us::BACK_RANK {
            let path = &CASTLING_PATHS[king][rook.file().index()];
            let rook = L::splat(proof, rook.bit().0);
            let blocked = self.occupied & L::splat(proof, path.empty.0 << shift)
                | threats.danger & L::splat(proof, path.safe.0 << shift)
                | (self.taken | threats.pins.rank) & rook
                | threats.checkers;
            counts = counts.plus((blocked.where_empty() & rook).counts());
        }
        counts
    }
}

impl<L: Lanes> Pins<L> {
    #[inline(always)]
    fn new(ours: L, file: L, rank: L, rising: L, falling: L) -> Pins<L> {
        let (file, rank) = (file & ours, rank & ours);
        let (rising, falling) = (rising & ours, falling & ours);
        Pins {
            file,
            rank,
            rising,
            falling,
            all: file | rank | (rising | falling),
        }
    }

    /// Pieces pinned on another line.
    #[inline(always)]
    fn all_but(&self, line: L) -> L {
        self.all.without(line)
    }
}

/// What is seen in one direction and met first in the other.
#[inline(always)]
fn facing<L: Lanes>(seen: [L; 2], first: [L; 2]) -> L {
    seen[0] & first[1] | seen[1] & first[0]
}

#[inline(always)]
fn either<L: Lanes>(sets: [L; 2]) -> L {
    sets[0] | sets[1]
}

#[inline(always)]
fn plus_both<L: Lanes>(counts: L, seen: [L; 2]) -> L {
    counts.plus(seen[0].counts()).plus(seen[1].counts())
}

#[inline(always)]
fn backward<L: Lanes, Us: Side>(set: L) -> L {
    match Us::COLOR {
        Color::White => set.down(8),
        Color::Black => set.up(8),
    }
}

/// Squares a knight's jump away from any of `set`; the landing is the whole board.
#[inline(always)]
fn knight_fill<L: Lanes>(set: L, landing: &Landing<L>) -> L {
    let (east, west) = (set.up(1) & landing.eastward, set.down(1) & landing.westward);
    let near = east | west;
    let far = east.up(1) & landing.eastward | west.down(1) & landing.westward;
    near.up(16) | near.down(16) | (far.up(8) | far.down(8))
}

/// For each board on which the king stands in check: where a piece other than the king may go, and what a
/// checking slider attacks through the king. Few boards have a check, so these are looked at one by one.
#[inline(always)]
fn answer<L: Lanes>(proof: L::Proof, king: Square, checkers: L, sliders: L) -> (L, L) {
    let (checkers, sliders) = (checkers.store(), sliders.store());
    let mut answers = [!0; LANES_MAX];
    let mut behind = [0; LANES_MAX];
    for lane in 0..L::COUNT {
        let checkers = Bitboard(checkers[lane]);
        if checkers.is_empty() {
            continue;
        }
        answers[lane] = match checkers.single() {
            Some(checker) => (attacks::between(king, checker) | checker.bit()).0,
            None => 0,
        };
        for slider in Bitboard(sliders[lane]) {
            behind[lane] |= (attacks::line(king, slider) ^ slider.bit()).0;
        }
    }
    (L::load(proof, &answers), L::load(proof, &behind))
}
