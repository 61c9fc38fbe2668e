//! Positions to compare on, from fixed seeds: every position of random games, and random boards
//! that no game reaches. What a `Setup` refuses is thrown away.

use hyperft::board::{CastlingMode, Move, MoveKind};
use hyperft::movegen::legal_moves;
use hyperft::parse::{FenOptions, FenWarning, FenWriting, read_fen, write_fen};
use hyperft::position::{EnPassantMode, Position, SetupWarning};

/// A source of positions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// Random games from the start position.
    Standard,
    /// Random games from Chess960 starts, the two sides' different in half of them.
    Chess960,
    /// Two kings and whatever else, with castling rights and e.p. squares where they can be.
    Composed,
}

/// A position and the text it was read from or, in games, is written as. The e.p. square is in the
/// text after every double push, so that whoever reads it must judge for itself.
pub struct Sample {
    /// The six fields.
    pub fen: String,
    /// The same as the library sees it.
    pub position: Position,
}

/// splitmix64: the same numbers everywhere, for ever.
pub struct Rng(pub u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The positions number `index` of a family: some hundreds.
pub fn batch(family: Family, index: u64) -> Vec<Sample> {
    let mut rng = Rng(index << 8 | family as u64);
    let mut samples = Vec::new();
    while samples.len() < 256 {
        match family {
            Family::Composed => samples.extend(composed(&mut rng)),
            _ => {
                let start = start_position(family, &mut rng);
                let game = random_game(&start, 200, &mut rng);
                let positions = std::iter::once(start).chain(game.into_iter().map(|(_, p)| p));
                samples.extend(positions.map(sample_of));
            }
        }
    }
    samples
}

fn sample_of(position: Position) -> Sample {
    let writing = FenWriting {
        ep: EnPassantMode::Always,
        shredder: true,
    };
    Sample {
        fen: write_fen(&position, writing),
        position,
    }
}

/// Where a game of this family starts.
pub fn start_position(family: Family, rng: &mut Rng) -> Position {
    if family == Family::Standard {
        return read(&start_fen(518, 518), CastlingMode::Standard).expect("it is a position");
    }
    let white = rng.below(960);
    let black = if rng.one_in(2) { white } else { rng.below(960) };
    read(&start_fen(white, black), CastlingMode::Chess960).expect("it is a position")
}

/// Random legal moves and the positions they lead to, until nobody can move or `plies` are played.
/// Castling, e.p. captures and promotions are rare in random play and preferred now and then.
pub fn random_game(start: &Position, plies: usize, rng: &mut Rng) -> Vec<(Move, Position)> {
    let mut game: Vec<(Move, Position)> = Vec::new();
    for _ in 0..plies {
        let position = game.last().map_or(start, |(_, position)| position);
        let mut moves: Vec<Move> = legal_moves(position).into_iter().collect();
        let rare =
            |played: &Move| !matches!(played.kind(), MoveKind::Normal | MoveKind::DoublePush);
        if rng.one_in(3) && moves.iter().any(rare) {
            moves.retain(rare);
        }
        if moves.is_empty() {
            break;
        }
        let played = moves[rng.below(moves.len())];
        let after = position.play_unchecked(played);
        game.push((played, after));
    }
    game
}

/// Reads a position; `None` if it is refused.
///
/// # Panics
/// If a castling right or an e.p. square is ignored: the generators only write ones that count.
pub fn read(fen: &str, castling: CastlingMode) -> Option<Position> {
    let parsed = read_fen(
        fen,
        FenOptions {
            castling,
            strict: false,
        },
    )
    .ok()?;
    for warning in &parsed.warnings {
        let FenWarning::Setup(warning) = warning else {
            panic!("{fen}: {warning}");
        };
        let odd_board = matches!(
            warning,
            SetupWarning::TooMuchMaterial { .. }
                | SetupWarning::ImpossibleCheck
                | SetupWarning::EpAfterCheck { .. }
        );
        assert!(odd_board, "{fen}: {warning}");
    }
    Some(parsed.position)
}

/// The first rank of a Chess960 start by its Scharnagl number; 518 is the usual one.
fn back_rank(number: usize) -> [char; 8] {
    let mut rank = ['.'; 8];
    rank[number % 4 * 2 + 1] = 'b';
    rank[number / 4 % 4 * 2] = 'b';
    let mut put = |nth: usize, piece: char| {
        let mut free = rank.iter_mut().filter(|square| **square == '.');
        *free.nth(nth).expect("there is a free file") = piece;
    };
    put(number / 16 % 6, 'q');
    let knights = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let (left, right) = knights[number / 96];
    put(left, 'n');
    // The left knight has taken its file by now.
    put(right - 1, 'n');
    for piece in ['r', 'k', 'r'] {
        put(0, piece);
    }
    rank
}

fn start_fen(white: usize, black: usize) -> String {
    let rights = |rank: [char; 8]| -> String {
        let rooks = (0..8).filter(|&file| rank[file] == 'r');
        rooks.map(|file| (b'a' + file as u8) as char).collect()
    };
    let (white, black) = (back_rank(white), back_rank(black));
    format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        black.iter().collect::<String>(),
        white.iter().collect::<String>().to_uppercase(),
        rights(white).to_uppercase(),
        rights(black),
    )
}

/// What a composed board is made of: pieces a side, their letters, pawns a side.
struct Theme {
    pieces: (usize, usize),
    letters: &'static [u8],
    pawns: (usize, usize),
    /// All pawns stand within three ranks of promotion.
    advanced: bool,
}

const THEMES: [Theme; 7] = [
    Theme {
        pieces: (0, 3),
        letters: b"qrbn",
        pawns: (0, 4),
        advanced: false,
    },
    Theme {
        pieces: (4, 8),
        letters: b"qrrbbnn",
        pawns: (2, 8),
        advanced: false,
    },
    Theme {
        pieces: (6, 24),
        letters: b"q",
        pawns: (0, 2),
        advanced: false,
    },
    Theme {
        pieces: (3, 12),
        letters: b"qrbn",
        pawns: (0, 0),
        advanced: false,
    },
    Theme {
        pieces: (0, 4),
        letters: b"qrbn",
        pawns: (5, 11),
        advanced: true,
    },
    Theme {
        pieces: (8, 14),
        letters: b"rbn",
        pawns: (6, 10),
        advanced: false,
    },
    Theme {
        pieces: (3, 10),
        letters: b"nnnb",
        pawns: (0, 4),
        advanced: false,
    },
];

/// A board under construction; `x` marks a square that must stay empty.
struct Canvas {
    board: [u8; 64],
}

impl Canvas {
    /// Puts a piece (upper case here, whatever its side) on an empty square.
    fn put(&mut self, square: usize, letter: u8, white: bool) -> bool {
        let free = self.board[square] == b'.';
        if free {
            self.board[square] = if white {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            };
        }
        free
    }

    fn has_king(&self, white: bool) -> bool {
        self.board.contains(if white { &b'K' } else { &b'k' })
    }

    fn fen_board(&self) -> String {
        let text_of = |rank: &[u8]| {
            let mut text = String::new();
            let mut empty = 0;
            for &piece in rank {
                if piece == b'.' || piece == b'x' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(piece as char);
            }
            if empty > 0 {
                text + &empty.to_string()
            } else {
                text
            }
        };
        self.board
            .chunks(8)
            .rev()
            .map(text_of)
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// One random board; `None` if it is refused.
pub fn composed(rng: &mut Rng) -> Option<Sample> {
    if rng.one_in(16) {
        return crowded_with_queens(rng);
    }
    let theme = &THEMES[rng.below(THEMES.len())];
    let white_to_move = rng.one_in(2);
    let mode = [CastlingMode::Standard, CastlingMode::Chess960][rng.below(2)];
    let mut canvas = Canvas { board: [b'.'; 64] };
    let mut rights = String::new();
    for white in [true, false] {
        if rng.one_in(2) {
            rights += &put_castling(&mut canvas, white, mode, rng);
        }
    }
    let ep = rng
        .one_in(2)
        .then(|| put_double_push(&mut canvas, white_to_move, rng))
        .flatten();
    // One bare side now and then: boards crowded with queens are mostly refused otherwise.
    let bare = [None, None, Some(true), Some(false)][rng.below(4)];
    for white in [true, false] {
        while !canvas.has_king(white) {
            canvas.put(rng.below(64), b'k', white);
        }
        if bare == Some(white) {
            continue;
        }
        for _ in 0..rng.within(theme.pawns.0, theme.pawns.1) {
            let rank = if theme.advanced {
                rng.within(4, 6)
            } else {
                rng.within(1, 6)
            };
            let rank = if white { rank } else { 7 - rank };
            canvas.put(rank * 8 + rng.below(8), b'p', white);
        }
        for _ in 0..rng.within(theme.pieces.0, theme.pieces.1) {
            let letter = theme.letters[rng.below(theme.letters.len())];
            canvas.put(rng.below(64), letter, white);
        }
    }
    let fen = format!(
        "{} {} {} {} {} {}",
        canvas.fen_board(),
        if white_to_move { 'w' } else { 'b' },
        if rights.is_empty() { "-" } else { &rights },
        ep.as_deref().unwrap_or("-"),
        if ep.is_some() { 0 } else { rng.below(160) },
        rng.within(1, 300),
    );
    read(&fen, mode).map(|position| Sample { fen, position })
}

/// Up to 40 queens against a king in a corner that bishops and a rook shield from them, as on the
/// boards with the most legal moves known; `None` if it is refused.
fn crowded_with_queens(rng: &mut Rng) -> Option<Sample> {
    let white = rng.one_in(2);
    let mut canvas = Canvas { board: [b'.'; 64] };
    let (file, rank) = (7 * rng.below(2), 7 * rng.below(2));
    let (beside, above) = (if file == 0 { 1 } else { 6 }, if rank == 0 { 1 } else { 6 });
    canvas.put(rank * 8 + file, b'k', !white);
    canvas.put(rank * 8 + beside, b'b', white);
    canvas.put(above * 8 + file, b'b', white);
    canvas.put(above * 8 + beside, b'r', white);
    while !canvas.has_king(white) {
        canvas.put(rng.below(64), b'k', white);
    }
    for _ in 0..rng.within(12, 40) {
        let mut square = rng.below(64);
        // Queens on the edge leave each other more room.
        if !rng.one_in(8) && (1..7).contains(&(square % 8)) && (1..7).contains(&(square / 8)) {
            square = square / 8 * 8 + 7 * rng.below(2);
        }
        canvas.put(square, b'q', white);
    }
    let side = if white { 'w' } else { 'b' };
    let fen = format!("{} {side} - - 0 1", canvas.fen_board());
    read(&fen, CastlingMode::Standard).map(|position| Sample { fen, position })
}

/// A king and one or two rooks that may castle; returns the letters for it.
fn put_castling(canvas: &mut Canvas, white: bool, mode: CastlingMode, rng: &mut Rng) -> String {
    let first = if white { 0 } else { 56 };
    let king = if mode == CastlingMode::Standard {
        4
    } else {
        rng.below(8)
    };
    canvas.put(first + king, b'k', white);
    let mut rights = String::new();
    let sides = rng.within(1, 3);
    for (chosen, standard, letter, files) in [
        (sides & 1 != 0, 7, 'k', king + 1..8),
        (sides & 2 != 0, 0, 'q', 0..king),
    ] {
        if !chosen || files.is_empty() {
            continue;
        }
        let (file, letter) = match mode {
            CastlingMode::Standard => (standard, letter),
            CastlingMode::Chess960 => {
                let file = files.start + rng.below(files.len());
                (file, (b'a' + file as u8) as char)
            }
        };
        canvas.put(first + file, b'r', white);
        rights.push(if white {
            letter.to_ascii_uppercase()
        } else {
            letter
        });
    }
    rights
}

/// A pawn that has just moved two squares, mostly with capturers beside it; returns the e.p. square.
/// Often the king stands where the capture matters: on the pawn's rank before a rook or queen, or
/// attacked by the pawn.
fn put_double_push(canvas: &mut Canvas, white_to_move: bool, rng: &mut Rng) -> Option<String> {
    let file = rng.below(8);
    let (pawn, behind, origin) = if white_to_move { (4, 5, 6) } else { (3, 2, 1) };
    let at = |rank: usize| rank * 8 + file;
    if [pawn, behind, origin]
        .iter()
        .any(|&rank| canvas.board[at(rank)] != b'.')
    {
        return None;
    }
    canvas.put(at(pawn), b'p', !white_to_move);
    (canvas.board[at(behind)], canvas.board[at(origin)]) = (b'x', b'x');
    if file > 0 && !rng.one_in(3) {
        canvas.put(at(pawn) - 1, b'p', white_to_move);
    }
    if file < 7 && !rng.one_in(3) {
        canvas.put(at(pawn) + 1, b'p', white_to_move);
    }
    if !canvas.has_king(white_to_move) {
        match rng.below(4) {
            0 | 1 => {
                canvas.put(pawn * 8 + rng.below(8), b'k', white_to_move);
                canvas.put(pawn * 8 + rng.below(8), b"rq"[rng.below(2)], !white_to_move);
            }
            2 => {
                let attacked = if white_to_move { pawn - 1 } else { pawn + 1 };
                let side = if file == 0 || file < 7 && rng.one_in(2) {
                    1
                } else {
                    -1
                };
                canvas.put(at(attacked).wrapping_add_signed(side), b'k', white_to_move);
            }
            _ => {}
        }
    }
    Some(format!("{}{}", (b'a' + file as u8) as char, behind + 1))
}
