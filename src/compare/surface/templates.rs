//! Resource templates.

use serde_json::Value;

use super::{
    Rule,
    changes::{Changes, softened},
    deprecation::is_deprecated,
    items::{Items, subject, text},
    registry::Pair,
    resources::{Words, words},
    words::shown,
};

const REMOVED: Rule = Rule::breaking("template-removed", "a resource template is gone");
const CHANGED: Rule = Rule::breaking(
    "template-changed",
    "a variable or another part of a template differs: what was made from it leads nowhere",
);
const ADDED: Rule = Rule::compatible("template-added", "a resource template is new");
const MIME: Rule = Rule::risky("template-mime-changed", "the type of the content differs");
const NAME: Rule = Rule::cosmetic("template-name-changed", "the name or the title differs");
const DESCRIPTION: Rule = Rule::risky("template-description-changed", "the description differs").seen_by_models();
const ANNOTATIONS: Rule = Rule::cosmetic(
    "template-annotations-changed",
    "audience, priority or another annotation differs",
);
const META: Rule = Rule::cosmetic("template-meta-changed", "`_meta`, icons or another member differ");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[REMOVED, CHANGED, ADDED, MIME, NAME, DESCRIPTION, ANNOTATIONS, META];

const WORDS: Words = Words {
    item: "resource template",
    mime: MIME,
    name: NAME,
    description: DESCRIPTION,
    annotations: ANNOTATIONS,
    meta: META,
};

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("resources/templates/list") {
        return;
    }
    let templates = Items::of(
        &pair.old.resource_templates,
        &pair.new.resource_templates,
        "uriTemplate",
    );
    let mut come = templates.come;
    for (uri, template) in templates.gone {
        let subject = subject(WORDS.item, uri);
        let was_deprecated = is_deprecated(template);
        let mark = if was_deprecated { "; it was deprecated" } else { "" };
        let change = match come.iter().position(|(_, other)| is_of_one_name(template, other)) {
            Some(index) => {
                let (now, other) = come.remove(index);
                words(&WORDS, uri, template, other, changes);
                let message = format!("is {} now: what was made from it leads nowhere{mark}", shown(now));
                changes.add(&CHANGED, &subject, "uriTemplate", message)
            }
            None => changes.add(&REMOVED, &subject, "", format!("is gone{mark}")),
        };
        softened(change, was_deprecated);
    }
    for (uri, _) in come {
        changes.add(&ADDED, &subject(WORDS.item, uri), "", "is new");
    }
    for (uri, old, new) in templates.kept {
        words(&WORDS, uri, old, new, changes);
    }
}

fn is_of_one_name(one: &Value, other: &Value) -> bool {
    text(one, "name").is_some_and(|name| text(other, "name") == Some(name))
}
