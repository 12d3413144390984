//! `is_error`: the tool marked its result as an error, or did not.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    Assertion, AssertionKind, Compiled, argument,
    evidence::{found, protocol_error},
};
use crate::model::{Outcome, Reply, Status, Trace};

const KEY: &str = "is_error";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the result has `isError: true` (or, with `false`, has not); a JSON-RPC error is no result",
    example: "true",
    schema: || json!({ "type": "boolean" }),
    is_text: argument::nowhere,
    compile,
};

struct IsError {
    expected: bool,
}

fn compile(argument: &Value) -> Compiled {
    let expected = argument::boolean(KEY, argument)?;
    Ok(Arc::new(IsError { expected }))
}

impl Assertion for IsError {
    fn check(&self, trace: &Trace) -> Outcome {
        let word = if self.expected {
            "an error"
        } else {
            "a result without error"
        };
        let outcome = |status, message: String| Outcome::new(KEY, status, message);
        match &trace.reply {
            Reply::Error(error) => outcome(
                Status::Failed,
                format!(
                    "expected {word} of the tool, but the server answered with {}",
                    protocol_error(error)
                ),
            ),
            Reply::Result(result) if result.is_error == self.expected => {
                let is = if self.expected { "is" } else { "is not" };
                outcome(Status::Passed, format!("the result {is} marked as an error"))
            }
            Reply::Result(_) => outcome(
                Status::Failed,
                format!("expected {word} of the tool, but {}", found(trace)),
            ),
        }
    }

    fn expects_error(&self) -> bool {
        self.expected
    }
}
