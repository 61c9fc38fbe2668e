//! Bytes cut into numbered lines of text, and lines into batches that can be parsed apart. What a
//! line says is looked at only as far as `.perft` blocks need it.

use std::io;

use memchr::{memchr, memchr_iter, memrchr};

use super::place::{Fault, Reason};
use super::records::LineKind;
use super::unpack::Bytes;

/// Longest line that is read, in bytes; longer ones are refused, and read over to their end.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub text: String,
    /// What is odd about its bytes.
    pub warnings: Vec<Fault>,
}

/// Most bytes looked at together, and about what a batch holds.
const CHUNK_BYTES: usize = 64 << 10;

/// Most bytes kept together because they may belong to one `.perft` block.
const BLOCK_BYTES_MAX: usize = 8 << 20;

/// Most bytes of a refused line that are kept.
const EXCERPT_BYTES_MAX: usize = 400;

/// Lines as read, not decoded yet: decoding and parsing them can be done on any thread.
#[derive(Debug, Default)]
pub(super) struct RawLines {
    /// The lines, each with its LF.
    bytes: Vec<u8>,
    /// The number of the first one, from 1.
    number: usize,
    flaws: Vec<Flawed>,
}

/// A line that was not read to its end.
#[derive(Debug)]
struct Flawed {
    /// Where it begins in the bytes.
    begin: usize,
    flaw: Flaw,
}

#[derive(Debug)]
enum Flaw {
    TooLong { bytes_max: usize },
    ReadFailed(String),
}

/// A line as read.
pub(super) struct RawLine<'a> {
    /// From 1.
    pub(super) number: usize,
    /// Without LF and byte order mark.
    pub(super) bytes: &'a [u8],
    flaw: Option<&'a Flaw>,
}

impl RawLine<'_> {
    /// True if the bytes are the whole line.
    pub(super) fn is_whole(&self) -> bool {
        self.flaw.is_none()
    }

    /// The text, or why the line is refused.
    pub(super) fn decoded(&self) -> Result<Line, Fault> {
        let reason = match self.flaw {
            None => return text_of(self.bytes.to_vec()),
            Some(Flaw::TooLong { bytes_max }) => Reason::LineTooLong {
                bytes_max: *bytes_max,
            },
            Some(Flaw::ReadFailed(error)) => Reason::ReadFailed(error.clone()),
        };
        let excerpt = &self.bytes[..self.bytes.len().min(EXCERPT_BYTES_MAX)];
        let beginning = String::from_utf8_lossy(excerpt);
        Err(Fault::new(None, &beginning, reason))
    }
}

impl RawLines {
    pub(super) fn iter(&self) -> RawLineIter<'_> {
        RawLineIter {
            lines: self,
            ends: memchr_iter(b'\n', &self.bytes),
            begin: 0,
            number: self.number,
        }
    }
}

/// The lines of [`RawLines`].
pub(super) struct RawLineIter<'a> {
    lines: &'a RawLines,
    ends: memchr::Memchr<'a>,
    begin: usize,
    number: usize,
}

impl<'a> Iterator for RawLineIter<'a> {
    type Item = RawLine<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<RawLine<'a>> {
        let (begin, number, end) = (self.begin, self.number, self.ends.next()?);
        let mut bytes = &self.lines.bytes[begin..end];
        if number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        self.begin = end + 1;
        self.number += 1;
        Some(RawLine {
            number,
            bytes,
            flaw: flaw_at(&self.lines.flaws, begin),
        })
    }
}

/// Hardly any text has one.
fn flaw_at(flaws: &[Flawed], begin: usize) -> Option<&Flaw> {
    let flawed = flaws.iter().find(|it| it.begin == begin);
    flawed.map(|it| &it.flaw)
}

/// The lines of a text, in batches. Lines end with LF or CR LF; the last one may have no end. A
/// UTF-8 byte order mark at the beginning is dropped.
///
/// A batch is what could be read at once without waiting for more, and never ends inside a `.perft`
/// block: each batch can be read without knowing the one before it.
pub(super) struct Lines {
    bytes: Bytes,
    cutter: Cutter,
    ended: bool,
}

impl Lines {
    pub(super) fn new(bytes: Bytes) -> Lines {
        Lines {
            bytes,
            cutter: Cutter::new(LINE_BYTES_MAX),
            ended: false,
        }
    }
}

impl Iterator for Lines {
    type Item = RawLines;

    fn next(&mut self) -> Option<RawLines> {
        while !self.ended {
            match self.bytes.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    let failed = Flaw::ReadFailed(error.to_string());
                    self.cutter.end_line(Some(failed));
                }
                Ok([]) => {
                    self.ended = true;
                    if self.cutter.line_begun() {
                        self.cutter.end_line(None);
                    }
                }
                Ok(ahead) => {
                    let used = ahead.len().min(self.cutter.chunk_bytes());
                    self.cutter.extend(&ahead[..used]);
                    self.bytes.consume(used);
                }
            }
            let batch = self.cutter.take(self.ended);
            if !batch.bytes.is_empty() {
                return Some(batch);
            }
        }
        None
    }
}

/// Bytes cut into lines, and lines into batches.
struct Cutter {
    kept: RawLines,
    /// Where the line that is being read begins.
    line_begin: usize,
    bytes_max: usize,
    too_long: bool,
    /// Up to where the lines have been looked at.
    seen: usize,
    /// A block may go on in the line after that.
    open: bool,
    /// That block has an `id` and no position yet.
    named: bool,
    /// How many of the kept bytes can go.
    cut: usize,
}

impl Cutter {
    fn new(bytes_max: usize) -> Cutter {
        Cutter {
            kept: RawLines {
                number: 1,
                ..RawLines::default()
            },
            line_begin: 0,
            bytes_max,
            too_long: false,
            seen: 0,
            open: false,
            named: false,
            cut: 0,
        }
    }

    /// No line inside a chunk is too long.
    fn chunk_bytes(&self) -> usize {
        CHUNK_BYTES.min(self.bytes_max)
    }

    fn line_begun(&self) -> bool {
        self.too_long || self.kept.bytes.len() > self.line_begin
    }

    /// Takes at most a chunk.
    fn extend(&mut self, mut chunk: &[u8]) {
        if self.line_begun()
            && let Some(end) = memchr(b'\n', chunk)
        {
            self.extend_line(&chunk[..end]);
            self.end_line(None);
            chunk = &chunk[end + 1..];
        }
        if let Some(last) = memrchr(b'\n', chunk) {
            self.kept.bytes.extend_from_slice(&chunk[..=last]);
            self.line_begin = self.kept.bytes.len();
            chunk = &chunk[last + 1..];
        }
        self.extend_line(chunk);
    }

    /// Takes a part of a line.
    fn extend_line(&mut self, part: &[u8]) {
        let begin = self.line_begin;
        let length = self.kept.bytes.len() - begin;
        if !self.too_long && length + part.len() > self.bytes_max {
            self.too_long = true;
            let room = EXCERPT_BYTES_MAX.saturating_sub(length).min(part.len());
            self.kept.bytes.extend_from_slice(&part[..room]);
            self.kept.bytes.truncate(begin + EXCERPT_BYTES_MAX);
        } else if !self.too_long {
            self.kept.bytes.extend_from_slice(part);
        }
    }

    fn end_line(&mut self, failed: Option<Flaw>) {
        let bytes_max = self.bytes_max;
        let too_long = std::mem::take(&mut self.too_long).then_some(Flaw::TooLong { bytes_max });
        if let Some(flaw) = failed.or(too_long) {
            let begin = self.line_begin;
            self.kept.flaws.push(Flawed { begin, flaw });
        }
        self.kept.bytes.push(b'\n');
        self.line_begin = self.kept.bytes.len();
    }

    /// Finds out how many of the complete lines can go.
    ///
    /// A sound record that is no part of a block ends whatever was before it, so only the lines
    /// after the last one are looked at: in most files none.
    fn look(&mut self) {
        let mut end = self.line_begin;
        while end > self.seen {
            let before = &self.kept.bytes[self.seen..end - 1];
            let begin = memrchr(b'\n', before).map_or(self.seen, |at| self.seen + at + 1);
            if self.kind(begin, end) == Some(LineKind::Record) && !self.is_doubtful(begin, end) {
                (self.open, self.named) = (false, false);
                (self.seen, self.cut) = (end, end);
                break;
            }
            end = begin;
        }
        while self.seen < self.line_begin {
            let rest = &self.kept.bytes[self.seen..];
            let end = self.seen + memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            self.pass(self.seen, end);
            self.seen = end;
        }
    }

    /// What a line is; `None` if it was not read to its end.
    fn kind(&self, begin: usize, end: usize) -> Option<LineKind> {
        let flawed = flaw_at(&self.kept.flaws, begin).is_some();
        (!flawed).then(|| LineKind::of(&self.kept.bytes[begin..end]))
    }

    /// A line that may be refused for its bytes must not be told from its `perft` lines.
    fn is_doubtful(&self, begin: usize, end: usize) -> bool {
        let line = &self.kept.bytes[begin..end];
        !line.is_ascii() || line.contains(&0)
    }

    /// Goes on from `begin` to `end`, which is one line.
    fn pass(&mut self, begin: usize, end: usize) {
        match self.kind(begin, end) {
            None => (self.open, self.named) = (true, false),
            Some(LineKind::Blank | LineKind::Count) => {}
            Some(LineKind::Record) => {
                self.cut = begin;
                (self.open, self.named) = (self.is_doubtful(begin, end), false);
            }
            Some(LineKind::Name) => {
                self.cut = begin;
                (self.open, self.named) = (true, true);
            }
            Some(LineKind::Position) => {
                if !self.named {
                    self.cut = begin;
                }
                (self.open, self.named) = (true, false);
            }
        }
        if !self.open || end - self.cut > BLOCK_BYTES_MAX {
            self.cut = end;
        }
    }

    /// Takes the lines that can go, or all of them.
    fn take(&mut self, all: bool) -> RawLines {
        if !all {
            self.look();
        }
        let cut = if all { self.line_begin } else { self.cut };
        if cut == 0 {
            return RawLines::default();
        }
        let mut rest = RawLines {
            // Room for a chunk, and for the line that ends in the next one.
            bytes: Vec::with_capacity(CHUNK_BYTES + CHUNK_BYTES / 8),
            number: self.kept.number + memchr_iter(b'\n', &self.kept.bytes[..cut]).count(),
            flaws: Vec::new(),
        };
        rest.bytes.extend_from_slice(&self.kept.bytes[cut..]);
        self.kept.bytes.truncate(cut);
        for Flawed { begin, flaw } in std::mem::take(&mut self.kept.flaws) {
            if begin < cut {
                self.kept.flaws.push(Flawed { begin, flaw });
            } else {
                let begin = begin - cut;
                rest.flaws.push(Flawed { begin, flaw });
            }
        }
        self.line_begin -= cut;
        self.seen = self.seen.saturating_sub(cut);
        self.cut = 0;
        std::mem::replace(&mut self.kept, rest)
    }
}

/// The text of a line: end-of-line marks and NUL bytes dropped, Latin-1 if it is not UTF-8.
fn text_of(mut bytes: Vec<u8>) -> Result<Line, Fault> {
    let mut warnings = Vec::new();
    let blank = |byte: u8| byte.is_ascii_whitespace();
    // 0x1a is the end-of-file mark that DOS editors leave.
    let kept = bytes
        .iter()
        .rposition(|&byte| !blank(byte) && byte != 0 && byte != 0x1a);
    let end = kept.map_or(0, |last| last + 1);
    let nul_at_end = bytes[end..].contains(&0);
    bytes.truncate(end);
    let nul_inside = bytes.contains(&0);
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // Each Latin-1 byte is the code point of the same number.
            let text: String = error
                .as_bytes()
                .iter()
                .map(|&byte| char::from(byte))
                .collect();
            warnings.push(Fault::new(None, &text, Reason::NotUtf8));
            text
        }
    };
    if nul_inside {
        return Err(Fault::new(None, &text, Reason::NulInside));
    }
    if nul_at_end && !text.is_empty() {
        warnings.push(Fault::new(None, &text, Reason::NulAtEnd));
    }
    Ok(Line { text, warnings })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor, Read};

    fn lines(bytes: &[u8]) -> Lines {
        // A tiny buffer, so that lines and marks are cut everywhere.
        Lines::new(Box::new(BufReader::with_capacity(
            3,
            Cursor::new(bytes.to_vec()),
        )))
    }

    type Decoded = Vec<(usize, Result<Line, Fault>)>;

    fn decoded(lines: Lines) -> Decoded {
        lines
            .flat_map(|batch| {
                batch
                    .iter()
                    .map(|it| (it.number, it.decoded()))
                    .collect::<Decoded>()
            })
            .collect()
    }

    fn texts(bytes: &[u8]) -> Vec<String> {
        let read = decoded(lines(bytes));
        read.into_iter()
            .map(|(_, line)| line.unwrap().text)
            .collect()
    }

    /// The numbers of the first lines of all batches.
    fn cuts(bytes: &[u8]) -> Vec<usize> {
        lines(bytes).map(|batch| batch.number).collect()
    }

    #[test]
    fn a_batch_never_ends_inside_a_block() {
        assert_eq!(cuts(b"8/8 w\n8/8 b\n\n8/8 w"), [1, 2, 3, 4]);
        assert_eq!(cuts(b"id 1\nepd 8/8\nperft 1 2\nid 2\nepd 8/8"), [1, 4]);
        assert_eq!(
            cuts(b"epd 8/8\nperft 1 2\n\nperft 2 3\nepd 8/8\n8/8 w"),
            [1, 5]
        );
        assert_eq!(cuts(b"id 1\n# comment\nfen 8/8\n"), [1]);
        let refused = b"8/8 w \0 x\nperft 1 2\n8/8 w\nperft 1 2\n";
        assert_eq!(cuts(refused), [1, 4], "counts stay with a refused position");
        let many = [
            b"epd 8/8\n",
            &b"perft 1 1\n".repeat(BLOCK_BYTES_MAX / 10 + 2)[..],
        ]
        .concat();
        assert_eq!(cuts(&many).len(), 2, "a block without an end is cut");
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(texts(b"one\ntwo\r\n\r\nfour"), ["one", "two", "", "four"]);
        assert_eq!(
            texts(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo"),
            ["one", "\u{feff}two"]
        );
        assert_eq!(texts(b"one\n"), ["one"], "no empty line after the last end");
        assert!(texts(b"").is_empty());
    }

    #[test]
    fn odd_bytes_are_read_with_a_warning() {
        let warnings = |bytes: &[u8]| {
            let line = decoded(lines(bytes)).remove(0).1.unwrap();
            line.warnings
                .into_iter()
                .map(|it| it.reason)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(b"D6 20\0\n\0\n\x1a"), ["D6 20", "", ""]);
        assert_eq!(warnings(b"D6 20\0\n"), [Reason::NulAtEnd]);
        assert_eq!(texts(b"id \"M\xfcller\";"), ["id \"Müller\";"]);
        assert_eq!(warnings(b"id \"M\xfcller\";"), [Reason::NotUtf8]);
        assert!(warnings("id \"Müller\";".as_bytes()).is_empty());
        let refused = decoded(lines(b"a\0b\nc")).remove(0).1.unwrap_err();
        assert_eq!(refused.to_string(), "`a\\0b`: a NUL byte inside the line");
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_the_next_is_read() {
        let mut lines = lines(b"12345678\n123456789\nnext");
        lines.cutter.bytes_max = 8;
        let read = decoded(lines);
        assert_eq!(read[0].1.as_ref().unwrap().text, "12345678");
        let bytes_max = 8;
        assert_eq!(
            read[1].1.as_ref().unwrap_err().reason,
            Reason::LineTooLong { bytes_max }
        );
        assert_eq!(
            (read[2].0, read[2].1.as_ref().unwrap().text.as_str()),
            (3, "next")
        );
    }

    #[test]
    fn a_read_error_ends_the_text_with_its_message() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let bytes = Cursor::new(b"one\ntw".to_vec()).chain(Broken);
        let read = decoded(Lines::new(Box::new(BufReader::new(bytes))));
        assert_eq!(read.len(), 2);
        let refused = read[1].1.as_ref().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`tw`: reading stopped here: the disk is gone"
        );
    }
}
