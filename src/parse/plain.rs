//! FENs that are as they should be, read fast. Whatever is odd or wrong is left to `fen.rs`, which
//! reads the same text with care and says what it is; so what this accepts is read without a word.

use super::fen::FenOptions;
use super::ranks::read_ranks;
use crate::board::{Color, Square};
use crate::position::{PlainSetup, Position, pieces_of_ranks};

/// What the beginning of a line says.
pub(super) struct PlainFields {
    setup: PlainSetup,
    /// 4 or 6.
    fields: usize,
    /// Where the first field ends.
    pub(super) board_end: usize,
    /// Where the last field ends.
    pub(super) end: usize,
}

impl PlainFields {
    /// The position, if it is one and there is nothing to warn of.
    #[inline(always)]
    pub(super) fn judged(&self, options: FenOptions) -> Option<Position> {
        self.setup.judge(options.castling)
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
#[inline(always)]
pub(super) fn fields(line: &[u8]) -> Option<PlainFields> {
    let (ranks, board_end) = read_ranks(line)?;
    let [b' ', side @ (b'w' | b'b'), b' ', rest @ ..] = &line[board_end..] else {
        return None;
    };
    let (castling, rest) = castling(rest)?;
    let (ep_square, rest) = match rest {
        [b' ', b'-', rest @ ..] => (None, rest),
        [b' ', file @ b'a'..=b'h', rank @ (b'3' | b'6'), rest @ ..] => {
            (Square::new((rank - b'1') * 8 + (file - b'a')), rest)
        }
        _ => return None,
    };
    let (counters, rest) = counters(rest)?;
    let (halfmove_clock, fullmove_number) = counters.unwrap_or((0, 1));
    Some(PlainFields {
        setup: PlainSetup {
            pieces: pieces_of_ranks(ranks),
            side_to_move: if *side == b'w' {
                Color::White
            } else {
                Color::Black
            },
            castling,
            ep_square,
            halfmove_clock,
            fullmove_number,
        },
        fields: if counters.is_some() { 6 } else { 4 },
        board_end,
        end: line.len() - rest.len(),
    })
}

/// Halfmove clock and fullmove number.
type Counters = (u32, u32);

/// The counters, if the next word begins like one, and what follows.
#[inline(always)]
fn counters(rest: &[u8]) -> Option<(Option<Counters>, &[u8])> {
    let (counters, rest) = match rest {
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
                (Some((halfmoves, fullmoves)), more)
            }
            [b'!'..=b'~', ..] if !matches!(more[0], b'-' | b'+') => (None, rest),
            _ if more.iter().all(|&byte| byte == b' ') => (None, rest),
            _ => return None,
        },
        _ => (None, rest),
    };
    matches!(rest, [] | [b' ' | b';', ..]).then_some((counters, rest))
}

/// A number of up to nine digits, and what follows.
#[inline(always)]
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

/// `-` or letters of `KQkq` in this order, as in [`PlainSetup`], and what follows.
#[inline(always)]
fn castling(text: &[u8]) -> Option<(usize, &[u8])> {
    if let [b'-', rest @ ..] = text {
        return Some((0, rest));
    }
    let (mut set, mut length) = (0, 0);
    for (bit, letter) in b"KQkq".iter().enumerate() {
        let there = usize::from(text.get(length) == Some(letter));
        set |= there << bit;
        length += there;
    }
    (length > 0).then(|| (set, &text[length..]))
}

#[cfg(test)]
mod tests {
    use super::super::fen::{read_board, read_fen_with_care};
    use super::*;
    use crate::board::CastlingMode;

    const FENS: [&str; 9] = [
        "rnbqkbnr/pp1ppp1p/8/2p3p1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 12 345",
        "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;",
        "4k3/8/8/8/8/8/4K3/8 w - -",
        "8/8/8/8/8/8/8/Rk1K4 b - - 0 1;D1 2",
        "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
        "2bqk3/8/8/8/8/8/4PPPP/QQQQK3 w - - 99 1",
    ];

    /// Every text that differs from one of these by a letter put in, put over another or taken out.
    fn damaged() -> impl Iterator<Item = String> {
        FENS.iter().flat_map(|fen| {
            (0..fen.len()).flat_map(move |at| {
                // U+04B1 is `R1` in UTF-8, but for the highest bits.
                let letters = "/0123456789pnbrqkPNBRQKx -wbeh;\0\x7f\t\u{e9}\u{4b1}".chars();
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

    /// Boards whose ranks are a little too long or too short, empty, or run into each other, in every
    /// combination that eight of these ranks make by chance.
    fn odd_boards() -> impl Iterator<Item = String> {
        const RANKS: [&str; 26] = [
            "8",
            "rnbqkbnr",
            "PPPPPPPP",
            "K7",
            "7k",
            "44",
            "1p1p1p1p",
            "Q2q3R",
            "3b4",
            "8",
            "R6R",
            "n1n1n1n1",
            "PP6",
            "62",
            "k1K5",
            "53",
            "",
            "9",
            "7",
            "88",
            "4",
            "8p",
            "pppppppp8",
            "71/",
            "4/4",
            "4\u{0}4",
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut below = move |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % limit as u64) as usize
        };
        (0..200_000).map(move |_| {
            let mut text = String::new();
            // Mostly whole ranks, or hardly any board would be in order.
            let odd = below(3) * 3;
            for rank in 0..8 {
                if rank > 0 && below(60) > 0 {
                    text.push('/');
                }
                let choice = if below(12) < odd { RANKS.len() } else { 16 };
                text.push_str(RANKS[below(choice)]);
            }
            text
        })
    }

    #[test]
    fn boards_are_read_alike_fast_and_with_care() {
        let (mut sound, mut refused) = (0, 0);
        for board in odd_boards() {
            let fast = fields(format!("{board} w - - 0 1").as_bytes());
            let slow = read_board(&board).ok();
            sound += usize::from(fast.is_some());
            refused += usize::from(fast.is_none());
            let fast = fast.map(|it| it.setup.pieces);
            assert_eq!(fast, slow.map(|it| it.pieces()), "{board}");
        }
        assert!(sound > 20_000 && refused > 20_000, "{sound} {refused}");
    }

    /// True if what was read fast of the beginning of a text is what is read of it with care, without a
    /// warning.
    fn is_right(text: &str, fast: &PlainFen, options: FenOptions) -> bool {
        let read = &text[..fast.end];
        let slow = read_fen_with_care(read, options).ok();
        let same = slow.is_some_and(|it| it.position == fast.position && it.warnings.is_empty());
        same && read.split(' ').count() == fast.fields
    }

    /// What is read fast is read right; and nearly all that is read with care without a warning is read
    /// fast.
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
                assert!(is_right(&text, &fast, options), "{text}");
            }
        }
        println!("{fast_count} read fast, {refused} not, {slow_only} of them in order");
        assert!(fast_count > 5_000 && refused > 30_000);
        assert!(slow_only < fast_count / 5, "{slow_only}");
    }

    /// The comparison above can fail: whatever field is read wrong, it is noticed.
    #[test]
    fn a_fen_read_wrong_is_noticed() {
        let options = FenOptions::default();
        let good = "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 12 345";
        let read = |text: &str| fen(text.as_bytes(), options).unwrap();
        assert!(is_right(good, &read(good), options));
        for bad in [
            "r3k2r/8/8/8/3nP3/8/8/R3K2R b KQkq e3 12 345",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 12 345",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQk e3 12 345",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq - 12 345",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 13 345",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 12 346",
        ] {
            let (end, fast) = (good.len(), read(bad));
            assert!(!is_right(good, &PlainFen { end, ..fast }, options), "{bad}");
        }
        let fields = PlainFen {
            fields: 4,
            ..read(good)
        };
        assert!(!is_right(good, &fields, options));
        let warned = "r3k2r/8/8/8/3pP3/8/8/R3K3 b Qkq e3 12 345";
        let more = warned.replace("Qkq", "KQkq");
        let end = more.len();
        assert!(!is_right(
            &more,
            &PlainFen {
                end,
                ..read(warned)
            },
            options
        ));
    }
}
