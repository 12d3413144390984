//! What tools answer.

use serde_json::Value;

use super::{
    changes::{Changes, softened},
    items::{Items, subject},
    output_rules::{self, ROOT_TYPE_CHANGED, SCHEMA_ADDED, SCHEMA_REMOVED},
    registry::Pair,
    schema::{Kind, differences},
    witness::{Sides, witness},
};
use crate::model::ChangeClass;

pub(super) use super::output_rules::RULES;

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("tools/list") {
        return;
    }
    for (name, old, new) in Items::of(&pair.old.tools, &pair.new.tools, "name").kept {
        let subject = subject("tool", name);
        let schema = |tool: &Value| tool.get("outputSchema").filter(|it| !it.is_null()).cloned();
        match (schema(old), schema(new)) {
            (None, Some(_)) => {
                let message = "is new: every result has to be valid by it from now on";
                changes.add(&SCHEMA_ADDED, &subject, "outputSchema", message);
            }
            (Some(_), None) => {
                changes.add(&SCHEMA_REMOVED, &subject, "outputSchema", "is gone");
            }
            (Some(old), Some(new)) => results(&subject, &old, &new, changes),
            (None, None) => {}
        }
    }
}

fn results(subject: &str, old: &Value, new: &Value, changes: &mut Changes) {
    let found = differences(old, new, "outputSchema");
    // What comes now is what may not have come before.
    let sides = Sides::new(new, old);
    for difference in found {
        let Some(mut rule) = output_rules::rule(difference.kind) else {
            continue;
        };
        let is_root = difference.at.place.is_empty() && difference.kind == Kind::TypeChanged;
        if is_root && difference.at.path == "outputSchema.type" {
            rule = ROOT_TYPE_CHANGED;
        }
        let is_loss = rule.class >= ChangeClass::Risky && !difference.kind.is_wording();
        let witness = is_loss.then(|| witness(&sides, &difference, &[])).flatten();
        let change = changes.add(&rule, subject, &difference.at.path, difference.message);
        change.witness = witness;
        softened(change, difference.was_deprecated);
    }
}
