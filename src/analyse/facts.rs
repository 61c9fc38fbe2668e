//! `Facts`: everything a record says of a position. The moves are counted by kind in one pass of
//! the move generator; only moves that give check are made, to tell the mates among them.
//!
//! The slow, plain truth is [`crate::movegen::perft_stats`] of one ply, which makes every move;
//! `tests/facts/` compares the two.

use super::insufficient_material;
use crate::attacks::{self, Magic, Sliders, TABLES};
use crate::board::{
    Bitboard, BlackSide, CASTLING_PATHS, Color, MOVES_MAX, MoveKind, Role, Side, Square, WhiteSide,
};
use crate::movegen::{All, Masks, MoveVisitor, count_legal, generate};
use crate::position::{PackedPosition, Pieces, Position};

/// Plies without a capture or pawn move after which a draw can be claimed.
pub const CLAIM_PLIES: u32 = 100;
/// The same after which the game is drawn without a claim.
pub const DRAW_PLIES: u32 = 150;

/// The legal moves of a position by what they do, and the pieces that limit them.
///
/// The classes overlap as in [`crate::movegen::PerftStats`]: an e.p. capture is also a capture, a
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
            Color::White => count::<WhiteSide>(position.pieces()),
            Color::Black => count::<BlackSide>(position.pieces()),
        }
    }

    /// The facts of a packed position: the same, with the squares as seen from the side to move.
    pub fn of_packed(packed: &PackedPosition) -> MoveFacts {
        count::<WhiteSide>(&packed.unpack())
    }

    /// Checks by the moved piece, or the castled rook, alone.
    pub fn direct_checks(&self) -> u16 {
        self.checks - self.discovery_checks - self.double_checks
    }
}

/// How a position ends the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can be mated; see [`insufficient_material`].
    InsufficientMaterial,
    /// 150 plies without a capture or pawn move.
    SeventyFiveMoves,
    /// The position has occurred five times.
    FivefoldRepetition,
}

impl Outcome {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient-material",
            Outcome::SeventyFiveMoves => "seventy-five-moves",
            Outcome::FivefoldRepetition => "fivefold-repetition",
        }
    }
}

/// What a position is.
///
/// ```
/// use hyperft::{analyse::{Facts, Outcome}, parse::parse_fen};
///
/// let mate = parse_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 90").unwrap();
/// assert_eq!(Facts::of(&mate).outcome(), Some(Outcome::Checkmate));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The legal moves.
    pub moves: MoveFacts,
    /// Nobody can be mated.
    pub insufficient_material: bool,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
}

impl Facts {
    /// The facts of a position.
    pub fn of(position: &Position) -> Facts {
        Facts {
            moves: MoveFacts::of(position),
            insufficient_material: insufficient_material(position.pieces()),
            halfmove_clock: position.halfmove_clock(),
        }
    }

    /// The side to move stands in check.
    pub fn in_check(&self) -> bool {
        self.moves.checkers.any()
    }

    /// In check and no legal move.
    pub fn checkmate(&self) -> bool {
        self.moves.legal_moves == 0 && self.in_check()
    }

    /// Not in check and no legal move.
    pub fn stalemate(&self) -> bool {
        self.moves.legal_moves == 0 && !self.in_check()
    }

    /// A draw by the 50-move rule can be claimed: 100 plies, and the board has not ended the game.
    pub fn fifty_moves(&self) -> bool {
        self.halfmove_clock >= CLAIM_PLIES && self.moves.legal_moves > 0
    }

    /// The game is drawn by the 75-move rule: 150 plies, and the board has not ended the game.
    pub fn seventy_five_moves(&self) -> bool {
        self.halfmove_clock >= DRAW_PLIES && self.moves.legal_moves > 0
    }

    /// What has ended the game, repetition apart. Mate comes first, then stalemate.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.checkmate() {
            Some(Outcome::Checkmate)
        } else if self.stalemate() {
            Some(Outcome::Stalemate)
        } else if self.insufficient_material {
            Some(Outcome::InsufficientMaterial)
        } else if self.seventy_five_moves() {
            Some(Outcome::SeventyFiveMoves)
        } else {
            None
        }
    }
}

fn count<Us: Side>(pieces: &Pieces) -> MoveFacts {
    match (pieces.ep.any(), pieces.castling_rooks.any()) {
        (false, false) => Tally::<Us, false>::count::<false>(pieces),
        (false, true) => Tally::<Us, true>::count::<false>(pieces),
        (true, false) => Tally::<Us, false>::count::<true>(pieces),
        (true, true) => Tally::<Us, true>::count::<true>(pieces),
    }
}

/// Counts the moves it is shown. `CASTLING` as for [`generate`].
struct Tally<'a, Us, const CASTLING: bool> {
    parent: &'a Pieces,
    sliders: Magic,
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

impl<'a, Us: Side, const CASTLING: bool> Tally<'a, Us, CASTLING> {
    #[inline(never)]
    fn count<const EP: bool>(parent: &'a Pieces) -> MoveFacts {
        let sliders = Magic::new();
        let masks = Masks::new::<Us, CASTLING>(sliders, parent);
        let king = parent.king(Us::Them::COLOR);
        let (bishop, rook) = (
            sliders.bishop(king, masks.occupied),
            sliders.rook(king, masks.occupied),
        );
        let mut tally = Tally::<Us, CASTLING> {
            parent,
            sliders,
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

    /// A move that gives check, by the moved piece, by another, or by both.
    #[inline(always)]
    fn check(&mut self, child: &Pieces, direct: bool, others: u32) {
        self.facts.checks += 1;
        match (direct, others) {
            (true, 0) => {}
            (false, 1) => self.facts.discovery_checks += 1,
            _ => self.facts.double_checks += 1,
        }
        // In check nobody castles, so rights do not matter to the replies.
        let replies = if child.ep.any() {
            count_legal::<Us::Them, true, false>(self.sliders, child)
        } else {
            count_legal::<Us::Them, false, false>(self.sliders, child)
        };
        self.facts.mates += u16::from(replies == 0);
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
        let checkers = child.attackers(self.sliders, Us::COLOR, self.king, child.occupied());
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

impl<Us: Side, const CASTLING: bool> MoveVisitor for Tally<'_, Us, CASTLING> {
    /// Counts captures and unusual moves; of quiet moves only those come here that may give check,
    /// and they have been counted.
    #[inline(always)]
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard) {
        let facts = &mut self.facts;
        facts.captures += u16::from(captures);
        match kind {
            MoveKind::EnPassant => {
                facts.captures += 1;
                facts.ep_captures += 1;
            }
            MoveKind::Castle => facts.castles += 1,
            MoveKind::Promotion(_) => facts.promotions += 1,
            MoveKind::Normal | MoveKind::DoublePush => {
                facts.legal_moves += u16::from(captures);
                // The square a slider leaves never hides it from the king: it would have given
                // check from there.
                let direct = (to & self.checks_from(role)).any();
                let discovers = (from & self.shields).any()
                    && !attacks::line(self.king, from.first()).contains(to.first());
                if direct || discovers {
                    let child = self
                        .parent
                        .after::<Us, CASTLING>(role, kind, captures, from, to);
                    self.check(&child, direct, u32::from(discovers));
                }
                return;
            }
        }
        facts.legal_moves += 1;
        self.unusual(kind, captures, from, to);
    }

    #[inline(always)]
    fn take_quiets(&mut self, role: Role, from: Bitboard, targets: Bitboard) -> Bitboard {
        self.facts.legal_moves += targets.count() as u16;
        if (from & self.shields).any() {
            targets
        } else {
            targets & self.checks_from(role)
        }
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
