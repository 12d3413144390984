//! Every case, to be filtered and looked into.

use std::collections::BTreeMap;

use super::{
    depth::{Depth, Good},
    difference, escape, latency,
};
use crate::{
    model::{CaseChange, CaseResult, Fault, Mode, Origin, Outcome, Status, StepResult},
    report::{changes::Entry, detail},
    text,
};

pub(super) fn section(entries: &[Entry<'_>], depth: Depth) -> String {
    if entries.iter().all(|entry| entry.case.is_none()) {
        return String::new();
    }
    let mut explained = 0;
    let mut list = String::new();
    for (number, entry) in entries.iter().enumerate() {
        let Some(case) = entry.case else { continue };
        explained += usize::from(!case.status.is_good());
        list.push_str(&one(number, entry, case, explained <= depth.explained, depth));
    }
    format!(
        "<section class=\"part\" aria-label=\"cases\"><h2>cases</h2>\n{}<div id=\"cases\">\n{list}</div>\n</section>\n",
        controls(entries)
    )
}

/// Mark and word of a status: nothing is said by colour alone.
pub(super) fn mark(status: Status) -> String {
    let (class, mark) = match status {
        Status::Passed | Status::XFailed => ("good", "✓"),
        Status::Failed | Status::XPassed => ("bad", "✗"),
        Status::Errored => ("bad", "!"),
        Status::Flaky => ("doubtful", "~"),
        Status::Skipped => ("faint", "-"),
    };
    format!("<b class=\"{class}\">{mark} {}</b>", status.word())
}

/// The filter; the script shows it, since it does nothing without.
fn controls(entries: &[Entry<'_>]) -> String {
    let cases: Vec<_> = entries.iter().filter(|entry| entry.case.is_some()).collect();
    let mut statuses: BTreeMap<Status, usize> = BTreeMap::new();
    let mut changes: BTreeMap<CaseChange, usize> = BTreeMap::new();
    for entry in &cases {
        *statuses.entry(entry.status()).or_default() += 1;
        if let Some(change) = entry.change {
            *changes.entry(change.change).or_default() += 1;
        }
    }
    let button = |word: &str, count: usize, pressed: bool| {
        format!("<button type=\"button\" data-filter=\"{word}\" aria-pressed=\"{pressed}\">{word} {count}</button>\n")
    };
    // The worst first.
    let statuses = statuses.iter().rev().map(|(status, count)| (status.word(), *count));
    let changes = changes.iter().rev().map(|(change, count)| (change.word(), *count));
    let buttons: String = statuses
        .chain(changes)
        .map(|(word, count)| button(word, count, false))
        .collect();
    format!(
        "<div id=\"controls\" role=\"search\" hidden>\n<label>find <input id=\"find\" type=\"search\" autocomplete=\"off\"></label>\n\
         <span role=\"group\" aria-label=\"which cases\">{}{buttons}</span>\n<output id=\"shown\"></output>\n</div>\n",
        button("all", cases.len(), true)
    )
}

fn one(number: usize, entry: &Entry<'_>, case: &CaseResult, is_explained: bool, depth: Depth) -> String {
    let change = entry.change.map_or("", |change| change.change.word());
    let badge = match change {
        "" | "unchanged" => String::new(),
        word => format!(" <i class=\"badge\">{word}</i>"),
    };
    let simulated = match case.mode {
        Mode::Live => "",
        Mode::Simulated => " <i class=\"badge\">simulation</i>",
    };
    let head = format!(
        "{} <span class=\"name\">{}</span>{badge}{simulated} <small class=\"where\">{}</small> <small>{}</small>",
        mark(case.status),
        escape::name(entry.name()),
        escape::name(&entry.place().unwrap_or_default()),
        text::duration(case.duration)
    );
    let status = case.status.word();
    let attributes = format!("class=\"case\" id=\"case-{number}\" data-status=\"{status}\" data-change=\"{change}\"");
    let is_told = if case.status.is_good() {
        depth.good != Good::Line
    } else {
        is_explained
    };
    if is_told {
        format!(
            "<details {attributes}><summary>{head}</summary>\n{}</details>\n",
            body(case, depth)
        )
    } else {
        format!("<div {attributes}>{head}</div>\n")
    }
}

fn body(case: &CaseResult, depth: Depth) -> String {
    let mut body = String::new();
    let said = case.description.iter().chain(&case.reason);
    body.extend(said.map(|text| format!("<p class=\"why\">{}</p>\n", escape::message(text))));
    if let (Some(server), false) = (&case.server, case.status.is_good()) {
        let named = format!("{} {}, protocol {}", server.name, server.version, server.protocol);
        body.push_str(&format!("<p><small>server {}</small></p>\n", escape::name(&named)));
    }
    body.extend(case.fault.as_deref().map(fault));
    body.extend(case.steps.iter().map(|step| one_step(step, case, depth)));
    if case.steps.len() > 2 && case.mode == Mode::Live {
        let times: Vec<_> = case.steps.iter().map(|step| step.duration).collect();
        body.push_str(&format!("<p><small>steps {}</small></p>\n", latency::sparkline(&times)));
    }
    body.push_str(&earlier_attempts(case));
    body
}

/// The attempts before the last one; they are what a flaky case is about.
fn earlier_attempts(case: &CaseResult) -> String {
    let lines = detail::earlier_attempts(case);
    if lines.is_empty() {
        return String::new();
    }
    let open = if case.status == Status::Flaky { " open" } else { "" };
    let times: Vec<_> = case.earlier_attempts.iter().map(|attempt| attempt.duration).collect();
    let count = text::count(lines.len(), "earlier attempt");
    let lines: String = lines
        .iter()
        .map(|line| format!("<li>{}</li>\n", escape::message(line)))
        .collect();
    format!(
        "<details{open}><summary>{count} {}</summary>\n<ul>\n{lines}</ul></details>\n",
        latency::sparkline(&times)
    )
}

fn one_step(step: &StepResult, case: &CaseResult, depth: Depth) -> String {
    let mut body = String::new();
    let said = step.description.iter().chain(&step.reason);
    body.extend(said.map(|text| format!("<p class=\"why\">{}</p>\n", escape::message(text))));
    body.extend(step.error.as_deref().map(fault));
    body.push_str(&outcomes(step, case, depth));
    let shown = match depth.good {
        _ if !case.status.is_good() => depth.bad_output,
        Good::Whole(characters) => characters,
        Good::Steps | Good::Line => 0,
    };
    if let Some(output) = step.output.as_ref().filter(|output| shown > 0 && output.bytes > 0) {
        let error = if output.is_error { " (isError)" } else { "" };
        // A difference has told what stands in it.
        let open = if step.outcomes.iter().any(|it| it.difference.is_some()) {
            ""
        } else {
            " open"
        };
        body.push_str(&format!(
            "<details{open}><summary><small>output{error}, {}</small></summary>\n<pre>{}</pre></details>\n",
            text::bytes(output.bytes as u64),
            escape::lines(&output.text, shown)
        ));
    }
    if !case.status.is_good() {
        body.push_str(&heard(step));
    }
    let samples = match step.samples.as_slice() {
        [] | [_] => String::new(),
        samples => format!(" {}", latency::sparkline(samples)),
    };
    format!(
        "<div class=\"step\"><h3>{} {} <code>{}</code> <small>{}</small>{samples}</h3>\n{body}</div>\n",
        mark(step.status),
        escape::name(&step.id),
        escape::name(&step.tool),
        text::duration(step.duration)
    )
}

/// Every expectation that is worth a line.
fn outcomes(step: &StepResult, case: &CaseResult, depth: Depth) -> String {
    let is_told = |outcome: &&Outcome| {
        !outcome.status.is_good() || !case.status.is_good() || matches!(depth.good, Good::Whole(_))
    };
    let told: String = step
        .outcomes
        .iter()
        .filter(is_told)
        .map(|it| one_outcome(it, depth))
        .collect();
    match (told.is_empty(), step.outcomes.len()) {
        (_, 0) => String::new(),
        (true, held) => format!("<p><small>{} held</small></p>\n", text::count(held, "expectation")),
        (false, _) => format!("<ul>\n{told}</ul>\n"),
    }
}

fn one_outcome(outcome: &Outcome, depth: Depth) -> String {
    let difference = outcome.difference.as_deref();
    let difference = difference.map(|it| difference::block(it, depth.diff_lines, ("expected", "found")));
    format!(
        "<li>{} <code>{}</code> <span class=\"why\">{}</span>{}</li>\n",
        mark(outcome.status),
        escape::name(&outcome.assertion),
        escape::message(&outcome.message),
        difference.unwrap_or_default()
    )
}

fn fault(fault: &Fault) -> String {
    let whose = match fault.origin {
        Origin::Server => "",
        Origin::Surroundings => " <small>(not the server's fault)</small>",
    };
    let help = fault
        .help
        .as_deref()
        .map(|help| format!("<br>help: {}", escape::message(help)));
    let evidence = match fault.evidence.as_slice() {
        [] => String::new(),
        lines => format!("<pre>{}</pre>\n", escape::lines(&lines.join("\n"), 20_000)),
    };
    format!(
        "<p class=\"why\"><b class=\"bad\">{}</b>: {}{whose}{}</p>\n{evidence}",
        fault.kind.word(),
        escape::message(&fault.message),
        help.unwrap_or_default()
    )
}

/// What the server said on its own account.
fn heard(step: &StepResult) -> String {
    let requests = step.heard.iter().flat_map(|it| &it.requests);
    let requests = requests.map(|method| format!("asked for {method}"));
    let told = step.heard.iter().flat_map(|it| &it.notifications);
    let told = told.map(|told| {
        let params = told.params.as_deref().unwrap_or_default();
        format!("told {} {params}", told.method)
    });
    let lines: String = requests
        .chain(told)
        .map(|line| format!("<li class=\"why\">the server {}</li>\n", escape::message(&line)))
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!("<ul>\n{lines}</ul>\n")
    }
}
