//! An expectation as written.

use serde_json::Value;

use crate::source::Location;

/// One key of an `expect` block with its argument, not compiled yet.
#[derive(Debug, Clone)]
pub struct Expectation {
    /// The key, such as `output_contains`.
    pub key: String,
    /// Where the key is written: what a broken expectation points at.
    pub location: Location,
    /// The argument as written.
    pub argument: Value,
    /// Where the argument is written.
    pub argument_location: Location,
}
