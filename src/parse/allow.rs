//! `allow:` in the project file: changes of a surface that somebody has looked at and accepts.

use super::{
    day::day,
    hints,
    problems::Problems,
    reader::{Field, Fields},
};
use crate::{
    source::{Diagnostic, Located},
    text::Date,
};

/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 12;

/// One accepted change, or all of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// What is accepted.
    pub target: AllowedTarget,
    /// Only for the server of this name.
    pub server: Option<String>,
    /// Only about this, such as the name of a tool.
    pub subject: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day it counts.
    pub expires: Option<Date>,
}

/// What an allowance is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedTarget {
    /// One change, by its fingerprint.
    Fingerprint(String),
    /// Every change that a rule finds.
    Rule(Located<String>),
}

/// The entries of the list; those with an error in them are left out.
pub(super) fn read(field: Field<'_>) -> Vec<Allowance> {
    let items = field.items().into_iter();
    items.filter_map(|item| entry(item, field.problems)).collect()
}

fn entry(item: Field<'_>, problems: &Problems) -> Option<Allowance> {
    let mut fields = Fields::of(item.node, "an entry of `allow`", problems)?;
    let fingerprint = fields.take_written("fingerprint");
    let rule = fields.take_written("rule");
    let server = fields.text("server");
    let subject = fields.text("subject");
    let reason = fields.require("reason").and_then(Field::filled_text);
    let expires = fields.take_written("expires").map(day);
    fields.close(hints::ALLOW, &[]);
    let target = match (fingerprint, rule) {
        (Some(fingerprint), None) => fingerprint_of(fingerprint).map(AllowedTarget::Fingerprint),
        (None, Some(rule)) => rule.filled_text().map(AllowedTarget::Rule),
        (Some(_), Some(rule)) => {
            rule.error(
                "invalid-value",
                "an entry of `allow` has a `fingerprint` or a `rule`, not both",
            );
            None
        }
        (None, None) => {
            item.error(
                "missing-key",
                "an entry of `allow` has neither `fingerprint` nor `rule`",
            );
            None
        }
    };
    Some(Allowance {
        target: target?,
        server: server.map(|it| it.value),
        subject: subject.map(|it| it.value),
        reason: reason?.value,
        // An entry whose last day cannot be read must not count for ever.
        expires: match expires {
            Some(date) => Some(date?),
            None => None,
        },
    })
}

fn fingerprint_of(field: Field<'_>) -> Option<String> {
    let text = field.text()?.value;
    let is_one = text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !is_one {
        let message = format!("`{text}` is not a fingerprint");
        let problem = Diagnostic::error("invalid-value", message);
        field.add(problem.help("`mcpvals diff` shows it with each change: twelve hexadecimal digits, quoted"));
    }
    is_one.then_some(text)
}
