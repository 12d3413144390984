//! Whatever servers, fixtures and baselines say: what GitHub gets, as a parser of its dialect reads it.

use std::sync::Arc;

use comrak::Options;
use regex::Regex;

use super::{inline::Inline, *};
use crate::{
    model::{CaseId, CaseResult, Comparison, Difference, Fault, Report, StepResult},
    report::sample,
    source::Location,
    text::sanitize,
};

/// Texts that attack Markdown, GitHub or our own structure.
const NASTY: &[&str] = &[
    sample::HOSTILE,
    "```\n````` ``` `\n~~~",
    "``` `` ` ```` ``````````",
    "</details></summary>\n\n</details>\n<details><summary>",
    "<!-- open",
    "<img src=x onerror=alert(1)><a href=//x>x</a><table><tr><td>",
    "@octocat @org/team a@example.com mailto:a@example.com xmpp:a@example.com/x",
    "#1 GH-2 gh-3 o/r#4 o/r@0123456789abcdef0123456789abcdef01234567 0123456 JIRA-5",
    "https://evil.example/x http://a.b ftp://a.b www.evil.example WWW.a.b //a.b",
    "[a](https://b.c) ![a](b) [a][b] [^1] [x] <https://a.b>",
    "[a]: https://b.c",
    "[^1]: note",
    "- [ ] a\n- b\n* c\n+ d\n1. e\n2) f\n> g\n# h\n---\n===\n***",
    "    code\n\tcode",
    "a | b | c\n--- | --- | ---\n\\| \\",
    "|",
    "\\",
    "\\`\\*\\",
    "*a* **b** _c_ __d__ ~e~ ~~f~~ a*b*c a_b_c _",
    ":+1: :tada: a:b:c ::1::",
    "$x$ $$y$$ $`z`$ \\(a\\) \\[b\\]",
    "&#64;octocat &lt;b&gt; &commat;octocat &amp;lt;",
    "> [!WARNING]\n> a",
    "\r\n\r\n<b>\r\n",
    "\u{202e}\u{200b}\u{2066}\u{1b}[31m\0\u{7}\u{85}\u{2028}",
    "",
    " ",
    "\n",
    "/regex/",
    "`",
    "a `b",
    "`<b>` `@octocat` `https://a.b` `|` `a@b.co`",
    "日本語 👩‍👩‍👧 می‌خواهم",
    "::error::x ##[error]y",
];

/// A report with this text wherever a server, a fixture or a baseline has a say.
fn poisoned(text: &str) -> Report {
    let mut report = super::tests::compared();
    report.verdict.reason = text.to_owned();
    report.selection.narrowed_by = vec![text.to_owned()];
    report.notes = vec![text.to_owned()];
    for (index, case) in report.cases.iter_mut().enumerate() {
        case.id = CaseId::new(text, &index.to_string());
        poison_case(case, text);
    }
    for diagnostic in &mut report.diagnostics {
        diagnostic.message = text.to_owned();
        diagnostic.help = Some(text.to_owned());
    }
    poison_comparison(report.comparison.as_mut().unwrap(), text);
    report
}

fn poison_case(case: &mut CaseResult, text: &str) {
    case.name = text.to_owned();
    case.description = Some(text.to_owned());
    case.reason = Some(text.to_owned());
    poison_location(&mut case.location, text);
    case.fault.iter_mut().for_each(|fault| poison_fault(fault, text));
    case.steps.iter_mut().for_each(|step| poison_step(step, text));
    case.earlier_attempts
        .iter_mut()
        .for_each(|it| it.message = text.to_owned());
    case.findings.iter_mut().for_each(|it| it.message = text.to_owned());
}

fn poison_step(step: &mut StepResult, text: &str) {
    step.id = text.to_owned();
    step.tool = text.to_owned();
    step.reason = Some(text.to_owned());
    step.output = Some(sample::output(text));
    poison_location(&mut step.location, text);
    step.error.iter_mut().for_each(|fault| poison_fault(fault, text));
    for (index, outcome) in step.outcomes.iter_mut().enumerate() {
        outcome.message = text.to_owned();
        outcome.location.iter_mut().for_each(|it| poison_location(it, text));
        *outcome = outcome.clone().difference(difference(index, text));
    }
}

fn difference(index: usize, text: &str) -> Difference {
    let (expected, actual) = (format!("{text}\na\nb"), format!("a\n{text}\nb {text}"));
    if index.is_multiple_of(2) {
        Difference::Text { expected, actual }
    } else {
        Difference::Json {
            expected: serde_json::json!({ text: expected }),
            actual: serde_json::json!({ text: actual, "other": text }),
        }
    }
}

fn poison_fault(fault: &mut Fault, text: &str) {
    fault.message = text.to_owned();
    fault.help = Some(text.to_owned());
    fault.evidence = vec![text.to_owned(); 3];
}

fn poison_location(location: &mut Location, text: &str) {
    location.file = Arc::from(text);
}

fn poison_comparison(comparison: &mut Comparison, text: &str) {
    comparison.baseline.place = text.to_owned();
    comparison.baseline.chosen = text.to_owned();
    comparison.baseline.commit = Some(text.to_owned());
    comparison.notices = vec![text.to_owned()];
    for (index, case) in comparison.cases.iter_mut().enumerate() {
        case.id = CaseId::new(text, &index.to_string());
        case.reason = Some(text.to_owned());
        case.renamed_from = Some(CaseId::new(text, text));
        for output in &mut case.outputs {
            output.step = text.to_owned();
            output.difference = Some(difference(index, text));
        }
        case.latencies.iter_mut().for_each(|it| it.step = text.to_owned());
    }
    for surface in &mut comparison.surfaces {
        surface.server = text.to_owned();
        surface.notice = Some(text.to_owned());
        for change in &mut surface.changes {
            change.subject = format!("tool `{text}`");
            change.path = text.to_owned();
            change.message = text.to_owned();
            change.allowed = change.allowed.is_some().then(|| text.to_owned());
            change.witness.iter_mut().for_each(|it| it.value = text.into());
        }
    }
}

/// As GitHub renders it, as far as its parser goes.
fn html(markdown: &str) -> String {
    let mut options = Options::default();
    options.render.r#unsafe = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.alerts = true;
    options.extension.math_dollars = true;
    options.extension.math_code = true;
    comrak::markdown_to_html(markdown, &options)
}

/// Every tag in order, and the texts that stand outside of code, a line each.
fn taken_apart(html: &str) -> (Vec<&str>, String) {
    let (mut tags, mut text, mut code) = (Vec::new(), String::new(), 0);
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        if code == 0 {
            text.push_str(before);
            text.push('\n');
        }
        let (tag, behind) = after.split_once('>').expect("a tag ends");
        match tag.split_whitespace().next().unwrap_or_default() {
            "code" => code += 1,
            "/code" => code -= 1,
            _ => {}
        }
        tags.push(tag);
        rest = behind;
    }
    assert!(!rest.contains('>'), "{rest}");
    (tags, decoded(&text))
}

/// A text with its character references replaced.
fn decoded(text: &str) -> String {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').expect("a reference ends");
        out.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            number => number[1..].parse().ok().and_then(char::from_u32).expect("a character"),
        });
        out.push_str(rest);
    }
    out
}

fn assert_sound(markdown: &str, references: &Regex, told: &str) {
    const OURS: &[&str] = &[
        "b", "code", "details", "em", "h3", "h4", "li", "p", "pre", "span", "sub", "summary", "table", "tbody", "td",
        "th", "thead", "tr", "ul",
    ];
    let html = html(markdown);
    let (tags, text) = taken_apart(&html);
    let mut open: Vec<&str> = Vec::new();
    for tag in &tags {
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{told}\n{markdown}\n{html}"),
            None if matches!(name, "br" | "br/") => {}
            None => {
                assert!(OURS.contains(&name), "<{tag}> {told}\n{markdown}");
                open.push(name);
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "{told}\n{markdown}");
    assert!(!html.contains("<pre><code>"), "code by indentation: {told}\n{markdown}");
    let found = references.find(&text).map(|found| found.as_str());
    assert_eq!(found, None, "{told}\n{text}");
    let raw = markdown
        .chars()
        .find(|c| c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}'));
    assert_eq!(raw, None, "{told}");
}

/// What GitHub makes of a text besides what its parser does.
fn references() -> Regex {
    Regex::new(r"(?i)@[a-z0-9]|#[0-9]|gh-[0-9]|[a-z]-[0-9]|\b[0-9a-f]{7,40}\b|://|www\.[a-z0-9]|:[a-z0-9_+-]+:|.\$|\$.")
        .unwrap()
}

#[test]
fn nothing_is_left_open_or_comes_alive_whatever_is_said() {
    let references = references();
    for text in NASTY {
        for text in [(*text).to_owned(), format!("a {text} b"), text.repeat(40)] {
            let report = poisoned(&text);
            let whole = markdown(&report, Size::JobSummary, Size::JobSummary.bytes());
            assert_sound(&whole, &references, &text);
        }
    }
}

#[test]
fn nothing_is_left_open_at_any_budget() {
    let references = references();
    for (index, text) in NASTY.iter().enumerate() {
        let report = poisoned(text);
        let whole = markdown(&report, Size::Comment, Size::Comment.bytes());
        for bytes in (index..whole.len()).step_by(whole.len() / 12 + 1) {
            let cut = markdown(&report, Size::Comment, bytes);
            assert!(cut.len() <= bytes, "{} > {bytes}", cut.len());
            assert_sound(&cut, &references, &format!("{bytes}: {text}"));
        }
    }
}

#[test]
fn what_is_said_is_read_as_it_was_said() {
    for text in NASTY {
        let name = Inline::default().name(text);
        for markdown in [
            format!("{}\n", name.as_str()),
            format!("- {}\n", name.as_str()),
            format!("<details><summary>{}</summary>\n", name.as_str()),
        ] {
            let (_, read) = taken_apart(&html(&markdown));
            let read = read.replace(['\n', '\u{200b}'], "");
            assert_eq!(read.trim(), sanitize::line(text).trim(), "{markdown}");
        }
    }
}
