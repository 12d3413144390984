//! How a step or a case ended.

use std::fmt;

/// The verdict on an outcome, a step or a case; the order is from best to worst, so that `max` is "the worst of".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Nothing was asked of it, and the reason is known.
    Skipped,
    /// Every assertion held.
    Passed,
    /// A known failure failed, as announced.
    XFailed,
    /// Attempts disagreed; a later one passed.
    Flaky,
    /// A known failure passed: the announcement is stale.
    XPassed,
    /// An assertion did not hold.
    Failed,
    /// It could not be told.
    Errored,
}

impl Status {
    /// The word used in reports, stable for ever.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Passed => "passed",
            Self::XFailed => "xfailed",
            Self::Flaky => "flaky",
            Self::XPassed => "xpassed",
            Self::Failed => "failed",
            Self::Errored => "errored",
        }
    }

    /// Whether the gate may stay open with it.
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Skipped | Self::Passed | Self::XFailed | Self::Flaky)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
