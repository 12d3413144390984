//! One text file as it was read.

use std::sync::Arc;

use super::{Location, Span};

/// The text of a file and the name it goes by in messages.
#[derive(Debug)]
pub struct SourceFile {
    path: Arc<str>,
    text: String,
}

impl SourceFile {
    /// Keeps `text` under the name `path`.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            path: path.into(),
            text: text.into(),
        })
    }

    /// The name of the file in messages.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A place in this file.
    pub fn location(&self, span: Span) -> Location {
        Location {
            file: Arc::clone(&self.path),
            span,
        }
    }

    /// The span of a byte range, with line and column counted.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = self.text.floor_char_boundary(start);
        let end = self.text.floor_char_boundary(end.max(start));
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Span {
            start: clamp(start),
            end: clamp(end),
            line: clamp(before.matches('\n').count() + 1),
            column: clamp(before[line_start..].chars().count() + 1),
        }
    }
}

/// Files are refused long before they reach 4 GiB, so this never cuts in practice.
fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
