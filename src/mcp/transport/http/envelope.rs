//! The little of JSON-RPC that the transport must know: what is asked, and whether a message answers it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    mcp::{broken, jsonrpc},
    model::Phase,
};

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    error: Option<Problem<'a>>,
}

#[derive(Deserialize)]
struct Problem<'a> {
    #[serde(default)]
    code: Option<i64>,
    #[serde(borrow, default)]
    message: Option<Cow<'a, str>>,
}

/// A request of ours that waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    /// Its id.
    pub id: u64,
    /// What was being done with it.
    pub phase: Phase,
}

impl Asked {
    /// Reads the method of one of our own messages.
    pub(super) fn new(id: u64, text: &str) -> Self {
        Self { id, phase: phase(text) }
    }

    /// Whether it opens a session, and so belongs to none.
    pub(super) fn opens_session(self) -> bool {
        self.phase == Phase::Initialize
    }

    /// Whether the message is, or as a batch holds, the answer to it. An id that came back as `"7"` or `7.0` counts: the
    /// session takes it and says so.
    pub(super) fn is_answered_by(self, message: &Value) -> bool {
        if let Value::Array(batch) = message {
            return batch.iter().any(|message| self.is_answered_by(message));
        }
        let id = message.get("id").and_then(jsonrpc::our_id);
        id == Some(self.id) && jsonrpc::is_answer(message)
    }

    /// Whether a text that is not read may be, or as a batch hold, the answer to it.
    pub(super) fn is_perhaps_answered_by(self, text: &str) -> bool {
        text.trim_start().starts_with('[') || broken::id_of_answer(text) == Some(self.id)
    }
}

/// What was being done when one of our messages was sent.
pub(super) fn phase(text: &str) -> Phase {
    let method = serde_json::from_str::<Envelope<'_>>(text)
        .ok()
        .and_then(|message| message.method);
    match method.as_deref() {
        Some("initialize" | "notifications/initialized") => Phase::Initialize,
        Some("tools/list") => Phase::ListTools,
        Some("resources/list" | "resources/templates/list" | "prompts/list") => Phase::List,
        _ => Phase::Call,
    }
}

/// The code and the message of a JSON-RPC error, where the text is one.
pub(super) fn error(text: &str) -> Option<(Option<i64>, String)> {
    let problem = serde_json::from_str::<Envelope<'_>>(text).ok()?.error?;
    Some((problem.code, problem.message?.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(text: &str) -> bool {
        let asked = Asked::new(7, r#"{"id":7,"method":"tools/call"}"#);
        serde_json::from_str(text).is_ok_and(|message| asked.is_answered_by(&message))
    }

    #[test]
    fn only_a_message_with_our_id_that_asks_nothing_is_the_answer() {
        assert!(answered(r#" {"jsonrpc":"2.0","id":7,"result":{}}"#));
        assert!(answered(r#"{"id":7,"error":{"code":1,"message":"m"}}"#));
        assert!(!answered(r#"{"id":8,"result":{}}"#));
        assert!(answered(r#"{"id":"7","result":{}}"#));
        assert!(answered(r#"{"id":7.0,"result":{}}"#));
        assert!(!answered(r#"{"id":7.5,"result":{}}"#));
        assert!(!answered(r#"{"id":"7a","result":{}}"#));
        assert!(!answered(r#"{"id":null,"error":{}}"#));
        assert!(!answered(r#"{"id":7,"method":"ping"}"#));
        assert!(!answered(r#"{"id":7,"method":"ping","result":null}"#));
        assert!(answered(r#"{"id":7,"method":"ping","result":{}}"#));
        assert!(answered(r#"{"id":7,"method":null,"result":{}}"#));
        assert!(!answered("<html>"));
    }

    #[test]
    fn a_batch_answers_with_any_of_its_messages() {
        assert!(answered(r#"[{"method":"x"},{"id":7,"result":{}}]"#));
        assert!(!answered(r#"[{"method":"x"},{"id":9,"result":{}}]"#));
        assert!(!answered("[]"));
    }

    #[test]
    fn the_method_tells_what_was_being_done() {
        assert!(Asked::new(1, r#"{"method":"initialize"}"#).opens_session());
        assert!(!Asked::new(1, r#"{"method":"tools/list"}"#).opens_session());
        assert_eq!(phase(r#"{"method":"tools/list"}"#), Phase::ListTools);
        assert_eq!(phase(r#"{"id":1,"result":{}}"#), Phase::Call);
    }
}
