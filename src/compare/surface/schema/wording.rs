//! What a schema says to people and to models: descriptions, titles, defaults, examples, marks.

use serde_json::Value;

use super::{At, Difference, Flat, Kind};
use crate::compare::surface::words::{Rewording, reworded, shown_value};

/// Keywords that are compared elsewhere, or have no meaning of their own.
const COMPARED: [&str; 43] = [
    "description",
    "title",
    "examples",
    "default",
    "deprecated",
    "x-mcp-header",
    "pattern",
    "format",
    "items",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "dependentRequired",
    "additionalProperties",
    "unevaluatedProperties",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "multipleOf",
    "uniqueItems",
    "propertyNames",
    "dependentSchemas",
    "dependencies",
    "unevaluatedItems",
    "additionalItems",
    "minContains",
    "maxContains",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "patternProperties",
];

pub(super) fn compare(old: &Flat<'_>, new: &Flat<'_>, at: &At, found: &mut Vec<Difference>) {
    description(old, new, at, found);
    let pair = |key: &str| (old.rest.get(key).copied(), new.rest.get(key).copied());
    let mut note = |kind, keyword: &'static str, message: String| {
        found.push(Difference::new(kind, keyword, &at.keyword(keyword), message));
    };
    if let (was, now) = pair("title")
        && was != now
    {
        note(Kind::TitleChanged, "title", went("the title", was, now));
    }
    if let (was, now) = pair("examples")
        && was != now
    {
        note(Kind::ExamplesChanged, "examples", went("the examples", was, now));
    }
    match pair("default") {
        (None, Some(now)) => note(
            Kind::DefaultAdded,
            "default",
            format!(
                "the default {} is new: what leaving it out means may have changed",
                shown_value(now)
            ),
        ),
        (Some(was), None) => note(
            Kind::DefaultRemoved,
            "default",
            format!(
                "the default {} is gone: what leaving it out means may have changed",
                shown_value(was)
            ),
        ),
        (was, now) if was != now => note(Kind::DefaultChanged, "default", went("the default", was, now)),
        _ => {}
    }
    match pair("deprecated") {
        (was, now) if was == now => {}
        (_, Some(_)) => note(Kind::DeprecatedAdded, "deprecated", "is deprecated now".to_owned()),
        (_, None) => note(
            Kind::DeprecatedRemoved,
            "deprecated",
            "is not deprecated any more".to_owned(),
        ),
    }
    if let (was, now) = pair("x-mcp-header")
        && was != now
    {
        let message = went("the header that carries it (`x-mcp-header`)", was, now);
        note(Kind::HeaderChanged, "x-mcp-header", message);
    }
    others(old, new, at, found);
}

fn description(old: &Flat<'_>, new: &Flat<'_>, at: &At, found: &mut Vec<Difference>) {
    let text = |flat: &Flat<'_>| {
        flat.rest
            .get("description")
            .and_then(|it| it.as_str().map(str::to_owned))
    };
    let Some((rewording, message)) = reworded("the description", text(old).as_deref(), text(new).as_deref()) else {
        return;
    };
    let kind = match rewording {
        Rewording::Added => Kind::DescriptionAdded,
        Rewording::Removed => Kind::DescriptionRemoved,
        Rewording::Respelled => Kind::DescriptionRespelled,
        Rewording::Changed => Kind::DescriptionChanged,
    };
    found.push(Difference::new(
        kind,
        "description",
        &at.keyword("description"),
        message,
    ));
}

/// Keywords that no vocabulary of JSON Schema knows as restrictions.
fn others(old: &Flat<'_>, new: &Flat<'_>, at: &At, found: &mut Vec<Difference>) {
    let mut keys: Vec<&str> = old.rest.keys().chain(new.rest.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let (was, now) = (old.rest.get(key).copied(), new.rest.get(key).copied());
        if key != "prefixItems" && !COMPARED.contains(&key) && was != now {
            let message = went("its value", was, now);
            found.push(Difference::new(Kind::AnnotationChanged, "", &at.keyword(key), message));
        }
    }
}

fn went(what: &str, was: Option<&Value>, now: Option<&Value>) -> String {
    let says = |it: Option<&Value>| it.map_or_else(|| "none".to_owned(), shown_value);
    format!("{what} went from {} to {}", says(was), says(now))
}
