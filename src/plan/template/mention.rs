//! Every placeholder that a value mentions, rightly or wrongly.

use serde_json::Value;

use super::{
    braces::{Kind, braces},
    reference::{Names, Reference, is_rooted, without_root},
    step_ids::StepIds,
};
use crate::text::quote;

/// Characters of a placeholder that are shown in a message.
pub(super) const SHOWN: usize = 120;

const LITERAL: &str = "a literal brace is written `\\{{`";

/// One placeholder in a value, or what looks like one.
pub(in crate::plan) struct Mention<'v> {
    /// As it stands there, with its braces.
    pub written: &'v str,
    kind: Kind<'v>,
    is_in_key: bool,
}

/// A placeholder that refers to nothing.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::plan) struct BadReference {
    /// What is wrong, as a lowercase fragment.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Everything in a value that is a placeholder or looks like one, at any depth, in the order written.
pub(in crate::plan) fn mentions(value: &Value) -> Vec<Mention<'_>> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

/// Placeholders in a text that is no place for them.
pub(in crate::plan) fn misplaced(text: &str) -> impl Iterator<Item = &str> {
    braces(text).filter_map(|braces| match braces.kind {
        Kind::Placeholder(inside) if is_rooted(inside) => Some(&text[braces.start..braces.end]),
        _ => None,
    })
}

fn collect<'v>(value: &'v Value, found: &mut Vec<Mention<'v>>) {
    match value {
        Value::String(text) => found.extend(in_text(text, false)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(map) => {
            for (key, item) in map {
                found.extend(in_text(key, true));
                collect(item, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn in_text(text: &str, is_in_key: bool) -> impl Iterator<Item = Mention<'_>> {
    braces(text).map(move |braces| Mention {
        written: &text[braces.start..braces.end],
        kind: braces.kind,
        is_in_key,
    })
}

impl Mention<'_> {
    /// Whether the text is another one once placeholders are filled.
    pub fn is_replaced(&self) -> bool {
        matches!(self.kind, Kind::Placeholder(_) | Kind::Escaped(_))
    }

    /// The step whose result it needs.
    pub fn step(&self, ids: &StepIds<'_>) -> Option<usize> {
        match self.reference(ids)? {
            Reference::Step { id, .. } => ids.position(id),
            Reference::Variable { .. } | Reference::Environment { .. } => None,
        }
    }

    /// The environment variable it reads.
    pub fn variable(&self, ids: &StepIds<'_>) -> Option<&str> {
        match self.reference(ids)? {
            Reference::Environment { name } => Some(name),
            Reference::Step { .. } | Reference::Variable { .. } => None,
        }
    }

    fn reference(&self, ids: &StepIds<'_>) -> Option<Reference<'_>> {
        match self.kind {
            Kind::Placeholder(inside) => Reference::read(inside, |text| ids.prefix(text)).ok(),
            Kind::Escaped(_) | Kind::Unclosed | Kind::Rootless(_) => None,
        }
    }

    /// Checks that it is where it can be filled and that it refers to something that will be there.
    pub fn check(&self, names: &Names<'_>) -> Result<(), BadReference> {
        let shown = quote(self.written, SHOWN);
        match self.kind {
            Kind::Escaped(_) => Ok(()),
            Kind::Placeholder(_) if self.is_in_key => Err(BadReference {
                message: format!("the placeholder {shown} stands in a key, where none is filled in"),
                help: "placeholders are filled in values only".to_owned(),
            }),
            Kind::Placeholder(inside) => {
                Reference::read(inside, |text| names.steps.prefix(text)).and_then(|reference| reference.resolve(names))
            }
            Kind::Unclosed => Err(BadReference {
                message: format!("the placeholder {shown} has no closing `}}}}`"),
                help: format!("close it with two braces; {LITERAL}"),
            }),
            Kind::Rootless(inside) => {
                let mut ids = without_root(inside).map(|(id, _)| id);
                match ids.find(|id| names.steps.position(id).is_some()) {
                    None => Ok(()),
                    Some(_) => Err(BadReference {
                        message: format!("{shown} does not begin with `steps.`, so nothing is filled in"),
                        help: format!(
                            "did you mean {}? {LITERAL}",
                            quote(&format!("{{{{steps.{inside}}}}}"), SHOWN)
                        ),
                    }),
                }
            }
        }
    }
}
