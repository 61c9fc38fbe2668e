//! The slow oracle: a mailbox board of letters, moves tried one by one, "is my king attacked?" asked
//! by walking rays. It reads FEN text itself and shares no code with the library.
//!
//! It counts boards that other libraries refuse (nine pawns, 24 queens), and it takes no shortcut
//! that a fast generator could take too: no pins, no check masks, no attack tables.

/// A board; squares run from a1 = 0 to h8 = 63, empty ones hold `.`.
#[derive(Clone)]
pub struct Plain {
    /// FEN letters.
    pub board: [u8; 64],
    /// White is to move.
    pub white: bool,
    /// Rooks that may still castle.
    rights: [bool; 64],
    /// Set after every double push.
    ep: Option<usize>,
}

/// A move; castling is king-takes-rook.
#[derive(Copy, Clone)]
pub struct PlainMove {
    /// Where the piece (the king, when castling) comes from.
    pub from: usize,
    /// Where it goes; the castling rook's square.
    pub to: usize,
    /// Lower-case letter of the promoted piece.
    pub promotion: Option<u8>,
    /// A capture en passant.
    pub en_passant: bool,
    /// Castling.
    pub castles: bool,
}

const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
];
const KNIGHT_JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn square_name(square: usize) -> String {
    format!("{}{}", (b'a' + square as u8 % 8) as char, square / 8 + 1)
}

impl PlainMove {
    /// UCI text, castling as king-takes-rook.
    pub fn uci(self) -> String {
        let mut text = square_name(self.from) + &square_name(self.to);
        text.extend(self.promotion.map(char::from));
        text
    }
}

impl Plain {
    /// Reads a FEN that is known to be sound; `K` and `Q` mean the rooks on h and a.
    pub fn from_fen(fen: &str) -> Plain {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = [b'.'; 64];
        for (row, letters) in fields[0].split('/').enumerate() {
            let mut square = 8 * (7 - row);
            for letter in letters.bytes() {
                if letter.is_ascii_digit() {
                    square += usize::from(letter - b'0');
                } else {
                    board[square] = letter;
                    square += 1;
                }
            }
        }
        let mut rights = [false; 64];
        for letter in fields[2].bytes().filter(|&letter| letter != b'-') {
            let file = match letter.to_ascii_lowercase() {
                b'k' => 7,
                b'q' => 0,
                file => usize::from(file - b'a'),
            };
            rights[file + if letter.is_ascii_uppercase() { 0 } else { 56 }] = true;
        }
        let ep = fields[3].as_bytes();
        let ep = (ep.len() == 2).then(|| usize::from(ep[1] - b'1') * 8 + usize::from(ep[0] - b'a'));
        Plain {
            board,
            white: fields[1] == "w",
            rights,
            ep,
        }
    }

    /// True if a piece of this side stands there.
    pub fn is_of(&self, square: usize, white: bool) -> bool {
        self.board[square] != b'.' && self.board[square].is_ascii_uppercase() == white
    }

    /// Where a king stands.
    pub fn king(&self, white: bool) -> usize {
        let king = if white { b'K' } else { b'k' };
        self.board
            .iter()
            .position(|&piece| piece == king)
            .expect("each side has a king")
    }

    /// How many pieces of one side attack a square, and where one of them stands.
    pub fn attackers(&self, target: usize, white: bool) -> (u32, usize) {
        let mut found = (0, 64);
        let toward_pawn = if white { -1 } else { 1 };
        for direction in DIRECTIONS {
            let straight = direction.0 == 0 || direction.1 == 0;
            let (mut distance, mut at) = (1, step(target, direction));
            while let Some(square) = at {
                if self.board[square] != b'.' {
                    let hits = match self.board[square].to_ascii_lowercase() {
                        b'q' => true,
                        b'r' => straight,
                        b'b' => !straight,
                        b'k' => distance == 1,
                        b'p' => distance == 1 && !straight && direction.1 == toward_pawn,
                        _ => false,
                    };
                    if hits && self.is_of(square, white) {
                        found = (found.0 + 1, square);
                    }
                    break;
                }
                (distance, at) = (distance + 1, step(square, direction));
            }
        }
        let knight = if white { b'N' } else { b'n' };
        for jump in KNIGHT_JUMPS {
            if let Some(square) = step(target, jump).filter(|&at| self.board[at] == knight) {
                found = (found.0 + 1, square);
            }
        }
        found
    }

    fn is_attacked(&self, square: usize, white: bool) -> bool {
        self.attackers(square, white).0 > 0
    }

    fn pseudo_moves(&self) -> Vec<PlainMove> {
        let mut moves = Vec::new();
        for from in (0..64).filter(|&square| self.is_of(square, self.white)) {
            match self.board[from].to_ascii_lowercase() {
                b'p' => self.pawn_moves(from, &mut moves),
                b'n' => self.piece_moves(from, &KNIGHT_JUMPS, 1, &mut moves),
                b'b' => self.piece_moves(from, &DIRECTIONS[4..], 7, &mut moves),
                b'r' => self.piece_moves(from, &DIRECTIONS[..4], 7, &mut moves),
                b'q' => self.piece_moves(from, &DIRECTIONS, 7, &mut moves),
                _ => {
                    self.piece_moves(from, &DIRECTIONS, 1, &mut moves);
                    self.castling_moves(from, &mut moves);
                }
            }
        }
        moves
    }

    fn piece_moves(
        &self,
        from: usize,
        directions: &[(i32, i32)],
        reach: u32,
        moves: &mut Vec<PlainMove>,
    ) {
        for &direction in directions {
            let mut at = from;
            for _ in 0..reach {
                let Some(to) = step(at, direction).filter(|&to| !self.is_of(to, self.white)) else {
                    break;
                };
                let (promotion, en_passant, castles) = (None, false, false);
                moves.push(PlainMove {
                    from,
                    to,
                    promotion,
                    en_passant,
                    castles,
                });
                if self.board[to] != b'.' {
                    break;
                }
                at = to;
            }
        }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<PlainMove>) {
        let (up, start, last) = if self.white { (1, 1, 7) } else { (-1, 6, 0) };
        let mut add = |to: usize, en_passant: bool| {
            let promotes = to / 8 == last;
            for letter in if promotes { &b"nbrq"[..] } else { b"." } {
                let promotion = promotes.then_some(*letter);
                moves.push(PlainMove {
                    from,
                    to,
                    promotion,
                    en_passant,
                    castles: false,
                });
            }
        };
        let free = |to: &usize| self.board[*to] == b'.';
        if let Some(once) = step(from, (0, up)).filter(free) {
            add(once, false);
            if from / 8 == start
                && let Some(twice) = step(once, (0, up)).filter(free)
            {
                add(twice, false);
            }
        }
        for to in [step(from, (-1, up)), step(from, (1, up))]
            .into_iter()
            .flatten()
        {
            if self.is_of(to, !self.white) {
                add(to, false);
            } else if self.ep == Some(to) {
                add(to, true);
            }
        }
    }

    fn castling_moves(&self, king: usize, moves: &mut Vec<PlainMove>) {
        for rook in (0..64).filter(|&square| self.rights[square]) {
            if !self.is_of(rook, self.white) {
                continue;
            }
            let (king_to, rook_to) = castling_targets(king, rook);
            let range = |a: usize, b: usize| a.min(b)..=a.max(b);
            let empty = range(king, king_to)
                .chain(range(rook, rook_to))
                .all(|square| square == king || square == rook || self.board[square] == b'.');
            let safe = range(king, king_to).all(|square| !self.is_attacked(square, !self.white));
            if empty && safe {
                let (promotion, en_passant, castles) = (None, false, true);
                moves.push(PlainMove {
                    from: king,
                    to: rook,
                    promotion,
                    en_passant,
                    castles,
                });
            }
        }
    }

    /// The board after a move, legal or not.
    pub fn play(&self, played: PlainMove) -> Plain {
        let PlainMove { from, to, .. } = played;
        let mut after = self.clone();
        let piece = self.board[from];
        (after.white, after.ep) = (!self.white, None);
        (after.rights[from], after.rights[to]) = (false, false);
        after.board[from] = b'.';
        if piece.eq_ignore_ascii_case(&b'k') {
            let own_rank = if self.white { 0..8 } else { 56..64 };
            after.rights[own_rank].fill(false);
        }
        if played.castles {
            let (king_to, rook_to) = castling_targets(from, to);
            let rook = self.board[to];
            after.board[to] = b'.';
            (after.board[king_to], after.board[rook_to]) = (piece, rook);
            return after;
        }
        after.board[to] = match played.promotion {
            Some(letter) if self.white => letter.to_ascii_uppercase(),
            Some(letter) => letter,
            None => piece,
        };
        if played.en_passant {
            after.board[if self.white { to - 8 } else { to + 8 }] = b'.';
        }
        if piece.eq_ignore_ascii_case(&b'p') && from.abs_diff(to) == 16 {
            after.ep = Some((from + to) / 2);
        }
        after
    }

    /// The legal moves, each with the board after it.
    pub fn legal(&self) -> Vec<(PlainMove, Plain)> {
        let pseudo = self.pseudo_moves().into_iter();
        let mut legal: Vec<_> = pseudo.map(|played| (played, self.play(played))).collect();
        legal.retain(|(_, after)| !after.is_attacked(after.king(self.white), after.white));
        legal
    }

    /// Number of legal move paths of `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        let legal = self.legal();
        match depth {
            0 => 1,
            1 => legal.len() as u64,
            _ => legal.iter().map(|(_, after)| after.perft(depth - 1)).sum(),
        }
    }
}

/// Where king and rook land: on c and d, or on g and f.
pub fn castling_targets(king: usize, rook: usize) -> (usize, usize) {
    let first = king / 8 * 8;
    if rook > king {
        (first + 6, first + 5)
    } else {
        (first + 2, first + 3)
    }
}
