//! Known positions that a device must count right before it is trusted.
//!
//! The counts are part of the program and were made by the plain perft, not by this backend; a test
//! holds them against it and against the FENs. Some drivers miscompile, some cards are broken, and a
//! wrong perft looks like a right one.

use super::GpuCounter;
use crate::backend::{BackendError, LeafCounter};
use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// Positions counted at once at leaf depth 1 and 2: the known ones over and over, a prime number, so
/// that several workgroups and an incomplete one take part.
const BATCH: usize = 331;

/// The greatest depth counted: it takes every kernel and two levels of the arena.
const PLIES_MAX: u32 = 3;

/// A position whose counts at depth 1, 2 and 3 are known.
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
    counts: [u32; PLIES_MAX as usize],
}

const fn known(fen: &'static str, planes: [u64; 4], counts: [u32; 3]) -> Known {
    let [low, mid, high, ours] = planes;
    let code = [low, mid, high];
    Known {
        fen,
        position: PackedPosition { code, ours },
        counts,
    }
}

/// The known positions.
pub(super) fn positions() -> impl Iterator<Item = PackedPosition> {
    KNOWN.iter().map(|known| known.position)
}

/// Counts all known positions at leaf depth 1 to 3; the first wrong count is the error.
pub(super) fn check(counter: &mut GpuCounter) -> Result<(), BackendError> {
    check_against(counter, &KNOWN)
}

fn check_against(counter: &mut GpuCounter, known: &[Known]) -> Result<(), BackendError> {
    for plies in 1..=PLIES_MAX {
        let depth = LeafDepth::new(plies).expect("it is at most the greatest");
        let batch = if plies < 3 { BATCH } else { known.len() };
        let cycle = || known.iter().cycle().take(batch);
        let positions: Vec<PackedPosition> = cycle().map(|known| known.position).collect();
        let mut counts = vec![0; batch];
        counter.count(&positions, depth, &mut counts)?;
        for (index, (one, &found)) in cycle().zip(&counts).enumerate() {
            let expected = one.counts[plies as usize - 1];
            if found != expected {
                return Err(BackendError::WrongCount {
                    adapter: counter.adapter().name.clone(),
                    position: index % known.len(),
                    depth: plies,
                    expected,
                    found,
                });
            }
        }
    }
    Ok(())
}

static KNOWN: [Known; 17] = [
    // the start position.
    known(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        [
            0xd3ff_0000_0000_ffd3,
            0x7e00_0000_0000_007e,
            0x9900_0000_0000_0099,
            0x0000_0000_0000_ffff,
        ],
        [20, 400, 8902],
    ),
    // Kiwipete: castling, pins.
    known(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [
            0x912d_7218_1284_e791,
            0x1050_2310_0024_1810,
            0x9110_0000_0020_0091,
            0x0000_0018_1024_ff91,
        ],
        [48, 2039, 97862],
    ),
    // position 3: e.p. that uncovers a rank.
    known(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        [
            0x0004_0803_a000_5000,
            0x0000_0001_8000_0000,
            0x0000_0081_8200_0000,
            0x0000_0003_0200_5000,
        ],
        [14, 191, 2812],
    ),
    // position 4, Black to move: promotions.
    known(
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        [
            0x91ef_a003_1420_cb40,
            0x1000_e201_0321_0048,
            0x9100_0000_0001_0069,
            0x0001_8002_1720_c969,
        ],
        [6, 264, 9467],
    ),
    // position 5: a promotion that captures.
    known(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        [
            0x22eb_0400_0000_f793,
            0x2e10_0000_0400_301e,
            0xa900_0000_0000_0099,
            0x0008_0000_0400_d79f,
        ],
        [44, 1486, 62379],
    ),
    // position 6.
    known(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [
            0x40e6_2d10_102d_e640,
            0x4010_2444_4424_1040,
            0x6110_0000_0000_1061,
            0x0000_0040_142d_f661,
        ],
        [46, 2079, 89890],
    ),
    // 218 moves.
    known(
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        [
            0x0000_0000_0000_032d,
            0x0008_4210_8421_086f,
            0x8108_4210_8421_0821,
            0x8108_4210_8421_086e,
        ],
        [218, 99, 19073],
    ),
    // e.p. by two pawns, one of them pinned.
    known(
        "4r1k1/8/8/2PpP3/8/8/4K3/8 w - d6 0 1",
        [
            0x4000_001c_0000_1000,
            0x4000_0000_0000_1000,
            0x5000_0000_0000_1000,
            0x0000_0814_0000_1000,
        ],
        [11, 151, 1249],
    ),
    // e.p. from both sides of the pushed pawn, one pinned on its diagonal.
    known(
        "6k1/8/1b6/2PpP3/8/4K3/8/8 w - d6 0 1",
        [
            0x4000_001c_0010_0000,
            0x4000_0200_0010_0000,
            0x4000_0000_0010_0000,
            0x0000_0814_0010_0000,
        ],
        [10, 102, 889],
    ),
    // e.p. that answers the check of the pushed pawn.
    known(
        "8/8/8/1k1pP3/4K3/8/8/8 w - d6 0 1",
        [
            0x0000_001a_1000_0000,
            0x0000_0002_1000_0000,
            0x0000_0002_1000_0000,
            0x0000_0810_1000_0000,
        ],
        [8, 63, 454],
    ),
    // double check.
    known(
        "4k3/8/8/8/1b6/8/8/R3K2r w - - 0 1",
        [
            0x1000_0000_0000_0010,
            0x1000_0000_0200_0010,
            0x1000_0000_0000_0091,
            0x0000_0000_0000_0011,
        ],
        [2, 56, 884],
    ),
    // Chess960: the castling rook shields its king.
    known(
        "4k3/8/8/8/8/8/8/qR1K3R w HB - 0 1",
        [
            0x1000_0000_0000_008a,
            0x1000_0000_0000_0009,
            0x1000_0000_0000_008b,
            0x0000_0000_0000_008a,
        ],
        [18, 308, 6403],
    ),
    // Chess960: king and rook change places.
    known(
        "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
        [
            0x1300_0000_0000_0013,
            0x0200_0000_0000_0002,
            0x1300_0000_0000_0013,
            0x0000_0000_0000_0013,
        ],
        [23, 442, 9899],
    ),
    // eight promotions at once, Black to move.
    known(
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        [
            0xa0f0_0000_0000_0f05,
            0xa010_0000_0000_0805,
            0x0010_0000_0000_0800,
            0x00e0_0000_0000_0805,
        ],
        [24, 496, 9483],
    ),
    // many queens.
    known(
        "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        [
            0x0814_2a08_2200_0008,
            0x499c_a288_b688_8849,
            0x4908_0094_9408_1c49,
            0x0000_0880_b688_9c49,
        ],
        [99, 6271, 568299],
    ),
    // checkmate.
    known(
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        [
            0xd3ef_0010_4020_9fd3,
            0x7600_0000_8000_007e,
            0x9100_0000_8000_0099,
            0x0000_0000_4020_9fff,
        ],
        [0, 0, 0],
    ),
    // stalemate.
    known(
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        [
            0x0000_0000_0040_0080,
            0x0000_0000_0040_2080,
            0x0000_0000_0040_2080,
            0x0000_0000_0000_0080,
        ],
        [0, 0, 0],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::parity::device_options;
    use crate::board::CastlingMode;
    use crate::movegen::perft;
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
            for (plies, &count) in (1..).zip(&known.counts) {
                assert_eq!(perft(&position, plies), u64::from(count), "{}", known.fen);
            }
        }
    }

    /// Negative control: a device that does not say what is expected is refused, by name and number.
    #[test]
    fn a_wrong_count_refuses_the_device() {
        let Some(options) = device_options() else {
            return;
        };
        let mut counter = crate::backend::gpu::faults::unproven(&options);
        check(&mut counter).expect("it counts right");
        let mut doubted: Vec<Known> = KNOWN.iter().map(|one| Known { ..*one }).collect();
        doubted[3].counts[2] += 1;
        let error = check_against(&mut counter, &doubted).expect_err("one is wrong");
        let BackendError::WrongCount {
            position, depth, ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((position, depth), (3, 3));
    }
}
