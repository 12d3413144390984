//! Answers to the server's own requests: ping, roots, sampling, elicitation.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{jsonrpc, quote};
use crate::model::Finding;

/// The client capabilities we declare in a protocol version: what we can answer properly, and no more.
///
/// `roots` is answered with an empty list: a root would widen what a file server may touch, and the official one
/// replaces the folders of its command line by the roots it is told. `elicitation` (from 2025-06-18) is declined,
/// which a tool can tell from an error. `sampling` is not declared: there is no model to sample from.
pub(super) fn capabilities(version: &str) -> Value {
    if version >= "2025-06-18" {
        json!({"roots": {}, "elicitation": {}})
    } else {
        json!({"roots": {}})
    }
}

/// The longest id that is answered, as JSON in bytes: it goes into the answer, and answers wait for servers that do not
/// read them.
pub(super) const MAX_ID: usize = 1024;

/// Whether an id is longer than what is answered.
pub(super) fn is_id_too_long(id: &Value) -> bool {
    match id {
        Value::String(text) => text.len() > MAX_ID,
        Value::Array(_) | Value::Object(_) => id.to_string().len() > MAX_ID,
        _ => false,
    }
}

/// The answer to a request of the server, as one line, and what the report should say of it.
pub(super) fn to(method: &str, id: &Value) -> (String, Option<Finding>) {
    let remark = |what: &str| {
        Some(Finding::new(
            "server-request",
            format!("the server asked for `{}`; {what}", shortened(method)),
        ))
    };
    match method {
        "ping" => (jsonrpc::answer(id, &json!({})), None),
        "roots/list" => (jsonrpc::answer(id, &json!({"roots": []})), None),
        "elicitation/create" => (
            jsonrpc::answer(id, &json!({"action": "decline"})),
            remark("this run has nobody to answer and declined"),
        ),
        "sampling/createMessage" => (
            jsonrpc::refusal(id, "sampling is not supported: this client has no model"),
            remark("this run has no model and refused"),
        ),
        _ => (
            jsonrpc::refusal(id, &format!("method not found: {}", shortened(method))),
            remark("this run does not know that and refused"),
        ),
    }
}

fn shortened(method: &str) -> Cow<'_, str> {
    quote::start(method, 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_what_was_declared() {
        assert_eq!(to("ping", &json!("a")).0, r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
        assert_eq!(
            to("roots/list", &json!(0)).0,
            r#"{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}"#
        );
        let (text, finding) = to("elicitation/create", &json!(9001));
        assert!(text.contains(r#""action":"decline""#) && finding.unwrap().message.contains("elicitation/create"));
    }

    #[test]
    fn refuses_what_was_not() {
        for method in ["sampling/createMessage", "tasks/list"] {
            let (text, finding) = to(method, &json!(1));
            assert!(text.contains("-32601"), "{text}");
            assert!(finding.unwrap().message.contains(method));
        }
    }

    #[test]
    fn declares_only_what_the_version_knows() {
        assert_eq!(capabilities("2024-11-05"), json!({"roots": {}}));
        assert!(capabilities("2025-11-25").get("elicitation").is_some());
    }
}
