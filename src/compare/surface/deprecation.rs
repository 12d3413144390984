//! Whether something was said to go away.

use serde_json::Value;

/// Whether a tool, a prompt, a resource or a property is marked as deprecated: by `deprecated`, in `_meta`, or by a word at
/// the beginning or in brackets of its title or description, as the official file system server writes it.
pub(super) fn is_deprecated(value: &Value) -> bool {
    let is_set = |value: &Value| value.get("deprecated").is_some_and(|it| *it == Value::Bool(true));
    let is_said = |key: &str| value.get(key).and_then(Value::as_str).is_some_and(says_so);
    is_set(value) || value.get("_meta").is_some_and(is_set) || is_said("title") || is_said("description")
}

fn says_so(text: &str) -> bool {
    let text = text.trim_start().to_lowercase();
    ["(deprecated", "[deprecated"].iter().any(|mark| text.contains(mark))
        || text.trim_start_matches(['*', '@', '_']).starts_with("deprecated")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marks_are_found_and_the_word_alone_is_none() {
        for marked in [
            json!({"deprecated": true}),
            json!({"_meta": {"deprecated": true}}),
            json!({"title": "Read File (Deprecated)"}),
            json!({"description": "DEPRECATED: use read_text_file instead"}),
        ] {
            assert!(is_deprecated(&marked), "{marked}");
        }
        assert!(!is_deprecated(&json!({"description": "Lists deprecated packages"})));
    }
}
