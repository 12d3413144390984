//! Something odd that a server did without breaking anything.

use std::borrow::Cow;

/// A remark about a server: reported once, never red.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Stable kebab-case name of the kind of remark, such as `stdout-noise`.
    pub code: Cow<'static, str>,
    /// What was seen, as a lowercase fragment.
    pub message: String,
}

impl Finding {
    /// A remark.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
        }
    }
}
