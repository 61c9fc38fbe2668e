//! The members of a zip archive as streams of bytes, each checked against its checksum.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, RangeReader, ReaderAt, ZipLocator,
};

/// Largest archive read from a stream, which must be held in memory: the list of members is at its
/// end. Files have no such limit.
pub(super) const STREAM_BYTES_MAX: u64 = 1 << 30;

/// Most members listed; far more than any suite, few enough for any memory.
const MEMBERS_MAX: usize = 1_000_000;

/// The bytes of an archive, wherever they are.
type Archive = Arc<dyn ReaderAt + Send + Sync>;

/// An archive whose members are still to be read.
pub(super) struct Members {
    archive: Archive,
    left: VecDeque<Member>,
}

struct Member {
    name: String,
    /// Where its packed bytes are, or why they cannot be read.
    body: Result<Body, &'static str>,
}

struct Body {
    begin: u64,
    end: u64,
    deflated: bool,
    crc: u32,
    bytes: u64,
}

/// A member: its name inside the archive and its bytes, or why there are none.
pub(super) struct Opened {
    pub name: String,
    pub bytes: Result<Box<dyn Read + Send>, &'static str>,
}

impl Members {
    /// Lists an archive that is a regular file.
    pub(super) fn of_file(file: File) -> Result<Members, rawzip::Error> {
        let length = file.metadata().map_err(rawzip::Error::from)?.len();
        Members::list(Arc::new(FileReader::from(file)), length)
    }

    /// Lists an archive that comes from a stream, by reading all of it.
    pub(super) fn of_stream(stream: impl Read) -> Result<Members, rawzip::Error> {
        let mut all = Vec::new();
        let limited = stream.take(STREAM_BYTES_MAX + 1).read_to_end(&mut all);
        let length = limited.map_err(rawzip::Error::from)? as u64;
        if length > STREAM_BYTES_MAX {
            let message =
                "the archive is too large for a stream (more than 1 GiB); give it as a file";
            return Err(rawzip::Error::from(io::Error::other(message)));
        }
        Members::list(Arc::new(Cursor::new(all)), length)
    }

    fn list(archive: Archive, length: u64) -> Result<Members, rawzip::Error> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let directory = ZipLocator::new()
            .locate_in_reader(archive.clone(), &mut buffer, length)
            .map_err(|(_, error)| error)?;
        let mut left = VecDeque::new();
        let mut entries = directory.entries(&mut buffer);
        while let Some(entry) = entries.next_entry()? {
            if entry.is_dir() || left.len() == MEMBERS_MAX {
                continue;
            }
            let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            if is_hidden(&name) {
                continue;
            }
            let method = entry.compression_method();
            let body = if entry.flags().is_encrypted() {
                Err("an encrypted member, which is not unpacked")
            } else if method == CompressionMethod::DEFLATE || method == CompressionMethod::STORE {
                match directory.get_entry(entry.wayfinder()) {
                    Ok(local) => {
                        let (begin, end) = local.compressed_data_range();
                        Ok(Body {
                            begin,
                            end,
                            deflated: method == CompressionMethod::DEFLATE,
                            crc: entry.crc32(),
                            bytes: entry.uncompressed_size_hint(),
                        })
                    }
                    Err(_) => Err("a damaged member: its header is not where the archive says"),
                }
            } else {
                Err("a member packed in a way that is not unpacked (deflate is)")
            };
            left.push_back(Member { name, body });
        }
        drop(directory);
        Ok(Members { archive, left })
    }
}

/// What programs keep for themselves: hidden files and folders, and what macOS remembers of each file.
/// Nobody meant them to be read as positions, and they are left out without a word.
fn is_hidden(name: &str) -> bool {
    let hidden = |part: &str| part.starts_with('.') && part != "." && part != "..";
    name.split('/')
        .any(|part| hidden(part) || part == "__MACOSX")
}

impl Iterator for Members {
    type Item = Opened;

    fn next(&mut self) -> Option<Opened> {
        let Member { name, body } = self.left.pop_front()?;
        let bytes = body.map(|body| {
            let packed = RangeReader::new(self.archive.clone(), body.begin..body.end);
            let packed = BufReader::new(packed);
            if body.deflated {
                Checked::boxed(DeflateDecoder::new(packed), body.crc, body.bytes)
            } else {
                Checked::boxed(packed, body.crc, body.bytes)
            }
        });
        Some(Opened { name, bytes })
    }
}

/// A reader that fails at its end unless length and checksum are right.
struct Checked<R> {
    inner: R,
    seen: Crc,
    bytes_seen: u64,
    crc: u32,
    bytes: u64,
}

impl<R: Read + Send + 'static> Checked<R> {
    fn boxed(inner: R, crc: u32, bytes: u64) -> Box<dyn Read + Send> {
        Box::new(Checked {
            inner,
            seen: Crc::new(),
            bytes_seen: 0,
            crc,
            bytes,
        })
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.seen.update(&buffer[..count]);
        self.bytes_seen += count as u64;
        let at_end = count == 0 && !buffer.is_empty();
        if at_end && (self.bytes_seen, self.seen.sum()) != (self.bytes, self.crc) {
            return Err(io::Error::other(
                "length or checksum of the zip member differs",
            ));
        }
        Ok(count)
    }
}
