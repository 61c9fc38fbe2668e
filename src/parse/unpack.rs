//! What a stream of bytes is, told by its first bytes, and how to get text out of it: plain,
//! gzip or zstd. Members of zip archives are `zip.rs`; lines are `lines.rs`.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

/// Bytes from anywhere.
pub(super) type Bytes = Box<dyn BufRead + Send>;

/// What the bytes turned out to be.
pub(super) enum Unpacked {
    /// Text, unpacked if it was packed.
    Text(Bytes),
    /// A zip archive, still whole.
    Zip(Bytes),
    /// Something that holds no lines of text: what it seems to be.
    NotText(&'static str),
}

/// Bytes looked at to tell what a stream is. The look ends early at the end of a line, so that
/// someone who types line by line gets answers line by line.
const LOOK_BYTES_MAX: usize = 8192;

const BUFFER_BYTES: usize = 64 * 1024;

/// Windows up to this size are unpacked: what `zstd --ultra -22` makes.
const ZSTD_WINDOW_BYTES_MAX: u64 = 128 << 20;

/// First bytes of things that hold no text.
const NOT_TEXT: [(&[u8], &str); 9] = [
    (b"\xfd7zXZ\0", "xz-compressed data, which is not unpacked"),
    (b"BZh", "bzip2-compressed data, which is not unpacked"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive, which is not unpacked"),
    (b"Rar!", "a rar archive, which is not unpacked"),
    (b"PAR1", "a parquet file"),
    (b"%PDF", "a PDF file"),
    (b"\x89PNG", "an image"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
];

/// Tells what the bytes are and unpacks them. Packed data inside packed data is not unpacked twice.
pub(super) fn unpack(bytes: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let (head, bytes) = look(bytes)?;
    Ok(match head.as_slice() {
        [0x1f, 0x8b, ..] => text(MultiGzDecoder::new(bytes))?,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            text(ZstdFrames::new(bytes))?
        }
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Unpacked::Zip(Box::new(bytes)),
        _ => text_or_not(&head, bytes),
    })
}

fn text(bytes: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let (head, bytes) = look(bytes)?;
    Ok(text_or_not(&head, bytes))
}

fn text_or_not(head: &[u8], bytes: impl BufRead + Send + 'static) -> Unpacked {
    match why_not_text(head) {
        Some(what) => Unpacked::NotText(what),
        None => Unpacked::Text(Box::new(bytes)),
    }
}

/// Text has no NUL bytes, except that some suites have one at the end of a line.
fn why_not_text(head: &[u8]) -> Option<&'static str> {
    let known = NOT_TEXT.iter().find(|(magic, _)| head.starts_with(magic));
    if let Some((_, what)) = known {
        return Some(what);
    }
    let inside = |line: &[u8]| {
        let kept = line.trim_ascii_end().iter().rposition(|&byte| byte != 0);
        kept.is_some_and(|last| line[..last].contains(&0))
    };
    let controls = head
        .iter()
        .filter(|&&byte| byte != 0 && byte < 32 && !byte.is_ascii_whitespace());
    // A lone escape character in a comment does not make a file binary; one byte in ten does.
    let binary =
        head.split(|&byte| byte == b'\n').any(inside) || controls.count() * 10 > head.len();
    binary.then_some("binary data")
}

/// A reader that still has the bytes looked at.
type Whole<R> = BufReader<io::Chain<Cursor<Vec<u8>>, R>>;

/// The first bytes, and a reader that gives all of them.
fn look<R: Read>(mut bytes: R) -> io::Result<(Vec<u8>, Whole<R>)> {
    let mut head = vec![0; LOOK_BYTES_MAX];
    let mut filled = 0;
    while filled < LOOK_BYTES_MAX && !head[..filled].contains(&b'\n') {
        match bytes.read(&mut head[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(filled);
    let whole = Cursor::new(head.clone()).chain(bytes);
    Ok((head, BufReader::with_capacity(BUFFER_BYTES, whole)))
}

/// All frames of a zstd stream one after the other, as `zstd -d` reads them: `ruzstd` reads one.
struct ZstdFrames<R: BufRead> {
    state: ZstdState<R>,
}

enum ZstdState<R: BufRead> {
    Between(R),
    Inside(Box<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
    Ended,
}

impl<R: BufRead> ZstdFrames<R> {
    fn new(bytes: R) -> ZstdFrames<R> {
        ZstdFrames {
            state: ZstdState::Between(bytes),
        }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, ZstdState::Ended) {
                ZstdState::Ended => return Ok(0),
                ZstdState::Between(mut bytes) => {
                    if bytes.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    if skip_frame(&mut bytes)? {
                        self.state = ZstdState::Between(bytes);
                        continue;
                    }
                    let frame =
                        StreamingDecoder::new_with_max_window_size(bytes, ZSTD_WINDOW_BYTES_MAX)
                            .map_err(|_| damaged_zstd())?;
                    self.state = ZstdState::Inside(Box::new(frame));
                }
                ZstdState::Inside(mut frame) => {
                    let count = frame.read(buffer).map_err(|_| damaged_zstd())?;
                    if count > 0 || buffer.is_empty() {
                        self.state = ZstdState::Inside(frame);
                        return Ok(count);
                    }
                    let (bytes, decoder) = frame.into_parts();
                    let stored = decoder.get_checksum_from_data();
                    if stored.is_some() && stored != decoder.get_calculated_checksum() {
                        return Err(io::Error::other("the zstd checksum differs"));
                    }
                    self.state = ZstdState::Between(bytes);
                }
            }
        }
    }
}

/// What `ruzstd` says is its own values, written for programmers.
fn damaged_zstd() -> io::Error {
    io::Error::other("the zstd data is damaged, cut off or needs too large a window")
}

/// Passes over a skippable frame (RFC 8878, 3.1.2), if that is what comes next.
fn skip_frame(bytes: &mut impl BufRead) -> io::Result<bool> {
    let ahead = bytes.fill_buf()?;
    // The buffer is 64 KiB and frames begin far apart: a magic number cut in two is read as the
    // beginning of a frame and refused by the decoder, not misread.
    if !matches!(ahead, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) {
        return Ok(false);
    }
    let mut header = [0; 8];
    bytes.read_exact(&mut header)?;
    let [.., a, b, c, d] = header;
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    if io::copy(&mut bytes.take(length), &mut io::sink())? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"4k3/8/8/8/8/8/8/4K2R w K -\nand more\n";

    fn read(bytes: &[u8]) -> Result<Vec<u8>, String> {
        match unpack(Cursor::new(bytes.to_vec())) {
            Ok(Unpacked::Text(mut text)) => {
                let mut all = Vec::new();
                let end = text.read_to_end(&mut all);
                end.map(|_| all).map_err(|error| error.to_string())
            }
            Ok(Unpacked::Zip(_)) => Err("zip".into()),
            Ok(Unpacked::NotText(what)) => Err(what.into()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(bytes, level)
    }

    #[test]
    fn text_comes_out_of_every_package() {
        assert_eq!(read(TEXT).unwrap(), TEXT);
        assert_eq!(read(&gzip(TEXT)).unwrap(), TEXT);
        assert_eq!(read(&zstd(TEXT)).unwrap(), TEXT);
        assert_eq!(read(b"").unwrap(), b"");
        let long = TEXT.repeat(20_000);
        assert_eq!(read(&gzip(&long)).unwrap(), long);
        assert_eq!(read(&zstd(&long)).unwrap(), long);
    }

    #[test]
    fn several_members_and_frames_are_one_text() {
        let twice = TEXT.repeat(2);
        assert_eq!(read(&gzip(TEXT).repeat(2)).unwrap(), twice);
        let skippable = [&[0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let frames = [&skippable[..], &zstd(TEXT), &skippable, &zstd(TEXT)].concat();
        assert_eq!(read(&frames).unwrap(), twice);
    }

    #[test]
    fn damage_is_reported() {
        for packed in [gzip(&TEXT.repeat(50)), zstd(&TEXT.repeat(50))] {
            assert!(read(&packed).is_ok());
            assert!(read(&packed[..packed.len() - 6]).is_err(), "cut short");
            let mut flipped = packed.clone();
            let last = flipped.len() - 5;
            flipped[last] ^= 0x55;
            assert!(read(&flipped).is_err(), "checksum or content wrong");
        }
    }

    #[test]
    fn what_is_not_text_is_named() {
        assert_eq!(
            read(b"\x7fELF\x02\x01\x00\x00\x00").unwrap_err(),
            "binary data"
        );
        assert_eq!(read(b"a\0b\n").unwrap_err(), "binary data");
        assert!(
            read(b"a\0\nb\0\r\nc\0").is_ok(),
            "NUL bytes at the ends of lines"
        );
        assert!(
            read(b"caf\xe9 \x1b\n0123456789").is_ok(),
            "Latin-1 and one escape"
        );
        assert_eq!(read(b"\xff\xfe4\0k\0").unwrap_err(), "UTF-16 text");
        assert!(read(b"BZh91AY").unwrap_err().starts_with("bzip2"));
        assert_eq!(read(&gzip(&gzip(TEXT))).unwrap_err(), "binary data");
        assert_eq!(read(b"PK\x03\x04").unwrap_err(), "zip");
    }
}
