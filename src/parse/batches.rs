//! Lines of a source in batches, each of which can be parsed on a thread of its own. The order of the
//! batches is the order of the lines; who parses them when is the caller's business.

use std::collections::VecDeque;
use std::sync::Arc;

use super::fen::FenOptions;
use super::input::{InputError, Job, Origin};
use super::lines::{Lines, RawLine, RawLineIter, RawLines};
use super::place::{Fault, Reason};
use super::plain;
use super::records::{Ready, Records};
use super::source::{Source, SourceError, Text, TextError, Texts};
use crate::position::Position;

/// Opens a source; see [`super::open_jobs`], which gives the same jobs one by one.
///
/// ```
/// use hyperft::parse::{FenOptions, Source, open_batches};
///
/// let source = Source::Literal("4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_string());
/// let mut batches = open_batches(&source).unwrap();
/// let batch = batches.next().unwrap();
/// let jobs = std::thread::spawn(move || batch.jobs(FenOptions::default()));
/// assert_eq!(jobs.join().unwrap().len(), 1);
/// ```
pub fn open_batches(source: &Source) -> Result<BatchReader, SourceError> {
    Ok(BatchReader {
        texts: Texts::open(source)?,
        current: None,
    })
}

/// The batches of a source; made by [`open_batches`].
pub struct BatchReader {
    texts: Texts,
    current: Option<(Arc<str>, Lines)>,
}

/// Some lines of one text: as many as could be read at once, some tens of kilobytes.
pub struct LineBatch {
    source: Arc<str>,
    /// The lines, or why the text has none.
    lines: Result<RawLines, Reason>,
}

impl LineBatch {
    /// The file or archive member the lines are from.
    pub fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// Parses the lines.
    pub fn jobs(&self, options: FenOptions) -> VecDeque<Result<Job, Vec<InputError>>> {
        self.entries(options).map(Entry::into_job).collect()
    }

    /// Parses the lines while they are asked for, and makes no job of those that are plain.
    pub fn entries(&self, options: FenOptions) -> Entries<'_> {
        let mut ready = Ready::new();
        if let Err(reason) = &self.lines {
            let origin = Origin {
                source: self.source.clone(),
                line: 1,
            };
            let fault = Fault::new(None, "", reason.clone());
            ready.push_back(Err(vec![InputError::new(&origin, fault)]));
        }
        Entries {
            source: &self.source,
            lines: self.lines.as_ref().ok().map(RawLines::iter),
            records: Records::new(self.source.clone(), options),
            options,
            ready,
        }
    }
}

/// What is read of one line, or of the lines of a `.perft` block.
#[derive(Clone, Debug)]
pub enum Entry<'a> {
    /// A position, with nothing else and nothing odd about it.
    Plain(PlainLine<'a>, Position),
    /// Anything else, or why it is refused.
    Job(Result<Box<Job>, Vec<InputError>>),
}

/// A line that is a FEN and nothing else, read without a warning.
#[derive(Copy, Clone, Debug)]
pub struct PlainLine<'a> {
    /// The file or archive member.
    pub source: &'a Arc<str>,
    /// The line, from 1.
    pub number: usize,
    /// Fields with a blank between them, all of them ASCII.
    bytes: &'a [u8],
    /// Where the first field ends.
    board_end: usize,
}

impl<'a> PlainLine<'a> {
    /// The line without blanks at its end.
    pub fn text(&self) -> &'a str {
        ascii(self.bytes)
    }

    /// A field of the FEN, from 1; see [`Job::field`].
    pub fn field(&self, field: usize) -> Option<&'a str> {
        match field {
            0 => None,
            1 => Some(ascii(&self.bytes[..self.board_end])),
            _ => {
                let mut rest = self.bytes[self.board_end + 1..].split(|&byte| byte == b' ');
                rest.nth(field - 2).map(ascii)
            }
        }
    }
}

/// Nothing is lost: a line that is read as plain has nothing but ASCII.
fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl Entry<'_> {
    /// The job it is.
    pub fn into_job(self) -> Result<Job, Vec<InputError>> {
        match self {
            Entry::Job(job) => job.map(|job| *job),
            Entry::Plain(line, position) => Ok(Job {
                origin: Origin {
                    source: line.source.clone(),
                    line: line.number,
                },
                id: None,
                position,
                expected: Vec::new(),
                operations: Vec::new(),
                warnings: Vec::new(),
                problems: Vec::new(),
                text: line.text().to_string(),
            }),
        }
    }
}

impl From<Result<Job, Vec<InputError>>> for Entry<'static> {
    fn from(job: Result<Job, Vec<InputError>>) -> Entry<'static> {
        Entry::Job(job.map(Box::new))
    }
}

/// The entries of a batch; made by [`LineBatch::entries`].
pub struct Entries<'a> {
    source: &'a Arc<str>,
    /// `None` when the last one has been taken.
    lines: Option<RawLineIter<'a>>,
    records: Records,
    options: FenOptions,
    ready: Ready,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Entry<'a>> {
        loop {
            if !self.ready.is_empty() {
                return self.ready.pop_front().map(Entry::Job);
            }
            let Some(line) = self.lines.as_mut()?.next() else {
                self.records.finish(&mut self.ready);
                self.lines = None;
                continue;
            };
            if !self.records.in_block()
                && let Some((plain, position)) = plain_line(self.source, &line, self.options)
            {
                return Some(Entry::Plain(plain, position));
            }
            self.take_with_care(&line);
        }
    }
}

impl Entries<'_> {
    /// Takes a line that is odd, or part of a block. Not inlined, as hardly any line is.
    #[inline(never)]
    fn take_with_care(&mut self, line: &RawLine) {
        let decoded = line.decoded();
        self.records.take(line.number, decoded, &mut self.ready);
    }
}

#[inline(always)]
fn plain_line<'a>(
    source: &'a Arc<str>,
    line: &RawLine<'a>,
    options: FenOptions,
) -> Option<(PlainLine<'a>, Position)> {
    let bytes = line.bytes.trim_ascii_end();
    let fields = plain::fields(bytes)?;
    if fields.end < bytes.len() || !line.is_whole() {
        return None;
    }
    let plain = PlainLine {
        source,
        number: line.number,
        bytes,
        board_end: fields.board_end,
    };
    Some((plain, fields.judged(options)?))
}

impl Iterator for BatchReader {
    type Item = LineBatch;

    fn next(&mut self) -> Option<LineBatch> {
        loop {
            if let Some((source, lines)) = &mut self.current {
                if let Some(batch) = lines.next() {
                    return Some(LineBatch {
                        source: source.clone(),
                        lines: Ok(batch),
                    });
                }
                self.current = None;
            }
            let Text { name, bytes } = self.texts.next()?;
            let reason = match bytes {
                Ok(bytes) => {
                    self.current = Some((name, Lines::new(bytes)));
                    continue;
                }
                Err(TextError::NotText(what)) => Reason::NotText { what },
                Err(TextError::Failed(error)) => Reason::ReadFailed(error.to_string()),
            };
            return Some(LineBatch {
                source: name,
                lines: Err(reason),
            });
        }
    }
}
