//! The lists of a surface, item by item.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::words::shown;

/// The items of two lists by their names; of several with one name the first counts, and one without a name does not.
pub(super) struct Items<'a> {
    /// On both sides: name, before, now.
    pub(super) kept: Vec<(&'a str, &'a Value, &'a Value)>,
    /// Only before.
    pub(super) gone: Vec<(&'a str, &'a Value)>,
    /// Only now.
    pub(super) come: Vec<(&'a str, &'a Value)>,
}

impl<'a> Items<'a> {
    /// Pairs two lists by a member of their items.
    pub(super) fn of(old: &'a [Value], new: &'a [Value], key: &str) -> Self {
        let (old, new) = (named(old, key), named(new, key));
        let find = |list: &[(&'a str, &'a Value)]| list.iter().copied().collect::<HashMap<_, _>>();
        let (in_old, in_new) = (find(&old), find(&new));
        let kept = old
            .iter()
            .filter_map(|(name, was)| Some((*name, *was, *in_new.get(name)?)));
        let only = |list: &[(&'a str, &'a Value)], other: &HashMap<&str, &Value>| {
            let only = list.iter().filter(|(name, _)| !other.contains_key(name));
            only.copied().collect()
        };
        Self {
            kept: kept.collect(),
            gone: only(&old, &in_new),
            come: only(&new, &in_old),
        }
    }
}

fn named<'a>(list: &'a [Value], key: &str) -> Vec<(&'a str, &'a Value)> {
    let mut seen = HashSet::new();
    list.iter()
        .filter_map(|item| Some((item.get(key)?.as_str()?, item)))
        .filter(|(name, _)| seen.insert(*name))
        .collect()
}

/// What a change is about: ``tool `search` ``.
pub(super) fn subject(what: &str, name: &str) -> String {
    format!("{what} {}", shown(name))
}

/// A text member of an item.
pub(super) fn text<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
    item.get(key).and_then(Value::as_str)
}

/// `_meta` without what belongs to one message, or nothing.
pub(super) fn meta(item: &Value) -> Option<Value> {
    let mut meta = item.get("_meta")?.as_object()?.clone();
    meta.retain(|key, _| {
        let key = key.strip_prefix("io.modelcontextprotocol/").unwrap_or(key);
        !MESSAGE_META.contains(&key)
    });
    (!meta.is_empty()).then_some(Value::Object(meta))
}

/// Keys of `_meta` that are about the message and not about what it holds; never by prefix, since apps and tasks live
/// there, too.
const MESSAGE_META: [&str; 9] = [
    "protocolVersion",
    "clientInfo",
    "clientCapabilities",
    "subscriptionId",
    "logLevel",
    "serverInfo",
    "traceparent",
    "tracestate",
    "baggage",
];

/// Names of members beyond these that differ between two items.
pub(super) fn other_members<'a>(old: &'a Value, new: &'a Value, known: &[&str]) -> Vec<&'a str> {
    let keys = |item: &'a Value| item.as_object().into_iter().flat_map(|members| members.keys());
    let mut names: Vec<&str> = keys(old).chain(keys(new)).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !known.contains(name) && old.get(name) != new.get(name));
    names
}
