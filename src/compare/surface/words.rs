//! Texts of servers: how they are shown, and how they are compared.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::text::{digest, quote};

/// Characters of a text that are shown.
const SHOWN: usize = 120;
/// Characters before the first difference that are shown.
const LEAD: usize = 30;
/// Hexadecimal digits that stand for what is not shown.
const DIGITS: usize = 8;

/// What became of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rewording {
    /// There was none, or a blank one.
    Added,
    /// There is none any more.
    Removed,
    /// Only white space and capitals differ.
    Respelled,
    /// The words differ.
    Changed,
}

/// Compares two texts; what happened, and the words for it.
pub(super) fn reworded(what: &str, old: Option<&str>, new: Option<&str>) -> Option<(Rewording, String)> {
    let filled = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let (old, new) = (filled(old), filled(new));
    let told = match (old.trim().is_empty(), new.trim().is_empty()) {
        (true, true) => return None,
        (true, false) => (Rewording::Added, format!("{what} is new: {}", shown(&new))),
        (false, true) => (Rewording::Removed, format!("{what} is gone: {}", shown(&old))),
        _ if old == new => return None,
        _ => {
            let rewording = if plain(&old) == plain(&new) {
                Rewording::Respelled
            } else {
                Rewording::Changed
            };
            let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
            let start = same.saturating_sub(LEAD);
            (
                rewording,
                format!(
                    "{what} went from {} to {}",
                    shown_from(&old, start),
                    shown_from(&new, start)
                ),
            )
        }
    };
    Some(told)
}

/// A text in backticks. What is too long to be shown is stood for by a few digits, so that two texts never look alike.
pub(super) fn shown(text: &str) -> String {
    shown_from(text, 0)
}

/// A value in backticks, as its JSON.
pub(super) fn shown_value(value: &Value) -> String {
    shown(&crate::text::canonical(value).to_string())
}

/// A few digits that stand for two values which are not shown.
pub(super) fn mark(old: Option<&Value>, new: Option<&Value>) -> String {
    let spelled = |value: Option<&Value>| value.map_or_else(String::new, |it| crate::text::canonical(it).to_string());
    let both = Value::from(vec![spelled(old), spelled(new)]).to_string();
    format!("(digest {})", &digest(both.as_bytes())[..DIGITS])
}

fn shown_from(text: &str, start: usize) -> String {
    let length = text.chars().count();
    let lead = if start > 0 { "…" } else { "" };
    let rest: String = text.chars().skip(start).collect();
    let quoted = quote(&format!("{lead}{rest}"), SHOWN);
    if start > 0 || length > SHOWN {
        format!("{quoted} (digest {})", &digest(text.as_bytes())[..DIGITS])
    } else {
        quoted
    }
}

fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Whether two names differ in nothing but capitals and separators: `userId` and `user_id`.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        let kept = name.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let one = letters(one);
    !one.is_empty() && one == letters(other)
}

/// How alike two texts are, from 0 to 1: the share of words that they have in common (Dice's coefficient).
pub(super) fn similarity(one: &str, other: &str) -> f64 {
    Words::of(one).similarity(&Words::of(other))
}

/// The words of a text, each with how often it stands there.
#[derive(Debug)]
pub(super) struct Words {
    counts: BTreeMap<String, u32>,
    total: u32,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let mut counts = BTreeMap::new();
        let mut total = 0;
        for word in text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            *counts.entry(word.to_lowercase()).or_default() += 1;
            total += 1;
        }
        Self { counts, total }
    }

    pub(super) const fn len(&self) -> usize {
        self.total as usize
    }

    pub(super) fn similarity(&self, other: &Self) -> f64 {
        if self.total == 0 || other.total == 0 {
            return 0.0;
        }
        let common: u32 = self
            .counts
            .iter()
            .filter_map(|(word, count)| Some(*count.min(other.counts.get(word)?)))
            .sum();
        f64::from(2 * common) / f64::from(self.total + other.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_told_apart_all_the_same() {
        let long = |end: &str| format!("{}{end}", "word ".repeat(100));
        let (_, one) = reworded("it", Some("short"), Some(&long("a"))).unwrap();
        let (_, other) = reworded("it", Some("short"), Some(&long("b"))).unwrap();
        assert_ne!(one, other);
        let (_, message) = reworded("it", Some(&long("a")), Some(&long("b"))).unwrap();
        assert!(message.contains("word a`"), "the difference is shown: {message}");
    }

    #[test]
    fn white_space_and_capitals_are_spelling() {
        let what = |old, new| reworded("it", old, new).map(|it| it.0);
        assert_eq!(
            what(Some("Find a  note"), Some("find a\nnote")),
            Some(Rewording::Respelled)
        );
        assert_eq!(
            what(Some("find a note"), Some("find a\u{200b}note")),
            Some(Rewording::Changed)
        );
        assert_eq!(what(Some(" "), None), None);
        assert_eq!(what(None, Some("x")), Some(Rewording::Added));
    }

    #[test]
    fn alike_is_told_by_words() {
        assert!(is_same_name("userId", "user_id"));
        assert!(!is_same_name("__", "--"));
        assert!(similarity("Find the notes of one user", "find the notes of a user") > 0.8);
        assert!(similarity("", "") < 0.1);
    }
}
