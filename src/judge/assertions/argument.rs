//! Reading the arguments of assertions: what a scalar means as text, and what to say of a wrong one.

use serde_json::{Map, Value, json};

use super::Problem;
use crate::{source, text};

/// Characters of an argument shown in a message.
const SHOWN_CHARS: usize = 60;

impl Problem {
    /// A problem with a code and a message.
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
        }
    }

    /// Says what to do.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// An argument of the wrong kind: what the key takes, and what stands there.
pub(super) fn wrong(key: &str, takes: &str, found: &Value) -> Problem {
    Problem::new(
        "invalid-argument",
        format!("`{key}` takes {takes}, found {}", name(found)),
    )
}

/// A text; a number or `true` without quotes is taken as it is written.
pub(super) fn text(key: &str, argument: &Value) -> Result<String, Problem> {
    match argument {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(boolean) => Ok(boolean.to_string()),
        _ => Err(wrong(key, "a text", argument)),
    }
}

/// A text or a list of texts, none of them empty: an empty text is in every output, so it would assert nothing.
pub(super) fn texts(key: &str, argument: &Value) -> Result<Vec<String>, Problem> {
    let texts = match argument {
        Value::Array(items) => items
            .iter()
            .map(|item| text(key, item))
            .collect::<Result<Vec<_>, _>>()?,
        Value::Null | Value::Object(_) => return Err(wrong(key, "a text or a list of texts", argument)),
        _ => vec![text(key, argument)?],
    };
    if texts.is_empty() {
        return Err(Problem::new(
            "empty-expectation",
            format!("`{key}` has an empty list, which asserts nothing"),
        ));
    }
    if texts.iter().any(String::is_empty) {
        let message = format!("`{key}` has an empty text, which is part of every output");
        return Err(Problem::new("empty-expectation", message).help("say which text is meant"));
    }
    Ok(texts)
}

/// `true` or `false`.
pub(super) fn boolean(key: &str, argument: &Value) -> Result<bool, Problem> {
    argument
        .as_bool()
        .ok_or_else(|| wrong(key, "`true` or `false`", argument))
}

/// A mapping with known keys only.
pub(super) fn mapping<'a>(
    key: &str,
    takes: &str,
    known: &[&str],
    argument: &'a Value,
) -> Result<&'a Map<String, Value>, Problem> {
    let map = argument.as_object().ok_or_else(|| wrong(key, takes, argument))?;
    match map.keys().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => {
            let message = format!("unknown key `{unknown}` in `{key}`");
            Err(Problem::new("unknown-key", message).help(source::did_you_mean(unknown, known.iter().copied())))
        }
        None => Ok(map),
    }
}

/// JSON Schema of what [`text`] reads.
pub(super) fn text_schema() -> Value {
    json!({ "type": ["string", "number", "boolean"] })
}

/// JSON Schema of what [`texts`] reads.
pub(super) fn texts_schema() -> Value {
    let one = json!({ "anyOf": [{ "type": "string", "minLength": 1 }, { "type": ["number", "boolean"] }] });
    json!({ "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
}

fn name(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a mapping".to_owned(),
        Value::String(string) => text::quote(string, SHOWN_CHARS),
        scalar => format!("`{scalar}`"),
    }
}
