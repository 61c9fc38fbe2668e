//! `MoveFacts`: what can be played in a position, by kind. The moves are counted in one pass of the
//! move generator; only moves that give check are made, to tell the mates among them.
//!
//! The slow, plain truth is [`super::perft_stats`] of one ply, which makes every move;
//! `tests/properties/facts.rs` compares the two.

use super::{All, CountOne, Masks, MoveVisitor, generate};
use crate::attacks::{self, Magic, Sliders, TABLES};
use crate::board::{
    Bitboard, BlackSide, CASTLING_PATHS, Color, MOVES_MAX, MoveKind, Role, Side, Square, WhiteSide,
};
use crate::position::{PackedPosition, Pieces, Position};

/// The legal moves of a position by what they do, and the pieces that limit them.
///
/// The classes overlap as in [`super::PerftStats`]: an e.p. capture is also a capture, a
/// capturing promotion counts as both, every mate is also a check. Checks are of three kinds that
/// do not overlap: direct (one checker, the moved piece or the castled rook), by discovery (one
/// checker, which did not move) and double.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveFacts {
    /// Enemy pieces that give check to the side to move.
    pub checkers: Bitboard,
    /// Pieces of the side to move that may not leave a line through their king.
    pub pinned: Bitboard,
    /// All legal moves.
    pub legal_moves: u16,
    /// Moves that take a piece, e.p. included.
    pub captures: u16,
    /// Captures en passant.
    pub ep_captures: u16,
    /// Castling moves.
    pub castles: u16,
    /// Promotions, one for each piece chosen.
    pub promotions: u16,
    /// Moves that give check, mates included.
    pub checks: u16,
    /// Checks by exactly one piece, which is neither the moved piece nor the castled rook or king.
    pub discovery_checks: u16,
    /// Checks by two pieces.
    pub double_checks: u16,
    /// Moves that mate.
    pub mates: u16,
}

const _: () = assert!(MOVES_MAX <= u16::MAX as usize);

impl MoveFacts {
    /// The facts of a position.
    pub fn of(position: &Position) -> MoveFacts {
        match position.side_to_move() {
            Color::White => move_facts::<_, WhiteSide>(Magic::new(), position.pieces()),
            Color::Black => move_facts::<_, BlackSide>(Magic::new(), position.pieces()),
        }
    }

    /// The facts of a packed position: the same, with the squares as seen from the side to move.
    pub fn of_packed(packed: &PackedPosition) -> MoveFacts {
        move_facts::<_, WhiteSide>(Magic::new(), &packed.unpack())
    }

    /// The same with the board mirrored between the two sides.
    pub fn mirrored(self) -> MoveFacts {
        MoveFacts {
            checkers: self.checkers.flip_ranks(),
            pinned: self.pinned.flip_ranks(),
            ..self
        }
    }

    /// Checks by the moved piece, or the castled rook, alone.
    pub fn direct_checks(&self) -> u16 {
        self.checks - self.discovery_checks - self.double_checks
    }
}

/// The facts of a position in which `Us` is to move, by a kernel.
#[inline(always)]
pub fn move_facts<C: CountOne, Us: Side>(kernel: C, pieces: &Pieces) -> MoveFacts {
    match (pieces.ep.any(), pieces.castling_rooks.any()) {
        (false, false) => kernel.facts_of::<Us, false, false>(pieces),
        (false, true) => kernel.facts_of::<Us, false, true>(pieces),
        (true, false) => kernel.facts_of::<Us, true, false>(pieces),
        (true, true) => kernel.facts_of::<Us, true, true>(pieces),
    }
}

/// Counts the moves it is shown. `CASTLING` as for [`generate`].
struct Tally<'a, C, Us, const CASTLING: bool> {
    parent: &'a Pieces,
    kernel: C,
    facts: MoveFacts,
    /// Their king.
    king: Square,
    /// Squares from which a pawn, knight, bishop or rook would give check, the board as it is.
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    /// Our pieces that stand alone between one of our sliders and their king: leaving that line
    /// gives check.
    shields: Bitboard,
    side: std::marker::PhantomData<Us>,
}

/// [`move_facts`] where it is known whether there is an e.p. square and any castling right.
#[inline(always)]
pub fn tally<C: CountOne, Us: Side, const EP: bool, const CASTLING: bool>(
    kernel: C,
    parent: &Pieces,
) -> MoveFacts {
    let sliders = kernel.sliders();
    let masks = Masks::new::<Us, CASTLING>(sliders, parent);
    let king = parent.king(Us::Them::COLOR);
    let (bishop, rook) = (
        sliders.bishop(king, masks.occupied),
        sliders.rook(king, masks.occupied),
    );
    let mut tally = Tally::<C, Us, CASTLING> {
        parent,
        kernel,
        facts: MoveFacts::default(),
        king,
        pawn: attacks::pawn_attacks(Us::Them::COLOR, king),
        knight: attacks::knight_attacks(king),
        bishop,
        rook,
        shields: shields::<Us>(sliders, parent, &masks, bishop, rook),
        side: std::marker::PhantomData,
    };
    tally.facts.pinned = (masks.pin_orthogonal | masks.pin_diagonal) & masks.ours;
    if masks.in_check() {
        let ours = parent.king(Us::COLOR);
        tally.facts.checkers = parent.attackers(sliders, Us::Them::COLOR, ours, masks.occupied);
    }
    generate::<Us, All, EP, CASTLING>(sliders, parent, &masks, &mut tally);
    tally.facts
}

impl<C: CountOne, Us: Side, const CASTLING: bool> Tally<'_, C, Us, CASTLING> {
    /// Squares from which a piece of this kind gives check.
    #[inline(always)]
    fn checks_from(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => Bitboard::EMPTY,
        }
    }

    /// The targets on which the piece from `from` gives check, itself or by making way.
    ///
    /// The square a slider leaves never hides it from the king: it would have given check from there.
    #[inline(always)]
    fn checking(&self, role: Role, from: Bitboard, targets: Bitboard) -> Bitboard {
        let direct = self.checks_from(role);
        if (from & self.shields).is_empty() {
            return targets & direct;
        }
        targets & (direct | !attacks::line(self.king, from.first()))
    }

    /// A move of the usual kind that gives check.
    #[inline(never)]
    fn usual_check(
        &mut self,
        role: Role,
        kind: MoveKind,
        captures: bool,
        from: Bitboard,
        to: Bitboard,
    ) {
        let direct = (to & self.checks_from(role)).any();
        let discovers = (from & self.shields).any()
            && !attacks::line(self.king, from.first()).contains(to.first());
        let child = self
            .parent
            .after::<Us, CASTLING>(role, kind, captures, from, to);
        self.check(&child, direct, u32::from(discovers));
    }

    /// A move that gives check, by the moved piece, by others, or by both.
    fn check(&mut self, child: &Pieces, direct: bool, others: u32) {
        self.facts.checks += 1;
        match (direct, others) {
            (true, 0) => {}
            (false, 1) => self.facts.discovery_checks += 1,
            _ => self.facts.double_checks += 1,
        }
        // In check nobody castles, so rights do not matter to the replies.
        let replies = if child.ep.any() {
            self.kernel.can_move::<Us::Them, true>(child)
        } else {
            self.kernel.can_move::<Us::Them, false>(child)
        };
        self.facts.mates += u16::from(!replies);
    }

    /// Moves that change more than two squares, or the kind of a piece: looked at once made.
    #[inline(never)]
    fn unusual(&mut self, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let role = match kind {
            MoveKind::Castle => Role::King,
            _ => Role::Pawn,
        };
        let child = self
            .parent
            .after::<Us, CASTLING>(role, kind, captures, from, to);
        let sliders = self.kernel.sliders();
        let checkers = child.attackers(sliders, Us::COLOR, self.king, child.occupied());
        if checkers.any() {
            let moved = match kind {
                MoveKind::Castle => castled::<Us>(from, to),
                _ => to,
            };
            let others = (checkers & !moved).count();
            self.check(&child, (checkers & moved).any(), others);
        }
    }
}

/// Where king and rook stand once they have castled.
fn castled<Us: Side>(king: Bitboard, rook: Bitboard) -> Bitboard {
    let path = &CASTLING_PATHS[king.first().file().index()][rook.first().file().index()];
    let shift = match Us::COLOR {
        Color::White => 0,
        Color::Black => 56,
    };
    Bitboard((path.king_target.0 | path.rook_target.0) << shift)
}

/// Our pieces that stand alone between one of our sliders and their king. `bishop` and `rook` are
/// what those would attack from the king's square.
#[inline(always)]
fn shields<Us: Side>(
    sliders: impl Sliders,
    pieces: &Pieces,
    masks: &Masks,
    bishop: Bitboard,
    rook: Bitboard,
) -> Bitboard {
    let us = Us::COLOR as usize;
    let king = pieces.king(Us::Them::COLOR);
    let mut shields = Bitboard::EMPTY;
    if (TABLES.orthogonal[king.index()] & pieces.orthogonal[us]).any() {
        let beyond = sliders.rook(king, masks.occupied ^ (rook & masks.ours));
        for sniper in beyond & pieces.orthogonal[us] & !rook {
            shields |= attacks::between(king, sniper) & masks.ours;
        }
    }
    if (TABLES.diagonal[king.index()] & pieces.diagonal[us]).any() {
        let beyond = sliders.bishop(king, masks.occupied ^ (bishop & masks.ours));
        for sniper in beyond & pieces.diagonal[us] & !bishop {
            shields |= attacks::between(king, sniper) & masks.ours;
        }
    }
    shields
}

impl<C: CountOne, Us: Side, const CASTLING: bool> MoveVisitor for Tally<'_, C, Us, CASTLING> {
    /// Counts pawn captures and unusual moves; of other moves only those come here that give check, or
    /// may, and they have been counted.
    #[inline(always)]
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let facts = &mut self.facts;
        let uncounted = u16::from(captures && role == Role::Pawn);
        facts.captures += uncounted;
        match kind {
            MoveKind::EnPassant => {
                facts.captures += 1;
                facts.ep_captures += 1;
            }
            MoveKind::Castle => facts.castles += 1,
            MoveKind::Promotion(_) => facts.promotions += 1,
            MoveKind::Normal | MoveKind::DoublePush => {
                facts.legal_moves += uncounted;
                if self.checking(role, from, to).any() {
                    self.usual_check(role, kind, captures, from, to);
                }
                return;
            }
        }
        facts.legal_moves += 1;
        self.unusual(kind, captures, from, to);
    }

    #[inline(always)]
    fn take_captures(&mut self, role: Role, from: Bitboard, targets: Bitboard) -> Bitboard {
        let count = targets.count() as u16;
        self.facts.legal_moves += count;
        self.facts.captures += count;
        self.checking(role, from, targets)
    }

    #[inline(always)]
    fn take_quiets(&mut self, role: Role, from: Bitboard, targets: Bitboard) -> Bitboard {
        self.facts.legal_moves += targets.count() as u16;
        self.checking(role, from, targets)
    }

    #[inline(always)]
    fn take_pushes(&mut self, from: Bitboard, double: bool) -> Bitboard {
        self.facts.legal_moves += from.count() as u16;
        let landing = Us::backward(self.pawn);
        let landing = if double {
            Us::backward(landing)
        } else {
            landing
        };
        from & (landing | self.shields)
    }
}
