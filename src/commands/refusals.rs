//! Lines and files that were refused: the first are shown, all are counted.

use super::session::Session;
use super::{ExitStatus, message};

/// Lines shown on standard error; further ones are counted.
const LINES_SHOWN: u64 = 100;

/// What was refused so far.
pub(super) struct Refusals<'a> {
    session: &'a Session,
    lines: u64,
    /// Files that could not be opened.
    pub(super) sources: u64,
}

impl<'a> Refusals<'a> {
    pub(super) fn new(session: &'a Session) -> Refusals<'a> {
        Refusals {
            session,
            lines: 0,
            sources: 0,
        }
    }

    /// A file, with the reason.
    pub(super) fn source(&mut self, reason: &str) {
        self.sources += 1;
        message("rejected", reason, self.session.color);
    }

    /// A line, with file, line and all reasons.
    pub(super) fn line(&mut self, reason: &str) {
        self.lines += 1;
        if self.lines <= LINES_SHOWN {
            message("rejected", reason, self.session.color);
        }
    }

    /// Says how many were not shown, and which exit status all of it makes.
    pub(super) fn end(&self) -> ExitStatus {
        if self.lines > LINES_SHOWN {
            let more = self.lines - LINES_SHOWN;
            let text = format!("{more} more lines");
            message("rejected", &text, self.session.color);
        }
        if self.lines + self.sources > 0 {
            ExitStatus::BadInput
        } else {
            ExitStatus::Good
        }
    }
}
