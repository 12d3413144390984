//! Keys of one mapping: duplicates reported, merges (`<<`) applied.

use std::collections::{HashMap, HashSet};

use super::{
    problems::Problems,
    tree::{Content, Entry, Node, Place},
};
use crate::{
    source::{Diagnostic, Span},
    text::quote,
};

/// Characters of a key that are shown in a message.
pub(super) const SHOWN: usize = 80;

/// A key with its value as they were read.
pub(super) struct Pair {
    pub key: String,
    pub place: Place,
    pub value: Node,
    /// Whether the key is a plain `<<`.
    pub is_merge: bool,
}

/// Makes entries with unique keys. A key of the mapping itself wins over a merged one, an earlier merge over a later.
pub(super) fn assemble(pairs: Vec<Pair>, problems: &Problems) -> Vec<Entry> {
    let first = report_duplicates(&pairs, problems);
    if !pairs.iter().any(|pair| pair.is_merge) {
        return first_of_each(pairs, first);
    }
    let own: HashSet<String> = pairs
        .iter()
        .filter(|pair| !pair.is_merge)
        .map(|pair| pair.key.clone())
        .collect();
    let mut merged = HashSet::new();
    let mut entries = Vec::new();
    for (pair, is_first) in pairs.into_iter().zip(first) {
        if !pair.is_merge {
            entries.extend(is_first.then(|| pair.into_entry()));
            continue;
        }
        for entry in merge_sources(pair.value, problems) {
            if !own.contains(&entry.key) && merged.insert(entry.key.clone()) {
                entries.push(entry);
            }
        }
    }
    entries
}

/// Reports `{{steps.a.output}}` without quotes: to YAML, braces are mappings.
pub(super) fn unquoted_placeholder(span: Span, problems: &Problems) {
    let problem = Diagnostic::error(
        "unquoted-placeholder",
        "a placeholder without quotes is a mapping, not text",
    );
    let text = problems
        .source()
        .text()
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default();
    let help = match text.lines().next() {
        Some(line) if line == text && text.len() < 100 && !text.contains('"') => {
            format!("put the placeholder in quotes: \"{text}\"")
        }
        _ => "put the placeholder in quotes".to_owned(),
    };
    problems.add(span, problem.help(help));
}

/// Reports a key that is a list or a mapping.
pub(super) fn complex_key(key: &Node, problems: &Problems) {
    problems.error(
        "wrong-type",
        key.place.written,
        format!("a key must be text, not {}", key.describe()),
    );
}

impl Pair {
    fn into_entry(self) -> Entry {
        Entry {
            key: self.key,
            place: self.place,
            value: self.value,
        }
    }
}

/// For each pair, whether its key is there for the first time.
fn report_duplicates(pairs: &[Pair], problems: &Problems) -> Vec<bool> {
    let mut seen: HashMap<&str, Span> = HashMap::with_capacity(pairs.len());
    let mut is_first = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let written = pair.place.written;
        let earlier = seen.get(pair.key.as_str()).copied();
        is_first.push(earlier.is_none());
        match earlier {
            Some(first) => report_duplicate(&pair.key, first, written, problems),
            None => _ = seen.insert(&pair.key, written),
        }
    }
    is_first
}

fn report_duplicate(key: &str, first: Span, second: Span, problems: &Problems) {
    let message = format!(
        "the key {} is already set in line {}, column {}",
        quote(key, SHOWN),
        first.line,
        first.column
    );
    let help = if key == "<<" {
        "merge several mappings with a list: `<<: [*a, *b]`"
    } else {
        "keep one of them: only one can count"
    };
    problems.add(second, Diagnostic::error("duplicate-key", message).help(help));
}

fn first_of_each(pairs: Vec<Pair>, is_first: Vec<bool>) -> Vec<Entry> {
    let kept = pairs.into_iter().zip(is_first).filter(|(_, is_first)| *is_first);
    kept.map(|(pair, _)| pair.into_entry()).collect()
}

/// The entries that `<<` brings: of one mapping, or of a list of mappings.
fn merge_sources(value: Node, problems: &Problems) -> Vec<Entry> {
    match value.content {
        Content::Mapping(entries) => entries,
        Content::List(items) => items
            .into_iter()
            .flat_map(|item| merge_source(item, problems))
            .collect(),
        Content::Scalar(_) | Content::Broken => merge_source(value, problems),
    }
}

fn merge_source(value: Node, problems: &Problems) -> Vec<Entry> {
    match value.content {
        Content::Mapping(entries) => return entries,
        Content::Broken => {}
        _ => {
            let message = format!("`<<` merges a mapping, not {}", value.describe());
            let help = "name an anchored mapping: `<<: *anchor`; a key that is really `<<` needs quotes";
            problems.add(value.place.written, Diagnostic::error("wrong-type", message).help(help));
        }
    }
    Vec::new()
}
