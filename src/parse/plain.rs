//! FENs that are as they should be, read fast. Whatever is odd or wrong is left to `fen.rs`, which
//! reads the same text with care and says what it is; so what this accepts is read without a word.

use std::borrow::Cow;

use super::fen::FenOptions;
use crate::board::{CastlingSide, Color, Piece, Role, Square};
use crate::position::{CastlingClaim, Judged, Position, Setup, Squares, code};

/// What the beginning of a line says.
pub(super) struct PlainFields {
    setup: Setup,
    /// 4 or 6.
    fields: usize,
    /// Where the first field ends.
    pub(super) board_end: usize,
    /// Where the last field ends.
    pub(super) end: usize,
}

impl PlainFields {
    /// The position, if it is one and there is nothing to warn of.
    pub(super) fn judged(&self, options: FenOptions) -> Option<Position> {
        let Judged { position, warnings } = self.setup.judge(options.castling).ok()?;
        warnings.is_empty().then_some(position)
    }
}

/// A position read from the beginning of a line.
pub(super) struct PlainFen {
    pub(super) position: Position,
    /// 4 or 6.
    pub(super) fields: usize,
    /// Where the last field ends.
    pub(super) end: usize,
}

/// Reads four or six fields with one blank between them; the end of the text, a blank or a semicolon
/// must follow.
///
/// `None` if anything is unusual, or would be read with a warning, or is no position.
pub(super) fn fen(line: &[u8], options: FenOptions) -> Option<PlainFen> {
    let read = fields(line)?;
    Some(PlainFen {
        position: read.judged(options)?,
        fields: read.fields,
        end: read.end,
    })
}

/// The same before it is judged.
pub(super) fn fields(line: &[u8]) -> Option<PlainFields> {
    let (board, length) = board(line)?;
    let [b' ', side, b' ', rest @ ..] = &line[length..] else {
        return None;
    };
    let mut setup = Setup {
        board,
        ..Setup::empty()
    };
    setup.side_to_move = match side {
        b'w' => Color::White,
        b'b' => Color::Black,
        _ => return None,
    };
    let (claims, rest) = castling(rest)?;
    setup.castling = Cow::Borrowed(claims);
    let rest = match rest {
        [b' ', b'-', rest @ ..] => rest,
        [b' ', file @ b'a'..=b'h', rank @ (b'3' | b'6'), rest @ ..] => {
            setup.ep_square = Square::new((rank - b'1') * 8 + (file - b'a'));
            rest
        }
        _ => return None,
    };
    let (fields, rest) = counters(&mut setup, rest)?;
    Some(PlainFields {
        setup,
        fields,
        board_end: length,
        end: line.len() - rest.len(),
    })
}

/// The counters, if the next word begins like one; how many fields there are, and what follows.
fn counters<'a>(setup: &mut Setup, rest: &'a [u8]) -> Option<(usize, &'a [u8])> {
    let (fields, rest) = match rest {
        [b' ', more @ ..] => match more {
            [b'0'..=b'9', ..] => {
                let (halfmoves, more) = number(more)?;
                let [b' ', more @ ..] = more else {
                    return None;
                };
                let (fullmoves, more) = number(more)?;
                if fullmoves == 0 {
                    return None;
                }
                setup.halfmove_clock = halfmoves;
                setup.fullmove_number = fullmoves;
                (6, more)
            }
            [b'!'..=b'~', ..] if !matches!(more[0], b'-' | b'+') => (4, rest),
            _ if more.iter().all(|&byte| byte == b' ') => (4, rest),
            _ => return None,
        },
        _ => (4, rest),
    };
    matches!(rest, [] | [b' ' | b';', ..]).then_some((fields, rest))
}

/// A number of up to nine digits, and what follows.
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0;
    let mut digits = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(digits) {
        if digits == 9 {
            return None;
        }
        number = 10 * number + u32::from(digit - b'0');
        digits += 1;
    }
    (digits > 0).then(|| (number, &text[digits..]))
}

type Claim = (Color, CastlingClaim);

/// The letters of `KQkq` in this order.
const CLAIMS: [(u8, Claim); 4] = {
    const KING: CastlingClaim = CastlingClaim::Side(CastlingSide::King);
    const QUEEN: CastlingClaim = CastlingClaim::Side(CastlingSide::Queen);
    [
        (b'K', (Color::White, KING)),
        (b'Q', (Color::White, QUEEN)),
        (b'k', (Color::Black, KING)),
        (b'q', (Color::Black, QUEEN)),
    ]
};

/// The claims of each set of those letters, bit 0 being `K`.
static CLAIM_SETS: [[Claim; 4]; 16] = {
    let mut sets = [[CLAIMS[0].1; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut letter, mut length) = (0, 0);
        while letter < 4 {
            if set >> letter & 1 == 1 {
                sets[set][length] = CLAIMS[letter].1;
                length += 1;
            }
            letter += 1;
        }
        set += 1;
    }
    sets
};

/// `-` or letters of `KQkq` in this order, and what follows.
fn castling(text: &[u8]) -> Option<(&'static [Claim], &[u8])> {
    if let [b'-', rest @ ..] = text {
        return Some((&[], rest));
    }
    let (mut set, mut rest) = (0, text);
    for (bit, (letter, _)) in CLAIMS.iter().enumerate() {
        if rest.first() == Some(letter) {
            set |= 1 << bit;
            rest = &rest[1..];
        }
    }
    let length = text.len() - rest.len();
    (length > 0).then(|| (&CLAIM_SETS[set][..length], rest))
}

/// What a letter of a board field does, in three bytes that are read at once: the code it puts on a
/// square (see [`code`]), how many squares it stands for, whether it is a slash. 0 for any other.
type Letter = u32;

const WIDTH_SHIFT: u32 = 8;
const SLASH_SHIFT: u32 = 16;

static LETTERS: [Letter; 256] = {
    let mut letters = [0; 256];
    letters[b'/' as usize] = 1 << SLASH_SHIFT;
    let mut empty = 1;
    while empty <= 8 {
        letters[(b'0' + empty) as usize] = (empty as Letter) << WIDTH_SHIFT;
        empty += 1;
    }
    let names = *b"pnbrqk";
    let mut index = 0;
    while index < names.len() {
        let role = Role::ALL[index];
        let (black, white) = (Color::Black, Color::White);
        let one = 1 << WIDTH_SHIFT;
        let (lower, upper) = (names[index], names[index].to_ascii_uppercase());
        letters[lower as usize] = one | code(Piece { color: black, role }) as Letter;
        letters[upper as usize] = one | code(Piece { color: white, role }) as Letter;
        index += 1;
    }
    letters
};

/// A board that is in order, and where it ends; `None` if anything is wrong with it.
///
/// Millions of lines are read, and nearly all boards are in order: a table and hardly a branch, as
/// no processor can foresee what the next letter is.
pub(super) fn board(text: &[u8]) -> Option<(Squares, usize)> {
    // Slashes stand after 8, 16, ... squares and nowhere else.
    const ENDS_OF_RANKS: u64 = 0x0101_0101_0101_0100;
    const LETTERS_MAX: usize = 64 + 7;
    let mut board = Squares::EMPTY;
    // Squares passed, from a8 on, and above them in the same number slashes passed. As there must be
    // seven slashes, squares that carry into them make the number too large.
    let (mut passed, mut slashes_at) = (0_u32, 0_u64);
    let mut length = 0;
    for &byte in text {
        let letter = LETTERS[usize::from(byte)];
        if letter == 0 {
            break;
        }
        // A slash or digit puts nothing on a square that a later letter may fill.
        board.put_code((passed ^ 56) as usize, letter as u8);
        slashes_at |= u64::from(letter >> SLASH_SHIFT).wrapping_shl(passed);
        passed = passed.wrapping_add(letter >> WIDTH_SHIFT);
        length += 1;
    }
    let sound = length <= LETTERS_MAX
        && passed == 7 << (SLASH_SHIFT - WIDTH_SHIFT) | 64
        && slashes_at == ENDS_OF_RANKS;
    sound.then_some((board, length))
}

#[cfg(test)]
mod tests {
    use super::super::fen::{read_any_board, read_fen_with_care};
    use super::*;
    use crate::board::CastlingMode;

    const FENS: [&str; 8] = [
        "rnbqkbnr/pp1ppp1p/8/2p3p1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 12 345",
        "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;",
        "8/8/8/8/8/8/8/Rk1K4 b - - 0 1;D1 2",
        "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
        "2bqk3/8/8/8/8/8/4PPPP/QQQQK3 w - - 99 1",
    ];

    /// Every text that differs from one of these by a letter put in, put over another or taken out.
    fn damaged() -> impl Iterator<Item = String> {
        FENS.iter().flat_map(|fen| {
            (0..fen.len()).flat_map(move |at| {
                let letters = "/0123456789pnbrqkPNBRQKx -wbeh;\t\u{e9}".chars();
                letters.flat_map(move |letter| {
                    let (mut over, mut inside, mut out) =
                        (fen.to_string(), fen.to_string(), fen.to_string());
                    over.replace_range(at..=at, &letter.to_string());
                    inside.insert(at, letter);
                    out.remove(at);
                    [over, inside, out]
                })
            })
        })
    }

    #[test]
    fn boards_are_read_alike_fast_and_with_care() {
        let mut refused = 0;
        for text in damaged() {
            let field = text.split([' ', '\t', ';']).next().unwrap();
            let fast = board(field.as_bytes()).filter(|(_, length)| *length == field.len());
            refused += usize::from(fast.is_none());
            let fast = fast.map(|(board, _)| board);
            assert_eq!(fast, read_any_board(field).ok(), "{text}");
        }
        assert!(refused > 10_000, "{refused}");
    }

    /// What is read fast is read with care to the same position, and without a warning; and nearly
    /// all that is read with care without a warning is read fast.
    #[test]
    fn fens_are_read_alike_fast_and_with_care() {
        let (mut fast_count, mut slow_only, mut refused) = (0, 0, 0);
        for castling in [CastlingMode::Standard, CastlingMode::Chess960] {
            let options = FenOptions {
                castling,
                strict: false,
            };
            for text in damaged() {
                let Some(fast) = fen(text.as_bytes(), options) else {
                    refused += 1;
                    let slow = read_fen_with_care(&text, options);
                    slow_only += usize::from(slow.is_ok_and(|it| it.warnings.is_empty()));
                    continue;
                };
                fast_count += 1;
                let slow = read_fen_with_care(&text[..fast.end], options).unwrap();
                assert_eq!(slow.position, fast.position, "{text}");
                assert_eq!(slow.position.key_from_scratch(), fast.position.key());
                assert_eq!(slow.warnings, [], "{text}");
                let fields = text[..fast.end].split(' ').count();
                assert_eq!(fields, fast.fields, "{text}");
            }
        }
        println!("{fast_count} read fast, {refused} not, {slow_only} of them in order");
        assert!(fast_count > 5_000 && refused > 30_000);
        assert!(slow_only < fast_count / 5, "{slow_only}");
    }
}
