//! The one rule that reads an output out of a tool result.

use serde_json::Value;

use super::quote;
use crate::model::{Finding, ToolResult};

/// Content block types of the protocol up to 2025-11-25.
const KNOWN_BLOCKS: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// Reads a `tools/call` result: text blocks joined by a line feed; without one the JSON of `structuredContent`;
/// without `content` the JSON of the result.
///
/// `structuredContent` is moved, not copied: it may be large, and stands beside `raw` from then on.
pub(crate) fn read(mut raw: Value) -> ToolResult {
    let structured = match &mut raw {
        Value::Object(members) if members.get("structuredContent").is_some_and(|value| !value.is_null()) => {
            members.shift_remove("structuredContent")
        }
        _ => None,
    };
    let output = match (text(&raw), &structured) {
        (Some(text), _) => text,
        (None, Some(structured)) => structured.to_string(),
        (None, None) if raw.get("content").is_some_and(Value::is_array) => String::new(),
        (None, None) => raw.to_string(),
    };
    ToolResult {
        is_error: is_error(&raw),
        output,
        structured,
        raw,
    }
}

/// What is wrong with a result that was read all the same.
pub(super) fn remarks(raw: &Value) -> Vec<Finding> {
    let mut remarks = Vec::new();
    match raw.get("content") {
        Some(Value::Array(blocks)) => remarks.extend(blocks.iter().filter_map(unknown_block).take(1)),
        None if raw.is_object() => remarks.push(Finding::new("invalid-result", "a tool result has no `content`")),
        Some(_) => remarks.push(Finding::new(
            "invalid-result",
            "`content` of a tool result is not a list",
        )),
        None => remarks.push(Finding::new("invalid-result", "a tool result is not an object")),
    }
    if raw
        .get("isError")
        .is_some_and(|value| !value.is_boolean() && !value.is_null())
    {
        remarks.push(Finding::new(
            "invalid-result",
            "`isError` of a tool result is not a boolean",
        ));
    }
    remarks
}

/// The text blocks joined by a line feed, if there is one.
fn text(raw: &Value) -> Option<String> {
    let mut texts = raw.get("content")?.as_array()?.iter().filter_map(|block| {
        let is_text = block.get("type").and_then(Value::as_str) == Some("text");
        block.get("text").filter(|_| is_text)?.as_str()
    });
    let mut joined = texts.next()?.to_owned();
    for text in texts {
        joined.push('\n');
        joined.push_str(text);
    }
    Some(joined)
}

/// `isError`, also where it is no boolean: an error must not pass because of its type. What says no in other words is
/// none.
fn is_error(raw: &Value) -> bool {
    match raw.get("isError") {
        Some(Value::Bool(is_error)) => *is_error,
        Some(Value::String(text)) => !text.is_empty() && !text.eq_ignore_ascii_case("false"),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::Array(_) | Value::Object(_)) => true,
        Some(Value::Null) | None => false,
    }
}

fn unknown_block(block: &Value) -> Option<Finding> {
    match block.get("type").and_then(Value::as_str) {
        Some("text") if !block.get("text").is_some_and(Value::is_string) => {
            Some(Finding::new("invalid-result", "a text block without text was skipped"))
        }
        Some(kind) if KNOWN_BLOCKS.contains(&kind) => None,
        Some(kind) => {
            let kind = quote::start(kind, 40);
            Some(Finding::new(
                "unknown-content",
                format!("a content block of unknown type `{kind}` was skipped"),
            ))
        }
        None => Some(Finding::new("invalid-result", "a content block has no `type`")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn output(raw: Value) -> String {
        read(raw).output
    }

    #[test]
    fn joins_text_blocks_and_skips_the_others() {
        let raw = json!({"content": [
            {"type": "video", "text": "no"},
            {"type": "text", "text": "one", "_meta": {}},
            {"type": "image", "data": "QUJD", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "a:b", "text": "embedded"}},
            {"type": "text"},
            {"type": "text", "text": "two"}
        ], "structuredContent": {"a": 1}});
        assert_eq!(output(raw.clone()), "one\ntwo");
        let read = read(raw.clone());
        assert_eq!(read.structured, Some(json!({"a": 1})));
        assert_eq!(read.raw, json!({"content": raw["content"]}));
        assert_eq!(remarks(&raw).len(), 1);
    }

    #[test]
    fn falls_back_to_structured_content_in_its_own_order() {
        let raw = json!({"content": [], "structuredContent": {"b": 1, "a": [2.0]}});
        assert_eq!(output(raw.clone()), r#"{"b":1,"a":[2.0]}"#);
        assert_eq!(read(raw).structured, Some(json!({"b": 1, "a": [2.0]})));
        assert_eq!(output(json!({"structuredContent": 5})), "5");
    }

    #[test]
    fn an_empty_text_block_is_a_text_block() {
        assert_eq!(
            output(json!({"content": [{"type": "text", "text": ""}], "structuredContent": {"a": 1}})),
            ""
        );
    }

    #[test]
    fn without_content_the_result_itself_is_the_output() {
        assert_eq!(output(json!({"toolResult": 1})), r#"{"toolResult":1}"#);
        assert_eq!(output(json!({})), "{}");
        assert_eq!(output(Value::Null), "null");
        assert_eq!(output(json!({"content": null})), r#"{"content":null}"#);
        assert_eq!(output(json!({"content": "text"})), r#"{"content":"text"}"#);
        assert_eq!(output(json!({"content": [{"type": "image"}]})), "");
    }

    #[test]
    fn remarks_what_is_not_a_tool_result() {
        assert!(remarks(&json!({"content": [{"type": "text", "text": "x"}], "isError": false})).is_empty());
        for raw in [
            json!({}),
            json!(null),
            json!({"content": null}),
            json!({"content": [1]}),
        ] {
            assert_eq!(remarks(&raw).len(), 1, "{raw}");
        }
    }

    #[test]
    fn an_error_does_not_pass_because_of_its_type() {
        for (value, expected) in [
            (json!(true), true),
            (json!(false), false),
            (json!("true"), true),
            (json!("false"), false),
            (json!(1), true),
            (json!(0), false),
            (json!(null), false),
            (json!(""), false),
            (json!("yes"), true),
            (json!("1"), true),
            (json!({"a": 1}), true),
            (json!([]), true),
        ] {
            assert_eq!(
                read(json!({"content": [], "isError": value})).is_error,
                expected,
                "{value}"
            );
        }
    }
}
