//! What a fixture can expect of an answer. One file a kind; the registry feeds the parser, "did you mean",
//! the JSON Schema, `--help` and the README's table.

mod argument;
mod evidence;

mod error_contains;
mod is_error;
mod latency_under;
mod llm_judge;
mod output_contains;
mod output_equals;
mod output_matches;
mod output_not_contains;
mod protocol_error;
mod schema_match;
mod tool_called;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::model::{Outcome, Trace};

/// One kind of assertion.
pub struct AssertionKind {
    /// The key in an `expect` block, stable for ever.
    pub key: &'static str,
    /// What it asserts, in one line of Markdown.
    pub summary: &'static str,
    /// An example of its argument, as it stands in YAML.
    pub example: &'static str,
    /// JSON Schema of its argument.
    pub schema: fn() -> Value,
    /// Whether text is meant at the place of the argument that a JSON Pointer leads to: there, `007` is taken as it is
    /// written and not as the number 7.
    pub is_text: fn(pointer: &str) -> bool,
    /// Reads the argument; everything that is wrong with it, else.
    pub compile: fn(&Value) -> Compiled,
}

/// An assertion, or every problem of the argument it was to be made of.
pub type Compiled = Result<Arc<dyn Assertion>, Vec<Problem>>;

/// Why an argument cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable code for the diagnostic, such as `invalid-pattern`.
    pub code: &'static str,
    /// What is wrong, as a lowercase fragment.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// JSON Pointer of the part of the argument that is wrong; empty for the whole.
    pub pointer: String,
}

/// A compiled expectation.
pub trait Assertion: Send + Sync {
    /// Judges an answer. The outcome's `assertion` is the registry key; its place is filled in by the caller.
    fn check(&self, trace: &Trace) -> Outcome;

    /// Whether judging can take exponential time on an answer that a server chose.
    fn is_costly(&self) -> bool {
        false
    }

    /// The verdict alone, with no more words than come by themselves: what a costly assertion keeps little memory for.
    fn check_briefly(&self, trace: &Trace) -> Outcome {
        self.check(trace)
    }

    /// Whether an error is what it asks for: then an error does not fail the step by itself.
    fn expects_error(&self) -> bool {
        false
    }

    /// Whether it needs to know what the server lists.
    fn needs_tool_list(&self) -> bool {
        false
    }
}

/// Every kind of assertion, in the order of the documentation.
pub static ASSERTIONS: &[AssertionKind] = &[
    output_contains::KIND,
    output_not_contains::KIND,
    output_equals::KIND,
    output_matches::KIND,
    schema_match::KIND,
    tool_called::KIND,
    latency_under::KIND,
    is_error::KIND,
    error_contains::KIND,
    protocol_error::KIND,
    llm_judge::KIND,
];

/// Whether answers can be judged by it yet; else its steps will be errored.
pub fn is_available(kind: &AssertionKind) -> bool {
    kind.key != llm_judge::KIND.key
}

/// The kind with this key.
pub fn kind(key: &str) -> Option<&'static AssertionKind> {
    ASSERTIONS.iter().find(|kind| kind.key == key)
}
