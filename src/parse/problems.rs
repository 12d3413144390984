//! The problems found in one file, gathered while reading goes on.

use std::{cell::RefCell, sync::Arc};

use crate::source::{Diagnostic, SourceFile, Span, sorted};

/// Collects every diagnostic of one file.
pub(super) struct Problems {
    source: Arc<SourceFile>,
    list: RefCell<Vec<Diagnostic>>,
}

impl Problems {
    pub fn new(source: &Arc<SourceFile>) -> Self {
        Self {
            source: Arc::clone(source),
            list: RefCell::default(),
        }
    }

    /// The file that is read.
    pub const fn source(&self) -> &Arc<SourceFile> {
        &self.source
    }

    /// Notes an error; what to do is clear from the message.
    pub fn error(&self, code: &'static str, span: Span, message: impl Into<String>) {
        self.add(span, Diagnostic::error(code, message));
    }

    /// Notes a problem at a place.
    pub fn add(&self, span: Span, diagnostic: Diagnostic) {
        self.list.borrow_mut().push(diagnostic.at(&self.source, span));
    }

    /// Runs a reader and says whether it noted an error.
    pub fn watch<T>(&self, read: impl FnOnce() -> T) -> (T, bool) {
        let before = self.list.borrow().len();
        let value = read();
        (value, self.list.borrow()[before..].iter().any(Diagnostic::is_error))
    }

    /// Whether an error of this code is noted for a line.
    pub fn has_error_in(&self, code: &str, line: u32) -> bool {
        let is_there = |it: &Diagnostic| it.code == code && it.span.is_some_and(|span| span.line == line);
        self.list.borrow().iter().any(is_there)
    }

    /// All of them in the order of the file; what an alias repeats is said once.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        sorted(self.list.into_inner(), &self.source)
    }
}
