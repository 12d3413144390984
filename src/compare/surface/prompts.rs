//! Prompts and their arguments.

use serde_json::Value;

use super::{
    Rule,
    changes::{Changes, softened},
    deprecation::is_deprecated,
    items::{Items, meta, other_members, subject, text},
    registry::Pair,
    renames::renames,
    words::{reworded, shown},
};

const REMOVED: Rule = Rule::breaking("prompt-removed", "a prompt is gone");
const RENAMED: Rule = Rule::breaking("prompt-renamed", "a prompt is called differently");
const ADDED: Rule = Rule::compatible("prompt-added", "a prompt is new");
const ARG_REQUIRED_ADDED: Rule = Rule::breaking("prompt-arg-required-added", "a required argument is new");
const ARG_BECAME_REQUIRED: Rule = Rule::breaking("prompt-arg-became-required", "an argument is required now");
const ARG_OPTIONAL_ADDED: Rule = Rule::compatible("prompt-arg-optional-added", "an optional argument is new");
const ARG_BECAME_OPTIONAL: Rule =
    Rule::compatible("prompt-arg-became-optional", "an argument is not required any more");
const ARG_REMOVED: Rule = Rule::risky("prompt-arg-removed", "an argument is gone, and is ignored or refused");
const DESCRIPTION: Rule = Rule::cosmetic("prompt-description-changed", "the description for people differs");
const TITLE: Rule = Rule::cosmetic("prompt-title-changed", "the title differs");
const ARG_DESCRIPTION: Rule = Rule::cosmetic("prompt-arg-description-changed", "the words about an argument differ");
const META: Rule = Rule::cosmetic("prompt-meta-changed", "`_meta`, icons or another member differ");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[
    REMOVED,
    RENAMED,
    ADDED,
    ARG_REQUIRED_ADDED,
    ARG_BECAME_REQUIRED,
    ARG_OPTIONAL_ADDED,
    ARG_BECAME_OPTIONAL,
    ARG_REMOVED,
    DESCRIPTION,
    TITLE,
    ARG_DESCRIPTION,
    META,
];

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("prompts/list") {
        return;
    }
    let prompts = Items::of(&pair.old.prompts, &pair.new.prompts, "name");
    let renames = renames(&prompts.gone, &prompts.come, prompt_text);
    for (name, prompt) in &prompts.gone {
        let subject = subject("prompt", name);
        let was_deprecated = is_deprecated(prompt);
        let mark = if was_deprecated { "; it was deprecated" } else { "" };
        let change = match renames.iter().find(|(was, _)| was == name) {
            Some((_, now)) => {
                let message = format!("is called {} now, as it seems{mark}", shown(now));
                changes.add(&RENAMED, &subject, "", message)
            }
            None => changes.add(&REMOVED, &subject, "", format!("is gone{mark}")),
        };
        softened(change, was_deprecated);
    }
    for (name, _) in &prompts.come {
        if !renames.iter().any(|(_, now)| now == name) {
            changes.add(&ADDED, &subject("prompt", name), "", "is new");
        }
    }
    for (name, old, new) in prompts.kept {
        prompt(&subject("prompt", name), old, new, changes);
    }
}

fn prompt_text(prompt: &Value) -> String {
    let part = |key: &str| prompt.get(key).map(Value::to_string).unwrap_or_default();
    ["description", "arguments"].map(part).join(" ")
}

fn prompt(subject: &str, old: &Value, new: &Value, changes: &mut Changes) {
    for (rule, key, what) in [
        (DESCRIPTION, "description", "the description"),
        (TITLE, "title", "the title"),
    ] {
        if let Some((_, message)) = reworded(what, text(old, key), text(new, key)) {
            changes.add(&rule, subject, key, message);
        }
    }
    arguments(subject, arguments_of(old), arguments_of(new), changes);
    if meta(old) != meta(new) {
        changes.add(&META, subject, "_meta", "`_meta` differs");
    }
    for member in other_members(old, new, &["name", "title", "description", "arguments", "_meta"]) {
        changes.add(&META, subject, member, "the member differs");
    }
}

fn arguments_of(prompt: &Value) -> &[Value] {
    prompt
        .get("arguments")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

fn arguments(subject: &str, old: &[Value], new: &[Value], changes: &mut Changes) {
    let is_required = |argument: &Value| argument.get("required").is_some_and(|it| *it == Value::Bool(true));
    let path = |name: &str| format!("arguments.{}", shown(name).trim_matches('`'));
    let arguments = Items::of(old, new, "name");
    for (name, argument) in arguments.gone {
        let was_deprecated = is_deprecated(argument);
        let message = format!(
            "the argument {} is gone, and is ignored or refused where it still comes",
            shown(name)
        );
        softened(changes.add(&ARG_REMOVED, subject, &path(name), message), was_deprecated);
    }
    for (name, argument) in arguments.come {
        let (rule, word) = if is_required(argument) {
            (ARG_REQUIRED_ADDED, "required")
        } else {
            (ARG_OPTIONAL_ADDED, "optional")
        };
        let message = format!("the argument {} is new and {word}", shown(name));
        changes.add(&rule, subject, &path(name), message);
    }
    for (name, was, now) in arguments.kept {
        match (is_required(was), is_required(now)) {
            (false, true) => {
                let message = format!("the argument {} is required now", shown(name));
                changes.add(&ARG_BECAME_REQUIRED, subject, &path(name), message);
            }
            (true, false) => {
                let message = format!("the argument {} is not required any more", shown(name));
                changes.add(&ARG_BECAME_OPTIONAL, subject, &path(name), message);
            }
            _ => {}
        }
        for (key, what) in [("description", "the description"), ("title", "the title")] {
            if let Some((_, message)) = reworded(what, text(was, key), text(now, key)) {
                changes.add(&ARG_DESCRIPTION, subject, &path(name), message);
            }
        }
    }
}
