//! An expectation as written.

use serde_json::Value;

use crate::source::{Location, Places};

/// One key of an `expect` block with its argument, not compiled yet.
#[derive(Debug, Clone)]
pub struct Expectation {
    /// The key, such as `output_contains`.
    pub key: String,
    /// Where the key is written: what a broken expectation points at.
    pub location: Location,
    /// What it is given.
    pub argument: Argument,
}

/// The argument of an expectation: its value, and how and where its parts are written.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The value, its scalars typed as the language of the file types them.
    pub value: Value,
    /// Where it is written.
    pub location: Location,
    /// Where the parts of a list or mapping are written.
    pub places: Places,
    /// The scalars that look different in the file, by JSON Pointer: `007` is the number 7, `True` is `true`.
    pub written: Vec<(String, String)>,
}

impl Argument {
    /// The value in which scalars are text, exactly as written, wherever `is_text` says so of a JSON Pointer.
    pub fn with_text(&self, is_text: impl Fn(&str) -> bool) -> Value {
        let mut value = self.value.clone();
        for (pointer, text) in self.written.iter().filter(|(pointer, _)| is_text(pointer)) {
            if let Some(scalar) = value.pointer_mut(pointer) {
                *scalar = Value::from(text.as_str());
            }
        }
        value
    }
}
