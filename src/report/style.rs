//! The few styles that every line is made of.

use std::fmt;

use anstyle::{AnsiColor, Style as Ansi};

use super::Colour;
use crate::model::Status;

/// The styles of one reader.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    good: Ansi,
    bad: Ansi,
    doubtful: Ansi,
    faint: Ansi,
    strong: Ansi,
}

impl Style {
    /// No styles at all.
    pub(super) const PLAIN: Self = Self {
        good: Ansi::new(),
        bad: Ansi::new(),
        doubtful: Ansi::new(),
        faint: Ansi::new(),
        strong: Ansi::new(),
    };

    /// Red and green are told apart by marks and words too.
    pub(super) const fn of(colour: Colour) -> Self {
        match colour {
            Colour::Plain => Self::PLAIN,
            Colour::Ansi => Self {
                good: AnsiColor::Green.on_default(),
                bad: AnsiColor::Red.on_default().bold(),
                doubtful: AnsiColor::Yellow.on_default(),
                faint: Ansi::new().dimmed(),
                strong: Ansi::new().bold(),
            },
        }
    }

    pub(super) fn good(&self, text: impl fmt::Display) -> String {
        paint(self.good, text)
    }

    pub(super) fn bad(&self, text: impl fmt::Display) -> String {
        paint(self.bad, text)
    }

    pub(super) fn doubtful(&self, text: impl fmt::Display) -> String {
        paint(self.doubtful, text)
    }

    pub(super) fn faint(&self, text: impl fmt::Display) -> String {
        paint(self.faint, text)
    }

    pub(super) fn strong(&self, text: impl fmt::Display) -> String {
        paint(self.strong, text)
    }

    /// Mark and word of a status, all of one width.
    pub(super) fn status(&self, status: Status) -> String {
        let word = format!("{:<7}", status.word());
        match status {
            Status::Passed | Status::XFailed => self.good(format_args!("✓ {word}")),
            Status::Failed | Status::XPassed => self.bad(format_args!("✗ {word}")),
            Status::Errored => self.bad(format_args!("! {word}")),
            Status::Flaky => self.doubtful(format_args!("~ {word}")),
            Status::Skipped => self.faint(format_args!("- {word}")),
        }
    }
}

fn paint(style: Ansi, text: impl fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
