//! Properties: which there are, which are required, and what becomes of unknown ones.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{At, Difference, Flat, Kind, Segment, walk::Walk};
use crate::{
    compare::surface::{
        deprecation::is_deprecated,
        words::{is_same_name, shown_value, similarity},
    },
    text::quote,
};

/// How alike the descriptions of a property must be for it to be the same under another name.
const SIMILAR: f64 = 0.9;
/// Pairs of properties that are looked at for that.
const MOST_PAIRS: usize = 1_000;
/// Characters of a name that are shown.
const NAME: usize = 80;

pub(super) fn compare<'a>(walk: &mut Walk<'a>, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
    if !old.types.and(new.types).allows("object") {
        return;
    }
    let renamed = renamed(old, new);
    for (was, now) in &renamed {
        let message = format!("{} seems to be called {} now", quote(was, NAME), quote(now, NAME));
        let difference = Difference::new(Kind::PropertyRenamed, "", &at.property(was), message);
        walk.add(difference.of_property(was));
    }
    for (name, schema) in &old.properties {
        match new.properties.get(name) {
            Some(now) => {
                required(walk, name, old, new, at);
                walk.compare(schema, now, &at.property(name));
            }
            None if renamed.iter().any(|(was, _)| was == name) => {}
            None => removed(walk, name, schema, old, new, at),
        }
    }
    for name in new.properties.keys().filter(|name| !old.properties.contains_key(*name)) {
        if !renamed.iter().any(|(_, now)| now == name) {
            added(walk, name, old, new, at);
        }
    }
    let undeclared: BTreeSet<&str> = old.required.union(&new.required).copied().collect();
    for name in undeclared {
        if !old.properties.contains_key(name) && !new.properties.contains_key(name) {
            required(walk, name, old, new, at);
        }
    }
    others(walk, old, new, at);
}

fn required(walk: &mut Walk<'_>, name: &str, old: &Flat<'_>, new: &Flat<'_>, at: &At) {
    let (kind, message) = match (old.required.contains(name), new.required.contains(name)) {
        (false, true) => (Kind::BecameRequired, format!("{} is required now", quote(name, NAME))),
        (true, false) => (
            Kind::BecameOptional,
            format!("{} is not required any more", quote(name, NAME)),
        ),
        _ => return,
    };
    walk.add(in_object(kind, "required", name, at, message));
}

fn removed(walk: &mut Walk<'_>, name: &str, schema: &Value, old: &Flat<'_>, new: &Flat<'_>, at: &At) {
    let was_deprecated = is_deprecated(schema);
    let mark = if was_deprecated { "; it was deprecated" } else { "" };
    let is_loss_of_required = old.required.contains(name) && !new.required.contains(name);
    let (kind, fate) = match (is_loss_of_required, new.is_closed()) {
        (true, true) => (Kind::RequiredRemovedFromClosed, "refused"),
        (true, false) => (Kind::RequiredRemovedFromOpen, "not looked at"),
        (false, true) => (Kind::OptionalRemovedFromClosed, "refused"),
        (false, false) => (Kind::OptionalRemovedFromOpen, "not looked at"),
    };
    let shown = quote(name, NAME);
    let message = format!("{shown} is gone, and unknown properties are {fate}{mark}");
    walk.add(Difference {
        was_deprecated,
        ..in_object(kind, "additionalProperties", name, at, message)
    });
}

fn added(walk: &mut Walk<'_>, name: &str, old: &Flat<'_>, new: &Flat<'_>, at: &At) {
    let shown = quote(name, NAME);
    let is_newly_required = new.required.contains(name) && !old.required.contains(name);
    let (kind, keyword, message) = if is_newly_required {
        (Kind::RequiredAdded, "required", format!("{shown} is new and required"))
    } else {
        (Kind::OptionalAdded, "", format!("{shown} is new and optional"))
    };
    walk.add(in_object(kind, keyword, name, at, message));
    if old.is_closed() {
        let message = format!("{shown} may come, where it was refused before");
        walk.add(in_object(
            Kind::AddedToClosed,
            "additionalProperties",
            name,
            at,
            message,
        ));
    }
}

/// A difference that is shown at the property and takes effect at the object that has it.
fn in_object(kind: Kind, keyword: &'static str, name: &str, at: &At, message: String) -> Difference {
    let shown = At {
        place: at.place.clone(),
        ..at.property(name)
    };
    Difference::new(kind, keyword, &shown, message).of_property(name)
}

/// Properties that are there on both sides under different names.
fn renamed<'a>(old: &Flat<'a>, new: &Flat<'a>) -> Vec<(&'a str, &'a str)> {
    let only = |one: &Flat<'a>, other: &Flat<'a>| -> Vec<(&'a str, &'a Value)> {
        let mine = one
            .properties
            .iter()
            .filter(|(name, _)| !other.properties.contains_key(*name));
        mine.map(|(name, schema)| (*name, *schema)).collect()
    };
    let (gone, mut come) = (only(old, new), only(new, old));
    let mut pairs = Vec::new();
    if gone.len() * come.len() > MOST_PAIRS {
        return pairs;
    }
    for (was, schema) in gone {
        let is_same = |(now, other): &(&str, &Value)| {
            schema.get("type") == other.get("type") && (is_same_name(was, now) || is_described_alike(schema, other))
        };
        if let Some(index) = come.iter().position(is_same) {
            pairs.push((was, come.remove(index).0));
        }
    }
    pairs
}

fn is_described_alike(one: &Value, other: &Value) -> bool {
    let text = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_owned);
    matches!((text(one), text(other)), (Some(a), Some(b)) if similarity(&a, &b) >= SIMILAR)
}

/// What becomes of properties without a schema of their own.
fn others<'a>(walk: &mut Walk<'a>, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
    let keyword = "additionalProperties";
    let schema = |flat: &Flat<'a>| flat.rest.get(keyword).copied().filter(|it| it.is_object());
    let (was, now) = (schema(old), schema(new));
    let kind = match (old.is_closed(), new.is_closed()) {
        (true, true) => return,
        (true, false) => Kind::Opened,
        (false, true) => Kind::Closed,
        (false, false) => match (was, now) {
            (Some(was), Some(now)) => return walk.compare(was, now, &at.below(keyword, Segment::AnyKey)),
            (None, Some(_)) => Kind::Closed,
            (Some(_), None) => Kind::Opened,
            (None, None) => return,
        },
    };
    let message = match (kind, now) {
        (Kind::Closed, Some(now)) => format!("unknown properties must be {} now", shown_value(now)),
        (Kind::Closed, None) => "unknown properties are refused now".to_owned(),
        (_, Some(now)) => format!("unknown properties are allowed now, if they are {}", shown_value(now)),
        (_, None) => "any unknown property is allowed now".to_owned(),
    };
    walk.add(Difference::new(kind, keyword, &at.keyword(keyword), message));
}
