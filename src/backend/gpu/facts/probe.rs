//! Facts that a device must find as the processor does before it is trusted.

use super::GpuFacts;
use crate::backend::gpu::calibrate::below;
use crate::backend::gpu::probe;
use crate::backend::{BackendError, FactFinder};
use crate::movegen::MoveFacts;
use crate::position::PackedPosition;

/// The positions below, those of [`probe`], and one in so many of those two plies below each of them.
fn positions() -> Vec<PackedPosition> {
    const STEP: usize = 13;
    let rare = KNOWN.iter().map(|known| known.position);
    let known: Vec<PackedPosition> = rare.chain(probe::positions()).collect();
    let below = known.iter().flat_map(|&known| below(known)).step_by(STEP);
    known.iter().copied().chain(below).collect()
}

/// Compares the facts of known positions; the first that differ are the error.
pub(super) fn check(finder: &mut GpuFacts) -> Result<(), BackendError> {
    let positions = positions();
    let expected: Vec<MoveFacts> = positions.iter().map(MoveFacts::of_packed).collect();
    check_against(finder, &positions, &expected)
}

fn check_against(
    finder: &mut GpuFacts,
    positions: &[PackedPosition],
    expected: &[MoveFacts],
) -> Result<(), BackendError> {
    let mut facts = vec![MoveFacts::default(); positions.len()];
    finder.find(positions, &mut facts)?;
    let wrong = (0..facts.len()).find(|&index| facts[index] != expected[index]);
    wrong.map_or(Ok(()), |position| {
        Err(BackendError::WrongFacts {
            adapter: finder.adapter().name.clone(),
            position,
        })
    })
}

/// A position with facts that are rare elsewhere.
struct Known {
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "says what the planes mean; a test holds them to it"
        )
    )]
    fen: &'static str,
    position: PackedPosition,
}

const fn known(fen: &'static str, planes: [u64; 4]) -> Known {
    let [low, mid, high, ours] = planes;
    let code = [low, mid, high];
    Known {
        fen,
        position: PackedPosition { code, ours },
    }
}

static KNOWN: [Known; 9] = [
    // castling that checks, to either side.
    known(
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        [
            0x2000_0000_0000_0090,
            0x2000_0000_0000_0010,
            0x2000_0000_0000_0090,
            0x0000_0000_0000_0090,
        ],
    ),
    known(
        "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        [
            0x0800_0000_0000_0011,
            0x0800_0000_0000_0010,
            0x0800_0000_0000_0011,
            0x0000_0000_0000_0011,
        ],
    ),
    // castling that mates.
    known(
        "4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1",
        [
            0x2050_0000_0000_0090,
            0x2000_0000_0000_0010,
            0x7000_0000_0000_0090,
            0x0000_0000_0000_0090,
        ],
    ),
    // Chess960: king and rook change places, and the rook checks.
    known(
        "5k2/8/8/8/8/8/8/5KR1 w G - 0 1",
        [
            0x2000_0000_0000_0060,
            0x2000_0000_0000_0020,
            0x2000_0000_0000_0060,
            0x0000_0000_0000_0060,
        ],
    ),
    // e.p. that uncovers the enemy king on a rank.
    known(
        "8/8/8/R2pP2k/8/8/8/6K1 w - d6 0 1",
        [
            0x0000_0098_0000_0040,
            0x0000_0080_0000_0040,
            0x0000_0081_0000_0040,
            0x0000_0811_0000_0040,
        ],
    ),
    // e.p. that checks twice: by the pawn, and on the file it leaves.
    known(
        "8/4k3/8/3pP3/8/8/8/4R1K1 w - d6 0 1",
        [
            0x0010_0018_0000_0040,
            0x0010_0000_0000_0040,
            0x0010_0000_0000_0050,
            0x0000_0810_0000_0050,
        ],
    ),
    // promotions that check through the square the pawn left.
    known(
        "8/2P5/8/2k5/8/8/8/4K3 w - - 0 1",
        [
            0x0004_0004_0000_0010,
            0x0000_0004_0000_0010,
            0x0000_0004_0000_0010,
            0x0004_0000_0000_0010,
        ],
    ),
    // a king that makes way for its rook, or does not.
    known(
        "4k3/8/8/8/4K3/8/8/4R3 w - - 0 1",
        [
            0x1000_0000_1000_0000,
            0x1000_0000_1000_0000,
            0x1000_0000_1000_0010,
            0x0000_0000_1000_0010,
        ],
    ),
    // a pawn that makes way for a bishop by two steps.
    known(
        "8/8/1p6/p7/1k6/8/3P4/4B1K1 w - - 0 1",
        [
            0x0000_0201_0200_0840,
            0x0000_0000_0200_0050,
            0x0000_0000_0200_0040,
            0x0000_0000_0000_0850,
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::facts::faults::unproven;
    use crate::backend::gpu::parity::device_options;
    use crate::board::CastlingMode;
    use crate::parse::{FenOptions, read_fen};

    #[test]
    fn the_known_positions_are_what_they_say() {
        for known in &KNOWN {
            let options = FenOptions {
                castling: CastlingMode::Chess960,
                ..FenOptions::default()
            };
            let position = read_fen(known.fen, options).expect("a FEN").position;
            assert_eq!(position.packed(), known.position, "{}", known.fen);
        }
    }

    /// Whatever there is to find occurs, so that none of it is trusted unseen.
    #[test]
    fn all_facts_occur() {
        let facts: Vec<MoveFacts> = positions().iter().map(MoveFacts::of_packed).collect();
        type Occurs = fn(&MoveFacts) -> bool;
        let kinds: [(&str, Occurs); 11] = [
            ("checkers", |it| it.checkers.any()),
            ("pinned", |it| it.pinned.any()),
            ("captures", |it| it.captures > 0),
            ("ep_captures", |it| it.ep_captures > 0),
            ("castles", |it| it.castles > 0),
            ("promotions", |it| it.promotions > 0),
            ("direct_checks", |it| it.direct_checks() > 0),
            ("discovery_checks", |it| it.discovery_checks > 0),
            ("double_checks", |it| it.double_checks > 0),
            ("mates", |it| it.mates > 0),
            ("no moves", |it| it.legal_moves == 0),
        ];
        for (name, occurs) in kinds {
            let count = facts.iter().filter(|it| occurs(it)).count();
            eprintln!("{name}: {count} of {}", facts.len());
            assert!(count > 1, "{name}: {count} of {}", facts.len());
        }
    }

    /// Negative control: a device that does not say what is expected is refused, and told which.
    #[test]
    fn a_wrong_fact_refuses_the_device() {
        let Some(options) = device_options() else {
            return;
        };
        let mut finder = unproven(&options);
        check(&mut finder).expect("it finds them");
        let positions = positions();
        let mut doubted: Vec<MoveFacts> = positions.iter().map(MoveFacts::of_packed).collect();
        doubted[40].double_checks += 1;
        let error = check_against(&mut finder, &positions, &doubted).expect_err("one is wrong");
        let BackendError::WrongFacts { position, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(position, 40);
    }
}
