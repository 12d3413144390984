//! Choices and combinations of schemas.

use serde_json::Value;

use super::{At, Constraint, Difference, Flat, Kind, walk::Walk};
use crate::compare::surface::words::shown_value;

/// Branches of a choice that are compared with one another.
const MOST_BRANCHES: usize = 32;

/// Choices, and what it is called that a branch came, or went.
const CHOICES: [(Constraint, [Kind; 2]); 2] = [
    (Constraint::AnyOf, [Kind::AnyOfBranchAdded, Kind::AnyOfBranchRemoved]),
    (Constraint::OneOf, [Kind::OneOfBranchAdded, Kind::OneOfBranchRemoved]),
];

/// Combinations that only ever narrow what is allowed.
const CONSTRAINTS: [Constraint; 4] = [
    Constraint::Not,
    Constraint::If,
    Constraint::DependentRequired,
    Constraint::Contains,
];

/// `anyOf`, `oneOf` or `allOf` at the root, where it was not before: some model providers refuse such a tool, and the
/// whole request with it (notion-mcp-server#341).
pub(super) fn root(old: &Value, new: &Value, at: &At, found: &mut Vec<Difference>) {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if old.get(keyword).is_none() && new.get(keyword).is_some() {
            let message = format!("`{keyword}` stands at the root now, which some model providers refuse");
            found.push(Difference::new(
                Kind::RootComposition,
                "",
                &at.keyword(keyword),
                message,
            ));
        }
    }
}

/// One schema that became a choice with it among the branches, or the other way round. Tells whether that is all there is
/// to say about the place.
pub(super) fn became_a_choice<'a>(
    walk: &mut Walk<'a>,
    [old_schema, new_schema]: [&'a Value; 2],
    [old, new]: [&Flat<'a>; 2],
    at: &At,
) -> bool {
    for (constraint, [added, removed]) in CHOICES {
        let keyword = constraint.keyword();
        let (alone, is_alone_before, choice, all) = match (branches(old, keyword), branches(new, keyword)) {
            (None, Some(all)) => (old_schema, true, new, all),
            (Some(all), None) => (new_schema, false, old, all),
            _ => continue,
        };
        let single = if is_alone_before { old } else { new };
        if !choice.is_nothing_but(keyword) || single.is_nothing_but("") {
            continue;
        }
        let is_it = |walk: &mut Walk<'a>, branch: &'a Value| {
            if is_alone_before {
                walk.is_alike(alone, branch)
            } else {
                walk.is_alike(branch, alone)
            }
        };
        let Some(same) = all.iter().take(MOST_BRANCHES).position(|branch| is_it(walk, branch)) else {
            walk.give_up(keyword, [Some(old_schema), Some(new_schema)], at);
            return true;
        };
        for index in (0..all.len()).filter(|index| *index != same) {
            let (kind, message) = if is_alone_before {
                (added, came(keyword, &all[index]))
            } else {
                (removed, went(keyword, &all[index]))
            };
            walk.add(Difference::new(kind, keyword, &at.branch(keyword, index), message));
        }
        return true;
    }
    false
}

/// Compares what both sides combine.
pub(super) fn compare<'a>(walk: &mut Walk<'a>, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
    for (constraint, kinds) in CHOICES {
        let keyword = constraint.keyword();
        if let (Some(was), Some(now)) = (branches(old, keyword), branches(new, keyword)) {
            choice(walk, keyword, kinds, [was, now], at);
        } else {
            let sides = [old, new].map(|flat| flat.rest.get(keyword).copied());
            one_sided(walk, constraint, sides, at);
        }
    }
    all_of(walk, old, new, at);
    for constraint in CONSTRAINTS {
        constrained(walk, constraint, old, new, at);
    }
    for keyword in ["then", "else"] {
        let (was, now) = (old.rest.get(keyword).copied(), new.rest.get(keyword).copied());
        let is_same = match (was, now) {
            (Some(was), Some(now)) => walk.is_same(was, now),
            (was, now) => was.is_some() == now.is_some(),
        };
        // Without an `if` on both sides it is said already, or has no effect.
        if !is_same && old.rest.contains_key("if") && new.rest.contains_key("if") {
            walk.give_up(keyword, [was, now], at);
        }
    }
}

fn constrained<'a>(walk: &mut Walk<'a>, constraint: Constraint, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
    let keyword = constraint.keyword();
    match (old.rest.get(keyword).copied(), new.rest.get(keyword).copied()) {
        (Some(was), Some(now)) if !walk.is_same_part(was, now, keyword) => {
            walk.give_up(keyword, [Some(was), Some(now)], at);
        }
        (was, now) => one_sided(walk, constraint, [was, now], at),
    }
}

fn one_sided(walk: &mut Walk<'_>, constraint: Constraint, sides: [Option<&Value>; 2], at: &At) {
    let keyword = constraint.keyword();
    let (kind, message) = match sides {
        [None, Some(now)] => (
            Kind::ConstraintAdded(constraint),
            format!("`{keyword}` must hold now, too: {}", shown_value(now)),
        ),
        [Some(was), None] => (
            Kind::ConstraintRemoved(constraint),
            format!("`{keyword}` need not hold any more: {}", shown_value(was)),
        ),
        _ => return,
    };
    walk.add(Difference::new(kind, keyword, &at.keyword(keyword), message));
}

fn all_of<'a>(walk: &mut Walk<'a>, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
    let (gone, come) = unmatched(walk, &old.all_of, &new.all_of);
    for index in gone {
        one_sided(walk, Constraint::AllOf, [Some(old.all_of[index]), None], at);
    }
    for index in come {
        one_sided(walk, Constraint::AllOf, [None, Some(new.all_of[index])], at);
    }
}

fn choice<'a>(
    walk: &mut Walk<'a>,
    keyword: &'static str,
    [added, removed]: [Kind; 2],
    [was, now]: [&'a [Value]; 2],
    at: &At,
) {
    let (was_all, now_all): (Vec<_>, Vec<_>) = (was.iter().collect(), now.iter().collect());
    if was.len().max(now.len()) > MOST_BRANCHES {
        if was != now {
            let count = |all: &[Value]| Value::from(all.len());
            walk.give_up(keyword, [Some(&count(was)), Some(&count(now))], at);
        }
        return;
    }
    let (gone, come) = unmatched(walk, &was_all, &now_all);
    if gone.len() == come.len() {
        for (gone, come) in gone.into_iter().zip(come) {
            walk.compare(was_all[gone], now_all[come], &at.branch(keyword, come));
        }
        return;
    }
    for index in gone {
        let message = went(keyword, was_all[index]);
        walk.add(Difference::new(removed, keyword, &at.branch(keyword, index), message));
    }
    for index in come {
        let message = came(keyword, now_all[index]);
        walk.add(Difference::new(added, keyword, &at.branch(keyword, index), message));
    }
}

fn came(keyword: &str, branch: &Value) -> String {
    format!("`{keyword}` has one more branch: {}", shown_value(branch))
}

fn went(keyword: &str, branch: &Value) -> String {
    format!("a branch of `{keyword}` is gone: {}", shown_value(branch))
}

/// The indices of schemas that have no equal on the other side.
fn unmatched<'a>(walk: &mut Walk<'a>, was: &[&'a Value], now: &[&'a Value]) -> (Vec<usize>, Vec<usize>) {
    let mut come: Vec<usize> = (0..now.len()).collect();
    let mut gone = Vec::new();
    for (index, schema) in was.iter().enumerate() {
        match come.iter().position(|candidate| walk.is_same(schema, now[*candidate])) {
            Some(found) => _ = come.remove(found),
            None => gone.push(index),
        }
    }
    (gone, come)
}

fn branches<'a>(flat: &Flat<'a>, keyword: &str) -> Option<&'a [Value]> {
    flat.rest.get(keyword).and_then(|it| it.as_array()).map(Vec::as_slice)
}
