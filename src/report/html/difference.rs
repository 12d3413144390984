//! Two values that should have been the same: texts line by line, JSON place by place.

use serde_json::Value;

use super::escape;
use crate::{
    model::Difference,
    text::{self, DiffLine, JsonChange, JsonChangeKind},
};

/// Characters of one line or one value.
const LINE: usize = 1000;

/// Both sides, called by these names.
pub(super) fn block(difference: &Difference, max: usize, (before, after): (&str, &str)) -> String {
    match difference {
        Difference::Text { expected, actual } => {
            let diff = text::text_diff(expected, actual, max);
            let lines: String = diff.lines.iter().map(line).collect();
            format!(
                "<pre class=\"diff\"><del>--- {before}</del>\n<ins>+++ {after}</ins>\n{lines}</pre>{}\n",
                more(diff.more)
            )
        }
        Difference::Json { expected, actual } => {
            let diff = text::json_diff(expected, actual, max / 2);
            let rows: String = diff.changes.iter().map(row).collect();
            format!(
                "<div class=\"wide\"><table class=\"diff\"><thead><tr><th>place</th><th>{before}</th><th>{after}</th></tr></thead>\
                 <tbody>{rows}</tbody></table></div>{}\n",
                more(diff.more)
            )
        }
    }
}

fn line(line: &DiffLine) -> String {
    let shown = escape::lines(&line.to_string(), LINE);
    match line {
        DiffLine::Same(_) => format!("{shown}\n"),
        DiffLine::Removed(_) => format!("<del>{shown}</del>\n"),
        DiffLine::Added(_) => format!("<ins>{shown}</ins>\n"),
        DiffLine::Hunk(_) | DiffLine::Note(_) => format!("<i>{shown}</i>\n"),
    }
}

fn row(change: &JsonChange<'_>) -> String {
    let (expected, actual) = match change.kind {
        JsonChangeKind::Removed(value) => (Some(value), None),
        JsonChangeKind::Added(value) => (None, Some(value)),
        JsonChangeKind::Changed { expected, actual } => (Some(expected), Some(actual)),
    };
    let cell = |value: Option<&Value>, tag: &str| match value {
        Some(value) => format!("<{tag}>{}</{tag}>", escape::lines(&value.to_string(), LINE)),
        None => "nothing".to_owned(),
    };
    format!(
        "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
        escape::name(&change.path),
        cell(expected, "del"),
        cell(actual, "ins")
    )
}

fn more(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!("<p>…and {count} more</p>"),
    }
}
