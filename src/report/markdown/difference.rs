//! Two values that should have been the same, as a fenced diff: texts line by line, JSON place by place.

use serde_json::Value;

use super::block::Block;
use crate::{
    model::Difference,
    text::{self, JsonChange, JsonChangeKind, sanitize},
};

/// Characters of one line or one value.
const LINE: usize = 200;
/// Lines that tell of one place in JSON.
const LINES_OF_PLACE: usize = 3;

/// Both sides, called by these names, in this many lines.
pub(super) fn fence(difference: &Difference, max: usize, (before, after): (&str, &str)) -> Block {
    let mut lines = vec![format!("--- {before}"), format!("+++ {after}")];
    let (more, noun) = match difference {
        Difference::Text { expected, actual } => {
            let diff = text::text_diff(expected, actual, max);
            lines.extend(diff.lines.iter().map(|it| line(&it.to_string())));
            (diff.more, "line")
        }
        Difference::Json { expected, actual } => {
            let diff = text::json_diff(expected, actual, max / LINES_OF_PLACE);
            lines.extend(diff.changes.iter().flat_map(place));
            (diff.more, "difference")
        }
    };
    lines.extend((more > 0).then(|| format!("… {} more", text::count(more, noun))));
    Block::Fence("diff", lines)
}

/// A line made harmless and bearable.
pub(super) fn line(line: &str) -> String {
    sanitize::line(&text::cut(line, LINE))
}

fn place(change: &JsonChange<'_>) -> Vec<String> {
    let (expected, actual) = match change.kind {
        JsonChangeKind::Removed(value) => (Some(value), None),
        JsonChangeKind::Added(value) => (None, Some(value)),
        JsonChangeKind::Changed { expected, actual } => (Some(expected), Some(actual)),
    };
    let side = |mark: char, value: Option<&Value>| value.map(|value| line(&format!("{mark}{value}")));
    let head = line(&format!("@@ {} @@", change.path));
    let sides = side('-', expected).into_iter().chain(side('+', actual));
    std::iter::once(head).chain(sides).collect()
}
