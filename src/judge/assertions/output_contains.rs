//! `output_contains`: the output has this text somewhere.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Assertion, AssertionKind, Compiled, argument,
    evidence::{all_expected, found, near_match, output},
};
use crate::model::{Outcome, Status, Trace};

const KEY: &str = "output_contains";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the output contains this text, or all texts of a list; case-sensitive",
    example: "\"found 3\"",
    schema: argument::texts_schema,
    is_text: argument::everywhere,
    compile,
};

fn compile(argument: &Value) -> Compiled {
    Ok(Arc::new(OutputContains {
        texts: argument::texts(KEY, argument)?,
    }))
}

struct OutputContains {
    texts: Vec<String>,
}

impl Assertion for OutputContains {
    fn check(&self, trace: &Trace) -> Outcome {
        let output = output(trace);
        let texts = self.texts.iter().map(String::as_str);
        let missing: Vec<&str> = texts.clone().filter(|text| !output.contains(text)).collect();
        if missing.is_empty() {
            return Outcome::new(
                KEY,
                Status::Passed,
                format!("the output contains {}", all_expected(texts)),
            );
        }
        let near = near_match(output, &missing).map_or_else(String::new, |near| format!("; {near}"));
        let missing = all_expected(missing);
        let message = format!("expected the output to contain {missing}, but {}{near}", found(trace));
        Outcome::new(KEY, Status::Failed, message)
    }
}
