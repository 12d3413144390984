//! `output_equals`: the output is exactly this text.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Assertion, AssertionKind, Compiled, argument,
    evidence::{EXPECTED_CHARS, LOOK_ALIKE, expected, found, output},
};
use crate::{
    model::{Difference, Outcome, Status, Trace},
    text::{self, JsonChangeKind},
};

const KEY: &str = "output_equals";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the output is exactly this text, to the last character",
    example: "\"8\"",
    schema: argument::text_schema,
    is_text: argument::everywhere,
    compile,
};

fn compile(argument: &Value) -> Compiled {
    let text = argument::text(KEY, argument).map_err(|problem| match argument {
        Value::Array(_) | Value::Object(_) => {
            problem.help("the output is text: quote it, or assert its structure with `schema_match`")
        }
        _ => problem.help("for no output at all write `\"\"`"),
    })?;
    Ok(Arc::new(OutputEquals { text }))
}

struct OutputEquals {
    text: String,
}

impl Assertion for OutputEquals {
    fn check(&self, trace: &Trace) -> Outcome {
        let actual = output(trace);
        if self.text == actual {
            let message = format!("the output is {}", expected(&self.text));
            return Outcome::new(KEY, Status::Passed, message);
        }
        if let (Some(wanted), Some(came)) = (structure(&self.text), structure(actual)) {
            if let Some(outcome) = differing_json(wanted, came) {
                return outcome;
            }
            if text::same_json(&self.text, actual) {
                let message = "the output is the same JSON, but formatting or the order of keys differs; \
                               `schema_match` does not mind that";
                return Outcome::new(KEY, Status::Failed, message).difference(both(&self.text, actual));
            }
        }
        let message = match only_difference(&self.text, actual) {
            Some(difference) => format!("the output differs from the expected text only in {difference}"),
            None => differing_line(&self.text, actual).unwrap_or_else(|| {
                let expected = expected(&self.text);
                format!("expected the output to be {expected}, but {}", found(trace))
            }),
        };
        Outcome::new(KEY, Status::Failed, message).difference(both(&self.text, actual))
    }
}

fn both(expected: &str, actual: &str) -> Difference {
    Difference::Text {
        expected: expected.to_owned(),
        actual: actual.to_owned(),
    }
}

/// An object or a list; a lone number or word is better compared as text.
fn structure(text: &str) -> Option<Value> {
    let is_structure = text.trim_start().starts_with(['{', '[']);
    is_structure.then(|| serde_json::from_str(text).ok()).flatten()
}

fn differing_json(expected: Value, actual: Value) -> Option<Outcome> {
    let diff = text::json_diff(&expected, &actual, 1);
    let first = diff.changes.first()?;
    let places = text::count(diff.changes.len() + diff.more, "place");
    let short = |value: &Value| text::cut(&value.to_string(), EXPECTED_CHARS).into_owned();
    let change = match first.kind {
        JsonChangeKind::Added(value) => format!("{} is not expected: {}", first.path, short(value)),
        JsonChangeKind::Removed(value) => format!("{} is missing: {}", first.path, short(value)),
        JsonChangeKind::Changed { expected, actual } => {
            format!("{} is {}, expected {}", first.path, short(actual), short(expected))
        }
    };
    let message = format!("the output is JSON that differs from the expected one in {places}: {change}");
    Some(Outcome::new(KEY, Status::Failed, message).difference(Difference::Json { expected, actual }))
}

/// The first line that differs, where both texts have several: they are too long to be told whole.
fn differing_line(wanted: &str, came: &str) -> Option<String> {
    let (mut wanted, mut came) = (wanted.lines(), came.lines());
    wanted.clone().nth(1).and(came.clone().nth(1))?;
    for number in 1.. {
        let change = match (wanted.next(), came.next()) {
            (None, None) => break,
            (wanted, came) if wanted == came => continue,
            (Some(wanted), Some(came)) => format!("it is {}, expected {}", expected(came), expected(wanted)),
            (Some(wanted), None) => format!("it is missing: {}", expected(wanted)),
            (None, came) => format!("it is not expected: {}", expected(came.unwrap_or_default())),
        };
        return Some(format!(
            "the output differs from the expected text, first in line {number}: {change}"
        ));
    }
    None
}

/// What alone differs, where two texts look the same in a report.
fn only_difference(expected: &str, actual: &str) -> Option<String> {
    let lines = |text: &str| text.replace("\r\n", "\n");
    if expected.trim_end_matches('\n') == actual.trim_end_matches('\n') {
        let more = expected.len() > actual.len();
        let (has, hint) = if more {
            ("expected text", " (use `|-` in YAML)")
        } else {
            ("output", "")
        };
        return Some(format!("a trailing newline, which the {has} has{hint}"));
    }
    if lines(expected) == lines(actual) {
        let has = if actual.contains("\r\n") {
            "output"
        } else {
            "expected text"
        };
        return Some(format!("line endings: the {has} has CRLF"));
    }
    if expected.split_whitespace().eq(actual.split_whitespace()) {
        let (expected, actual) = (first_difference(expected, actual), first_difference(actual, expected));
        return Some(format!("white space: expected {expected}, found {actual}"));
    }
    if expected.to_lowercase() == actual.to_lowercase() {
        return Some(format!("capitals: {}", first_difference(actual, expected)));
    }
    (text::appearance(expected) == text::appearance(actual)).then(|| {
        let (wanted, came) = (first_character(expected, actual), first_character(actual, expected));
        let place = first_difference(actual, expected);
        format!("{LOOK_ALIKE}: expected {wanted}, found {came} in {place}")
    })
}

/// The surroundings of the first character of `text` that is not the same in `other`; spaces are made visible.
fn first_difference(text: &str, other: &str) -> String {
    let same = same_start(text, other);
    let mut shown = String::new();
    for c in text::around(text, same..same, 20).chars() {
        match c {
            ' ' => shown.push('·'),
            c if c.is_whitespace() => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// The code point of the first character of `text` that is not the same in `other`.
fn first_character(text: &str, other: &str) -> String {
    match text[same_start(text, other)..].chars().next() {
        Some(c) => format!("U+{:04X}", u32::from(c)),
        None => "the end".to_owned(),
    }
}

/// The bytes of `text` up to the first character that is not the same in `other`.
fn same_start(text: &str, other: &str) -> usize {
    let same = text.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}
