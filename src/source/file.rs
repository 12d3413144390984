//! One text file as it was read.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{Location, Span};

/// Bytes between two places whose line and column are remembered: no look-up counts further than this.
const STRIDE: usize = 128;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of a file and the name it goes by in messages.
#[derive(Debug)]
pub struct SourceFile {
    path: Arc<str>,
    text: String,
    marks: OnceLock<Vec<Mark>>,
    hidden: Vec<Range<usize>>,
}

/// Line and column of a byte, both counted from 0.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    at: usize,
    line: usize,
    column: usize,
}

impl SourceFile {
    /// Keeps `text` under the name `path`, without a byte order mark, which is no part of it.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<String>) -> Arc<Self> {
        let mut text = text.into();
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Arc::new(Self {
            path: path.into(),
            text,
            marks: OnceLock::new(),
            hidden: Vec::new(),
        })
    }

    /// The same file, of which these parts are not to be shown: in bytes, in order, none over another.
    pub fn hiding(&self, hidden: Vec<Range<usize>>) -> Arc<Self> {
        Arc::new(Self {
            path: Arc::clone(&self.path),
            text: self.text.clone(),
            marks: OnceLock::new(),
            hidden,
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

    /// What of a part of the text is not to be shown.
    pub(super) fn hidden_in(&self, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = self.hidden.partition_point(|hidden| hidden.end <= part.start);
        let hidden = self.hidden[first..].iter();
        hidden
            .take_while(move |hidden| hidden.start < part.end)
            .map(move |hidden| hidden.start.max(part.start)..hidden.end.min(part.end))
    }

    /// A place in this file.
    pub fn location(&self, span: Span) -> Location {
        Location {
            file: Arc::clone(&self.path),
            span,
        }
    }

    /// The span of a byte range, with line and column counted. The time it takes does not grow with the file.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = self.text.floor_char_boundary(start);
        let end = self.text.floor_char_boundary(end.max(start));
        let marks = self.marks.get_or_init(|| marks(&self.text));
        let before = marks.partition_point(|mark| mark.at <= start) - 1;
        let mark = marks[before].moved(&self.text, start);
        Span {
            start: clamp(start),
            end: clamp(end),
            line: clamp(mark.line + 1),
            column: clamp(mark.column + 1),
        }
    }
}

impl Mark {
    /// The mark of a later byte.
    fn moved(self, text: &str, to: usize) -> Self {
        let between = &text[self.at..to];
        let lines = between.bytes().filter(|byte| *byte == b'\n').count();
        let column = match between.rfind('\n') {
            Some(end) => between[end + 1..].chars().count(),
            None => self.column + between.chars().count(),
        };
        Self {
            at: to,
            line: self.line + lines,
            column,
        }
    }
}

/// A mark at the start and about every [`STRIDE`] bytes.
fn marks(text: &str) -> Vec<Mark> {
    let places = (STRIDE..text.len()).step_by(STRIDE);
    let mut marks = vec![Mark::default()];
    for at in places.map(|at| text.floor_char_boundary(at)) {
        marks.extend(marks.last().map(|mark| mark.moved(text, at)));
    }
    marks
}

/// Files are refused long before they reach 4 GiB, so this never cuts in practice.
fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line and column as a user would count them.
    fn counted(text: &str, at: usize) -> (u32, u32) {
        let before = &text[..at];
        let last = before.rsplit('\n').next().unwrap_or_default();
        (clamp(before.matches('\n').count() + 1), clamp(last.chars().count() + 1))
    }

    #[test]
    fn counts_lines_and_columns_wherever_a_stride_ends() {
        let long_line = "é".repeat(2 * STRIDE + 1);
        let file = SourceFile::new("a", format!("ab\n\n{long_line}\r\n{}x", "z😀\n".repeat(STRIDE)));
        let places = file.text().char_indices().map(|(at, _)| at).chain([file.text().len()]);
        for at in places {
            let span = file.span(at, at);
            assert_eq!((span.line, span.column), counted(file.text(), at), "byte {at}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(SourceFile::new("a", "\u{feff}x\u{feff}").text(), "x\u{feff}");
    }

    #[test]
    fn places_within_a_character_and_beyond_the_end_are_moved_back() {
        let file = SourceFile::new("a", "é\nb");
        let span = file.span(1, 9);
        assert_eq!((span.start, span.end, span.line, span.column), (0, 4, 1, 1));
        let span = file.span(9, 2);
        assert_eq!((span.start, span.end, span.line, span.column), (4, 4, 2, 2));
    }
}
