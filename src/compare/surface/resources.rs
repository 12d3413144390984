//! Resources.

use serde_json::Value;

use super::{
    Rule,
    changes::{Changes, softened},
    deprecation::is_deprecated,
    items::{Items, meta, other_members, subject, text},
    registry::Pair,
    words::{reworded, shown},
};
use crate::model::Surface;

const REMOVED: Rule = Rule::breaking("resource-removed", "a resource is gone");
const UNLISTED: Rule = Rule::cosmetic(
    "resource-unlisted",
    "a resource is not listed, and the server said that its list varies",
);
const ADDED: Rule = Rule::compatible("resource-added", "a resource is new");
const MIME: Rule = Rule::risky("resource-mime-changed", "the type of the content differs");
const NAME: Rule = Rule::cosmetic("resource-name-changed", "the name or the title differs");
const DESCRIPTION: Rule = Rule::risky("resource-description-changed", "the description differs").seen_by_models();
const ANNOTATIONS: Rule = Rule::cosmetic(
    "resource-annotations-changed",
    "audience, priority or another annotation differs",
);
const META: Rule = Rule::cosmetic("resource-meta-changed", "`_meta`, icons or another member differ");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[REMOVED, UNLISTED, ADDED, MIME, NAME, DESCRIPTION, ANNOTATIONS, META];

/// The rules for what resources and templates have in common.
pub(super) struct Words {
    /// What one is called.
    pub(super) item: &'static str,
    /// Its type differs.
    pub(super) mime: Rule,
    /// Its name differs.
    pub(super) name: Rule,
    /// Its description differs.
    pub(super) description: Rule,
    /// Its annotations differ.
    pub(super) annotations: Rule,
    /// Something else differs.
    pub(super) meta: Rule,
}

const WORDS: Words = Words {
    item: "resource",
    mime: MIME,
    name: NAME,
    description: DESCRIPTION,
    annotations: ANNOTATIONS,
    meta: META,
};

/// Members that say nothing about the resource itself, or that a rule knows.
const KNOWN: [&str; 10] = [
    "uri",
    "uriTemplate",
    "name",
    "title",
    "description",
    "mimeType",
    "annotations",
    "_meta",
    "size",
    "lastModified",
];

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("resources/list") {
        return;
    }
    let resources = Items::of(&pair.old.resources, &pair.new.resources, "uri");
    for (uri, resource) in resources.gone {
        let subject = subject("resource", uri);
        if varies(pair.old) {
            changes.add(
                &UNLISTED,
                &subject,
                "",
                "is not listed; the server said that its list varies",
            );
            continue;
        }
        let was_deprecated = is_deprecated(resource);
        let mark = if was_deprecated { "; it was deprecated" } else { "" };
        softened(
            changes.add(&REMOVED, &subject, "", format!("is gone{mark}")),
            was_deprecated,
        );
    }
    for (uri, _) in resources.come {
        changes.add(&ADDED, &subject("resource", uri), "", "is new");
    }
    for (uri, old, new) in resources.kept {
        words(&WORDS, uri, old, new, changes);
    }
}

/// Whether the server announced that its resources come and go.
fn varies(surface: &Surface) -> bool {
    let resources = surface.capabilities.get("resources");
    resources
        .and_then(|it| it.get("listChanged"))
        .is_some_and(|it| *it == Value::Bool(true))
}

/// What a resource or a template says of itself.
pub(super) fn words(words: &Words, key: &str, old: &Value, new: &Value, changes: &mut Changes) {
    let subject = subject(words.item, key);
    let (was, now) = (text(old, "mimeType"), text(new, "mimeType"));
    if was != now {
        let says = |it: Option<&str>| it.map_or_else(|| "none".to_owned(), shown);
        let message = format!("the type of the content went from {} to {}", says(was), says(now));
        changes.add(&words.mime, &subject, "mimeType", message);
    }
    for (rule, member, what) in [
        (words.name, "name", "the name"),
        (words.name, "title", "the title"),
        (words.description, "description", "the description"),
    ] {
        if let Some((_, message)) = reworded(what, text(old, member), text(new, member)) {
            changes.add(&rule, &subject, member, message);
        }
    }
    if annotations(old) != annotations(new) {
        changes.add(&words.annotations, &subject, "annotations", "the annotations differ");
    }
    if meta(old) != meta(new) {
        changes.add(&words.meta, &subject, "_meta", "`_meta` differs");
    }
    for member in other_members(old, new, &KNOWN) {
        changes.add(&words.meta, &subject, member, "the member differs");
    }
}

/// When it was last modified is no part of what it is.
fn annotations(item: &Value) -> Option<Value> {
    let mut annotations = item.get("annotations")?.as_object()?.clone();
    annotations.remove("lastModified");
    (!annotations.is_empty()).then_some(Value::Object(annotations))
}
