//! What happened on the wire during one call: the evidence that assertions judge.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use super::Mode;

/// One answered call.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The tool that was called.
    pub tool: String,
    /// Whether a server was asked at all.
    pub mode: Mode,
    /// What came back.
    pub reply: Reply,
    /// From the request written to the answer read; start-up is not part of it.
    pub latency: Duration,
    /// The names in the server's `tools/list`, where something asked for them.
    pub listed_tools: Option<Arc<[String]>>,
    /// What the server said besides.
    pub heard: Heard,
}

/// What a server said on its own account while a call was open; of much of it the first part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// Methods of its requests, such as `elicitation/create`.
    pub requests: Vec<String>,
    /// Its notifications, such as `notifications/message`.
    pub notifications: Vec<Notification>,
}

impl Heard {
    /// Whether it said nothing.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty() && self.notifications.is_empty()
    }
}

/// A notification of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Its method.
    pub method: String,
    /// Its parameters as JSON; absent where there are none, or more than is kept.
    pub params: Option<String>,
}

/// The answer to a call.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A result, `isError` or not.
    Result(ToolResult),
    /// A JSON-RPC error.
    Error(ProtocolError),
}

/// A JSON-RPC error answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ProtocolError {
    /// Error code, such as -32602.
    pub code: i64,
    /// The server's words.
    pub message: String,
    /// Anything else it sent along.
    pub data: Option<Value>,
}

/// The result of a tool call, unaltered beside what was read out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The `result` member as it came, but for `structuredContent`, which stands in `structured`.
    pub raw: Value,
    /// `isError: true`.
    pub is_error: bool,
    /// The output text: text blocks joined by a line feed; without one the JSON of `structuredContent`;
    /// without `content` the JSON of the result.
    pub output: String,
    /// `structuredContent`, where the server sent one.
    pub structured: Option<Value>,
}
