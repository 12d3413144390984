//! Everything that nobody has to look at, folded away.

use super::{
    block::{Block, State},
    difference,
    inline::Inline,
    rows,
    size::{Depth, Quiet},
};
use crate::{
    model::{CaseChange, CaseComparison, LatencyChange, Report, Status},
    report::{
        changes::{self, Entry},
        remarks,
    },
    source::Severity,
    text,
};

/// What became of cases, in the order of their importance, with what one of them is counted as.
const CHANGES: [(CaseChange, &str, &str); 5] = [
    (CaseChange::StillFailing, "still failing", "still-failing case"),
    (CaseChange::Fixed, "fixed", "fixed case"),
    (CaseChange::New, "new", "new case"),
    (CaseChange::Removed, "removed", "removed case"),
    (CaseChange::NotComparable, "not comparable", "incomparable case"),
];

/// Cases by what became of them, then by how they ended.
pub(super) fn cases(entries: &[Entry<'_>], depth: Depth) -> Vec<Block> {
    let with_status = |statuses: &[Status]| -> Vec<Entry<'_>> {
        let is_told = |entry: &&Entry<'_>| {
            let is_told_above = entry.change.is_some_and(|it| it.change == CaseChange::NotComparable);
            entry.case.is_some() && statuses.contains(&entry.status()) && !is_told_above
        };
        entries.iter().filter(is_told).copied().collect()
    };
    let mut lists: Vec<_> = CHANGES
        .iter()
        .map(|(change, title, noun)| (*title, *noun, changes::with(entries, *change)))
        .collect();
    lists.push(("flaky", "flaky case", with_status(&[Status::Flaky])));
    lists.push(("skipped", "skipped case", with_status(&[Status::Skipped])));
    if depth.quiet == Quiet::Told {
        let passed = with_status(&[Status::Passed, Status::XFailed]);
        lists.push(("passed or known to fail", "passed case", passed));
    }
    let fold = |(title, noun, list): &(&'static str, &'static str, Vec<Entry<'_>>)| {
        folded(&format!("{} {title}", list.len()), rows::table(list, depth.rows, noun))
    };
    lists.iter().map(fold).collect()
}

/// Outputs that differ though their steps pass.
pub(super) fn outputs(entries: &[Entry<'_>], depth: Depth) -> Block {
    const NOUN: &str = "changed output";
    let changed: Vec<_> = compared(entries)
        .flat_map(|(entry, change)| change.outputs.iter().map(move |output| (entry, output)))
        .collect();
    let shown = changed.iter().take(depth.explained).map(|(entry, output)| {
        let title = Inline::default().bold(entry.name()).then(" › ").code(&output.step);
        let difference = output.difference.as_ref();
        let difference = difference.map(|it| difference::fence(it, depth.diff_lines, ("baseline", "now")));
        let unknown = || Block::Paragraph(Inline::ours("the baseline kept only a part of it"));
        Block::Whole(vec![Block::Paragraph(title), difference.unwrap_or_else(unknown)], NOUN)
    });
    let more = Block::More(changed.len().saturating_sub(depth.explained), NOUN);
    folded(&text::count(changed.len(), NOUN), shown.chain([more]).collect())
}

/// Steps that became slower or faster.
pub(super) fn latencies(entries: &[Entry<'_>], depth: Depth) -> Block {
    const NOUN: &str = "latency change";
    let all: Vec<(&Entry<'_>, &LatencyChange)> = compared(entries)
        .flat_map(|(entry, change)| change.latencies.iter().map(move |it| (entry, it)))
        .collect();
    let slower = all.iter().filter(|(_, it)| it.now > it.was).count();
    let title = format!("{slower} slower, {} faster", all.len() - slower);
    let rows = all.iter().take(depth.rows).map(|(entry, it)| {
        let step = Inline::default().bold(entry.name()).then(" › ").code(&it.step);
        let time = |time| Inline::default().name(&text::duration(time));
        let change = Inline::default().name(&changes::percent(it.was, it.now));
        vec![step, time(it.was), time(it.now), change]
    });
    let table = Block::Table(&["Step", "Was", "Now", "Change"], rows.collect(), NOUN);
    let more = Block::More(all.len().saturating_sub(depth.rows), NOUN);
    folded(&title, vec![table, more])
}

/// Warnings, what was seen on the side, and notes.
pub(super) fn remarks(report: &Report, depth: Depth) -> Block {
    let mut all = remarks::problems(report, Severity::Warning);
    all.extend(remarks::findings(report));
    all.extend(report.notes.iter().cloned());
    folded(&text::count(all.len(), "remark"), list(&all, depth, "remark"))
}

/// A list of the first messages, each counted as this.
pub(super) fn list(messages: &[String], depth: Depth, noun: &'static str) -> Vec<Block> {
    let shown = messages.iter().take(depth.rows);
    let shown = shown.map(|message| Inline::default().message(message)).collect();
    vec![
        Block::List(shown, noun),
        Block::More(messages.len().saturating_sub(depth.rows), noun),
    ]
}

fn compared<'a>(entries: &'a [Entry<'a>]) -> impl Iterator<Item = (&'a Entry<'a>, &'a CaseComparison)> {
    entries.iter().filter_map(|entry| Some((entry, entry.change?)))
}

fn folded(title: &str, blocks: Vec<Block>) -> Block {
    Block::Details(State::Folded, Inline::default().name(title), blocks)
}
