//! Device memory: the arena, what is uploaded, what is read back.

use super::chunk::{Arena, LEVELS, MOVE_BYTES, WORD_BYTES, scan_levels};
use super::device::Device;
use crate::attacks::{Magic32, SliderEntry, TABLES};
use crate::backend::BackendError;
use crate::board::{Bitboard, Square};
use crate::position::PackedPosition;

/// A buffer of 32-bit words that was never written, or was cleared, reads as this many counts: the
/// shaders store counts complemented.
pub(super) const UNWRITTEN: u32 = u32::MAX;

/// The count that a stored word means; and, the other way, how a count is stored.
pub(super) fn stored(word: u32) -> u32 {
    !word
}

/// Positions on the device with their counts and where their moves are listed.
pub(super) struct Level {
    pub(super) positions: wgpu::Buffer,
    /// The moves that led to them, where they are not the roots.
    pub(super) moves: wgpu::Buffer,
    pub(super) counts: wgpu::Buffer,
    pub(super) offsets: wgpu::Buffer,
    /// How many positions listed as many moves as were counted.
    pub(super) agreed: wgpu::Buffer,
    /// Sums and offsets of each step of the scan.
    pub(super) scan: Vec<(wgpu::Buffer, wgpu::Buffer)>,
}

/// The device's clock before and after a submission.
pub(super) struct Clock {
    pub(super) queries: wgpu::QuerySet,
    pub(super) resolved: wgpu::Buffer,
}

/// Bytes of the two readings of a [`Clock`].
pub(super) const CLOCK_BYTES: u64 = 16;

/// What every submission needs, whatever it computes.
pub(super) struct Common {
    pub(super) tables: wgpu::Buffer,
    /// A single zero: where the topmost tile of a scan starts.
    pub(super) zero: wgpu::Buffer,
    pub(super) readback: wgpu::Buffer,
    pub(super) clock: Option<Clock>,
}

/// All device memory of a counter.
pub(super) struct Buffers {
    /// As in [`Arena::levels`].
    pub(super) levels: [Level; LEVELS],
    pub(super) leaf_moves: wgpu::Buffer,
    pub(super) leaf_counts: wgpu::Buffer,
    /// How many leaf moves have to be redone, and which: as many places as there are moves.
    pub(super) redo: wgpu::Buffer,
    /// The size of the dispatch that redoes them.
    pub(super) redo_size: wgpu::Buffer,
    pub(super) common: Common,
}

impl Buffers {
    /// Allocates the arena.
    pub(super) fn new(device: &Device, arena: &Arena) -> Result<Buffers, BackendError> {
        let tables = table_bytes();
        device.scoped(arena.bytes() + tables.len() as u64, || {
            let word = WORD_BYTES;
            let leaves = u64::from(arena.leaf_moves);
            let roots_max = u64::from(arena.levels[0]);
            Buffers {
                levels: arena.levels.map(|positions| Level::new(device, positions)),
                leaf_moves: storage(device, "leaf moves", leaves * MOVE_BYTES),
                leaf_counts: storage(device, "leaf counts", leaves * word),
                redo: storage(device, "redo", (1 + leaves) * word),
                redo_size: dispatch_size(device),
                common: Common::new(device, &tables, (roots_max + 8) * word),
            }
        })
    }
}

impl Common {
    /// With [`table_bytes`], and room to read back `bytes` of a submission. To be made where what the
    /// driver reports is looked at.
    pub(super) fn new(device: &Device, table_bytes: &[u8], bytes: u64) -> Common {
        let tables = storage(device, "tables", table_bytes.len() as u64);
        device.queue.write_buffer(&tables, 0, table_bytes);
        Common {
            tables,
            zero: storage(device, "zero", WORD_BYTES),
            readback: device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: bytes + CLOCK_BYTES,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            clock: device.summary.timestamps.then(|| Clock::new(device)),
        }
    }
}

/// The size of a dispatch that the device itself finds.
pub(super) fn dispatch_size(device: &Device) -> wgpu::Buffer {
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("dispatch size"),
        size: 3 * WORD_BYTES,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT,
        mapped_at_creation: false,
    })
}

impl Clock {
    fn new(device: &Device) -> Clock {
        Clock {
            queries: device.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("clock"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("clock"),
                size: CLOCK_BYTES,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
        }
    }
}

impl Level {
    fn new(device: &Device, positions: u32) -> Level {
        let words = |count: u32| u64::from(count) * WORD_BYTES;
        let scan = scan_levels(positions).into_iter().map(|sums| {
            let counts = storage(device, "sums", words(sums));
            (counts, storage(device, "starts", words(sums + 1)))
        });
        Level {
            positions: storage(
                device,
                "positions",
                u64::from(positions) * size_of::<PackedPosition>() as u64,
            ),
            moves: storage(device, "moves", u64::from(positions) * MOVE_BYTES),
            counts: storage(device, "counts", words(positions)),
            offsets: storage(device, "offsets", words(positions + 1)),
            agreed: storage(device, "agreed", WORD_BYTES),
            scan: scan.collect(),
        }
    }
}

pub(super) fn storage(device: &Device, label: &str, bytes: u64) -> wgpu::Buffer {
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// The bytes of `Tables` in `shaders/tables.wgsl`.
pub(super) fn table_bytes() -> Vec<u8> {
    let table = Magic32::new().table();
    let mut bytes = Vec::new();
    let set = |bytes: &mut Vec<u8>, set: Bitboard| bytes.extend(set.0.to_le_bytes());
    let entry = |bytes: &mut Vec<u8>, entry: &SliderEntry| {
        set(bytes, entry.mask);
        bytes.extend(entry.factor.to_le_bytes());
        bytes.extend(entry.offset.to_le_bytes());
        bytes.extend(entry.shift.to_le_bytes());
        bytes.extend([0; 8]);
    };
    for one in table.rook.iter().chain(&table.bishop) {
        entry(&mut bytes, one);
    }
    for one in Square::all().flat_map(surroundings) {
        set(&mut bytes, one);
    }
    for &one in TABLES.between.iter().flatten() {
        set(&mut bytes, one);
    }
    for &one in table.attacks.iter() {
        set(&mut bytes, one);
    }
    bytes
}

/// `Surroundings` of `shaders/tables.wgsl`: file, rank, diagonal, antidiagonal, king's steps, knight's
/// jumps.
fn surroundings(square: Square) -> [Bitboard; 6] {
    let straight = TABLES.orthogonal[square.index()];
    let slanted = TABLES.diagonal[square.index()];
    let file = straight & Bitboard::of_file(square.file());
    // North-east of a square files and squares have higher numbers, south-west both have lower ones.
    let rises = |other: &Square| (*other > square) == (other.file() > square.file());
    let diagonal: Bitboard = slanted.iter().filter(rises).collect();
    [
        file,
        straight & !file,
        diagonal,
        slanted & !diagonal,
        TABLES.king[square.index()],
        TABLES.knight[square.index()],
    ]
}

/// Part of a buffer, from its start.
#[derive(Copy, Clone)]
pub(super) struct Slice<'a> {
    pub(super) buffer: &'a wgpu::Buffer,
    pub(super) bytes: u64,
}

impl<'a> Slice<'a> {
    /// The first `count` words.
    pub(super) fn words(buffer: &'a wgpu::Buffer, count: u32) -> Slice<'a> {
        let bytes = u64::from(count) * WORD_BYTES;
        Slice { buffer, bytes }
    }

    /// The first `count` listed moves.
    pub(super) fn moves(buffer: &'a wgpu::Buffer, count: u32) -> Slice<'a> {
        let bytes = u64::from(count) * MOVE_BYTES;
        Slice { buffer, bytes }
    }

    /// The first `count` positions.
    pub(super) fn positions(buffer: &'a wgpu::Buffer, count: u32) -> Slice<'a> {
        let bytes = u64::from(count) * size_of::<PackedPosition>() as u64;
        Slice { buffer, bytes }
    }

    /// All of it.
    pub(super) fn all(buffer: &'a wgpu::Buffer) -> Slice<'a> {
        let bytes = buffer.size();
        Slice { buffer, bytes }
    }
}
