//! What a tool hints at about itself. Nothing enforces the hints, but clients ask for consent by them.

use serde_json::Value;

use super::{
    Rule,
    changes::Changes,
    items::{Items, other_members, subject},
    registry::Pair,
};

const READONLY_LOST: Rule = Rule::risky(
    "ann-readonly-lost",
    "the tool does not call itself read-only any more: read-only modes lose it",
);
const READONLY_GAINED: Rule = Rule::risky(
    "ann-readonly-gained",
    "the tool calls itself read-only now, which weakens confirmation: check that it is so",
);
const DESTRUCTIVE_LOST: Rule = Rule::risky(
    "ann-destructive-lost",
    "the tool does not call itself destructive any more, which weakens confirmation: check that it is so",
);
const DESTRUCTIVE_GAINED: Rule = Rule::compatible("ann-destructive-gained", "the tool calls itself destructive now");
const OPEN_WORLD_LOST: Rule = Rule::risky(
    "ann-openworld-lost",
    "the tool says that it reaches nothing outside any more, which weakens confirmation: check that it is so",
);
const OPEN_WORLD_GAINED: Rule = Rule::compatible("ann-openworld-gained", "the tool says that it reaches outside now");
const IDEMPOTENT_LOST: Rule = Rule::risky(
    "ann-idempotent-lost",
    "the tool cannot be called twice safely any more: clients that retry by themselves do harm",
);
const IDEMPOTENT_GAINED: Rule = Rule::compatible("ann-idempotent-gained", "the tool can be called twice safely now");
const OTHER: Rule = Rule::cosmetic(
    "ann-other-changed",
    "an annotation that is no part of the protocol differs",
);

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[
    READONLY_LOST,
    READONLY_GAINED,
    DESTRUCTIVE_LOST,
    DESTRUCTIVE_GAINED,
    OPEN_WORLD_LOST,
    OPEN_WORLD_GAINED,
    IDEMPOTENT_LOST,
    IDEMPOTENT_GAINED,
    OTHER,
];

/// A hint, what it is where nobody says (2025-03-26 and later, `ToolAnnotations`), and the rules for its loss and gain.
const HINTS: [(&str, bool, Rule, Rule); 4] = [
    ("readOnlyHint", false, READONLY_LOST, READONLY_GAINED),
    ("destructiveHint", true, DESTRUCTIVE_LOST, DESTRUCTIVE_GAINED),
    ("openWorldHint", true, OPEN_WORLD_LOST, OPEN_WORLD_GAINED),
    ("idempotentHint", false, IDEMPOTENT_LOST, IDEMPOTENT_GAINED),
];

/// Annotations that are compared here, and the title, which is compared with the tool's.
const KNOWN: [&str; 5] = [
    "readOnlyHint",
    "destructiveHint",
    "openWorldHint",
    "idempotentHint",
    "title",
];

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("tools/list") {
        return;
    }
    for (name, old, new) in Items::of(&pair.old.tools, &pair.new.tools, "name").kept {
        let subject = subject("tool", name);
        let annotations = |tool: &Value| tool.get("annotations").cloned().unwrap_or_default();
        let (old, new) = (annotations(old), annotations(new));
        for (hint, default, lost, gained) in HINTS {
            let value = |annotations: &Value| annotations.get(hint).and_then(Value::as_bool).unwrap_or(default);
            let rule = match (value(&old), value(&new)) {
                (true, false) => lost,
                (false, true) => gained,
                _ => continue,
            };
            let message = format!("`{hint}` went from {} to {}", value(&old), value(&new));
            changes.add(&rule, &subject, &format!("annotations.{hint}"), message);
        }
        for member in other_members(&old, &new, &KNOWN) {
            let path = format!("annotations.{member}");
            changes.add(
                &OTHER,
                &subject,
                &path,
                "the annotation differs, which is no part of the protocol",
            );
        }
    }
}
