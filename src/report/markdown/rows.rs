//! Cases, a row each: how they ended, where to look, why.

use super::{
    block::{Block, State},
    inline::Inline,
};
use crate::{
    model::{Mode, Status},
    report::changes::Entry,
    text,
};

/// Rows that are seen at once.
const OPEN: usize = 25;
/// Characters of a reason.
const WHY: usize = 300;

/// A table of the first cases, each counted as this.
pub(super) fn table(list: &[Entry<'_>], most: usize, noun: &'static str) -> Vec<Block> {
    let rows = list.iter().take(most).map(row).collect();
    let more = list.len().saturating_sub(most);
    vec![Block::Table(&["", "Case", "Why"], rows, noun), Block::More(more, noun)]
}

/// A table of the cases that matter most: the first ones are seen at once, the others can be.
pub(super) fn open(list: &[Entry<'_>], noun: &'static str) -> Vec<Block> {
    let (seen, others) = list.split_at(list.len().min(OPEN));
    let more = Inline::default().name(&format!("{} more", others.len()));
    let mut blocks = table(seen, seen.len(), noun);
    blocks.push(Block::Details(State::Folded, more, table(others, others.len(), noun)));
    blocks
}

/// The name of a case, and where to look.
pub(super) fn title(entry: &Entry<'_>) -> Inline {
    let mut title = Inline::default().bold(entry.name());
    if entry.case.is_some_and(|case| case.mode == Mode::Simulated) {
        title = title.then(" (simulation)");
    }
    match entry.place() {
        Some(place) => title.then("<br>").code(&place),
        None => title,
    }
}

fn row(entry: &Entry<'_>) -> Vec<Inline> {
    let words = entry.course().unwrap_or_else(|| entry.status().word().to_owned());
    let status = Inline::ours(mark(entry.status())).then(" ").name(&words);
    let why = Inline::default().message(&text::cut(&entry.why(), WHY));
    let renamed = entry.change.and_then(|change| change.renamed_from.as_ref());
    let why = match renamed {
        Some(from) => why.then(" (perhaps renamed from ").code(from.as_str()).then(")"),
        None => why,
    };
    vec![status, title(entry), why]
}

/// A mark for the eye; the word stands beside it.
const fn mark(status: Status) -> &'static str {
    match status {
        Status::Passed | Status::XFailed => "✅",
        Status::Failed | Status::XPassed => "❌",
        Status::Errored => "💥",
        Status::Flaky => "🔁",
        Status::Skipped => "⏭️",
    }
}
