//! Tests only: each fault is injected and must come out as its error, never as facts.

use std::sync::Arc;

use super::{GpuFacts, probe};
use crate::backend::gpu::device::Device;
use crate::backend::gpu::parity::device_options;
use crate::backend::gpu::run::Pipelines;
use crate::backend::gpu::shaders::Kernel;
use crate::backend::gpu::{GpuOptions, Tuning};
use crate::backend::{BackendError, FactFinder};
use crate::movegen::MoveFacts;
use crate::position::PackedPosition;

/// Kiwipete, as the known positions have it: a promotion, castles and checks are looked at.
const POSITION: PackedPosition = PackedPosition {
    code: [
        0x912d_7218_1284_e791,
        0x1050_2310_0024_1810,
        0x9110_0000_0020_0091,
    ],
    ours: 0x0000_0018_1024_ff91,
};

fn found(finder: &mut GpuFacts) -> Result<Vec<MoveFacts>, BackendError> {
    let mut facts = vec![MoveFacts::default(); 100];
    finder.find(&[POSITION; 100], &mut facts)?;
    Ok(facts)
}

/// A finder on a device that has not proved itself.
pub(super) fn unproven(options: &GpuOptions) -> GpuFacts {
    let device = Device::open(options).expect("it opens");
    GpuFacts::untested(device, Tuning::default(), options).expect("it has room")
}

/// A finder one of whose kernels was changed; undamaged it finds what is right.
fn damaged(options: &GpuOptions, damaged: Kernel, from: &str, to: &str) -> GpuFacts {
    let mut finder = unproven(options);
    let right = vec![MoveFacts::of_packed(&POSITION); 100];
    assert_eq!(found(&mut finder), Ok(right));
    let source = |kernel: Kernel| {
        let source = kernel.source(Tuning::default().slider);
        if kernel != damaged {
            return source;
        }
        assert!(source.contains(from), "{from}: nothing to damage");
        source.replace(from, to)
    };
    let (device, tuning) = (&finder.device, Tuning::default());
    let pipelines = Pipelines::with_sources(device, tuning, &Kernel::FINDING, source);
    finder.pipelines = Arc::new(pipelines.expect("it compiles"));
    finder
}

#[test]
fn a_destroyed_device_is_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let mut finder = GpuFacts::new(&options).expect("it opens");
    finder.device.device.destroy();
    for _ in 0..2 {
        let error = found(&mut finder).expect_err("the device is gone");
        let expected = matches!(
            error,
            BackendError::DeviceLost { .. } | BackendError::DeviceFailed { .. }
        );
        assert!(expected, "{error}");
    }
}

#[test]
fn results_that_cannot_be_mapped_are_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let mut finder = GpuFacts::new(&options).expect("it opens");
    finder.memory.common.readback.destroy();
    let error = found(&mut finder).expect_err("there is nothing to map");
    assert!(
        matches!(error, BackendError::DeviceFailed { .. }),
        "{error}"
    );
}

/// Positions nobody looked at, moves nobody made, and lists that lost a move.
#[test]
fn facts_that_are_incomplete_are_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let damages = [
        (Kernel::Facts, "let pieces = unpack(positions[index]);", {
            "if index == 77u { return; } let pieces = unpack(positions[index]);"
        }),
        (
            Kernel::Facts,
            "atomicAdd(&candidates.count, count)",
            "atomicOr(&candidates.count, count)",
        ),
        (Kernel::Facts, "stored(listed)", "stored(listed + 1u)"),
        (Kernel::RedoSize, "array(size.x, ", "array(size.x - 1u, "),
        (Kernel::Judge, "place >= min(", "place + 1u >= min("),
        (
            Kernel::Judge,
            "atomicAdd(&found[parent].judged",
            "atomicMax(&found[parent].judged",
        ),
    ];
    for (kernel, right, wrong) in damages {
        let mut finder = damaged(&options, kernel, right, wrong);
        let error = found(&mut finder).expect_err(wrong);
        assert!(matches!(error, BackendError::Unwritten { .. }), "{error}");
    }
}

/// A wrong fact is no error that a device could notice: the known positions show it.
#[test]
fn a_device_that_finds_wrong_facts_is_refused() {
    let Some(options) = device_options() else {
        return;
    };
    let damages = [
        (
            Kernel::Facts,
            "bb_south_east(king) | bb_south_west(king)",
            "bb_south_east(king)",
        ),
        (
            Kernel::Facts,
            "between & pieces.ours,",
            "between & pieces.theirs,",
        ),
        (
            Kernel::Facts,
            "captures, reached & pieces.theirs",
            "captures, reached & pieces.ours",
        ),
        (Kernel::Facts, "ep_captures << 16u", "ep_captures << 24u"),
        (Kernel::Facts, "(4u * promotions)", "(3u * promotions)"),
        (
            Kernel::Judge,
            "select(0x0cu, 0x60u, landing > origin)",
            "select(0x0cu, 0x60u, landing < origin)",
        ),
        (
            Kernel::Judge,
            "bb_count(checkers) == 1u",
            "bb_count(checkers) != 0u",
        ),
        (
            Kernel::Judge,
            "select(BY_DISCOVERY, 0u,",
            "select(0u, BY_DISCOVERY,",
        ),
        (
            Kernel::Judge,
            "count_legal(child) == 0u",
            "count_legal(child) <= 1u",
        ),
    ];
    for (kernel, right, wrong) in damages {
        let mut finder = GpuFacts::untested(
            Device::open(&options).expect("it opens"),
            Tuning::default(),
            &options,
        )
        .expect("it has room");
        probe::check(&mut finder).expect("undamaged it is right");
        let mut finder = damaged(&options, kernel, right, wrong);
        let error = probe::check(&mut finder).expect_err(wrong);
        assert!(matches!(error, BackendError::WrongFacts { .. }), "{error}");
    }
}
