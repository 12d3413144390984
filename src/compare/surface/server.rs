//! The server itself: capabilities, instructions, protocol, identity, and lists that could not be had.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    Rule,
    changes::Changes,
    items::text,
    registry::Pair,
    words::{Rewording, reworded, shown},
};
use crate::{
    model::{ChangeClass, Surface, SurfaceChange},
    text::cut,
};

const CAP_REMOVED: Rule = Rule::breaking("cap-removed", "a capability is not announced any more");
const CAP_ADDED: Rule = Rule::compatible("cap-added", "a capability is new");
const LOGGING_LOST: Rule = Rule::risky("cap-logging-lost", "the server does not log to clients any more");
const LIST_CHANGED_LOST: Rule = Rule::risky(
    "cap-listchanged-lost",
    "clients are not told any more that a list changed",
);
const SUBSCRIBE_LOST: Rule = Rule::risky("cap-subscribe-lost", "resources cannot be subscribed to any more");
const FLAG_GAINED: Rule = Rule::compatible("cap-flag-gained", "a capability can do more");
const CAP_CHANGED: Rule = Rule::cosmetic("cap-settings-changed", "settings of a capability differ");
const INSTRUCTIONS: Rule = Rule::risky(
    "instructions-changed",
    "the instructions, which enter the system prompt, differ",
)
.seen_by_models();
const INSTRUCTIONS_RESPELLED: Rule = Rule::cosmetic(
    "instructions-respelled",
    "only white space or capitals of the instructions differ",
);
const ERA: Rule = Rule::risky(
    "protocol-era-changed",
    "the surfaces are of different eras of the protocol: the rest is a best effort",
);
const VERSION_DROPPED: Rule = Rule::breaking(
    "protocol-version-dropped",
    "a newer version of the protocol is not spoken any more",
);
const VERSION_ADDED: Rule = Rule::compatible("protocol-version-added", "a newer version of the protocol is spoken");
const NAME: Rule = Rule::risky(
    "server-name-changed",
    "the name differs, by which hosts keep their settings",
);
const VERSION: Rule = Rule::cosmetic("server-version-changed", "the version differs");
const OTHER: Rule = Rule::cosmetic(
    "server-info-changed",
    "title, icons or another member of `serverInfo` differ",
);
const NOT_BUMPED: Rule = Rule::cosmetic(
    "version-not-bumped",
    "something breaks, and the version does not say so",
);
const LIST_LOST: Rule = Rule::risky(
    "list-lost",
    "a list that could be had cannot be had any more: it was not compared",
);
const LIST_REGAINED: Rule = Rule::compatible("list-regained", "a list can be had that could not: it was not compared");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[
    CAP_REMOVED,
    CAP_ADDED,
    LOGGING_LOST,
    LIST_CHANGED_LOST,
    SUBSCRIBE_LOST,
    FLAG_GAINED,
    CAP_CHANGED,
    INSTRUCTIONS,
    INSTRUCTIONS_RESPELLED,
    ERA,
    VERSION_DROPPED,
    VERSION_ADDED,
    NAME,
    VERSION,
    OTHER,
    NOT_BUMPED,
    LIST_LOST,
    LIST_REGAINED,
];

const SERVER: &str = "server";

/// Characters of a reason that are shown.
const REASON: usize = 200;

pub(super) fn compare(pair: Pair<'_>, changes: &mut Changes) {
    capabilities(pair, changes);
    instructions(pair, changes);
    protocol(pair, changes);
    lists(pair, changes);
    identity(&pair.old.server, &pair.new.server, changes);
}

fn capabilities(pair: Pair<'_>, changes: &mut Changes) {
    let (old, new) = (announced(pair.old), announced(pair.new));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let path = format!("capabilities.{name}");
        let shown = shown(name);
        let change = match (old.get(name), new.get(name)) {
            (Some(_), None) if name == "logging" => changes.add(&LOGGING_LOST, SERVER, &path, "`logging` is gone"),
            (Some(_), None) => changes.add(&CAP_REMOVED, SERVER, &path, format!("the capability {shown} is gone")),
            (None, Some(_)) => changes.add(&CAP_ADDED, SERVER, &path, format!("the capability {shown} is new")),
            (Some(was), Some(now)) => {
                settings(pair, &path, was, now, changes);
                continue;
            }
            (None, None) => continue,
        };
        demoted(pair, change);
    }
}

/// The capabilities by name; extensions and experimental ones have names of their own.
fn announced(surface: &Surface) -> Map<String, Value> {
    let mut all = Map::new();
    for (name, value) in surface.capabilities.iter().filter(|(_, value)| !value.is_null()) {
        match (name.as_str(), value) {
            ("extensions" | "experimental", Value::Object(members)) => {
                all.extend(
                    members
                        .iter()
                        .map(|(member, value)| (format!("{name}.{member}"), value.clone())),
                );
            }
            _ => _ = all.insert(name.clone(), value.clone()),
        }
    }
    all
}

fn settings(pair: Pair<'_>, path: &str, old: &Value, new: &Value, changes: &mut Changes) {
    let keys = |value: &Value| -> BTreeSet<String> {
        let members = value.as_object().into_iter();
        members.flat_map(|members| members.keys().cloned()).collect()
    };
    for key in &keys(old) | &keys(new) {
        let is_on = |value: &Value| value.get(&key).is_some_and(|it| *it == Value::Bool(true));
        let is_mark = |value: &Value| value.get(&key).is_none_or(Value::is_boolean);
        let path = format!("{path}.{key}");
        let change = match (is_on(old), is_on(new)) {
            (true, false) if key == "listChanged" => changes.add(&LIST_CHANGED_LOST, SERVER, &path, "is off now"),
            (true, false) if key == "subscribe" => changes.add(&SUBSCRIBE_LOST, SERVER, &path, "is off now"),
            (false, true) if is_mark(old) => changes.add(&FLAG_GAINED, SERVER, &path, "is on now"),
            (false, false) if is_mark(old) && is_mark(new) => continue,
            _ if old.get(&key) == new.get(&key) => continue,
            _ => changes.add(&CAP_CHANGED, SERVER, &path, "differs"),
        };
        demoted(pair, change);
    }
}

/// The same program announces other capabilities in another era, which says nothing about the program.
fn demoted(pair: Pair<'_>, change: &mut SurfaceChange) {
    if !pair.is_one_era() {
        change.class = ChangeClass::Cosmetic;
    }
}

fn instructions(pair: Pair<'_>, changes: &mut Changes) {
    let (old, new) = (pair.old.instructions.as_deref(), pair.new.instructions.as_deref());
    if let Some((rewording, message)) = reworded("the text", old, new) {
        let rule = match rewording {
            Rewording::Respelled => INSTRUCTIONS_RESPELLED,
            _ => INSTRUCTIONS,
        };
        changes.add(&rule, "instructions", "", message);
    }
}

/// Versions are dates, so that their order is that of their letters.
fn protocol(pair: Pair<'_>, changes: &mut Changes) {
    let (old, new) = (&pair.old.protocol, &pair.new.protocol);
    if old == new {
        return;
    }
    let message = format!("went from {} to {}", shown(old), shown(new));
    if !pair.is_one_era() {
        let message = format!("{message}: the same program declares other things there, the rest is a best effort");
        changes.add(&ERA, "protocol", "", message);
    }
    let rule = if new < old { VERSION_DROPPED } else { VERSION_ADDED };
    changes.add(&rule, "protocol", "", message);
}

fn lists(pair: Pair<'_>, changes: &mut Changes) {
    for missing in &pair.new.missing {
        if !pair.old.missing.iter().any(|it| it.method == missing.method) {
            let message = format!(
                "could not be had, and was not compared: {}",
                cut(&missing.reason, REASON)
            );
            changes.add(&LIST_LOST, &missing.method, "", message);
        }
    }
    for missing in &pair.old.missing {
        if !pair.new.missing.iter().any(|it| it.method == missing.method) {
            let message = format!("can be had now, and was not compared: {}", cut(&missing.reason, REASON));
            changes.add(&LIST_REGAINED, &missing.method, "", message);
        }
    }
}

fn identity(old: &Value, new: &Value, changes: &mut Changes) {
    for (rule, key, what) in [(NAME, "name", "the name"), (VERSION, "version", "the version")] {
        let (was, now) = (text(old, key), text(new, key));
        if was != now {
            let says = |it: Option<&str>| it.map_or_else(|| "none".to_owned(), shown);
            let message = format!("{what} went from {} to {}", says(was), says(now));
            changes.add(&rule, SERVER, &format!("serverInfo.{key}"), message);
        }
    }
    for member in super::items::other_members(old, new, &["name", "version"]) {
        let path = format!("serverInfo.{member}");
        changes.add(&OTHER, SERVER, &path, "the member differs");
    }
    if changes.worst() == Some(ChangeClass::Breaking)
        && let (Some(was), Some(now)) = (text(old, "version"), text(new, "version"))
        && significant(was).is_some()
        && significant(was) == significant(now)
    {
        let message = if was == now {
            format!("something breaks, and the version is still {}", shown(now))
        } else {
            format!(
                "something breaks, and {} after {} does not say so",
                shown(now),
                shown(was)
            )
        };
        changes.add(&NOT_BUMPED, SERVER, "serverInfo.version", message);
    }
}

/// The numbers that a breaking change has to raise: the major one, and the minor one where that is zero (semver.org, 4 and 8).
fn significant(version: &str) -> Option<(u64, u64)> {
    let mut numbers = version.trim_start_matches('v').split(['.', '-', '+']);
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    Some(if major == 0 { (0, minor) } else { (major, 0) })
}
