//! Lines of a source in batches, each of which can be parsed on a thread of its own. The order of the
//! batches is the order of the lines; who parses them when is the caller's business.

use std::collections::VecDeque;
use std::sync::Arc;

use super::fen::FenOptions;
use super::input::{InputError, Job, Origin};
use super::lines::{Lines, RawLines};
use super::place::{Fault, Reason};
use super::records::Records;
use super::source::{Source, SourceError, Text, TextError, Texts};

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
        let mut ready = VecDeque::new();
        match &self.lines {
            Ok(lines) => {
                let mut records = Records::new(self.source.clone(), options);
                for (number, line) in lines.decoded() {
                    records.take(number, line, &mut ready);
                }
                records.finish(&mut ready);
            }
            Err(reason) => {
                let origin = Origin {
                    source: self.source.clone(),
                    line: 1,
                };
                let fault = Fault::new(None, "", reason.clone());
                ready.push_back(Err(vec![InputError::new(&origin, fault)]));
            }
        }
        ready
    }
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
