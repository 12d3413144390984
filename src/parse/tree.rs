//! The located tree that every dialect is read from: values with the places where they are written and used.

use serde_json::{Number, Value};

use super::{json, problems::Problems, yaml};
use crate::source::Span;

/// Where something is: written in one place, and used in another if an alias brought it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Where its text stands: what a complaint about the text points at.
    pub written: Span,
    /// Where it takes effect: what a failing expectation points at.
    pub used: Span,
}

impl Place {
    pub const fn here(span: Span) -> Self {
        Self {
            written: span,
            used: span,
        }
    }
}

/// One value of the file.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub place: Place,
    pub content: Content,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Text, number, boolean or nothing.
    Scalar(Scalar),
    /// `- a` or `[a]`.
    List(Vec<Node>),
    /// `a: b` or `{a: b}`; keys are unique, merges are applied.
    Mapping(Vec<Entry>),
    /// Unusable, and reported already: readers pass over it in silence.
    Broken,
}

/// A scalar with the text it was written as.
#[derive(Debug, Clone)]
pub(super) struct Scalar {
    /// After quotes and escapes.
    pub text: String,
    pub kind: ScalarKind,
}

/// What a scalar stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ScalarKind {
    Null,
    Bool(bool),
    Number(Number),
    Text,
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub key: String,
    pub place: Place,
    pub value: Node,
}

impl Node {
    /// Whether nothing was written.
    pub fn is_null(&self) -> bool {
        matches!(&self.content, Content::Scalar(scalar) if scalar.kind == ScalarKind::Null)
    }

    /// What it is, for "must be …, not …".
    pub const fn describe(&self) -> &'static str {
        match &self.content {
            Content::Scalar(scalar) => match scalar.kind {
                ScalarKind::Null => "nothing",
                ScalarKind::Bool(_) => "a boolean",
                ScalarKind::Number(_) => "a number",
                ScalarKind::Text => "text",
            },
            Content::List(_) => "a list",
            Content::Mapping(_) => "a mapping",
            Content::Broken => "unreadable",
        }
    }

    /// The value as JSON, in the order written, places left out.
    pub fn to_json(&self) -> Value {
        match &self.content {
            Content::Scalar(scalar) => scalar.to_json(),
            Content::List(items) => items.iter().map(Self::to_json).collect(),
            Content::Mapping(entries) => {
                let members = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json()));
                Value::Object(members.collect())
            }
            Content::Broken => Value::Null,
        }
    }
}

impl Scalar {
    fn to_json(&self) -> Value {
        match &self.kind {
            ScalarKind::Null => Value::Null,
            ScalarKind::Bool(value) => Value::Bool(*value),
            ScalarKind::Number(value) => Value::Number(value.clone()),
            ScalarKind::Text => Value::String(self.text.clone()),
        }
    }
}

/// Reads the one document of a file; `None` if there is none that could be used, and then it is reported.
pub(super) fn read(problems: &Problems) -> Option<Node> {
    let path = std::path::Path::new(problems.source().path().as_ref());
    let is_json = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if problems
        .source()
        .text()
        .trim_matches([' ', '\t', '\r', '\n'])
        .is_empty()
    {
        problems.error("empty-file", problems.source().span(0, 0), "the file is empty");
        return None;
    }
    if is_json {
        json::read(problems)
    } else {
        yaml::read(problems)
    }
}
