//! How long something may take, and who said so.

use std::time::Duration;

/// A limit of time with the setting it comes from, so that a message can name the one to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit {
    /// How long.
    pub length: Duration,
    /// The setting, in the user's words: `` `timeout` of the step``, `--timeout`.
    pub set_by: &'static str,
}

impl TimeLimit {
    /// A limit and its setting.
    pub const fn new(length: Duration, set_by: &'static str) -> Self {
        Self { length, set_by }
    }
}
