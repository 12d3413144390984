//! Things that are gone under one name and come under another.

use serde_json::Value;

use super::words::{Words, is_same_name};

/// How alike two things must be for the one to be the other under a new name.
const SIMILAR: f64 = 0.9;
/// Words below which two things are alike by chance.
const FEWEST_WORDS: usize = 8;
/// Pairs that are looked at; where more come and go, it is another server.
const MOST_PAIRS: usize = 10_000;

/// Pairs of old and new names; each name at most once.
pub(super) fn renames<'a>(
    gone: &[(&'a str, &'a Value)],
    come: &[(&'a str, &'a Value)],
    text: fn(&Value) -> String,
) -> Vec<(&'a str, &'a str)> {
    if gone.len() * come.len() > MOST_PAIRS {
        return Vec::new();
    }
    let mut candidates: Vec<(&str, Words)> = come
        .iter()
        .map(|(name, item)| (*name, Words::of(&text(item))))
        .collect();
    let mut pairs = Vec::new();
    for (was, item) in gone {
        let words = Words::of(&text(item));
        let likeness = |now: &str, other: &Words| match words.similarity(other) {
            likeness if words.len() >= FEWEST_WORDS || is_same_name(was, now) => likeness,
            _ => 0.0,
        };
        let best = candidates
            .iter()
            .enumerate()
            .map(|(index, (now, other))| (index, likeness(now, other)))
            .filter(|(_, likeness)| *likeness >= SIMILAR)
            .max_by(|(_, one), (_, other)| one.total_cmp(other));
        if let Some((index, _)) = best {
            pairs.push((*was, candidates.remove(index).0));
        }
    }
    pairs
}
