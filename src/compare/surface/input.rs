//! What tools accept.

use super::{
    changes::{Changes, softened},
    input_rules,
    items::{Items, subject},
    registry::Pair,
    schema::differences,
    witness::{Sides, witness},
};
use crate::model::ChangeClass;

pub(super) use super::input_rules::RULES;

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("tools/list") {
        return;
    }
    let any = serde_json::Value::Bool(true);
    for (name, old, new) in Items::of(&pair.old.tools, &pair.new.tools, "name").kept {
        let (old, new) = (
            old.get("inputSchema").unwrap_or(&any),
            new.get("inputSchema").unwrap_or(&any),
        );
        let found = differences(old, new, "inputSchema");
        if found.is_empty() {
            continue;
        }
        let subject = subject("tool", name);
        let used: Vec<_> = pair.used.iter().filter(|used| used.tool == name).collect();
        let sides = Sides::new(old, new);
        for difference in found {
            let Some(rule) = input_rules::rule(difference.kind) else {
                continue;
            };
            let is_loss = rule.class >= ChangeClass::Risky && !difference.kind.is_wording();
            let witness = is_loss.then(|| witness(&sides, &difference, &used)).flatten();
            let change = changes.add(&rule, &subject, &difference.at.path, difference.message);
            if witness.as_ref().is_some_and(|it| it.case.is_some()) {
                // What could not be proved is proved by the user's own fixtures.
                change.class = ChangeClass::Breaking;
            }
            change.witness = witness;
            softened(change, difference.was_deprecated);
        }
    }
}
