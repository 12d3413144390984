//! What a reader needs to know of one case that did not pass, and nothing else.

use super::{
    cause::{self, Cause},
    difference,
    style::Style,
};
use crate::{
    model::{Attempt, CaseResult, Difference, Fault, Mode, Origin, Outcome, Output, Status, StepResult},
    source::Location,
    text::{self, sanitize},
};

/// Characters of a message or of one line of evidence that are shown.
const MAX_MESSAGE: usize = 600;
/// Further lines of a message that are shown.
const MAX_MESSAGE_LINES: usize = 12;
/// Characters of a reason in a summary.
const MAX_SUMMARY: usize = 200;
/// Broken expectations of one step that are shown.
const MAX_OUTCOMES: usize = 12;
/// Broken expectations of one step whose two sides are shown.
const MAX_DIFFERENCES: usize = 2;
/// Steps that were not run and are named.
const MAX_STEPS: usize = 5;
/// Lines of an output that are shown.
const MAX_OUTPUT_LINES: usize = 10;
/// Characters of an output that are shown.
const MAX_OUTPUT: usize = 800;
/// Lines of evidence that are shown.
const MAX_EVIDENCE: usize = 8;

/// One line that says how a case ended: status, place, name.
pub(super) fn heading(result: &CaseResult, style: &Style) -> String {
    match Cause::of(result) {
        Some(cause) => heading_at(result, result.status, cause.location, cause.step, style),
        None => heading_at(result, result.status, &result.location, None, style),
    }
}

/// One line that says how a case ended, and why.
pub(super) fn summary(result: &CaseResult, style: &Style) -> String {
    let heading = heading(result, style);
    let why = match (Cause::of(result), &result.reason, result.earlier_attempts.len()) {
        (Some(cause), _, _) => cause.in_words(),
        (None, Some(reason), _) => reason.clone(),
        (None, None, 0) => return heading,
        (None, None, earlier) => format!("passed at attempt {}", earlier + 1),
    };
    format!("{heading}: {}", sanitize::line(&text::cut(&why, MAX_SUMMARY)))
}

/// The blocks that explain a case that is not good: one for each bad step, or one for the case as a whole.
pub(super) fn blocks(case: &CaseResult, style: &Style) -> Vec<Vec<String>> {
    let mut blocks: Vec<Vec<String>> = match &case.fault {
        Some(fault) => vec![whole_case(case, fault, style)],
        None => cause::bad_steps(case).map(|step| one_step(case, step, style)).collect(),
    };
    if blocks.is_empty() {
        blocks.push(vec![summary(case, style)]);
    }
    let attempts: Vec<String> = indented(4, earlier_attempts(case)).collect();
    match (&case.fault, blocks.last_mut()) {
        (_, _) if attempts.is_empty() => {}
        (Some(_), Some(last)) => last.extend(attempts),
        // They were attempts at the whole case, not at its last bad step.
        _ => {
            let heading = heading_at(case, case.status, &case.location, None, style);
            blocks.push(std::iter::once(heading).chain(attempts).collect());
        }
    }
    blocks
}

/// Attempts before the last one, one a line.
pub(super) fn earlier_attempts(case: &CaseResult) -> Vec<String> {
    let attempt = |(index, attempt): (usize, &Attempt)| {
        let (number, time) = (index + 1, text::duration(attempt.duration));
        let status = attempt.status;
        format!("attempt {number} {status} after {time}: {}", message(&attempt.message))
    };
    case.earlier_attempts.iter().enumerate().map(attempt).collect()
}

/// Untrusted text on one line of bearable length.
pub(super) fn message(text: &str) -> String {
    sanitize::line(&text::cut(text, MAX_MESSAGE))
}

/// The same lines, further to the right.
pub(super) fn indented(width: usize, lines: impl IntoIterator<Item = String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(move |line| format!("{:width$}{line}", ""))
}

fn heading_at(
    case: &CaseResult,
    status: Status,
    location: &Location,
    step: Option<&StepResult>,
    style: &Style,
) -> String {
    let step = step.map(|step| format!(" › {}", message(&step.id))).unwrap_or_default();
    let name = style.strong(message(&case.name) + &step);
    let label = match case.mode {
        Mode::Live => "",
        Mode::Simulated => " (simulation)",
    };
    let location = sanitize::line(&location.to_string());
    format!("{} {location}  {name}{label}", style.status(status))
}

fn whole_case(case: &CaseResult, fault: &Fault, style: &Style) -> Vec<String> {
    let mut lines = vec![heading_at(case, case.status, &case.location, None, style)];
    lines.extend(indented(4, fault_lines(fault, style)));
    lines
}

fn one_step(case: &CaseResult, step: &StepResult, style: &Style) -> Vec<String> {
    let location = Cause::of_step(step).location;
    let broken: Vec<&Outcome> = cause::broken_outcomes(step).collect();
    let mut lines = vec![heading_at(case, step.status, location, Some(step), style)];
    let mut say = |more: Vec<String>| lines.extend(indented(4, more));
    say(vec![style.faint(asked(case, step))]);
    if let Some(fault) = &step.error {
        say(fault_lines(fault, style));
    }
    match broken.as_slice() {
        [error, follow @ ..] if is_unexpected_error(step, error) => {
            say(outcomes(&[error], location, style));
            say(could_not_hold(follow, location).into_iter().collect());
            say(output_beyond(&error.message, step, style));
        }
        all => {
            say(outcomes(all, location, style));
            if let (Some(output), false) = (&step.output, shows_output(all)) {
                say(output_lines(output, style));
            }
        }
    }
    if let Some(rest) = rest(case, step) {
        say(vec![style.faint(rest)]);
    }
    say(consequences(case, step).map(|line| style.faint(line)).collect());
    lines
}

/// What was asked: `tool search_notes, 3 ms: the newest note is found`. A simulated call takes no time.
fn asked(case: &CaseResult, step: &StepResult) -> String {
    let tool = message(&step.tool);
    let time = match case.mode {
        Mode::Live => format!(", {}", text::duration(step.duration)),
        Mode::Simulated => String::new(),
    };
    match step.description.as_ref().or(case.description.as_ref()) {
        Some(purpose) => format!("tool {tool}{time}: {}", message(purpose)),
        None => format!("tool {tool}{time}"),
    }
}

fn fault_lines(fault: &Fault, style: &Style) -> Vec<String> {
    let whose = match fault.origin {
        Origin::Server => "",
        Origin::Surroundings => " (not the server's fault)",
    };
    let kind = style.bad(fault.kind.word());
    let mut lines = vec![format!("{kind}: {}{whose}", message(&fault.message))];
    lines.extend(fault.help.iter().map(|help| format!("help: {}", message(help))));
    lines.extend(indented(2, evidence(&fault.evidence, style)));
    lines
}

/// The facts that say most, in their order, and how many are left out.
fn evidence(facts: &[String], style: &Style) -> Vec<String> {
    let shown = most_telling(facts, MAX_EVIDENCE);
    let mut lines: Vec<String> = shown.iter().map(|fact| format!("│ {}", message(fact))).collect();
    if shown.len() < facts.len() {
        let left_out = text::count(facts.len() - shown.len(), "line");
        lines.push(style.faint(format_args!("│ … {left_out} left out")));
    }
    lines
}

/// As many facts as this, in their order: those that say most.
pub(super) fn most_telling(facts: &[String], most: usize) -> Vec<&str> {
    let mut ranks: Vec<(u8, usize)> = facts
        .iter()
        .enumerate()
        .map(|(at, fact)| (rank(at, fact), at))
        .collect();
    // Of those that say as much, the last ones.
    ranks.sort_by_key(|(rank, at)| (*rank, usize::MAX - at));
    let mut shown: Vec<usize> = ranks.into_iter().take(most).map(|(_, at)| at).collect();
    shown.sort_unstable();
    shown.into_iter().map(|at| facts[at].as_str()).collect()
}

/// How much a fact says, 0 the most: how the process ended, then what names an error, then other words, then the frames
/// of a stack.
fn rank(at: usize, fact: &str) -> u8 {
    let said = fact.trim_start_matches("stderr:").trim_start();
    let is_frame = said.starts_with("at ") || said.starts_with("File \"") || said.starts_with('^');
    let names_an_error = ["rror", "anic", "xception", "not found", "annot"]
        .iter()
        .any(|word| said.contains(word));
    match at {
        0 => 0,
        _ if is_frame => 3,
        _ if names_an_error => 1,
        _ => 2,
    }
}

fn outcomes(broken: &[&Outcome], shown: &Location, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut differences = 0;
    for outcome in broken.iter().take(MAX_OUTCOMES) {
        let key = style.bad(sanitize::line(&outcome.assertion));
        let mut told = outcome.message.lines().map(message);
        lines.push(format!(
            "{key}{}: {}",
            place(outcome, shown),
            told.next().unwrap_or_default()
        ));
        lines.extend(indented(2, told.take(MAX_MESSAGE_LINES)));
        if let Some(difference) = outcome.difference.as_deref().filter(|_| differences < MAX_DIFFERENCES) {
            differences += 1;
            lines.extend(indented(2, difference::lines(difference, style)));
        }
    }
    if broken.len() > MAX_OUTCOMES {
        lines.push(format!("… and {} more", broken.len() - MAX_OUTCOMES));
    }
    lines
}

/// An error that nobody expected: then nothing that is asked of the output can hold.
fn is_unexpected_error(step: &StepResult, outcome: &Outcome) -> bool {
    outcome.assertion == "is_error" && step.output.as_ref().is_some_and(|output| output.is_error)
}

/// The text of an error, where the message does not say all of it.
fn output_beyond(told: &str, step: &StepResult, style: &Style) -> Vec<String> {
    let is_told = |output: &&Output| output.is_whole() && told.contains(output.text.trim());
    let output = step.output.as_ref().filter(|output| !is_told(output));
    output.map(|output| output_lines(output, style)).unwrap_or_default()
}

/// The expectations that an error kept from holding, in one line.
fn could_not_hold(broken: &[&Outcome], shown: &Location) -> Option<String> {
    let name = |outcome: &&Outcome| format!("{}{}", sanitize::line(&outcome.assertion), place(outcome, shown));
    let names: Vec<String> = broken.iter().take(MAX_OUTCOMES).map(name).collect();
    let all = text::count(broken.len(), "other expectation");
    (!names.is_empty()).then(|| format!("{all} could not hold: {}", names.join(", ")))
}

/// Where an expectation is written, as far as the heading does not say it.
fn place(outcome: &Outcome, shown: &Location) -> String {
    match &outcome.location {
        Some(location) if location.file != shown.file => format!(" ({})", sanitize::line(&location.to_string())),
        Some(location) if location.span.line != shown.span.line => format!(" (line {})", location.span.line),
        _ => String::new(),
    }
}

/// A text difference shows the output already.
fn shows_output(broken: &[&Outcome]) -> bool {
    let is_text = |outcome: &&Outcome| matches!(outcome.difference.as_deref(), Some(Difference::Text { .. }));
    broken.iter().any(is_text)
}

fn output_lines(output: &Output, style: &Style) -> Vec<String> {
    let error = if output.is_error { " (isError)" } else { "" };
    if output.bytes == 0 {
        return vec![format!("output{error}: empty")];
    }
    let shown = head(&output.text);
    let is_whole = shown.len() == output.bytes;
    let size = text::bytes(output.bytes as u64);
    let begins = if is_whole { "" } else { ", beginning with" };
    let mut lines = vec![format!("output{error}: {size}{begins}")];
    lines.extend(indented(
        2,
        sanitize::lines(shown).into_iter().map(|line| format!("│ {line}")),
    ));
    lines.extend((!is_whole).then(|| style.faint("  │ …")));
    lines
}

fn head(output: &str) -> &str {
    let by_chars = output.char_indices().nth(MAX_OUTPUT).map(|(at, _)| at);
    let by_lines = output
        .match_indices('\n')
        .nth(MAX_OUTPUT_LINES - 1)
        .map(|(at, _)| at + 1);
    let end = by_chars.into_iter().chain(by_lines).min();
    &output[..end.unwrap_or(output.len())]
}

/// What else there was in the step and after it.
fn rest(case: &CaseResult, step: &StepResult) -> Option<String> {
    let held = step
        .outcomes
        .iter()
        .filter(|outcome| outcome.status == Status::Passed)
        .count();
    let held = (held > 0).then(|| format!("{} held", text::count(held, "other expectation")));
    let parts: Vec<String> = held.into_iter().chain(not_run(case, step)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The steps that need a value which this failed step did not give, with the reason that the run noted.
fn consequences<'a>(case: &'a CaseResult, step: &StepResult) -> impl Iterator<Item = String> + 'a {
    let because = format!("not run: step `{}` failed", step.id);
    let skipped = case.steps.iter().filter_map(move |each| {
        let reason = each.reason.as_deref().filter(|reason| reason.starts_with(&because))?;
        Some(format!("`{}` {}", message(&each.id), message(reason)))
    });
    skipped.take(MAX_STEPS)
}

/// The steps that a step without an answer kept from being run.
fn not_run(case: &CaseResult, step: &StepResult) -> Option<String> {
    step.error.as_ref()?;
    let behind = case.steps.iter().skip_while(|each| each.id != step.id).skip(1);
    let ids: Vec<String> = behind
        .filter(|each| each.status == Status::Skipped)
        .map(|each| format!("`{}`", message(&each.id)))
        .collect();
    let named = ids.iter().take(MAX_STEPS).cloned().collect::<Vec<_>>().join(", ");
    match ids.len() {
        0 => None,
        all if all > MAX_STEPS => Some(format!("not run: {named} and {} more", all - MAX_STEPS)),
        _ => Some(format!("not run: {named}")),
    }
}
