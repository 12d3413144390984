//! The verdict of one assertion.

use std::borrow::Cow;

use super::Status;
use crate::source::Location;

/// What one assertion said about one trace.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The assertion's key, such as `output_contains`.
    pub assertion: Cow<'static, str>,
    /// Passed, failed, errored or skipped.
    pub status: Status,
    /// Expected and found, as a lowercase fragment; says why where it did not pass.
    pub message: String,
    /// The two sides, where seeing them side by side helps.
    pub difference: Option<Box<Difference>>,
    /// Where the expectation is written.
    pub location: Option<Location>,
}

/// Two values that should have been the same.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// Two texts, for a unified diff.
    Text {
        /// What was expected.
        expected: String,
        /// What came.
        actual: String,
    },
    /// Two JSON values, for a structural diff.
    Json {
        /// What was expected.
        expected: serde_json::Value,
        /// What came.
        actual: serde_json::Value,
    },
}

impl Outcome {
    /// An outcome with a message; its place is filled in by who knows it.
    pub fn new(assertion: impl Into<Cow<'static, str>>, status: Status, message: impl Into<String>) -> Self {
        Self {
            assertion: assertion.into(),
            status,
            message: message.into(),
            difference: None,
            location: None,
        }
    }

    /// Adds the two sides.
    #[must_use]
    pub fn difference(mut self, difference: Difference) -> Self {
        self.difference = Some(Box::new(difference));
        self
    }
}
