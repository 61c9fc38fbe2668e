//! A progress bar with the time left, on a terminal. The only file that uses indicatif.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::expand::Progress;

/// A bar on standard error, if that is a terminal; otherwise silent.
pub struct Bar {
    bar: ProgressBar,
    title: String,
}

impl Bar {
    /// A bar that names what it is about before each stage. Nothing is drawn if `hidden` or if
    /// standard error is not a terminal.
    pub fn new(title: &str, hidden: bool) -> Bar {
        let bar = if hidden || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let template = "{msg} [{bar:30}] {percent}% {elapsed_precise} left {eta_precise}";
        let style = ProgressStyle::with_template(template).expect("a constant template");
        bar.set_style(style.progress_chars("=> "));
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar {
            bar,
            title: title.to_string(),
        }
    }

    /// Removes the bar from the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, units: u64) {
        self.bar.reset();
        self.bar.set_length(units);
        self.bar.set_message(format!("{}: {stage}", self.title));
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
    }
}
