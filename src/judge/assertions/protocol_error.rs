//! `protocol_error`: the server answered with a JSON-RPC error.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    Assertion, AssertionKind, Compiled, Problem,
    argument::{self, Keys},
    evidence::{expected, found, protocol_error},
};
use crate::model::{Outcome, Reply, Status, Trace};

const KEY: &str = "protocol_error";
const TAKES: &str = "`true`, or a mapping with `code`, `message` or both";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "the server answered with a JSON-RPC error: any (`true`), one with this `code`, \
              one whose message contains `message`",
    example: "{code: -32602, message: unknown tool}",
    schema: || {
        let code = json!({ "type": ["integer", "string"], "pattern": "^-?[0-9]+$" });
        json!({ "anyOf": [{ "const": true }, {
            "type": "object",
            "properties": { "code": code, "message": argument::text_schema() },
            "minProperties": 1,
            "additionalProperties": false,
        }] })
    },
    is_text: |pointer| pointer == "/message",
    compile,
};

#[derive(Default)]
struct ExpectedError {
    code: Option<i64>,
    message: Option<String>,
}

fn compile(argument: &Value) -> Compiled {
    let refuse = |help: &str| Err(argument::wrong(KEY, TAKES, argument).help(help).into());
    match argument {
        Value::Bool(true) => return Ok(Arc::new(ExpectedError::default())),
        Value::Bool(false) => return refuse("leave it out: a step fails on an error that it does not expect"),
        Value::Object(map) if map.is_empty() => return refuse("for any JSON-RPC error write `true`"),
        _ => {}
    }
    let mut keys = Keys::of(KEY, TAKES, &["code", "message"], argument)?;
    let (code, message) = (keys.optional("code", code), keys.optional("message", message));
    keys.finish()?;
    Ok(Arc::new(ExpectedError { code, message }))
}

fn code(name: &str, argument: &Value) -> Result<i64, Problem> {
    let written = argument.as_str().and_then(|text| text.trim().parse().ok());
    argument
        .as_i64()
        .or(written)
        .ok_or_else(|| argument::wrong(name, "a whole number", argument))
}

fn message(name: &str, argument: &Value) -> Result<String, Problem> {
    let message = argument::text(name, argument)?;
    if message.is_empty() {
        let problem = format!("`{name}` is empty, which is part of every message");
        return Err(Problem::new("empty-expectation", problem));
    }
    Ok(message)
}

impl ExpectedError {
    fn wanted(&self) -> String {
        let code = self.code.map_or_else(
            || "a protocol error".to_owned(),
            |code| format!("protocol error {code}"),
        );
        let message = self.message.as_deref().map(|text| format!(" with {}", expected(text)));
        code + &message.unwrap_or_default()
    }
}

impl Assertion for ExpectedError {
    fn check(&self, trace: &Trace) -> Outcome {
        let Reply::Error(error) = &trace.reply else {
            let message = format!(
                "expected {}, but the server sent a result: {}",
                self.wanted(),
                found(trace)
            );
            return Outcome::new(KEY, Status::Failed, message);
        };
        let code_holds = self.code.is_none_or(|code| code == error.code);
        let message_holds = self.message.as_ref().is_none_or(|text| error.message.contains(text));
        if code_holds && message_holds {
            Outcome::new(
                KEY,
                Status::Passed,
                format!("the server answered with {}", protocol_error(error)),
            )
        } else {
            Outcome::new(
                KEY,
                Status::Failed,
                format!("expected {}, but {}", self.wanted(), found(trace)),
            )
        }
    }

    fn expects_error(&self) -> bool {
        true
    }
}
