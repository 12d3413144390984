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
            pointer: String::new(),
        }
    }

    /// Says what to do.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What is wrong, after the key of the expectation if the words do not have it already.
    pub(crate) fn message_of(&self, key: &str) -> String {
        if self.message.contains(&format!("`{key}")) {
            self.message.clone()
        } else {
            format!("`{key}`: {}", self.message)
        }
    }

    /// Says which part of the argument is wrong.
    pub(super) fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}

impl From<Problem> for Vec<Problem> {
    fn from(problem: Problem) -> Self {
        vec![problem]
    }
}

/// For arguments that are text, or a list of texts.
pub(super) const fn everywhere(_pointer: &str) -> bool {
    true
}

/// For arguments without text.
pub(super) const fn nowhere(_pointer: &str) -> bool {
    false
}

/// An argument of the wrong kind: what the key takes, and what stands there.
pub(super) fn wrong(key: &str, takes: &str, found: &Value) -> Problem {
    Problem::new(
        "invalid-argument",
        format!("`{key}` takes {takes}, found {}", name(found)),
    )
}

/// A text. A number or `true` is text as well; what comes from a file arrives as it is written there.
pub(super) fn text(key: &str, argument: &Value) -> Result<String, Problem> {
    match argument {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(boolean) => Ok(boolean.to_string()),
        _ => Err(wrong(key, "a text", argument)),
    }
}

/// A text or a list of texts, none of them empty: an empty text is in every output, so it would assert nothing.
pub(super) fn texts(key: &str, argument: &Value) -> Result<Vec<String>, Vec<Problem>> {
    let items = match argument {
        Value::Array(items) => items.as_slice(),
        Value::Null | Value::Object(_) => return Err(wrong(key, "a text or a list of texts", argument).into()),
        one => return Ok(vec![filled_text(key, one)?]),
    };
    if items.is_empty() {
        let message = format!("`{key}` has an empty list, which asserts nothing");
        return Err(Problem::new("empty-expectation", message).into());
    }
    let (mut texts, mut problems) = (Vec::with_capacity(items.len()), Vec::new());
    for (index, item) in items.iter().enumerate() {
        match filled_text(key, item) {
            Ok(text) => texts.push(text),
            Err(problem) => problems.push(problem.at(format!("/{index}"))),
        }
    }
    if problems.is_empty() { Ok(texts) } else { Err(problems) }
}

fn filled_text(key: &str, argument: &Value) -> Result<String, Problem> {
    let text = text(key, argument)?;
    if text.is_empty() {
        let message = format!("`{key}` has an empty text, which is part of every output");
        return Err(Problem::new("empty-expectation", message).help("say which text is meant"));
    }
    Ok(text)
}

/// `true` or `false`.
pub(super) fn boolean(key: &str, argument: &Value) -> Result<bool, Problem> {
    argument
        .as_bool()
        .ok_or_else(|| wrong(key, "`true` or `false`", argument))
}

/// An argument that is a mapping with known keys, read key by key while its problems are gathered.
pub(super) struct Keys<'a> {
    name: &'static str,
    takes: &'static str,
    map: &'a Map<String, Value>,
    problems: Vec<Problem>,
}

impl<'a> Keys<'a> {
    /// The keys of the argument of `name`, of which only the `known` ones may be there.
    pub(super) fn of(
        name: &'static str,
        takes: &'static str,
        known: &[&str],
        argument: &'a Value,
    ) -> Result<Self, Problem> {
        let map = argument.as_object().ok_or_else(|| wrong(name, takes, argument))?;
        let unknown = map.keys().filter(|key| !known.contains(&key.as_str()));
        let problems = unknown.map(|key| {
            Problem::new(
                "unknown-key",
                format!("unknown key {} in `{name}`", text::quote(key, SHOWN_CHARS)),
            )
            .help(source::did_you_mean(key, known.iter().copied()))
            .at(source::pointer_to("", key))
        });
        Ok(Self {
            name,
            takes,
            map,
            problems: problems.collect(),
        })
    }

    /// A key that may be absent. `read` is given its full name and its value.
    pub(super) fn optional<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&str, &Value) -> Result<T, Problem>,
    ) -> Option<T> {
        match read(&format!("{}.{key}", self.name), self.map.get(key)?) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problems.push(problem.at(source::pointer_to("", key)));
                None
            }
        }
    }

    /// A key that has to be there.
    pub(super) fn required<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&str, &Value) -> Result<T, Problem>,
    ) -> Option<T> {
        if !self.map.contains_key(key) {
            let problem = Problem::new("missing-key", format!("`{}` has no `{key}`", self.name));
            self.problems.push(problem.help(format!("it takes {}", self.takes)));
        }
        self.optional(key, read)
    }

    /// Everything that is wrong, if anything is.
    pub(super) fn finish(self) -> Result<(), Vec<Problem>> {
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(self.problems)
        }
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
