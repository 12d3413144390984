//! Paths into JSON: `.items[0].id`, `["a name"]`.

use serde_json::Value;

use super::mention::SHOWN;
use crate::{source::did_you_mean, text::quote};

/// One step down into a JSON value.
pub(super) enum Key<'a> {
    Member(&'a str),
    Index(usize),
}

/// Reads `.name`, `[0]` and `["name"]`, any number of them.
pub(super) fn keys(mut rest: &str) -> Result<Vec<Key<'_>>, String> {
    let mut keys = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            if end == 0 {
                return Err("a name is missing after a dot".to_owned());
            }
            keys.push(index(&after[..end]).map_or(Key::Member(&after[..end]), Key::Index));
            rest = &after[end..];
            continue;
        }
        let inside = rest
            .strip_prefix('[')
            .ok_or_else(|| format!("{} is no path", quote(rest, SHOWN)))?;
        let end = inside.find(']').ok_or("a `[` has no `]`")?;
        let text = &inside[..end];
        keys.push(match (index(text), quoted(text)) {
            (Some(index), _) => Key::Index(index),
            (_, Some(name)) => Key::Member(name),
            _ => {
                return Err(format!(
                    "{} is neither a number nor a quoted name",
                    quote(&format!("[{text}]"), SHOWN)
                ));
            }
        });
        rest = &inside[end + 1..];
    }
    Ok(keys)
}

/// An index as JSON writes whole numbers: `007` and `+1` are names.
fn index(text: &str) -> Option<usize> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    is_number.then(|| text.parse().ok())?
}

fn quoted(text: &str) -> Option<&str> {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

pub(super) fn follow<'v>(mut value: &'v Value, path: &[Key<'_>]) -> Result<&'v Value, String> {
    for key in path {
        value = match key {
            Key::Member(name) => value.get(name).ok_or_else(|| missing_member(value, name)),
            Key::Index(index) => value
                .get(index)
                .or_else(|| value.get(index.to_string()))
                .ok_or_else(|| missing_index(value, *index)),
        }?;
    }
    Ok(value)
}

fn missing_member(value: &Value, name: &str) -> String {
    match value {
        Value::Object(map) => format!(
            "there is no {} ({})",
            quote(name, SHOWN),
            did_you_mean(name, map.keys().map(String::as_str).take(12))
        ),
        other => format!("{} was looked for in {}", quote(name, SHOWN), kind_of(other)),
    }
}

fn missing_index(value: &Value, index: usize) -> String {
    match value {
        Value::Array(items) => format!("there is no item {index}, the list has {}", items.len()),
        other => format!("item {index} was looked for in {}", kind_of(other)),
    }
}

const fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(value: &Value, path: &str) -> Result<Value, String> {
        follow(value, &keys(path)?).cloned()
    }

    #[test]
    fn only_plain_whole_numbers_are_indices() {
        let value = json!({"007": "bond", "7": "seven", "+1": "plus", "l": [0, 1]});
        assert_eq!(at(&value, ".007"), Ok(json!("bond")));
        assert_eq!(at(&value, ".7"), Ok(json!("seven")));
        assert_eq!(at(&value, ".+1"), Ok(json!("plus")));
        assert_eq!(at(&value, ".l.1"), Ok(json!(1)));
        assert_eq!(at(&value, ".l[0]"), Ok(json!(0)));
        for path in [".l.01", ".l.+1", ".l[01]", ".l[+1]", ".l[]"] {
            assert!(at(&value, path).is_err(), "{path}");
        }
    }
}
