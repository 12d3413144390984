//! Something wrong in the user's files, with the place and the way out.

use std::{borrow::Cow, sync::Arc};

use super::{Location, SourceFile, Span};
use crate::text::cut;

/// Characters of a message or a help: what users name in their files can be of any length, and is quoted in many ways.
const LONGEST: usize = 2000;

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is used, but something in it is likely not meant so.
    Warning,
    /// The file cannot be used as it stands; the run ends with exit code 2.
    Error,
}

/// One problem in the user's files: a stable code, what is wrong, where, and what to do.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Stable kebab-case name of the kind of problem, such as `unknown-key`.
    pub code: Cow<'static, str>,
    /// Whether the file can still be used.
    pub severity: Severity,
    /// What is wrong, as a lowercase fragment; user input in backticks.
    pub message: String,
    /// The file it is in, if it is in one; kept for the snippet.
    pub source: Option<Arc<SourceFile>>,
    /// The place in `source`.
    pub span: Option<Span>,
    /// A few words under the marked place.
    pub label: Option<&'static str>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A problem that keeps the file from being used.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            severity: Severity::Error,
            message: short(message.into()),
            source: None,
            span: None,
            label: None,
            help: None,
        }
    }

    /// A problem that is worth a word, no more.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, message)
        }
    }

    /// Points at a place in a file.
    #[must_use]
    pub fn at(mut self, source: &Arc<SourceFile>, span: Span) -> Self {
        self.source = Some(Arc::clone(source));
        self.span = Some(span);
        self
    }

    /// Puts a few words under the marked place.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(short(help.into()));
        self
    }

    /// Whether it keeps the file from being used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Where it is, as `file:line:column`.
    pub fn location(&self) -> Option<Location> {
        Some(self.source.as_ref()?.location(self.span?))
    }
}

fn short(text: String) -> String {
    match cut(&text, LONGEST) {
        Cow::Borrowed(_) => text,
        Cow::Owned(cut) => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_message_is_longer_than_anybody_reads() {
        let long = "x".repeat(1_000_000);
        let problem = Diagnostic::error("x", format!("unknown `{long}`")).help(long);
        assert!(problem.message.len() < 2 * LONGEST);
        assert!(problem.help.is_some_and(|help| help.len() < 2 * LONGEST));
    }
}
