//! Well-known positions by name, so that nobody has to paste a FEN to try something.

/// A position with a name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NamedPosition {
    /// Its names, in lower case, the preferred one first.
    pub names: &'static [&'static str],
    /// Its FEN, six fields.
    pub fen: &'static str,
}

/// The benchmark positions everyone counts; numbers as on the Chess Programming Wiki's page
/// "Perft Results".
pub static NAMED_POSITIONS: [NamedPosition; 6] = [
    NamedPosition {
        names: &["startpos", "start", "initial", "position1"],
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    },
    NamedPosition {
        names: &["kiwipete", "position2"],
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    },
    NamedPosition {
        names: &["position3", "endgame"],
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    },
    NamedPosition {
        names: &["position4", "promotions"],
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    },
    NamedPosition {
        names: &["position5", "talkchess"],
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    },
    NamedPosition {
        names: &["position6", "middlegame"],
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    },
];

/// The position of that name; upper and lower case are the same.
///
/// ```
/// assert_eq!(hyperft::parse::named_position("Position2").unwrap().names[0], "kiwipete");
/// ```
pub fn named_position(name: &str) -> Option<&'static NamedPosition> {
    let named = |position: &&NamedPosition| {
        let mut names = position.names.iter();
        names.any(|known| known.eq_ignore_ascii_case(name))
    };
    NAMED_POSITIONS.iter().find(named)
}

/// The FEN of a named position; upper and lower case are the same.
///
/// ```
/// assert!(hyperft::parse::named_fen("Kiwipete").unwrap().starts_with("r3k2r/"));
/// assert_eq!(hyperft::parse::named_fen("kiwi"), None);
/// ```
pub fn named_fen(name: &str) -> Option<&'static str> {
    named_position(name).map(|position| position.fen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::perft;
    use crate::parse::parse_fen;

    #[test]
    fn the_positions_are_the_ones_everybody_counts() {
        let counts = [8_902, 97_862, 2_812, 9_467, 62_379, 89_890];
        for (position, count) in NAMED_POSITIONS.iter().zip(counts) {
            let read = parse_fen(position.fen).unwrap();
            assert_eq!(read.to_string(), position.fen);
            assert_eq!(perft(&read, 3), count, "{}", position.names[0]);
        }
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<&str> = NAMED_POSITIONS
            .iter()
            .flat_map(|it| it.names)
            .copied()
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
