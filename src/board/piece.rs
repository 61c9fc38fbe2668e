//! Colours, kinds of piece, and colours as types so that move generation is compiled once a side.

use super::Bitboard;

/// White or Black.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// Moves up the board, from rank 1 to rank 8.
    White = 0,
    /// Moves down the board.
    Black = 1,
}

/// A kind of piece, whatever its colour.
#[expect(missing_docs, reason = "the six names say it all")]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A kind of piece with its colour.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Who owns it.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl std::ops::Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// `w` or `b`, as FEN writes the side to move.
    pub fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The rank where this side's king starts.
    pub const fn back_rank(self) -> Bitboard {
        match self {
            Color::White => Bitboard::RANK_1,
            Color::Black => Bitboard::RANK_8,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

impl Role {
    /// All six kinds, pawn first.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// The lower-case letter of the kind: `p`, `n`, `b`, `r`, `q`, `k`.
    pub fn letter(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Knight => 'n',
            Role::Bishop => 'b',
            Role::Rook => 'r',
            Role::Queen => 'q',
            Role::King => 'k',
        }
    }

    /// The kind a letter of either case stands for.
    pub fn from_letter(letter: char) -> Option<Role> {
        match letter.to_ascii_lowercase() {
            'p' => Some(Role::Pawn),
            'n' => Some(Role::Knight),
            'b' => Some(Role::Bishop),
            'r' => Some(Role::Rook),
            'q' => Some(Role::Queen),
            'k' => Some(Role::King),
            _ => None,
        }
    }
}

impl Piece {
    /// The letter FEN uses: upper case for White.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter().to_ascii_uppercase(),
            Color::Black => self.role.letter(),
        }
    }

    /// The piece a FEN letter stands for.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Role::from_letter(letter).map(|role| Piece { color, role })
    }
}

/// A colour as a type: move generation generic over it is compiled once for each side, with the
/// direction of the pawns and all rank masks known.
pub trait Side: Copy + Send + Sync + 'static {
    /// The colour itself.
    const COLOR: Color;
    /// The rank behind this side's pawns: where its king starts.
    const BACK_RANK: Bitboard = Self::COLOR.back_rank();
    /// The rank its pawns start from.
    const PAWN_RANK: Bitboard = Bitboard(match Self::COLOR {
        Color::White => 0xff << 8,
        Color::Black => 0xff << 48,
    });
    /// The rank from which the next push promotes.
    const SEVENTH_RANK: Bitboard = Bitboard(match Self::COLOR {
        Color::White => 0xff << 48,
        Color::Black => 0xff << 8,
    });
    /// The other side.
    type Them: Side<Them = Self>;

    /// One step the way this side's pawns move.
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        match Self::COLOR {
            Color::White => set.north(),
            Color::Black => set.south(),
        }
    }

    /// One step back: where a pawn came from.
    #[inline(always)]
    fn backward(set: Bitboard) -> Bitboard {
        Self::Them::forward(set)
    }
}

/// White as a type.
#[derive(Copy, Clone, Debug)]
pub struct WhiteSide;

/// Black as a type.
#[derive(Copy, Clone, Debug)]
pub struct BlackSide;

impl Side for WhiteSide {
    const COLOR: Color = Color::White;
    type Them = BlackSide;
}

impl Side for BlackSide {
    const COLOR: Color = Color::Black;
    type Them = WhiteSide;
}
