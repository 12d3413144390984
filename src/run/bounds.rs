//! How much of a result is kept: what a person can read, so that a thousand failing steps of a talkative server still
//! fit into memory and into every report.

use serde_json::Value;

use crate::{
    model::{Difference, Fault, Finding, Outcome, Output, Reply},
    text::cut,
};

/// Bytes of an output; assertions see all of it.
const OUTPUT: usize = 64 * 1024;

/// Bytes of each side of a difference: what a diff can show.
const DIFFERENCE: usize = 64 * 1024;

/// Characters of a message.
const MESSAGE: usize = 4000;

/// Characters of a line of evidence, and how many there can be.
const EVIDENCE: usize = 1000;
const EVIDENCE_LINES: usize = 40;

/// Characters of a name that a server gives itself.
const NAME: usize = 100;

/// The first part of what a server answered.
pub(super) fn output(reply: &Reply) -> Output {
    let (text, is_error) = match reply {
        Reply::Result(result) => (&result.output, result.is_error),
        Reply::Error(error) => (&error.message, true),
    };
    Output {
        text: text[..text.floor_char_boundary(OUTPUT)].to_owned(),
        bytes: text.len(),
        is_error,
    }
}

/// An outcome whose texts have an end.
pub(super) fn outcome(mut outcome: Outcome) -> Outcome {
    shorten(&mut outcome.message, MESSAGE);
    let is_too_large = |value: &Value| value.to_string().len() > DIFFERENCE;
    match outcome.difference.as_deref_mut() {
        Some(Difference::Text { expected, actual }) => {
            for side in [expected, actual] {
                side.truncate(side.floor_char_boundary(DIFFERENCE));
            }
        }
        Some(Difference::Json { expected, actual }) if is_too_large(expected) || is_too_large(actual) => {
            outcome.difference = None;
        }
        _ => {}
    }
    outcome
}

/// A fault whose texts have an end.
pub(super) fn fault(mut fault: Fault) -> Fault {
    shorten(&mut fault.message, MESSAGE);
    fault.help.iter_mut().for_each(|help| shorten(help, MESSAGE));
    fault.evidence.truncate(EVIDENCE_LINES);
    fault.evidence.iter_mut().for_each(|line| shorten(line, EVIDENCE));
    fault
}

/// Remarks whose texts have an end.
pub(super) fn findings(mut findings: Vec<Finding>) -> Vec<Finding> {
    for finding in &mut findings {
        shorten(&mut finding.message, EVIDENCE);
    }
    findings
}

/// What a server says its name, its version or its protocol is.
pub(super) fn name(text: &str) -> String {
    cut(text, NAME).into_owned()
}

fn shorten(text: &mut String, characters: usize) {
    // A character takes a byte at least, so most texts need not be counted.
    if text.len() > characters {
        *text = cut(text, characters).into_owned();
    }
}
