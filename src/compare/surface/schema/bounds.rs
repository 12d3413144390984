//! Bounds of numbers, texts, lists and objects.

use serde_json::Value;

use super::{At, Difference, Flat, Kind, exact::Exact};

/// A bound by its keyword, the type it restricts, and whether more of it allows less.
const BOUNDS: [(&str, &str, Tighter); 6] = [
    ("minLength", "string", Tighter::Higher),
    ("maxLength", "string", Tighter::Lower),
    ("minItems", "array", Tighter::Higher),
    ("maxItems", "array", Tighter::Lower),
    ("minProperties", "object", Tighter::Higher),
    ("maxProperties", "object", Tighter::Lower),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tighter {
    Higher,
    Lower,
}

/// The end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct End {
    at: Exact,
    is_excluded: bool,
}

pub(super) fn compare(old: &Flat<'_>, new: &Flat<'_>, at: &At, found: &mut Vec<Difference>) {
    let types = old.types.and(new.types);
    if types.allows("number") {
        for (keyword, tighter) in [("minimum", Tighter::Higher), ("maximum", Tighter::Lower)] {
            range(keyword, tighter, [end(old, tighter), end(new, tighter)], at, found);
        }
        multiple(old, new, at, found);
    }
    for (keyword, of, tighter) in BOUNDS.into_iter().filter(|(_, of, _)| types.allows(of)) {
        let _ = of;
        let end = |flat: &Flat<'_>| number(flat, keyword).map(|at| End { at, is_excluded: false });
        range(keyword, tighter, [end(old), end(new)], at, found);
    }
    if types.allows("array") {
        let is_set = |flat: &Flat<'_>| flat.rest.get("uniqueItems").is_some_and(|it| **it == Value::Bool(true));
        let kind = match (is_set(old), is_set(new)) {
            (false, true) => Kind::BoundAdded,
            (true, false) => Kind::BoundLifted,
            _ => return,
        };
        let message = match kind {
            Kind::BoundAdded => "items must be unique now",
            _ => "items need not be unique any more",
        };
        found.push(Difference::new(
            kind,
            "uniqueItems",
            &at.keyword("uniqueItems"),
            message,
        ));
    }
}

fn number(flat: &Flat<'_>, keyword: &str) -> Option<Exact> {
    flat.rest.get(keyword)?.as_number().and_then(Exact::of)
}

/// The stricter of the inclusive and the exclusive bound. Draft 4 writes the latter as a mark on the former.
fn end(flat: &Flat<'_>, tighter: Tighter) -> Option<End> {
    let (keyword, excluding) = match tighter {
        Tighter::Higher => ("minimum", "exclusiveMinimum"),
        Tighter::Lower => ("maximum", "exclusiveMaximum"),
    };
    let is_marked = flat.rest.get(excluding).is_some_and(|it| **it == Value::Bool(true));
    let inclusive = number(flat, keyword).map(|at| End {
        at,
        is_excluded: is_marked,
    });
    let exclusive = number(flat, excluding).map(|at| End { at, is_excluded: true });
    let end = match (inclusive, exclusive) {
        (Some(one), Some(other)) if is_tighter(other, one, tighter) => Some(other),
        (one, other) => one.or(other),
    }?;
    let holds_integers = flat.types.allows("integer") && !flat.types.allows("number with a fraction");
    let step = match tighter {
        Tighter::Higher => 1,
        Tighter::Lower => -1,
    };
    Some(match end.at {
        Exact::Whole(at) if end.is_excluded && holds_integers => End {
            at: Exact::Whole(at + step),
            is_excluded: false,
        },
        _ => end,
    })
}

fn is_tighter(one: End, other: End, tighter: Tighter) -> bool {
    let is_beyond = match tighter {
        Tighter::Higher => one.at > other.at,
        Tighter::Lower => one.at < other.at,
    };
    is_beyond || one.at == other.at && one.is_excluded && !other.is_excluded
}

fn range(keyword: &'static str, tighter: Tighter, [was, now]: [Option<End>; 2], at: &At, found: &mut Vec<Difference>) {
    let words = |end: End| {
        if end.is_excluded {
            format!("{} (excluded)", end.at)
        } else {
            end.at.to_string()
        }
    };
    let (kind, message) = match (was, now) {
        (None, Some(now)) => (Kind::BoundAdded, format!("`{keyword}` is {} now", words(now))),
        (Some(was), None) => (Kind::BoundLifted, format!("`{keyword}` {} is gone", words(was))),
        (Some(was), Some(now)) if was != now => {
            let kind = if is_tighter(now, was, tighter) {
                Kind::BoundTightened
            } else {
                Kind::BoundLoosened
            };
            (kind, format!("`{keyword}` went from {} to {}", words(was), words(now)))
        }
        _ => return,
    };
    found.push(Difference::new(kind, keyword, &at.keyword(keyword), message));
}

fn multiple(old: &Flat<'_>, new: &Flat<'_>, at: &At, found: &mut Vec<Difference>) {
    let keyword = "multipleOf";
    let (kind, message) = match (number(old, keyword), number(new, keyword)) {
        (None, Some(now)) => (Kind::BoundAdded, format!("`{keyword}` is {now} now")),
        (Some(was), None) => (Kind::BoundLifted, format!("`{keyword}` {was} is gone")),
        (Some(was), Some(now)) if was != now => {
            let kind = if was.is_multiple_of(now) {
                Kind::BoundLoosened
            } else {
                Kind::BoundTightened
            };
            (kind, format!("`{keyword}` went from {was} to {now}"))
        }
        _ => return,
    };
    found.push(Difference::new(kind, keyword, &at.keyword(keyword), message));
}
