//! What the functions are called with: sets of squares, and positions each with one of its moves.

use std::fmt;
use std::sync::LazyLock;

use crate::board::{Bitboard, CastlingMode};
use crate::movegen::legal_moves;
use crate::parse::{FenOptions, read_fen};
use crate::position::{PackedPosition, Position};

/// One call's arguments. In WGSL: `position` and `word`; its first two planes are also `a` and `b`.
#[derive(Clone)]
pub(super) struct Input {
    pub(super) position: PackedPosition,
    /// Random bits with sets, a legal move with a position.
    pub(super) word: u32,
    is_position: bool,
}

impl Input {
    pub(super) fn a(&self) -> Bitboard {
        Bitboard(self.position.code[0])
    }

    pub(super) fn b(&self) -> Bitboard {
        Bitboard(self.position.code[1])
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_position {
            let position = Position::from_packed_unchecked(&self.position);
            return write!(f, "{position} with word {:#x}", self.word);
        }
        write!(f, "word {:#x} and\n{:?}{:?}", self.word, self.a(), self.b())
    }
}

/// Which inputs a row is run on.
#[derive(Copy, Clone)]
pub(super) enum Inputs {
    /// Any sets.
    Sets,
    /// Sets of which the first is not empty.
    NotEmpty,
    /// Positions with a legal move.
    Positions,
}

impl Inputs {
    pub(super) fn all(self) -> &'static [Input] {
        static SETS: LazyLock<Vec<Input>> = LazyLock::new(sets);
        static NOT_EMPTY: LazyLock<Vec<Input>> =
            LazyLock::new(|| sets().into_iter().filter(|input| input.a().any()).collect());
        static POSITIONS: LazyLock<Vec<Input>> = LazyLock::new(positions);
        match self {
            Inputs::Sets => &SETS,
            Inputs::NotEmpty => &NOT_EMPTY,
            Inputs::Positions => &POSITIONS,
        }
    }
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Every single square, none, all, sparse and dense ones.
fn sets() -> Vec<Input> {
    let mut random = Random(11);
    let mut firsts = vec![0, !0];
    firsts.extend((0..64).map(|square| 1 << square));
    for _ in 0..300 {
        firsts.push(random.next() & random.next() & random.next());
        firsts.push(random.next());
        firsts.push(random.next() | random.next());
    }
    let with_second = |first| {
        let second = match random.next() % 3 {
            0 => random.next() & random.next(),
            1 => random.next(),
            _ => random.next() | random.next() | random.next(),
        };
        Input {
            position: PackedPosition {
                code: [first, second, random.next()],
                ours: random.next(),
            },
            word: random.next() as u32,
            is_position: false,
        }
    };
    firsts.into_iter().map(with_second).collect()
}

/// Positions of random games from the suites, each with each of a few of its moves. Moves of rare
/// kinds, and those that give check, are always among them.
fn positions() -> Vec<Input> {
    let mut random = Random(12);
    let mut inputs = Vec::new();
    for name in ["classic", "tricky", "chess960"] {
        let path = format!("{}/testdata/{name}.epd", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let options = FenOptions {
                castling: CastlingMode::Chess960,
                ..FenOptions::default()
            };
            let fen = line.split(';').next().expect("a line has a first field");
            let Ok(parsed) = read_fen(fen, options) else {
                continue;
            };
            let mut position = parsed.position;
            for _ in 0..6 {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                let chosen = (random.next() % moves.len() as u64) as usize;
                for (index, one) in moves.into_iter().enumerate() {
                    let special = one.bits() >> 12 != 0;
                    let checks = || position.play_unchecked(one).checkers().any();
                    if index == chosen || special || checks() {
                        inputs.push(Input {
                            position: position.packed(),
                            word: u32::from(flipped(one.bits(), &position)),
                            is_position: true,
                        });
                    }
                }
                position = position.play_unchecked(moves[chosen]);
            }
        }
    }
    assert!(inputs.len() > 2_000, "only {} positions", inputs.len());
    inputs
}

/// A move as the side to move sees it: with White at the bottom when it is Black's.
fn flipped(bits: u16, position: &Position) -> u16 {
    match position.side_to_move() {
        crate::board::Color::White => bits,
        crate::board::Color::Black => bits ^ (56 | 56 << 6),
    }
}
