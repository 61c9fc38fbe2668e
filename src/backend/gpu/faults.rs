//! Tests only: each fault is injected and must come out as its error, never as a count.

use std::sync::Arc;
use std::time::Duration;

use super::device::Device;
use super::parity::device_options;
use super::probe;
use super::run::Pipelines;
use super::shaders::{Kernel, LastPlies};
use super::{GpuCounter, GpuOptions, Tuning};
use crate::backend::{BackendError, LeafCounter};
use crate::movegen::LeafDepth;
use crate::position::PackedPosition;

/// Kiwipete, as the probe has it.
const POSITION: PackedPosition = PackedPosition {
    code: [
        0x912d_7218_1284_e791,
        0x1050_2310_0024_1810,
        0x9110_0000_0020_0091,
    ],
    ours: 0x0000_0018_1024_ff91,
};

fn counted(counter: &mut GpuCounter, plies: u32) -> Result<Vec<u32>, BackendError> {
    let mut counts = vec![0; 100];
    let depth = LeafDepth::new(plies).expect("a leaf depth");
    counter.count(&[POSITION; 100], depth, &mut counts)?;
    Ok(counts)
}

/// A counter on a device that has not proved itself.
pub(super) fn unproven(options: &GpuOptions) -> GpuCounter {
    unproven_with(options, Tuning::default())
}

fn unproven_with(options: &GpuOptions, tuning: Tuning) -> GpuCounter {
    let device = Device::open(options).expect("it opens");
    GpuCounter::untested(device, tuning, options).expect("it has room")
}

/// A counter one of whose kernels, one that it uses, was changed; undamaged it counts right.
fn damaged(options: &GpuOptions, damaged: Kernel, from: &str, to: &str) -> GpuCounter {
    let tuning = Tuning {
        last_plies: match damaged {
            Kernel::Leaf => LastPlies::Complete,
            _ => LastPlies::Speculative,
        },
        ..Tuning::default()
    };
    let mut counter = unproven_with(options, tuning);
    assert_eq!(counted(&mut counter, 2), Ok(vec![2_039; 100]));
    let source = |kernel: Kernel| {
        let source = kernel.source(tuning.slider);
        if kernel != damaged {
            return source;
        }
        assert!(source.contains(from), "nothing to damage in {kernel:?}");
        source.replace(from, to)
    };
    let pipelines = Pipelines::with_sources(&counter.device, tuning, &Kernel::COUNTING, source);
    counter.pipelines = Arc::new(pipelines.expect("it compiles"));
    counter
}

#[test]
fn a_destroyed_device_is_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let mut counter = GpuCounter::new(&options).expect("it opens");
    assert_eq!(counted(&mut counter, 1), Ok(vec![48; 100]));
    counter.device.device.destroy();
    for plies in [1, 2, 3, 1] {
        let error = counted(&mut counter, plies).expect_err("the device is gone");
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
    let mut counter = GpuCounter::new(&options).expect("it opens");
    counter.buffers.common.readback.destroy();
    for plies in [1, 2, 1] {
        let error = counted(&mut counter, plies).expect_err("there is nothing to map");
        let expected = matches!(error, BackendError::DeviceFailed { .. });
        assert!(expected, "{error}");
    }
}

#[test]
fn a_device_that_takes_too_long_is_an_error() {
    let Some(mut options) = device_options() else {
        return;
    };
    options.timeout = Duration::from_nanos(1);
    let mut counter = unproven(&options);
    let error = counted(&mut counter, 3).expect_err("nothing is that quick");
    assert!(matches!(error, BackendError::TimedOut { .. }), "{error}");
    // Whatever it still finishes is not asked for any more.
    let again = counted(&mut counter, 1).expect_err("it stays given up");
    assert!(matches!(again, BackendError::TimedOut { .. }), "{again}");
}

#[test]
fn counts_that_pass_32_bits_are_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let all = "counts[index] = stored(count_legal(after";
    let most = "counts[index] = stored(100000000u + count_legal(after";
    let mut counter = damaged(&options, Kernel::Leaf, all, most);
    let error = counted(&mut counter, 2).expect_err("48 times that is too much");
    assert!(matches!(error, BackendError::Unwritten { .. }), "{error}");
}

#[test]
fn counts_that_were_never_written_are_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let all = "counts[index] = stored";
    let most = "if index != 77u { return; } counts[index] = stored";
    let mut counter = damaged(&options, Kernel::Count, all, most);
    let error = counted(&mut counter, 1).expect_err("99 counts are missing");
    let BackendError::Unwritten { unwritten, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(unwritten, 99);
    // Where the counts are only a step on the way they are missed as well.
    let error = counted(&mut counter, 2).expect_err("99 counts are missing");
    assert!(matches!(error, BackendError::Unwritten { .. }), "{error}");
    let most = "if index == 77u { return; } counts[index] = stored";
    let mut counter = damaged(&options, Kernel::Leaf, all, most);
    for plies in [2, 3] {
        let error = counted(&mut counter, plies).expect_err("a reply count is missing");
        assert!(matches!(error, BackendError::Unwritten { .. }), "{error}");
    }
}

#[test]
fn moves_that_were_counted_and_not_listed_are_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let (all, most) = ("pawns.double_push & ~beside", "BB_EMPTY");
    let mut counter = damaged(&options, Kernel::List, all, most);
    for plies in [2, 3] {
        let error = counted(&mut counter, plies).expect_err("moves are missing");
        let BackendError::Disagreement {
            agreed, positions, ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((agreed, positions), (0, 100));
    }
}

#[test]
fn a_device_that_counts_wrong_is_refused() {
    let Some(options) = device_options() else {
        return;
    };
    let (right, wrong) = ("kind == MOVE_EN_PASSANT", "kind == MOVE_CASTLE");
    let mut counter = damaged(&options, Kernel::Leaf, right, wrong);
    let error = probe::check(&mut counter).expect_err("e.p. leaves the pawn standing");
    let BackendError::WrongCount { depth, .. } = error else {
        panic!("{error}");
    };
    assert!(depth > 1);
}

/// Whatever the speculative kernel does not count must reach the redo list, and be counted there.
#[test]
fn a_redo_list_that_is_not_worked_off_is_an_error() {
    let Some(options) = device_options() else {
        return;
    };
    let damages = [
        (
            Kernel::Speculate,
            "redo.moves[atomicAdd(&redo.count, 1u)]",
            "redo.moves[0]",
        ),
        (
            Kernel::Speculate,
            "atomicAdd(&redo.count, 1u)",
            "atomicOr(&redo.count, 1u)",
        ),
        (Kernel::RedoSize, "array(size.x, ", "array(size.x - 1u, "),
        (Kernel::Redo, "place >= min(", "place + 1u >= min("),
    ];
    for (kernel, right, wrong) in damages {
        let mut counter = damaged(&options, kernel, right, wrong);
        for plies in [2, 3] {
            let error = counted(&mut counter, plies).expect_err("reply counts are missing");
            assert!(matches!(error, BackendError::Unwritten { .. }), "{error}");
        }
    }
}

/// A speculation that goes wrong unnoticed is a wrong count, and the known positions show it.
#[test]
fn a_device_that_speculates_wrong_is_refused() {
    let Some(options) = device_options() else {
        return;
    };
    let damages = [
        ("(danger & pieces.our_king)", "(danger & BB_EMPTY)"),
        (
            "pinned & (pieces.our_orthogonal",
            "BB_EMPTY & (pieces.our_orthogonal",
        ),
        ("== MOVE_NORMAL &&", "!= 99u &&"),
    ];
    for (right, wrong) in damages {
        let mut counter = damaged(&options, Kernel::Speculate, right, wrong);
        let error = probe::check(&mut counter).expect_err(wrong);
        assert!(matches!(error, BackendError::WrongCount { .. }), "{error}");
    }
}
