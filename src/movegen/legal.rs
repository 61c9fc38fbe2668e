//! Legal moves, one call of a visitor each. Lists, children and text are made from this.

use super::Masks;
use crate::attacks::{self, Magic, Sliders};
use crate::board::{
    Bitboard, BlackSide, CASTLING_PATHS, Color, Move, MoveKind, MoveList, Role, Side, WhiteSide,
};
use crate::position::{Pieces, Position};

/// Receives legal moves. `role`, `kind` and `captures` are constants at every call, so an inlined
/// visitor is compiled for each of them.
pub trait MoveVisitor {
    /// One legal move. `to` is the rook when castling; `captures` means an enemy piece on `to`, so
    /// it is false for an e.p. capture.
    fn visit(&mut self, role: Role, kind: MoveKind, captures: bool, from: Bitboard, to: Bitboard);

    /// Quiet moves of the piece on `from` to all of `targets`, before they are visited. A visitor
    /// that can deal with some of them at once does so and returns the rest.
    #[inline(always)]
    fn take_quiets(&mut self, _: Role, _from: Bitboard, targets: Bitboard) -> Bitboard {
        targets
    }

    /// The same for captures.
    #[inline(always)]
    fn take_captures(&mut self, _: Role, _from: Bitboard, targets: Bitboard) -> Bitboard {
        targets
    }

    /// The same for the pushes, all single or all double, of the pawns on `from`; promotions are
    /// not among them.
    #[inline(always)]
    fn take_pushes(&mut self, from: Bitboard, _double: bool) -> Bitboard {
        from
    }
}

/// Which moves to visit.
pub trait Filter {
    /// Visit moves that take something, e.p. included.
    const CAPTURES: bool;
    /// Visit all other moves.
    const QUIETS: bool;
}

/// Every move.
pub struct All;
/// Captures only.
pub struct Captures;
/// Moves that are not captures only.
pub struct Quiets;

impl Filter for All {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
}

impl Filter for Captures {
    const CAPTURES: bool = true;
    const QUIETS: bool = false;
}

impl Filter for Quiets {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;
}

/// Pawns that may move, by the way they go; each set holds the squares the pawns stand on.
pub(super) struct PawnMoves {
    pub(super) west: Bitboard,
    pub(super) east: Bitboard,
    pub(super) push: Bitboard,
    pub(super) double_push: Bitboard,
}

impl PawnMoves {
    #[inline(always)]
    pub(super) fn new<Us: Side>(pieces: &Pieces, masks: &Masks) -> PawnMoves {
        let pawns = pieces.pawns[Us::COLOR as usize];
        // `from_west(set)`: where a pawn stands that captures westward onto `set`.
        let from_west = |set: Bitboard| Us::backward(set.east());
        let from_east = |set: Bitboard| Us::backward(set.west());
        let taken = masks.theirs & masks.check_mask;
        let capturing = pawns & !masks.pin_orthogonal;
        let stays = !masks.pin_diagonal;
        let west = capturing & from_west(taken) & (stays | from_west(masks.pin_diagonal));
        let east = capturing & from_east(taken) & (stays | from_east(masks.pin_diagonal));

        let free = Us::backward(!masks.occupied);
        let pushing = pawns & !masks.pin_diagonal & free;
        // A pawn pinned along a file may push: its target lies on the same pin line.
        let stays = !masks.pin_orthogonal | Us::backward(masks.pin_orthogonal);
        let push = pushing & stays & Us::backward(masks.check_mask);
        let landing = Us::backward(Us::backward(!masks.occupied & masks.check_mask));
        let double_push = pushing & stays & Us::PAWN_RANK & landing;
        PawnMoves {
            west,
            east,
            push,
            double_push,
        }
    }
}

/// Which rooks may castle now: rights, path empty, no square of the king's way attacked.
///
/// A pinned rook may not castle. That is the whole of the Chess960 rule that a rook which shielded
/// its king along the back rank must not leave it in check: the pin line is that rank.
#[inline(always)]
pub(super) fn castling_rooks<Us: Side>(pieces: &Pieces, masks: &Masks) -> Bitboard {
    let mut rooks = pieces.castling_rooks & Us::BACK_RANK & !masks.pin_orthogonal;
    if rooks.is_empty() || masks.in_check() {
        return Bitboard::EMPTY;
    }
    let shift = match Us::COLOR {
        Color::White => 0,
        Color::Black => 56,
    };
    let king = pieces.king(Us::COLOR).file().index();
    let mut ready = Bitboard::EMPTY;
    while rooks.any() {
        let rook = rooks.first_bit();
        rooks ^= rook;
        let path = &CASTLING_PATHS[king][rook.first().file().index()];
        let blocked =
            (masks.occupied.0 >> shift & path.empty.0) | (masks.danger.0 >> shift & path.safe.0);
        if blocked == 0 {
            ready |= rook;
        }
    }
    ready
}

/// Visits every legal move of `Us` that passes the filter.
///
/// `EP` must be true if `pieces.ep` is set, `CASTLING` if anyone has a castling right left, and
/// `masks` made with the same `CASTLING`.
#[inline(always)]
pub fn generate<Us: Side, F: Filter, const EP: bool, const CASTLING: bool>(
    sliders: impl Sliders,
    pieces: &Pieces,
    masks: &Masks,
    visitor: &mut impl MoveVisitor,
) {
    let king = pieces.kings[Us::COLOR as usize];
    emit::<F>(visitor, masks.theirs, Role::King, king, masks.king_targets);
    if masks.check_mask.is_empty() {
        return;
    }
    pawn_moves::<Us, F>(pieces, masks, visitor);
    if EP && F::CAPTURES {
        for from in pieces.ep_capturers::<Us>(sliders) {
            visitor.visit(
                Role::Pawn,
                MoveKind::EnPassant,
                false,
                from.bit(),
                pieces.ep,
            );
        }
    }
    if CASTLING && F::QUIETS {
        for rook in castling_rooks::<Us>(pieces, masks) {
            visitor.visit(Role::King, MoveKind::Castle, false, king, rook.bit());
        }
    }
    piece_moves::<Us, F>(sliders, pieces, masks, visitor);
}

#[inline(always)]
fn emit<F: Filter>(
    visitor: &mut impl MoveVisitor,
    theirs: Bitboard,
    role: Role,
    from: Bitboard,
    targets: Bitboard,
) {
    if F::QUIETS {
        for to in visitor.take_quiets(role, from, targets & !theirs) {
            visitor.visit(role, MoveKind::Normal, false, from, to.bit());
        }
    }
    if F::CAPTURES {
        for to in visitor.take_captures(role, from, targets & theirs) {
            visitor.visit(role, MoveKind::Normal, true, from, to.bit());
        }
    }
}

#[inline(always)]
fn pawn_moves<Us: Side, F: Filter>(pieces: &Pieces, masks: &Masks, visitor: &mut impl MoveVisitor) {
    let PawnMoves {
        west,
        east,
        push,
        double_push,
    } = PawnMoves::new::<Us>(pieces, masks);
    let seventh = Us::SEVENTH_RANK;
    if F::CAPTURES {
        for from in west & !seventh {
            let to = Us::forward(from.bit()).west();
            visitor.visit(Role::Pawn, MoveKind::Normal, true, from.bit(), to);
        }
        for from in east & !seventh {
            let to = Us::forward(from.bit()).east();
            visitor.visit(Role::Pawn, MoveKind::Normal, true, from.bit(), to);
        }
    }
    if F::QUIETS {
        for from in visitor.take_pushes(push & !seventh, false) {
            let to = Us::forward(from.bit());
            visitor.visit(Role::Pawn, MoveKind::Normal, false, from.bit(), to);
        }
        for from in visitor.take_pushes(double_push, true) {
            let to = Us::forward(Us::forward(from.bit()));
            visitor.visit(Role::Pawn, MoveKind::DoublePush, false, from.bit(), to);
        }
    }
    if ((west | east | push) & seventh).any() {
        promotions::<Us, F>(visitor, west & seventh, east & seventh, push & seventh);
    }
}

#[inline(always)]
fn promotions<Us: Side, F: Filter>(
    visitor: &mut impl MoveVisitor,
    west: Bitboard,
    east: Bitboard,
    push: Bitboard,
) {
    let mut all_four = |captures: bool, from: Bitboard, to: Bitboard| {
        visitor.visit(
            Role::Pawn,
            MoveKind::Promotion(Role::Knight),
            captures,
            from,
            to,
        );
        visitor.visit(
            Role::Pawn,
            MoveKind::Promotion(Role::Bishop),
            captures,
            from,
            to,
        );
        visitor.visit(
            Role::Pawn,
            MoveKind::Promotion(Role::Rook),
            captures,
            from,
            to,
        );
        visitor.visit(
            Role::Pawn,
            MoveKind::Promotion(Role::Queen),
            captures,
            from,
            to,
        );
    };
    if F::CAPTURES {
        for from in west {
            all_four(true, from.bit(), Us::forward(from.bit()).west());
        }
        for from in east {
            all_four(true, from.bit(), Us::forward(from.bit()).east());
        }
    }
    if F::QUIETS {
        for from in push {
            all_four(false, from.bit(), Us::forward(from.bit()));
        }
    }
}

#[inline(always)]
fn piece_moves<Us: Side, F: Filter>(
    sliders: impl Sliders,
    pieces: &Pieces,
    masks: &Masks,
    visitor: &mut impl MoveVisitor,
) {
    let us = Us::COLOR as usize;
    let targets = !masks.ours & masks.check_mask;
    let (orthogonal, diagonal) = (masks.pin_orthogonal, masks.pin_diagonal);
    for from in pieces.knights[us] & !(orthogonal | diagonal) {
        let to = attacks::knight_attacks(from) & targets;
        emit::<F>(visitor, masks.theirs, Role::Knight, from.bit(), to);
    }
    let queens = pieces.diagonal[us] & pieces.orthogonal[us];
    for from in pieces.diagonal[us] & !queens & !orthogonal {
        let mut to = sliders.bishop(from, masks.occupied) & targets;
        if diagonal.contains(from) {
            to &= diagonal;
        }
        emit::<F>(visitor, masks.theirs, Role::Bishop, from.bit(), to);
    }
    for from in pieces.orthogonal[us] & !queens & !diagonal {
        let mut to = sliders.rook(from, masks.occupied) & targets;
        if orthogonal.contains(from) {
            to &= orthogonal;
        }
        emit::<F>(visitor, masks.theirs, Role::Rook, from.bit(), to);
    }
    for from in queens {
        let mut to = if diagonal.contains(from) {
            sliders.bishop(from, masks.occupied) & diagonal
        } else if orthogonal.contains(from) {
            sliders.rook(from, masks.occupied) & orthogonal
        } else {
            sliders.bishop(from, masks.occupied) | sliders.rook(from, masks.occupied)
        };
        to &= targets;
        emit::<F>(visitor, masks.theirs, Role::Queen, from.bit(), to);
    }
}

struct Listing(MoveList);

impl MoveVisitor for Listing {
    fn visit(&mut self, _: Role, kind: MoveKind, _: bool, from: Bitboard, to: Bitboard) {
        self.0.push(Move::new(from.first(), to.first(), kind));
    }
}

/// The legal moves of a position, in no particular order.
pub fn legal_moves(position: &Position) -> MoveList {
    let mut listing = Listing(MoveList::new());
    match position.side_to_move() {
        Color::White => list::<WhiteSide>(position.pieces(), &mut listing),
        Color::Black => list::<BlackSide>(position.pieces(), &mut listing),
    }
    listing.0
}

impl Position {
    /// The position after a move, or `None` if the move is not legal here.
    #[must_use]
    pub fn play(&self, played: Move) -> Option<Position> {
        let legal = legal_moves(self).contains(&played);
        legal.then(|| self.play_unchecked(played))
    }
}

fn list<Us: Side>(pieces: &Pieces, listing: &mut Listing) {
    let masks = Masks::new::<Us, true>(Magic::new(), pieces);
    generate::<Us, All, true, true>(Magic::new(), pieces, &masks, listing);
}
