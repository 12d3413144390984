//! One case that did not pass, with all that tells why.

use super::{
    block::{Block, State},
    difference,
    inline::Inline,
    rows,
    size::Depth,
};
use crate::{
    model::{CaseResult, Difference, Fault, Mode, Origin, Outcome, Output, StepResult},
    report::{cause, changes::Entry, detail},
    text::{self, sanitize},
};

/// Cases that are seen at once; more of them mostly have one cause.
const OPEN: usize = 3;
/// Steps that did not pass.
const STEPS: usize = 5;
/// Broken expectations of one step.
const OUTCOMES: usize = 12;
/// Broken expectations of one step whose two sides are shown.
const DIFFERENCES: usize = 2;
/// What a case that is not explained is counted as.
const NOUN: &str = "explanation";

/// The first cases that did not pass, each to be opened.
pub(super) fn section(list: &[Entry<'_>], depth: Depth) -> Block {
    let with_case = list.iter().filter_map(|entry| Some((entry, entry.case?)));
    let explained = with_case.clone().take(depth.explained).enumerate();
    let mut blocks: Vec<Block> = explained
        .map(|(index, (entry, case))| {
            let state = if index < OPEN { State::Open } else { State::Folded };
            Block::Whole(vec![Block::Details(state, rows::title(entry), one(case, depth))], NOUN)
        })
        .collect();
    blocks.push(Block::More(with_case.count().saturating_sub(depth.explained), NOUN));
    Block::Section(Inline::ours("Why"), blocks)
}

fn one(case: &CaseResult, depth: Depth) -> Vec<Block> {
    let mut blocks: Vec<Block> = case.description.iter().map(|it| paragraph(it)).collect();
    blocks.extend(case.fault.iter().flat_map(|it| fault(it, depth)));
    let shown = cause::bad_steps(case).take(STEPS);
    blocks.extend(shown.flat_map(|step| one_step(step, case.mode, depth)));
    blocks.extend(rest(cause::bad_steps(case).count(), STEPS, "more step"));
    let attempts: Vec<Inline> = detail::earlier_attempts(case)
        .iter()
        .map(|attempt| Inline::default().message(attempt))
        .collect();
    blocks.push(Block::List(attempts, "attempt"));
    blocks.extend(again(case).map(|command| Block::Fence("sh", vec![command])));
    blocks
}

fn one_step(step: &StepResult, mode: Mode, depth: Depth) -> Vec<Block> {
    let asked = Inline::ours("step ").code(&step.id).then(", tool ").code(&step.tool);
    let asked = match mode {
        Mode::Live => asked.then(", ").name(&text::duration(step.duration)),
        Mode::Simulated => asked,
    };
    let mut blocks = vec![Block::Paragraph(asked)];
    blocks.extend(step.error.iter().flat_map(|it| fault(it, depth)));
    let broken: Vec<&Outcome> = cause::broken_outcomes(step).collect();
    let told = broken.iter().take(OUTCOMES).map(|it| outcome(it)).collect();
    blocks.push(Block::List(told, "expectation"));
    blocks.extend(rest(broken.len(), OUTCOMES, "more expectation"));
    let differences: Vec<&Difference> = broken.iter().filter_map(|it| it.difference.as_deref()).collect();
    let shown = differences.iter().take(DIFFERENCES);
    blocks.extend(shown.map(|it| difference::fence(it, depth.diff_lines, ("expected", "found"))));
    // A text difference shows the output already.
    if !differences.iter().any(|it| matches!(it, Difference::Text { .. })) {
        blocks.extend(step.output.iter().flat_map(|it| output(it, depth)));
    }
    blocks
}

fn outcome(outcome: &Outcome) -> Inline {
    let place = outcome.location.as_ref();
    let place = place
        .map(|at| format!(" ({}:{})", at.file, at.span.line))
        .unwrap_or_default();
    Inline::default()
        .bold(&outcome.assertion)
        .name(&place)
        .then(": ")
        .message(&outcome.message)
}

fn fault(fault: &Fault, depth: Depth) -> Vec<Block> {
    let whose = match fault.origin {
        Origin::Server => "",
        Origin::Surroundings => " (not the server’s fault)",
    };
    let said = Inline::default()
        .bold(fault.kind.word())
        .then(": ")
        .message(&fault.message);
    let mut blocks = vec![Block::Paragraph(said.then(whose))];
    let help = fault.help.iter();
    blocks.extend(help.map(|help| Block::Paragraph(Inline::ours("help: ").message(help))));
    let shown = detail::most_telling(&fault.evidence, depth.output_lines);
    blocks.extend(fence(&shown, fault.evidence.len()));
    blocks
}

fn output(output: &Output, depth: Depth) -> Vec<Block> {
    let error = if output.is_error { " (isError)" } else { "" };
    let lines: Vec<&str> = output.text.lines().collect();
    let shown = &lines[..lines.len().min(depth.output_lines)];
    let size = match output.bytes {
        0 => "empty".to_owned(),
        bytes => text::bytes(bytes as u64),
    };
    let begins = if output.is_whole() { "" } else { ", beginning with" };
    let said = Inline::ours("output").then(error).then(": ").name(&size).then(begins);
    std::iter::once(Block::Paragraph(said))
        .chain(fence(shown, lines.len()))
        .collect()
}

/// Some lines of all, as they are.
fn fence(shown: &[&str], all: usize) -> Option<Block> {
    let mut lines: Vec<String> = shown.iter().map(|line| difference::line(line)).collect();
    if let more @ 1.. = all - shown.len() {
        lines.push(format!("… {} left out", text::count(more, "line")));
    }
    (!lines.is_empty()).then_some(Block::Fence("text", lines))
}

fn rest(all: usize, shown: usize, noun: &str) -> Option<Block> {
    let more = all.saturating_sub(shown);
    (more > 0).then(|| paragraph(&format!("… and {}", text::count(more, noun))))
}

fn paragraph(text: &str) -> Block {
    Block::Paragraph(Inline::default().message(text))
}

/// How to run the case again, to be copied into a shell; nothing where that would not be what it looks like.
fn again(case: &CaseResult) -> Option<String> {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let command = format!(
        "mcpvals run {} --filter {}",
        quoted(&case.location.file),
        quoted(&case.name)
    );
    let is_as_it_looks = sanitize::line(&command) == command;
    // `/…/` would be a regular expression, `-…` another flag.
    let is_plain = !case.name.is_empty() && !case.name.starts_with('/') && !case.location.file.starts_with('-');
    (is_as_it_looks && is_plain).then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::Status,
        report::{markdown::Size, sample},
    };

    #[test]
    fn long_cases_are_told_in_part() {
        let mut case = sample::failed();
        let step = || sample::failed().steps.remove(1);
        case.steps = std::iter::repeat_with(step).take(7).collect();
        let broken = case.steps[0].outcomes[1].clone();
        case.steps[0].outcomes = vec![broken; 14];
        let text = format!("{:?}", one(&case, Size::Comment.depth()));
        assert_eq!(text.matches("search_notes").count(), 5);
        for words in ["… and 2 more steps", "… and 2 more expectations"] {
            assert!(text.contains(words), "{words}");
        }
    }

    #[test]
    fn a_command_to_copy_runs_nothing_else() {
        let again = |name| again(&sample::case("evals/a.yaml", name, Status::Failed));
        assert_eq!(
            again("it's $(x)").as_deref(),
            Some("mcpvals run 'evals/a.yaml' --filter 'it'\\''s $(x)'")
        );
        for name in ["a\u{202e}b", "a\nb", "/a/", ""] {
            assert_eq!(again(name), None, "{name:?}");
        }
    }
}
