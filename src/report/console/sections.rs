//! The parts of the console report, in the order in which a reader wants them.

use std::io::{self, Write as _};

use super::{comparison, folded, heard};
use crate::{
    model::{CaseResult, ExitCode, Mode, Report, Status},
    report::{
        Detail, Options, counts, coverage,
        detail::{self, indented, message},
        style::Style,
    },
    source::{Diagnostic, Severity},
    text::{self, sanitize},
};

/// Cases of one status that are explained; a run that breaks more of them mostly has one cause.
const MAX_EXPLAINED: usize = 20;
/// Cases of one status that are named.
const MAX_CASES: usize = 50;
/// Problems in the user's files that are named again.
const MAX_PROBLEMS: usize = 5;
/// Reasons to skip that are named.
const MAX_REASONS: usize = 20;

/// Lines that belong together; an empty line stands between two blocks.
type Block = Vec<String>;

pub(super) fn write(report: &Report, options: Options, out: &mut dyn io::Write) -> io::Result<()> {
    let style = Style::of(options.colour);
    let mut out = io::BufWriter::new(out);
    writeln!(out, "{}", headline(report, &style))?;
    for section in [broken_files, failed, errored, flaky] {
        write_blocks(&section(report, &style), &mut out)?;
    }
    if options.detail == Detail::Verbose {
        write_passed(report, &style, &mut out)?;
        write_blocks(&heard::blocks(report, &style), &mut out)?;
    }
    for section in [compared, warnings, skipped, closing] {
        write_blocks(&section(report, &style), &mut out)?;
    }
    out.flush()
}

fn write_blocks(blocks: &[Block], out: &mut dyn io::Write) -> io::Result<()> {
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        writeln!(out)?;
        for line in block {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn headline(report: &Report, style: &Style) -> String {
    let answer = format!("mcpvals: {}", message(&report.verdict.reason));
    let answer = marked(report, &answer, style);
    format!("{answer} ({})", text::duration(report.duration))
}

/// A line with the mark and the colour of the verdict.
fn marked(report: &Report, line: &str, style: &Style) -> String {
    match report.verdict.exit_code {
        ExitCode::Open => style.good(format_args!("✓ {line}")),
        ExitCode::Closed | ExitCode::InputWrong => style.bad(format_args!("✗ {line}")),
        ExitCode::CouldNotTell => style.bad(format_args!("! {line}")),
    }
}

fn broken_files(report: &Report, style: &Style) -> Vec<Block> {
    vec![problems(report, Severity::Error, &style.bad("✗ invalid"))]
}

/// The first problems in a line each: all of them, with snippet and help, stand on stderr.
fn problems(report: &Report, severity: Severity, mark: &str) -> Block {
    let found = report.diagnostics.iter().filter(|each| each.severity == severity);
    let line = |each: &Diagnostic| format!("{mark} {}{}", place(each), message(&each.message));
    let mut block: Block = found.clone().take(MAX_PROBLEMS).map(line).collect();
    if let more @ 1.. = found.count().saturating_sub(MAX_PROBLEMS) {
        block.push(format!("… and {more} more, shown above"));
    }
    block
}

fn place(diagnostic: &Diagnostic) -> String {
    match diagnostic.location() {
        Some(location) => format!("{}  ", sanitize::line(&location.to_string())),
        None => String::new(),
    }
}

fn failed(report: &Report, style: &Style) -> Vec<Block> {
    let is_failed = |case: &&CaseResult| matches!(case.status, Status::Failed | Status::XPassed);
    let cases: Vec<&CaseResult> = report.cases.iter().filter(is_failed).collect();
    explain(&cases, "failed case", style, |case| detail::blocks(case, style))
}

/// Cases that could not begin for the same reason are told as one; a fault in a step is always told.
fn errored(report: &Report, style: &Style) -> Vec<Block> {
    let groups = folded::grouped(with_status(report, Status::Errored), |case| {
        let fault = case.fault.as_ref()?;
        Some((fault.kind.word(), fault.phase.word(), fault.message.as_str()))
    });
    let firsts: Vec<&CaseResult> = groups.iter().map(|group| group[0]).collect();
    let mut groups = groups.iter();
    explain(&firsts, "error", style, |case| {
        let mut blocks = detail::blocks(case, style);
        if let (Some(last), Some([_, others @ ..])) = (blocks.last_mut(), groups.next().map(Vec::as_slice))
            && !others.is_empty()
        {
            last.push(format!("    the same in {}:", text::count(others.len(), "more case")));
            last.extend(indented(6, folded::names(others)));
        }
        blocks
    })
}

fn flaky(report: &Report, style: &Style) -> Vec<Block> {
    let cases: Vec<&CaseResult> = report
        .cases
        .iter()
        .filter(|case| case.status == Status::Flaky)
        .collect();
    explain(&cases, "flaky case", style, |case| {
        let mut block = vec![detail::heading(case, style)];
        block.extend(indented(4, detail::earlier_attempts(case)));
        block.push(format!("    attempt {} passed", case.earlier_attempts.len() + 1));
        vec![block]
    })
}

/// The first cases with all that is known, some more in a line each, the rest as a number.
fn explain<'a>(
    cases: &[&'a CaseResult],
    noun: &str,
    style: &Style,
    whole: impl FnMut(&'a CaseResult) -> Vec<Block>,
) -> Vec<Block> {
    let (explained, named) = cases.split_at(cases.len().min(MAX_EXPLAINED));
    let named = named.iter().take(MAX_CASES - MAX_EXPLAINED);
    let mut blocks: Vec<Block> = explained.iter().copied().flat_map(whole).collect();
    let mut last: Block = named.map(|case| detail::summary(case, style)).collect();
    last.extend(folded::rest(cases.len(), MAX_CASES, noun));
    blocks.push(last);
    blocks
}

fn write_passed(report: &Report, style: &Style, out: &mut dyn io::Write) -> io::Result<()> {
    let is_passed = |case: &&CaseResult| matches!(case.status, Status::Passed | Status::XFailed);
    let mut cases = report.cases.iter().filter(is_passed).peekable();
    if cases.peek().is_some() {
        writeln!(out)?;
    }
    for case in cases {
        writeln!(out, "{}{}", detail::heading(case, style), took(case, style))?;
    }
    Ok(())
}

/// A simulated call takes no time that means anything.
fn took(case: &CaseResult, style: &Style) -> String {
    match (case.mode, case.startup) {
        (Mode::Simulated, _) => String::new(),
        (Mode::Live, None) => style.faint(format_args!("  {}", text::duration(case.duration))),
        (Mode::Live, Some(startup)) => style.faint(format_args!(
            "  {} (start-up {})",
            text::duration(case.duration),
            text::duration(startup)
        )),
    }
}

fn compared(report: &Report, style: &Style) -> Vec<Block> {
    let lines = report.comparison.as_ref().map(|it| comparison::lines(it, style));
    let mut lines = lines.unwrap_or_default();
    lines.extend(coverage::lines(report).iter().map(|line| message(line)));
    vec![lines]
}

fn warnings(report: &Report, style: &Style) -> Vec<Block> {
    let mark = style.doubtful("warning:");
    let mut block = problems(report, Severity::Warning, &mark);
    for remark in folded::findings(&report.cases) {
        block.push(format!("{mark} {}", remark.message()));
        block.push(format!("    {}", style.faint(remark.place())));
    }
    vec![block]
}

fn skipped(report: &Report, style: &Style) -> Vec<Block> {
    let groups = folded::grouped(with_status(report, Status::Skipped), |case| Some(&case.reason));
    let mark = style.faint("- skipped");
    let mut block = Block::new();
    for cases in groups.iter().take(MAX_REASONS) {
        let reason = cases[0].reason.as_deref().map(message).unwrap_or_default();
        block.push(format!("{mark} {}: {reason}", text::count(cases.len(), "case")));
        block.extend(indented(4, folded::names(cases)));
    }
    block.extend(folded::rest(groups.len(), MAX_REASONS, "reason"));
    vec![block]
}

fn with_status(report: &Report, status: Status) -> impl Iterator<Item = &CaseResult> {
    report.cases.iter().filter(move |case| case.status == status)
}

/// Remarks, what was left out, and the counts where the first line does not say them all.
fn closing(report: &Report, style: &Style) -> Vec<Block> {
    let note = style.strong("note:");
    let mut block: Block = report
        .notes
        .iter()
        .map(|each| format!("{note} {}", message(each)))
        .collect();
    let selection = &report.selection;
    if !selection.narrowed_by.is_empty() {
        block.push(format!(
            "{} of {} selected by {}",
            selection.selected,
            text::count(selection.found, "case"),
            message(&selection.narrowed_by.join(", "))
        ));
    }
    if report.totals.passed < report.totals.cases || report.totals.simulated > 0 {
        block.push(marked(report, &counts::breakdown(&report.totals), style));
    }
    vec![block]
}
