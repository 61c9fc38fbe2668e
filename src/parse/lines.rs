//! Bytes cut into numbered lines of text. What a line says is not looked at.

use std::io::{self, BufRead};

use super::place::{Fault, Reason};
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

/// The lines of a text. Lines end with LF or CR LF; the last one may have no end. A UTF-8 byte
/// order mark at the beginning is dropped.
pub(super) struct Lines {
    bytes: Bytes,
    /// The lines read so far, which is the number of the last one.
    number: usize,
    bytes_max: usize,
    failed: bool,
}

impl Lines {
    pub(super) fn new(bytes: Bytes) -> Lines {
        Lines {
            bytes,
            number: 0,
            bytes_max: LINE_BYTES_MAX,
            failed: false,
        }
    }

    /// Reads up to the next LF into `line`; `None` at the end of the text. False if the line was
    /// too long.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
        let mut any = false;
        let mut fits = true;
        loop {
            let ahead = match self.bytes.fill_buf() {
                Ok(ahead) => ahead,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if ahead.is_empty() {
                return Ok(any.then_some(fits));
            }
            any = true;
            let end = ahead.iter().position(|&byte| byte == b'\n');
            let part = &ahead[..end.unwrap_or(ahead.len())];
            fits &= line.len() + part.len() <= self.bytes_max;
            if fits {
                line.extend_from_slice(part);
            }
            let used = end.map_or(ahead.len(), |end| end + 1);
            self.bytes.consume(used);
            if end.is_some() {
                return Ok(Some(fits));
            }
        }
    }
}

impl Iterator for Lines {
    /// The number of the line, from 1, and the line or why it is refused.
    type Item = (usize, Result<Line, Fault>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let mut bytes = Vec::new();
        let read = self.read_line(&mut bytes);
        let line = match read {
            Ok(None) => return None,
            Ok(Some(true)) => {
                self.number += 1;
                if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
                    bytes.drain(..3);
                }
                text_of(bytes)
            }
            Ok(Some(false)) => {
                self.number += 1;
                let bytes_max = self.bytes_max;
                let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
                Err(Fault::new(
                    None,
                    &beginning,
                    Reason::LineTooLong { bytes_max },
                ))
            }
            Err(error) => {
                self.number += 1;
                self.failed = true;
                let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
                Err(Fault::new(
                    None,
                    &beginning,
                    Reason::ReadFailed(error.to_string()),
                ))
            }
        };
        Some((self.number, line))
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

    fn texts(bytes: &[u8]) -> Vec<String> {
        lines(bytes).map(|(_, line)| line.unwrap().text).collect()
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
            let line = lines(bytes).next().unwrap().1.unwrap();
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
        let refused = lines(b"a\0b\nc").next().unwrap().1.unwrap_err();
        assert_eq!(refused.to_string(), "`a\\0b`: a NUL byte inside the line");
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_the_next_is_read() {
        let mut lines = lines(b"12345678\n123456789\nnext");
        lines.bytes_max = 8;
        let read: Vec<_> = lines.collect();
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
        let read: Vec<_> = Lines::new(Box::new(BufReader::new(bytes))).collect();
        assert_eq!(read.len(), 2);
        let refused = read[1].1.as_ref().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`tw`: reading stopped here: the disk is gone"
        );
    }
}
