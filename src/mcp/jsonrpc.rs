//! JSON-RPC 2.0: what a frame is, and the text of what we send.

use serde::Serialize;
use serde_json::{Value, json};

use super::quote::quoted;
use crate::model::{Finding, ProtocolError};

/// The error code for a method nobody knows (JSON-RPC 2.0 §5.1).
const METHOD_NOT_FOUND: i64 = -32601;

/// What a message of the server is.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// Something with a method and an id, and no answer: the server asks us, whatever the id.
    Request {
        /// The server's id, to be sent back as it is.
        id: Value,
        /// What it asks for.
        method: String,
    },
    /// Something with a method and no id.
    Notification {
        /// What it tells.
        method: String,
        /// The particulars.
        params: Option<Value>,
    },
    /// An answer.
    Response {
        /// The id as it came; null where there is none.
        id: Value,
        /// What was answered.
        payload: Payload,
    },
    /// JSON, but not JSON-RPC.
    Foreign,
}

/// The content of an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Payload {
    /// The `result` member as it came.
    Result(Value),
    /// A JSON-RPC error.
    Error(ProtocolError),
    /// What it means cannot be told; says why.
    Malformed(String),
}

impl Incoming {
    /// Tells what a JSON value is, and what is odd about it.
    pub(super) fn read(value: Value) -> (Self, Option<Finding>) {
        let is_answer = is_answer(&value);
        let Value::Object(mut message) = value else {
            return (Self::Foreign, None);
        };
        let id = message.swap_remove("id");
        let has_version = message.contains_key("jsonrpc");
        let odd = (message.get("jsonrpc").and_then(Value::as_str) != Some("2.0")).then(|| {
            Finding::new(
                "jsonrpc-version",
                "a message of the server lacks `\"jsonrpc\": \"2.0\"`",
            )
        });
        let has_method = match message.swap_remove("method") {
            Some(Value::String(method)) if !is_answer => {
                return match id {
                    Some(id) if !id.is_null() => (Self::Request { id, method }, odd),
                    _ if has_version => {
                        let params = message.swap_remove("params");
                        (Self::Notification { method, params }, odd)
                    }
                    _ => (Self::Foreign, None),
                };
            }
            method => method.is_some_and(|method| method.is_string()),
        };
        let result = message.swap_remove("result");
        let error = message.swap_remove("error");
        if !has_version && (id.is_none() || (result.is_none() && error.is_none())) {
            return (Self::Foreign, None);
        }
        let (payload, odder) = if has_method {
            (Payload::Malformed("it has a `method` as well".to_owned()), None)
        } else {
            Payload::read(result, error)
        };
        (
            Self::Response {
                id: id.unwrap_or_default(),
                payload,
            },
            odd.or(odder),
        )
    }
}

impl Payload {
    fn read(result: Option<Value>, error: Option<Value>) -> (Self, Option<Finding>) {
        match (result, error) {
            (Some(result), None) => (Self::Result(result), None),
            (Some(result), Some(Value::Null)) => (
                Self::Result(result),
                Some(Finding::new(
                    "error-beside-result",
                    "an answer has `error: null` beside its `result`",
                )),
            ),
            (None, Some(error)) => (read_error(error), None),
            (Some(Value::Null), Some(error)) => (
                read_error(error),
                Some(Finding::new(
                    "error-beside-result",
                    "an answer has `result: null` beside its `error`",
                )),
            ),
            (Some(_), Some(_)) => (Self::Malformed("it has both `result` and `error`".to_owned()), None),
            (None, None) => (Self::Malformed("it has neither `result` nor `error`".to_owned()), None),
        }
    }
}

fn read_error(error: Value) -> Payload {
    let Value::Object(mut error) = error else {
        return Payload::Malformed(format!("its `error` is not an object: {}", quoted(&error.to_string())));
    };
    let Some(code) = error.get("code").and_then(whole_number) else {
        let text = Value::Object(error).to_string();
        return Payload::Malformed(format!("its `error` has no integer `code`: {}", quoted(&text)));
    };
    let message = match error.swap_remove("message") {
        Some(Value::String(message)) => message,
        Some(other) => other.to_string(),
        None => String::new(),
    };
    Payload::Error(ProtocolError {
        code,
        message,
        data: error.swap_remove("data"),
    })
}

/// Whether a message is an answer rather than a question: one may have the members of the other, of which those that are
/// null mean nothing.
pub(super) fn is_answer(message: &Value) -> bool {
    let has = |member: &str| message.get(member).is_some_and(|value| !value.is_null());
    !message.get("method").is_some_and(Value::is_string) || has("result") || has("error")
}

/// A JSON number without a fraction, also where it is written with one (`-32602.0`).
fn whole_number(value: &Value) -> Option<i64> {
    let float = || {
        value
            .as_f64()
            .filter(|float| float.fract() == 0.0 && float.abs() < 9e15)
    };
    value.as_i64().or_else(|| float().map(|float| float as i64))
}

/// The number an id stands for, if it is one of ours: `7`, but also `"7"` and `7.0`.
pub(super) fn our_id(id: &Value) -> Option<u64> {
    match id {
        Value::Number(_) => whole_number(id).and_then(|id| u64::try_from(id).ok()),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// A request of ours, as one line.
pub(super) fn request(id: u64, method: &str, params: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Request<'a, P> {
        jsonrpc: &'static str,
        id: u64,
        method: &'a str,
        params: &'a P,
    }
    serde_json::to_string(&Request {
        jsonrpc: "2.0",
        id,
        method,
        params,
    })
    .expect("JSON values can be written")
}

/// A notification of ours, as one line.
pub(super) fn notification(method: &str, params: Option<Value>) -> String {
    let mut message = json!({"jsonrpc": "2.0", "method": method});
    if let (Some(params), Some(message)) = (params, message.as_object_mut()) {
        message.insert("params".to_owned(), params);
    }
    message.to_string()
}

/// Our answer to a request of the server, as one line.
pub(super) fn answer(id: &Value, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
}

/// Our refusal of a request of the server, as one line.
pub(super) fn refusal(id: &Value, message: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": METHOD_NOT_FOUND, "message": message}}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: Value) -> Incoming {
        Incoming::read(value).0
    }

    #[test]
    fn a_method_with_an_id_is_a_request_also_with_members_that_are_null() {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "result": null, "error": null});
        assert_eq!(
            read(message),
            Incoming::Request {
                id: json!(1),
                method: "ping".to_owned()
            }
        );
    }

    #[test]
    fn an_id_of_null_makes_a_notification() {
        let message = json!({"jsonrpc": "2.0", "id": null, "method": "x"});
        assert_eq!(
            read(message),
            Incoming::Notification {
                method: "x".to_owned(),
                params: None
            }
        );
    }

    #[test]
    fn json_logs_are_foreign() {
        assert_eq!(
            read(json!({"level": 30, "msg": "listening", "error": "no"})),
            Incoming::Foreign
        );
        assert_eq!(read(json!({"method": "GET", "path": "/"})), Incoming::Foreign);
        assert_eq!(read(json!({"id": 4, "level": 30})), Incoming::Foreign);
        assert_eq!(read(json!("text")), Incoming::Foreign);
    }

    #[test]
    fn an_answer_without_version_counts_with_a_remark() {
        let (message, finding) = Incoming::read(json!({"id": 4, "result": null}));
        assert_eq!(
            message,
            Incoming::Response {
                id: json!(4),
                payload: Payload::Result(Value::Null)
            }
        );
        assert_eq!(finding.unwrap().code, "jsonrpc-version");
    }

    fn payload(value: Value) -> Payload {
        match read(value) {
            Incoming::Response { payload, .. } => payload,
            other => panic!("no response: {other:?}"),
        }
    }

    #[test]
    fn malformed_answers_say_why() {
        let malformed = |value| match payload(value) {
            Payload::Malformed(why) => why,
            other => panic!("not malformed: {other:?}"),
        };
        assert_eq!(
            malformed(json!({"jsonrpc": "2.0", "id": 1})),
            "it has neither `result` nor `error`"
        );
        assert_eq!(
            malformed(json!({"jsonrpc": "2.0", "id": 1, "result": 1, "error": {"code": 1}})),
            "it has both `result` and `error`"
        );
        for answer in [json!({"result": {}}), json!({"error": {"code": 1, "message": "no"}})] {
            let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"});
            message
                .as_object_mut()
                .unwrap()
                .extend(answer.as_object().unwrap().clone());
            assert_eq!(malformed(message), "it has a `method` as well");
        }
        assert!(malformed(json!({"jsonrpc": "2.0", "id": 1, "error": "no"})).contains("`\"no\"`"));
        assert!(malformed(json!({"jsonrpc": "2.0", "id": 1, "error": {"message": "m"}})).contains("no integer `code`"));
        assert!(malformed(json!({"jsonrpc": "2.0", "id": 1, "error": null})).contains("not an object"));
    }

    #[test]
    fn null_beside_the_other_member_is_no_answer() {
        assert_eq!(
            payload(json!({"id": 1, "result": {}, "error": null})),
            Payload::Result(json!({}))
        );
        assert!(matches!(
            payload(json!({"id": 1, "result": null, "error": {"code": -1.0, "message": 5}})),
            Payload::Error(ProtocolError { code: -1, .. })
        ));
    }

    #[test]
    fn ids_of_ours_survive_a_change_of_type() {
        assert_eq!(our_id(&json!(7)), Some(7));
        assert_eq!(our_id(&json!("7")), Some(7));
        assert_eq!(our_id(&json!(7.0)), Some(7));
        assert_eq!(our_id(&json!(7.5)), None);
        assert_eq!(our_id(&json!(-7)), None);
        assert_eq!(our_id(&json!("seven")), None);
    }

    #[test]
    fn writes_one_line() {
        let text = request(1, "tools/call", &json!({"name": "a\nb"}));
        assert_eq!(
            text,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\nb"}}"#
        );
        assert_eq!(notification("x", None), r#"{"jsonrpc":"2.0","method":"x"}"#);
    }
}
