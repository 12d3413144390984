//! Every placeholder that a value mentions, rightly or wrongly.

use serde_json::Value;

use super::{
    braces::{Kind, braces},
    reference::{Names, Reference, is_rooted, names_step, slip},
    step_ids::StepIds,
};
use crate::{
    source::{Places, Span},
    text::quote,
};

/// Characters of a placeholder that are shown in a message.
pub(in crate::plan) const SHOWN: usize = 120;

const LITERAL: &str = "a literal brace is written `\\{{`";

/// One placeholder in a value, or what looks like one.
pub(in crate::plan) struct Mention<'v> {
    /// As it stands there, with its braces.
    pub written: &'v str,
    /// The whole scalar or key that it stands in.
    pub text: &'v str,
    /// Where that is in the file.
    pub place: Span,
    /// Which one it is among all double braces of that text, counted from 0.
    pub ordinal: usize,
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
pub(in crate::plan) fn mentions<'v>(value: &'v Value, places: &Places) -> Vec<Mention<'v>> {
    let mut found = Vec::new();
    collect(value, places, &mut found);
    found
}

/// The same for a text that is written at a place of its own.
pub(in crate::plan) fn mentions_in_text(text: &str, place: Span) -> impl Iterator<Item = Mention<'_>> {
    in_text(text, place, false)
}

fn collect<'v>(value: &'v Value, places: &Places, found: &mut Vec<Mention<'v>>) {
    match value {
        Value::String(text) => found.extend(in_text(text, places.value, false)),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, places.item(index).unwrap_or(places), found);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                let part = places.member(key);
                found.extend(in_text(key, part.map_or(places.value, |part| part.key), true));
                collect(item, part.unwrap_or(places), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn in_text(text: &str, place: Span, is_in_key: bool) -> impl Iterator<Item = Mention<'_>> {
    braces(text).map(move |braces| Mention {
        written: &text[braces.start..braces.end],
        text,
        place,
        ordinal: braces.ordinal,
        kind: braces.kind,
        is_in_key,
    })
}

impl Mention<'_> {
    /// Whether the text is another one once placeholders are filled.
    pub fn is_replaced(&self) -> bool {
        matches!(self.kind, Kind::Placeholder(_) | Kind::Escaped(_))
    }

    /// Whether it would be a placeholder somewhere else, and is wrong where none is filled in.
    pub fn is_misplaced(&self) -> bool {
        matches!(self.kind, Kind::Placeholder(inside) if is_rooted(inside))
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
            Kind::Slip(_) | Kind::Escaped(_) | Kind::Unclosed | Kind::Rootless(_) => None,
        }
    }

    /// Checks that it is where it can be filled and that it refers to something that will be there.
    pub fn check(&self, names: &Names<'_>) -> Result<(), BadReference> {
        let shown = quote(self.written, SHOWN);
        match self.kind {
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
            Kind::Slip(inside) => slip(inside, names).map_or(Ok(()), Err),
            Kind::Rootless(inside) if names_step(inside, names.steps) => Err(BadReference {
                message: format!("{shown} does not begin with `steps.`, so nothing is filled in"),
                help: format!(
                    "did you mean {}? {LITERAL}",
                    quote(&format!("{{{{steps.{inside}}}}}"), SHOWN)
                ),
            }),
            Kind::Rootless(_) | Kind::Escaped(_) => Ok(()),
        }
    }
}
