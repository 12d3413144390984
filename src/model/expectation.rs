//! An expectation as written.

use serde_json::Value;

use crate::source::{Location, Places, push_token};

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

/// The argument of a call, a variable or an expectation: its value, and how and where its parts are written.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The value, its scalars typed as the language of the file types them.
    pub value: Value,
    /// Where it is written; its key, if nothing stands behind that.
    pub location: Location,
    /// Where it and its parts are written.
    pub places: Places,
}

impl Argument {
    /// The value in which scalars are text, exactly as written, wherever `is_text` says so of a JSON Pointer.
    pub fn with_text(&self, is_text: impl Fn(&str) -> bool) -> Value {
        let mut value = self.value.clone();
        take_text(&mut value, &self.places, &mut String::new(), &is_text);
        value
    }
}

/// `pointer` is one buffer for all parts: a pointer for each of them would take the product of their number and length.
fn take_text(value: &mut Value, places: &Places, pointer: &mut String, is_text: &impl Fn(&str) -> bool) {
    let own = pointer.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                if let Some(part) = places.item(index) {
                    push_token(pointer, &index.to_string());
                    take_text(item, part, pointer, is_text);
                    pointer.truncate(own);
                }
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                if let Some(part) = places.member(key) {
                    push_token(pointer, key);
                    take_text(item, part, pointer, is_text);
                    pointer.truncate(own);
                }
            }
        }
        scalar => {
            if let Some(text) = places.written.as_deref().filter(|_| is_text(pointer)) {
                *scalar = Value::from(text);
            }
        }
    }
}
