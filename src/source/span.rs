//! Places in a file.

use std::{fmt, sync::Arc};

/// A range of one file, with the line and column where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte of the range.
    pub start: u32,
    /// Byte after the last one of the range.
    pub end: u32,
    /// Line of `start`, counted from 1.
    pub line: u32,
    /// Column of `start` in characters, counted from 1.
    pub column: u32,
}

/// A span together with the file it belongs to: what every message points at.
#[derive(Clone, PartialEq, Eq)]
pub struct Location {
    /// The file as the user named it, or as it was found below a folder they named.
    pub file: Arc<str>,
    /// The place in that file.
    pub span: Span,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.span.line, self.span.column)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A value and the place where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// What was written.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Located<T> {
    /// Joins a value to its place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// The same place with a value made from this one.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Located<U> {
        Located::new(make(self.value), self.span)
    }
}
