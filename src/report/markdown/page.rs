//! The whole text: the verdict, then everything in the order in which it must not be missing.

use std::io;

use super::{
    block::{self, Block},
    explained, folded,
    inline::Inline,
    rows,
    sheet::Sheet,
    size::{Depth, Quiet, Size},
    surface,
};
use crate::{
    model::{CaseChange, Comparison, ExitCode, Report},
    report::{
        Detail, Options,
        changes::{self, Entry},
        counts, coverage, remarks,
    },
    source::Severity,
    text,
};

pub(super) fn write(report: &Report, options: Options, out: &mut dyn io::Write) -> io::Result<()> {
    let size = match options.detail {
        Detail::Normal => Size::Comment,
        Detail::Verbose => Size::JobSummary,
    };
    out.write_all(markdown(report, size, size.bytes()).as_bytes())
}

/// A report as Markdown for this place, in no more than this many bytes. What broke is dropped last, and a last line
/// counts what is left out.
pub fn markdown(report: &Report, size: Size, bytes: usize) -> String {
    let blocks = blocks(report, size.depth());
    let mut sheet = Sheet::new(bytes);
    sheet.put(&format!("### {}\n", headline(report).as_str()));
    sheet.promise(longest_rest(&blocks));
    block::all(&blocks, &mut sheet);
    sheet.finish()
}

/// Bytes of the last line if nothing of this is written.
fn longest_rest(blocks: &[Block]) -> usize {
    let mut nothing = Sheet::full();
    block::all(blocks, &mut nothing);
    nothing.rest().len()
}

fn blocks(report: &Report, depth: Depth) -> Vec<Block> {
    let entries = changes::entries(report);
    let is_regressed = |entry: &Entry<'_>| entry.change.is_some_and(|it| it.change == CaseChange::Regressed);
    let (regressed, failed): (Vec<_>, Vec<_>) = changes::broken(&entries).into_iter().partition(is_regressed);
    let mut unexplained = [regressed.as_slice(), &failed].concat();
    if depth.quiet == Quiet::Told {
        unexplained.extend(changes::with(&entries, CaseChange::StillFailing));
    }
    let section = |title, blocks| Block::Section(Inline::ours(title), blocks);
    let problems = remarks::problems(report, Severity::Error);
    let notices = report.comparison.as_ref().map(remarks::notices).unwrap_or_default();
    let mut blocks = vec![
        counted(report),
        section("Regressed", rows::open(&regressed, "regressed case")),
        section("Problems in the input", folded::list(&problems, depth, "problem")),
        section("Failed", rows::open(&failed, "failed case")),
        section("Notices", folded::list(&notices, depth, "notice")),
    ];
    blocks.extend(report.comparison.iter().map(|it| surface::pressing(it, depth)));
    blocks.push(explained::section(&unexplained, depth));
    blocks.extend(folded::cases(&entries, depth));
    blocks.push(folded::outputs(&entries, depth));
    blocks.extend(report.comparison.iter().map(|it| surface::others(it, depth)));
    blocks.push(section(
        "Coverage",
        folded::list(&coverage::lines(report), depth, "server"),
    ));
    blocks.push(folded::latencies(&entries, depth));
    blocks.push(folded::remarks(report, depth));
    blocks.push(footer(report));
    blocks
}

fn headline(report: &Report) -> Inline {
    let mark = match report.verdict.exit_code {
        ExitCode::Open => "✅",
        ExitCode::Closed | ExitCode::InputWrong => "❌",
        ExitCode::CouldNotTell => "⚠️",
    };
    Inline::ours(mark).then(" mcpvals: ").message(&report.verdict.reason)
}

/// What it is about: against what, of how many.
fn counted(report: &Report) -> Block {
    let mut said = Inline::default();
    if let Some(comparison) = &report.comparison {
        said = compared(comparison).then("<br>");
    }
    said = said.name(&counts::breakdown(&report.totals));
    let selection = &report.selection;
    if !selection.narrowed_by.is_empty() {
        let of = format!("{} of {}", selection.selected, text::count(selection.found, "case"));
        let by = selection.narrowed_by.join(", ");
        said = said.then("<br>").name(&of).then(" selected by ").code(&by);
    }
    Block::Paragraph(said)
}

fn compared(comparison: &Comparison) -> Inline {
    let baseline = &comparison.baseline;
    let mut said = Inline::default()
        .bold(&changes::tally(comparison).join(" · "))
        .then(", compared with ")
        .code(&baseline.place);
    if let Some(commit) = changes::commit(baseline) {
        said = said.then(" at ").code(&commit);
    }
    match baseline.chosen.trim() {
        "" => said,
        chosen => said.then(" (").name(chosen).then(")"),
    }
}

fn footer(report: &Report) -> Block {
    let version = concat!("<sub>mcpvals ", env!("CARGO_PKG_VERSION"), " · ");
    let took = text::duration(report.duration);
    Block::Paragraph(Inline::ours(version).name(&took).then("</sub>"))
}
