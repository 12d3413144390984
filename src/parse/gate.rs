//! `gate:` and `known_failures:` of the project file: what closes the gate.

use super::{
    day::day,
    reader::{Field, Fields},
};
use crate::{
    model::{FailOn, KnownFailure},
    source::{Diagnostic, did_you_mean},
    text::{parse_rate, quote},
};

/// Characters of a wrong value that are shown.
const SHOWN: usize = 40;

/// What the project file says of the gate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GateSettings {
    /// What closes it.
    pub fail_on: Option<Vec<FailOn>>,
    /// The least part of the cases that must pass.
    pub min_pass_rate: Option<f64>,
    /// The largest part of the cases that may be errored.
    pub max_error_rate: Option<f64>,
}

pub(super) fn gate(field: Field<'_>) -> Option<GateSettings> {
    let mut fields = Fields::of(field.node, "`gate`", field.problems)?;
    let settings = GateSettings {
        fail_on: fields.take_written("fail_on").map(fail_on),
        min_pass_rate: fields.take_written("min_pass_rate").and_then(rate),
        max_error_rate: fields.take_written("max_error_rate").and_then(rate),
    };
    fields.close(&[], &[]);
    Some(settings)
}

fn fail_on(field: Field<'_>) -> Vec<FailOn> {
    let problems = field.problems;
    let words = field.texts();
    let known = || FailOn::ALL.iter().map(|(_, word, _)| *word);
    words
        .into_iter()
        .filter_map(|written| {
            let found = FailOn::ALL.iter().find(|(_, word, _)| *word == written.value);
            if found.is_none() {
                let message = format!("`fail_on` knows no {}", quote(&written.value, SHOWN));
                let problem = Diagnostic::error("invalid-value", message).help(did_you_mean(&written.value, known()));
                problems.add(written.span, problem);
            }
            found.map(|(fail_on, _, _)| *fail_on)
        })
        .collect()
}

/// A part of the whole: a number from 0 to 1, or a percentage as text.
fn rate(field: Field<'_>) -> Option<f64> {
    let (problems, place) = (field.problems, field.place().used);
    let rate = parse_rate(&field.filled_text()?.value);
    rate.map_err(|why| problems.error("invalid-value", place, why)).ok()
}

pub(super) fn known_failures(field: Field<'_>) -> Vec<KnownFailure> {
    field.items().into_iter().filter_map(known_failure).collect()
}

fn known_failure(field: Field<'_>) -> Option<KnownFailure> {
    let mut fields = Fields::of(field.node, "a known failure", field.problems)?;
    let case = fields.required_text("case");
    let step = fields.text("step");
    let reason = fields.required_text("reason");
    let issue = fields.text("issue");
    let expires = fields.take_written("expires").map(day);
    fields.close(&[], &[]);
    Some(KnownFailure {
        case: case?.value,
        step: step.map(|it| it.value),
        reason: reason?.value,
        issue: issue.map(|it| it.value),
        // An entry whose last day cannot be read must not count for ever.
        expires: match expires {
            Some(date) => Some(date?),
            None => None,
        },
    })
}
