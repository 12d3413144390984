//! Two values that should have been the same, as lines.

use serde_json::Value;

use super::style::Style;
use crate::{
    model::Difference,
    text::{self, DiffLine, JsonChange, JsonChangeKind, sanitize},
};

/// Lines of a text difference that are shown: three changes with their context.
const MAX_LINES: usize = 24;
/// Places of a JSON difference that are shown.
const MAX_PLACES: usize = 12;
/// Characters of a JSON value that are shown.
const MAX_VALUE: usize = 160;

/// A unified diff of texts; of JSON values the places that differ, with both sides.
pub(super) fn lines(difference: &Difference, style: &Style) -> Vec<String> {
    match difference {
        Difference::Text { expected, actual } => text_lines(expected, actual, style),
        Difference::Json { expected, actual } => json_lines(expected, actual, style),
    }
}

fn text_lines(expected: &str, actual: &str, style: &Style) -> Vec<String> {
    let diff = text::text_diff(expected, actual, MAX_LINES);
    let mut lines = vec![style.bad("--- expected"), style.good("+++ found")];
    lines.extend(diff.lines.iter().map(|line| text_line(line, style)));
    lines.extend(more(diff.more, "line", style));
    lines
}

fn text_line(line: &DiffLine, style: &Style) -> String {
    let shown = sanitize::line(&line.to_string());
    match line {
        DiffLine::Same(_) => shown,
        DiffLine::Hunk(_) | DiffLine::Note(_) => style.faint(shown),
        DiffLine::Removed(_) => style.bad(shown),
        DiffLine::Added(_) => style.good(shown),
    }
}

fn json_lines(expected: &Value, actual: &Value, style: &Style) -> Vec<String> {
    let diff = text::json_diff(expected, actual, MAX_PLACES);
    let mut lines: Vec<String> = diff.changes.iter().map(|change| place(change, style)).collect();
    lines.extend(more(diff.more, "difference", style));
    lines
}

fn place(change: &JsonChange<'_>, style: &Style) -> String {
    let path = style.strong(sanitize::line(&change.path));
    match change.kind {
        JsonChangeKind::Removed(value) => format!("{path}: expected {}, found nothing", compact(value)),
        JsonChangeKind::Added(value) => format!("{path}: expected nothing, found {}", compact(value)),
        JsonChangeKind::Changed { expected, actual } => {
            format!("{path}: expected {}, found {}", compact(expected), compact(actual))
        }
    }
}

fn compact(value: &Value) -> String {
    sanitize::line(&text::cut(&value.to_string(), MAX_VALUE))
}

fn more(count: usize, noun: &str, style: &Style) -> Option<String> {
    (count > 0).then(|| style.faint(format_args!("… {} more", text::count(count, noun))))
}
