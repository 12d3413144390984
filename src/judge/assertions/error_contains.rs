//! `error_contains`: the call failed, and the error says this.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Assertion, AssertionKind, Compiled, argument,
    evidence::{all_expected, found, near_match},
};
use crate::model::{Outcome, Reply, Status, Trace};

const KEY: &str = "error_contains";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the call failed, and the text of the error (of the tool or of the protocol) contains this text, \
              or all texts of a list",
    example: "not found",
    schema: argument::texts_schema,
    is_text: argument::everywhere,
    compile,
};

struct ErrorContains {
    texts: Vec<String>,
}

fn compile(argument: &Value) -> Compiled {
    Ok(Arc::new(ErrorContains {
        texts: argument::texts(KEY, argument)?,
    }))
}

impl Assertion for ErrorContains {
    fn check(&self, trace: &Trace) -> Outcome {
        let texts = self.texts.iter().map(String::as_str);
        let error = match &trace.reply {
            Reply::Error(error) => &error.message,
            Reply::Result(result) if result.is_error => &result.output,
            Reply::Result(_) => {
                let wanted = all_expected(texts);
                let message = format!(
                    "expected an error with {wanted}, but the call succeeded and {}",
                    found(trace)
                );
                return Outcome::new(KEY, Status::Failed, message);
            }
        };
        let missing: Vec<&str> = texts.clone().filter(|text| !error.contains(text)).collect();
        if missing.is_empty() {
            return Outcome::new(
                KEY,
                Status::Passed,
                format!("the error contains {}", all_expected(texts)),
            );
        }
        let near = near_match(error, &missing).map_or_else(String::new, |near| format!("; {near}"));
        let missing = all_expected(missing);
        Outcome::new(
            KEY,
            Status::Failed,
            format!("expected the error to contain {missing}, but {}{near}", found(trace)),
        )
    }

    fn expects_error(&self) -> bool {
        true
    }
}
