//! What limits the moves of a position: checks, pins, attacked squares.

use crate::attacks::{self, Sliders};
use crate::board::{Bitboard, Side};
use crate::position::Pieces;

/// Sets that turn pseudo-legal moves into legal ones.
#[derive(Copy, Clone, Debug)]
pub struct Masks {
    /// Pieces of the side to move.
    pub ours: Bitboard,
    /// Pieces of the other side.
    pub theirs: Bitboard,
    /// All pieces.
    pub occupied: Bitboard,
    /// Where a piece other than the king may go: everywhere when not in check; the checker and the
    /// squares between when in check; nowhere in double check.
    pub check_mask: Bitboard,
    /// Lines through our king, pinner included, on which one of our pieces stands alone before an
    /// enemy rook or queen. A pinned piece stays inside.
    pub pin_orthogonal: Bitboard,
    /// The same for enemy bishops and queens.
    pub pin_diagonal: Bitboard,
    /// Where our king may step, castling apart.
    pub king_targets: Bitboard,
    /// Squares the other side attacks with our king lifted off the board. Complete only if the
    /// masks were made with `CASTLING`; otherwise it may leave out what no king step could reach.
    pub danger: Bitboard,
    /// Of these, squares that rooks and queens attack; as complete as `danger`.
    pub danger_orthogonal: Bitboard,
    /// Squares that bishops and queens attack; as complete as `danger`.
    pub danger_diagonal: Bitboard,
}

impl Masks {
    /// The masks of a position in which `Us` is to move.
    ///
    /// With `CASTLING` the danger squares are computed in full, as castling asks for squares
    /// further away than the king's neighbours.
    #[inline(always)]
    pub fn new<Us: Side, const CASTLING: bool>(sliders: impl Sliders, pieces: &Pieces) -> Masks {
        let them = Us::Them::COLOR as usize;
        let king = pieces.king(Us::COLOR);
        let mut masks = Masks::of_sides::<Us>(pieces);
        let theirs = masks.theirs;
        let contact = (attacks::pawn_attacks(Us::COLOR, king) & pieces.pawns[them])
            | (attacks::knight_attacks(king) & pieces.knights[them]);
        if contact.any() {
            // Two contact checkers arise in composed boards only; both cannot be answered.
            masks.check_mask = if contact.more_than_one() {
                Bitboard::EMPTY
            } else {
                contact
            };
        }
        let tables = &attacks::TABLES;
        if (tables.orthogonal[king.index()] & pieces.orthogonal[them]).any() {
            let snipers = sliders.rook(king, theirs) & pieces.orthogonal[them];
            masks.pin_orthogonal = masks.look_along(pieces.king(Us::COLOR), snipers);
        }
        if (tables.diagonal[king.index()] & pieces.diagonal[them]).any() {
            let snipers = sliders.bishop(king, theirs) & pieces.diagonal[them];
            masks.pin_diagonal = masks.look_along(pieces.king(Us::COLOR), snipers);
        }
        if CASTLING || masks.king_targets.any() {
            masks.find_danger::<Us, CASTLING>(sliders, pieces);
            masks.king_targets &= !masks.danger;
        }
        masks
    }

    /// As if nothing attacked anything.
    #[inline(always)]
    fn of_sides<Us: Side>(pieces: &Pieces) -> Masks {
        let (ours, theirs) = (pieces.of(Us::COLOR), pieces.of(Us::Them::COLOR));
        Masks {
            ours,
            theirs,
            occupied: ours | theirs,
            check_mask: Bitboard::ALL,
            pin_orthogonal: Bitboard::EMPTY,
            pin_diagonal: Bitboard::EMPTY,
            king_targets: attacks::king_attacks(pieces.king(Us::COLOR)) & !ours,
            danger: Bitboard::EMPTY,
            danger_orthogonal: Bitboard::EMPTY,
            danger_diagonal: Bitboard::EMPTY,
        }
    }

    /// Where the king of `Us` may step, and nothing else.
    #[inline(always)]
    pub(super) fn king_steps<Us: Side>(sliders: impl Sliders, pieces: &Pieces) -> Bitboard {
        let mut masks = Masks::of_sides::<Us>(pieces);
        if masks.king_targets.is_empty() {
            return Bitboard::EMPTY;
        }
        masks.find_danger::<Us, false>(sliders, pieces);
        masks.king_targets & !masks.danger
    }

    /// Sorts enemy sliders that would see our king through our own pieces: with none between they
    /// give check, with one between they pin it. Returns the pin lines.
    #[inline(always)]
    fn look_along(&mut self, king: crate::board::Square, mut snipers: Bitboard) -> Bitboard {
        let mut pins = Bitboard::EMPTY;
        while snipers.any() {
            let sniper = snipers.first();
            snipers = snipers.without_first();
            let line = attacks::between(king, sniper) | sniper.bit();
            let between = line & self.ours;
            if between.is_empty() {
                let first_check = self.check_mask == Bitboard::ALL;
                self.check_mask = if first_check { line } else { Bitboard::EMPTY };
            } else if !between.more_than_one() {
                pins |= line;
            }
        }
        pins
    }

    /// True if the king stands in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.check_mask != Bitboard::ALL
    }

    #[inline(always)]
    fn find_danger<Us: Side, const CASTLING: bool>(
        &mut self,
        sliders: impl Sliders,
        pieces: &Pieces,
    ) {
        let them = Us::Them::COLOR as usize;
        let pushed = Us::backward(pieces.pawns[them]);
        let their_king = pieces.king(Us::Them::COLOR);
        self.danger = pushed.east() | pushed.west() | attacks::king_attacks(their_king);
        let mut knights = pieces.knights[them];
        while knights.any() {
            self.danger |= attacks::knight_attacks(knights.first());
            knights = knights.without_first();
        }
        if CASTLING || (self.king_targets & !self.danger).any() {
            let occupied = self.occupied ^ pieces.kings[Us::COLOR as usize];
            let mut diagonal = pieces.diagonal[them];
            while diagonal.any() {
                self.danger_diagonal |= sliders.bishop(diagonal.first(), occupied);
                diagonal = diagonal.without_first();
            }
            let mut orthogonal = pieces.orthogonal[them];
            while orthogonal.any() {
                self.danger_orthogonal |= sliders.rook(orthogonal.first(), occupied);
                orthogonal = orthogonal.without_first();
            }
            self.danger |= self.danger_diagonal | self.danger_orthogonal;
        }
    }
}
