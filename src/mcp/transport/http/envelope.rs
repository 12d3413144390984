//! The little of JSON-RPC that the transport must know: what is asked, and whether a text answers it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::Phase;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
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

    /// Whether the text is, or as a batch holds, the answer to it.
    pub(super) fn is_answered_by(self, text: &str) -> bool {
        let text = text.trim_start();
        if text.starts_with('[') {
            let batch = serde_json::from_str::<Vec<Envelope<'_>>>(text);
            return batch.is_ok_and(|messages| messages.iter().any(|message| message.answers(self.id)));
        }
        serde_json::from_str::<Envelope<'_>>(text).is_ok_and(|message| message.answers(self.id))
    }
}

impl Envelope<'_> {
    /// An id that came back as `"7"` or `7.0` counts: the session takes it and says so.
    fn answers(&self, id: u64) -> bool {
        let raw = self.id.map(|raw| raw.get().trim_matches('"')).unwrap_or_default();
        self.method.is_none() && raw.strip_suffix(".0").unwrap_or(raw).parse() == Ok(id)
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
        Asked::new(7, r#"{"id":7,"method":"tools/call"}"#).is_answered_by(text)
    }

    #[test]
    fn only_a_message_with_our_id_and_no_method_is_the_answer() {
        assert!(answered(r#" {"jsonrpc":"2.0","id":7,"result":{}}"#));
        assert!(answered(r#"{"id":7,"error":{"code":1,"message":"m"}}"#));
        assert!(!answered(r#"{"id":8,"result":{}}"#));
        assert!(answered(r#"{"id":"7","result":{}}"#));
        assert!(answered(r#"{"id":7.0,"result":{}}"#));
        assert!(!answered(r#"{"id":7.5,"result":{}}"#));
        assert!(!answered(r#"{"id":"7a","result":{}}"#));
        assert!(!answered(r#"{"id":null,"error":{}}"#));
        assert!(!answered(r#"{"id":7,"method":"ping"}"#));
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
