//! Counting two plies at once: replies to harmless moves are counted once for all of them.
//!
//! Most quiet moves change nothing for the side that replies: neither square they touch is one the
//! replier's sliders or pawns look at, and no line to the replier's king opens or closes. After
//! such a move the replier has exactly as many legal moves as if we had passed. So the replies
//! after passing (a *null move*) are counted once, and each harmless move adds that number without
//! being made. All other moves are made and their replies counted.

use super::Masks;
use super::legal::{All, MoveVisitor, generate};
use crate::attacks::{self, Sliders, fills};
use crate::board::{Bitboard, MoveKind, Role, Side};
use crate::position::Pieces;

/// How single positions are counted while two plies are: compiled for one set of instructions.
pub trait CountOne: Copy {
    /// The slider method.
    fn sliders(self) -> impl Sliders;
    /// The number of legal moves; see [`super::count_legal`].
    fn count_one<Us: Side, const EP: bool, const CASTLING: bool>(self, pieces: &Pieces) -> u32;
}

/// The number of paths of two plies. `EP` and `CASTLING` are as for [`super::count_legal`].
#[inline(always)]
pub fn count_two<C: CountOne, Us: Side, const EP: bool, const CASTLING: bool>(
    counter: C,
    parent: &Pieces,
) -> u32 {
    let masks = Masks::new::<Us, CASTLING>(counter.sliders(), parent);
    let mut pairs = Pairs::<C, Us, CASTLING> {
        counter,
        parent,
        disturbing: Disturbing::EVERYTHING,
        replies: 0,
        total: 0,
        side: std::marker::PhantomData,
    };
    // In check there are few moves, and hardly a harmless one.
    if !masks.in_check() {
        let passed = Pieces {
            ep: Bitboard::EMPTY,
            ..*parent
        };
        pairs.replies = counter.count_one::<Us::Them, false, CASTLING>(&passed);
        pairs.disturbing =
            Disturbing::new::<Us, CASTLING>(counter.sliders(), parent, masks.occupied);
    }
    generate::<Us, All, EP, CASTLING>(counter.sliders(), parent, &masks, &mut pairs);
    pairs.total
}

struct Pairs<'a, C, Us, const CASTLING: bool> {
    counter: C,
    parent: &'a Pieces,
    disturbing: Disturbing,
    /// Replies after a null move.
    replies: u32,
    total: u32,
    side: std::marker::PhantomData<Us>,
}

impl<C: CountOne, Us: Side, const CASTLING: bool> MoveVisitor for Pairs<'_, C, Us, CASTLING> {
    #[inline(always)]
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let child = self
            .parent
            .after::<Us, CASTLING>(role, kind, captures, from, to);
        let count = self.counter;
        self.total += if let MoveKind::DoublePush = kind
            && child.ep.any()
        {
            count.count_one::<Us::Them, true, CASTLING>(&child)
        } else if CASTLING && child.castling_rooks.any() {
            count.count_one::<Us::Them, false, true>(&child)
        } else {
            count.count_one::<Us::Them, false, false>(&child)
        };
    }

    #[inline(always)]
    fn take_quiets(&mut self, role: Role, from: Bitboard, targets: Bitboard) -> Bitboard {
        let disturbing = self.disturbing.by(role);
        if (from & disturbing).any() {
            return targets;
        }
        self.total += self.replies * (targets & !disturbing).count();
        targets & disturbing
    }

    #[inline(always)]
    fn take_pushes(&mut self, from: Bitboard, double: bool) -> Bitboard {
        let disturbing = &self.disturbing;
        let landing = if double {
            Us::backward(Us::backward(disturbing.pawn | disturbing.double_push))
        } else {
            Us::backward(disturbing.pawn)
        };
        self.total += self.replies * (from & !disturbing.pawn & !landing).count();
        from & (disturbing.pawn | landing)
    }
}

/// Squares that a quiet move may neither leave nor enter if it is to be harmless, by what moves.
#[derive(Copy, Clone, Debug)]
struct Disturbing {
    pawn: Bitboard,
    /// Squares on which a double push can be captured en passant.
    double_push: Bitboard,
    knight: Bitboard,
    slider: Bitboard,
    king: Bitboard,
}

impl Disturbing {
    const EVERYTHING: Disturbing = Disturbing {
        pawn: Bitboard::ALL,
        double_push: Bitboard::ALL,
        knight: Bitboard::ALL,
        slider: Bitboard::ALL,
        king: Bitboard::ALL,
    };

    #[inline(always)]
    fn by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::King => self.king,
            _ => self.slider,
        }
    }

    /// What disturbs the side that replies to `Us`.
    ///
    /// The replier's knights do not matter: they go wherever no piece of their own stands.
    #[inline(always)]
    fn new<Us: Side, const CASTLING: bool>(
        sliders: impl Sliders,
        pieces: &Pieces,
        occupied: Bitboard,
    ) -> Disturbing {
        let them = Us::Them::COLOR as usize;
        let theirs = pieces.of(Us::Them::COLOR);
        let king = pieces.kings[them];

        // Where their sliders look: a square more or less free changes how far they go.
        let mut shared = Bitboard::EMPTY;
        for from in pieces.diagonal[them] {
            shared |= sliders.bishop(from, occupied);
        }
        for from in pieces.orthogonal[them] {
            shared |= sliders.rook(from, occupied);
        }
        // What their pawns may take, and where they may push.
        let pawns = pieces.pawns[them];
        let pushed = Us::Them::forward(pawns);
        shared |= pushed | pushed.east() | pushed.west();
        shared |= Us::Them::forward(pushed & Us::Them::forward(Us::Them::PAWN_RANK));

        // Where their king stands or may step, and for castling all of their back rank.
        let mut zone = king | (attacks::king_attacks(king.first()) & !theirs);
        if CASTLING && (pieces.castling_rooks & Us::Them::BACK_RANK).any() {
            zone |= Us::Them::BACK_RANK;
        }
        shared |= zone | lines_to_zone::<Us>(sliders, pieces, occupied, zone);

        let behind = Us::backward(zone);
        Disturbing {
            pawn: shared | behind.east() | behind.west(),
            double_push: pawns.east() | pawns.west(),
            knight: shared | fills::knight_fill(zone),
            slider: shared,
            king: shared | fills::king_fill(zone),
        }
    }
}

/// Squares on which one of our sliders attacks a square of the zone, or which lie between the two:
/// a quiet move that touches none of them leaves their king all its steps, unpins nothing, pins
/// nothing and gives no check.
#[inline(always)]
fn lines_to_zone<Us: Side>(
    sliders: impl Sliders,
    pieces: &Pieces,
    occupied: Bitboard,
    zone: Bitboard,
) -> Bitboard {
    let (us, them) = (Us::COLOR as usize, Us::Them::COLOR as usize);
    let theirs = pieces.of(Us::Them::COLOR);
    let king = pieces.king(Us::Them::COLOR);
    // A king does not shield the squares behind it from the slider that checks it.
    let empty = !occupied | pieces.kings[them];
    let mut lines = Bitboard::EMPTY;
    if pieces.orthogonal[us].any() {
        lines |= fills::orthogonal_fill(zone, empty);
        // Through the first of their pieces on each line, which a slider behind it may pin.
        let shields = sliders.rook(king, occupied) & theirs;
        lines |= sliders.rook(king, occupied ^ shields);
    }
    if pieces.diagonal[us].any() {
        lines |= fills::diagonal_fill(zone, empty);
        let shields = sliders.bishop(king, occupied) & theirs;
        lines |= sliders.bishop(king, occupied ^ shields);
    }
    lines
}
