//! Tools: which there are, and what they say of themselves.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    Rule,
    changes::{Changes, softened},
    deprecation::is_deprecated,
    items::{Items, meta, other_members, subject, text},
    registry::Pair,
    renames::renames,
    words::{Rewording, reworded, shown, shown_value},
};
use crate::text::count;

const REMOVED: Rule = Rule::breaking("tool-removed", "a tool is gone");
const RENAMED: Rule = Rule::breaking("tool-renamed", "a tool is called differently");
const ADDED: Rule = Rule::compatible("tool-added", "a tool is new").seen_by_models();
const BUDGET: Rule = Rule::risky(
    "tool-budget-grown",
    "the new tools make the list a fifth longer or more, which every model has to read",
)
.seen_by_models();
const DESCRIPTION_CHANGED: Rule =
    Rule::risky("tool-description-changed", "the description has other words").seen_by_models();
const DESCRIPTION_REMOVED: Rule = Rule::risky("tool-description-removed", "the description is gone").seen_by_models();
const DESCRIPTION_ADDED: Rule =
    Rule::compatible("tool-description-added", "there is a description where there was none").seen_by_models();
const DESCRIPTION_RESPELLED: Rule = Rule::cosmetic(
    "tool-description-respelled",
    "only white space or capitals of the description differ",
);
const TITLE: Rule = Rule::cosmetic("tool-title-changed", "the title for people differs");
const ICONS: Rule = Rule::cosmetic("tool-icons-changed", "the icons differ");
const ORDER: Rule = Rule::cosmetic("tool-order-changed", "the tools are listed in another order");
const META: Rule = Rule::cosmetic(
    "tool-meta-changed",
    "`_meta` or a member that is no part of the protocol differs",
);
const UI: Rule = Rule::risky(
    "tool-ui-resource-changed",
    "the resource of the tool's user interface is another one, or gone",
);
const UI_ADDED: Rule = Rule::compatible("tool-ui-resource-added", "the tool has a user interface now");
const TASK_NARROWED: Rule = Rule::breaking(
    "task-support-narrowed",
    "one way of calling the tool, with or without a task, is refused now",
);
const TASK_WIDENED: Rule = Rule::compatible("task-support-widened", "the tool can be called with and without a task");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[
    REMOVED,
    RENAMED,
    ADDED,
    BUDGET,
    DESCRIPTION_CHANGED,
    DESCRIPTION_REMOVED,
    DESCRIPTION_ADDED,
    DESCRIPTION_RESPELLED,
    TITLE,
    ICONS,
    ORDER,
    META,
    UI,
    UI_ADDED,
    TASK_NARROWED,
    TASK_WIDENED,
];

/// Members of a tool that a rule knows.
const KNOWN: [&str; 9] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "execution",
    "icons",
    "_meta",
];

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    if !pair.has_both("tools/list") {
        return;
    }
    let (old, new) = (&pair.old.tools, &pair.new.tools);
    let tools = Items::of(old, new, "name");
    let renames = renames(&tools.gone, &tools.come, tool_text);
    for (name, tool) in &tools.gone {
        let subject = subject("tool", name);
        let was_deprecated = is_deprecated(tool);
        let mark = if was_deprecated { "; it was deprecated" } else { "" };
        let change = match renames.iter().find(|(was, _)| was == name) {
            Some((_, now)) => {
                let message = format!(
                    "is called {} now, as it seems; keeping the old name as an alias breaks nobody{mark}",
                    shown(now)
                );
                changes.add(&RENAMED, &subject, "", message)
            }
            None => changes.add(&REMOVED, &subject, "", format!("is gone{mark}")),
        };
        softened(change, was_deprecated);
    }
    for (name, _) in &tools.come {
        if !renames.iter().any(|(_, now)| now == name) {
            changes.add(&ADDED, &subject("tool", name), "", "is new");
        }
    }
    budget(&tools, old, changes);
    order(&tools, new, changes);
    for (name, was, now) in &tools.kept {
        tool(&subject("tool", name), was, now, changes);
    }
}

/// The words that models choose by.
fn tool_text(tool: &Value) -> String {
    let part = |key: &str| tool.get(key).map(Value::to_string).unwrap_or_default();
    ["description", "inputSchema", "outputSchema"].map(part).join(" ")
}

/// What the list costs a model grows with its length.
fn budget(tools: &Items<'_>, old: &[Value], changes: &mut Changes) {
    let length = |tool: &Value| {
        ["name", "description", "inputSchema"]
            .iter()
            .filter_map(|key| tool.get(key))
            .map(|it| it.to_string().len())
            .sum::<usize>()
    };
    let before: usize = old.iter().map(length).sum();
    let come: usize = tools.come.iter().map(|(_, tool)| length(tool)).sum();
    let gone: usize = tools.gone.iter().map(|(_, tool)| length(tool)).sum();
    let grown = come.saturating_sub(gone);
    // One tool more on a server of four is no more than that: a budget is a matter of long lists.
    if before >= SMALL_LIST && grown * 5 > before {
        let message = format!(
            "the list is {} % longer for {}",
            grown * 100 / before,
            count(tools.come.len(), "new tool")
        );
        changes.add(&BUDGET, "tools", "", message);
    }
}

/// Bytes of a list that costs a model next to nothing: some 500 tokens.
const SMALL_LIST: usize = 2000;

fn order(tools: &Items<'_>, new: &[Value], changes: &mut Changes) {
    let was = tools.kept.iter().map(|(name, ..)| *name);
    let mut kept: HashSet<&str> = was.clone().collect();
    // Each is taken once: of several with one name the first counts.
    let now = new
        .iter()
        .filter_map(|tool| text(tool, "name"))
        .filter(|name| kept.remove(name));
    if !was.eq(now) {
        changes.add(
            &ORDER,
            "tools",
            "",
            "are listed in another order, which costs models their prompt cache",
        );
    }
}

fn tool(subject: &str, old: &Value, new: &Value, changes: &mut Changes) {
    if let Some((rewording, message)) = reworded("the description", text(old, "description"), text(new, "description"))
    {
        let rule = match rewording {
            Rewording::Changed => DESCRIPTION_CHANGED,
            Rewording::Removed => DESCRIPTION_REMOVED,
            Rewording::Added => DESCRIPTION_ADDED,
            Rewording::Respelled => DESCRIPTION_RESPELLED,
        };
        changes.add(&rule, subject, "description", message);
    }
    if let Some((_, message)) = reworded("the title", title(old), title(new)) {
        changes.add(&TITLE, subject, "title", message);
    }
    if old.get("icons") != new.get("icons") {
        changes.add(&ICONS, subject, "icons", "the icons differ");
    }
    task_support(subject, old, new, changes);
    user_interface(subject, old, new, changes);
    if without_ui(meta(old)) != without_ui(meta(new)) {
        let value = |it| meta(it).map_or_else(|| "none".to_owned(), |it| shown_value(&it));
        let message = format!("`_meta` went from {} to {}", value(old), value(new));
        changes.add(&META, subject, "_meta", message);
    }
    for member in other_members(old, new, &KNOWN) {
        changes.add(
            &META,
            subject,
            member,
            "the member differs, which is no part of the protocol",
        );
    }
}

/// Until 2025-03-26 a title was an annotation.
fn title(tool: &Value) -> Option<&str> {
    text(tool, "title").or_else(|| text(tool.get("annotations")?, "title"))
}

fn task_support(subject: &str, old: &Value, new: &Value, changes: &mut Changes) {
    let support = |tool: &Value| {
        let said = tool.get("execution").and_then(|it| text(it, "taskSupport"));
        said.unwrap_or("forbidden").to_owned()
    };
    let (was, now) = (support(old), support(new));
    if was == now {
        return;
    }
    let rule = if now == "optional" { TASK_WIDENED } else { TASK_NARROWED };
    let message = format!("calling it with a task was {}, and is {} now", shown(&was), shown(&now));
    changes.add(&rule, subject, "execution.taskSupport", message);
}

fn user_interface(subject: &str, old: &Value, new: &Value, changes: &mut Changes) {
    let uri = |tool: &Value| {
        let meta = tool.get("_meta")?;
        let uri = meta.get("ui").and_then(|ui| text(ui, "resourceUri"));
        uri.or_else(|| text(meta, "ui/resourceUri")).map(str::to_owned)
    };
    let (rule, message) = match (uri(old), uri(new)) {
        (Some(was), Some(now)) if was != now => (UI, format!("went from {} to {}", shown(&was), shown(&now))),
        (Some(was), None) => (UI, format!("{} is gone", shown(&was))),
        (None, Some(now)) => (UI_ADDED, format!("{} is new", shown(&now))),
        _ => return,
    };
    changes.add(&rule, subject, "_meta.ui.resourceUri", message);
}

fn without_ui(meta: Option<Value>) -> Option<Value> {
    let Value::Object(mut members) = meta? else { return None };
    members.remove("ui/resourceUri");
    if let Some(Value::Object(ui)) = members.get_mut("ui") {
        ui.remove("resourceUri");
        if ui.is_empty() {
            members.remove("ui");
        }
    }
    (!members.is_empty()).then_some(Value::Object(members))
}
