//! When two records are the same, by choice: the whole line, or as much of the position as matters.

use std::hash::{BuildHasher, RandomState};

use crate::board::Color;
use crate::parse::Job;
use crate::position::EnPassantMode;

/// What records must share to be duplicates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The text of the line, blanks at its ends apart.
    Line,
    /// The position and both counters (fullmove numbers of 2^31 and more count as one).
    Counters,
    /// The position, and the e.p. square after every double push, playable or not.
    EpSquare,
    /// Board, side to move, castling rights, and e.p. square if a capture is legal.
    Position,
    /// Board and side to move.
    Side,
    /// The board alone.
    Board,
}

/// What a record is recognised by: equal for duplicates, and for nothing else.
///
/// For every identity but [`Identity::Line`] this is the position itself (32 bytes, see
/// [`crate::position::PackedPosition`]) with side, counters or e.p. square where they matter, so two
/// different positions can never be taken for one. A line may be of any length; its identity is 128
/// bits of two SipHashes with keys drawn when the program starts, so no input can be made to collide,
/// and among a billion lines two collide by chance less than once in 10^20 runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct IdentityKey([u64; 5]);

/// What fits beside a side and a halfmove clock in 64 bits.
const FULLMOVE_MAX: u32 = u32::MAX >> 1;

/// Makes the keys of one identity.
#[derive(Clone, Debug)]
pub struct Identifier {
    identity: Identity,
    hashers: [RandomState; 2],
}

impl Identifier {
    /// Keys of different identifiers must not be compared.
    pub fn new(identity: Identity) -> Identifier {
        Identifier {
            identity,
            hashers: [RandomState::new(), RandomState::new()],
        }
    }

    /// The key of a record.
    ///
    /// ```
    /// use hyperft::analyse::{Identifier, Identity};
    /// use hyperft::parse::{FenOptions, Source, open_jobs};
    ///
    /// let text = "4k3/2p5/8/8/5P2/8/8/4K3 b - f3 0 1\n4k3/2p5/8/8/5P2/8/8/4K3 b - - 9 9";
    /// let source = Source::Literal(text.to_string());
    /// let jobs: Vec<_> = open_jobs(&source, FenOptions::default()).unwrap().flatten().collect();
    /// let same = |identity| {
    ///     let by = Identifier::new(identity);
    ///     by.key(&jobs[0]) == by.key(&jobs[1])
    /// };
    /// assert!(same(Identity::Position), "nobody can capture on f3");
    /// assert!(!same(Identity::EpSquare) && !same(Identity::Counters));
    /// ```
    pub fn key(&self, job: &Job) -> IdentityKey {
        let position = &job.position;
        if self.identity == Identity::Line {
            let [one, other] = &self.hashers;
            return IdentityKey([one.hash_one(&job.text), other.hash_one(&job.text), 0, 0, 0]);
        }
        let packed = position.packed();
        let [mut low, mid, high] = packed.code;
        let mut ours = packed.ours;
        let black = u64::from(position.side_to_move() == Color::Black);
        let mut more = black;
        match self.identity {
            Identity::Line | Identity::Position => {}
            Identity::Counters => {
                let clock = u64::from(position.halfmove_clock());
                let number = u64::from(position.fullmove_number().min(FULLMOVE_MAX));
                more |= clock << 1 | number << 33;
            }
            Identity::EpSquare => {
                let square = position.ep_square(EnPassantMode::Always);
                more |= square.map_or(0, |square| 1 + square.index() as u64) << 1;
            }
            Identity::Side | Identity::Board => {
                // Rooks that may castle (101) become rooks (100); the e.p. mark goes.
                low &= !(high & !mid);
                ours &= low | mid | high;
                if self.identity == Identity::Board {
                    return board(low, mid, high, ours, black == 1);
                }
            }
        }
        IdentityKey([low, mid, high, ours, more])
    }
}

/// The board as White sees it: packed positions are seen from the side to move.
fn board(low: u64, mid: u64, high: u64, ours: u64, mirrored: bool) -> IdentityKey {
    if !mirrored {
        return IdentityKey([low, mid, high, ours, 0]);
    }
    let white = (low | mid | high) & !ours;
    IdentityKey([
        low.swap_bytes(),
        mid.swap_bytes(),
        high.swap_bytes(),
        white.swap_bytes(),
        0,
    ])
}
