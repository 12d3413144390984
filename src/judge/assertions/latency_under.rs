//! `latency_under`: the answer came within a time.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Assertion, AssertionKind, Compiled, argument};
use crate::{
    model::{Mode, Outcome, Status, Trace},
    text,
};

const KEY: &str = "latency_under";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the call took less than this: milliseconds, or a time such as `500ms` or `2s`; start-up is not counted",
    example: "5000",
    schema: || {
        let written = json!({ "type": "string", "pattern": "^\\s*[0-9.]+\\s*(ms|s|m|min|h)?\\s*$" });
        json!({ "anyOf": [{ "type": "number", "exclusiveMinimum": 0 }, written] })
    },
    is_text: argument::nowhere,
    compile,
};

struct LatencyUnder {
    limit: Duration,
}

fn compile(argument: &Value) -> Compiled {
    let limit = match argument {
        Value::Number(number) => number
            .as_f64()
            .and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok()),
        Value::String(written) => text::parse_duration(written).ok(),
        _ => None,
    };
    match limit {
        Some(limit) if !limit.is_zero() => Ok(Arc::new(LatencyUnder { limit })),
        _ => Err(argument::wrong(KEY, "milliseconds above zero", argument)
            .help("write a number of milliseconds, or a time such as `500ms` or `2s`")
            .into()),
    }
}

impl Assertion for LatencyUnder {
    fn check(&self, trace: &Trace) -> Outcome {
        if trace.mode == Mode::Simulated {
            return Outcome::new(KEY, Status::Skipped, "no server was asked, so there is no latency");
        }
        let (took, limit) = (text::milliseconds(trace.latency), text::milliseconds(self.limit));
        if trace.latency < self.limit {
            Outcome::new(
                KEY,
                Status::Passed,
                format!("the call took {took} ms, less than {limit} ms"),
            )
        } else {
            let message = format!("expected the call to take less than {limit} ms, but it took {took} ms");
            Outcome::new(KEY, Status::Failed, message)
        }
    }
}
