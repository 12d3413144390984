//! `schema_match`: the structured output is valid against a JSON Schema.

use std::{borrow::Cow, fmt::Write, sync::Arc};

use serde_json::{Value, json};

use super::{
    Assertion, AssertionKind, Compiled, Problem, argument,
    evidence::{found, output},
};
use crate::{
    judge::json_schema::{Schema, SchemaError, Untold, Violations},
    model::{Outcome, Reply, Status, Trace},
    text,
};

const KEY: &str = "schema_match";
const INVALID: &str = "the output is not valid against the schema";
/// Violations told in a message.
const MAX_TOLD: usize = 10;

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the structured content, else the output read as JSON, is valid against this JSON Schema \
              (any draft by `$schema`, 2020-12 without; `format` is checked; nothing is fetched)",
    example: "{type: object, required: [id], properties: {id: {type: integer}}}",
    schema: || json!({ "type": "object" }),
    is_text: argument::nowhere,
    compile,
};

/// Only the schema is kept: a compiled one is far larger, and all fixtures of a run are held in memory.
struct SchemaMatch {
    schema: Value,
}

fn compile(argument: &Value) -> Compiled {
    if !argument.is_object() {
        return Err(argument::wrong(KEY, "a JSON Schema as a mapping", argument).into());
    }
    match Schema::compile(argument) {
        Ok(_) => Ok(Arc::new(SchemaMatch {
            schema: argument.clone(),
        })),
        Err(errors) => Err(errors.into_iter().map(Problem::from).collect()),
    }
}

impl From<SchemaError> for Problem {
    fn from(error: SchemaError) -> Self {
        Self::new(error.code, error.to_string())
            .help(error.help)
            .at(error.place)
    }
}

impl Assertion for SchemaMatch {
    fn is_costly(&self) -> bool {
        true
    }

    fn check_briefly(&self, trace: &Trace) -> Outcome {
        self.judged(trace, |schema, value| {
            if schema.is_valid(value) {
                return valid();
            }
            Outcome::new(KEY, Status::Failed, INVALID)
        })
    }

    fn check(&self, trace: &Trace) -> Outcome {
        self.judged(trace, |schema, value| match schema.violations(value, MAX_TOLD) {
            Ok(found) if found.total == 0 => valid(),
            Ok(found) => Outcome::new(KEY, Status::Failed, told(&found)),
            Err(Untold::TooMuch) => {
                let message = format!("{INVALID}; its alternatives nest too deep to say where");
                Outcome::new(KEY, Status::Failed, message)
            }
            Err(Untold::TooSlow) => {
                let message = "a pattern of the schema takes too many steps on this output: validity is not known";
                Outcome::new(KEY, Status::Errored, message)
            }
        })
    }
}

impl SchemaMatch {
    fn judged(&self, trace: &Trace, judge: impl Fn(&Schema, &Value) -> Outcome) -> Outcome {
        let Some(value) = structured(trace) else {
            let message = format!("expected JSON to compare with the schema, but {}", not_json(trace));
            return Outcome::new(KEY, Status::Failed, message);
        };
        match Schema::compile(&self.schema) {
            Ok(schema) => judge(&schema, &value),
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                Outcome::new(KEY, Status::Errored, errors.join("; "))
            }
        }
    }
}

fn valid() -> Outcome {
    Outcome::new(KEY, Status::Passed, "the output is valid against the schema")
}

fn structured(trace: &Trace) -> Option<Cow<'_, Value>> {
    if let Reply::Result(result) = &trace.reply
        && let Some(structured) = &result.structured
    {
        return Some(Cow::Borrowed(structured));
    }
    serde_json::from_str(output(trace)).ok().map(Cow::Owned)
}

fn not_json(trace: &Trace) -> String {
    match &trace.reply {
        Reply::Result(result) if !result.is_error && !result.output.is_empty() => {
            format!(
                "the output is not JSON: {}",
                text::quote(&result.output, super::evidence::OUTPUT_CHARS)
            )
        }
        _ => found(trace),
    }
}

/// One violation on one line; several below their number, indented.
fn told(found: &Violations) -> String {
    if let ([only], 1) = (found.first.as_slice(), found.total) {
        return format!("{INVALID}: {only}");
    }
    let or_more = if found.or_more { "more than " } else { "" };
    let total = text::count(found.total, "place");
    let mut message = format!("{INVALID} in {or_more}{total}:");
    for violation in &found.first {
        message.push_str("\n  ");
        message.push_str(violation);
    }
    if found.total > found.first.len() {
        // Writing to a string cannot fail.
        let _ = write!(message, "\n  … and {or_more}{} more", found.total - found.first.len());
    }
    message
}
