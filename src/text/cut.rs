//! Long texts cut to a length that fits a message, always with the size of the whole.

use std::{borrow::Cow, ops::Range};

use super::count;

/// The first `max` characters and the size of the whole: `abc… (5000 characters in all)`.
pub fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match split_at_char(text, max) {
        Some((head, _)) => format!("{head}… {}", size_note(text)).into(),
        None => text.into(),
    }
}

/// A text in backticks on one line (in double quotes, where it holds backticks itself): line breaks shown as `\n`, the
/// size noted where it is cut to `max` characters.
pub fn quote(text: &str, max: usize) -> String {
    match split_at_char(text, max) {
        Some((head, _)) => format!("{} {}", marked(&format!("{}…", on_one_line(head))), size_note(text)),
        None => marked(&on_one_line(text)),
    }
}

/// A part of a text in backticks on one line, with up to `margin` characters on either side of it.
pub fn around(text: &str, part: Range<usize>, margin: usize) -> String {
    let before = text[..part.start].char_indices().rev().nth(margin);
    let start = before.map_or(0, |(at, c)| at + c.len_utf8());
    let end = part.end + char_offset(&text[part.end..], margin);
    let left = if start > 0 { "…" } else { "" };
    let right = if end < text.len() { "…" } else { "" };
    marked(&format!("{left}{}{right}", on_one_line(&text[start..end])))
}

fn marked(text: &str) -> String {
    let mark = if text.contains('`') { '"' } else { '`' };
    format!("{mark}{text}{mark}")
}

fn split_at_char(text: &str, max: usize) -> Option<(&str, &str)> {
    let offset = char_offset(text, max);
    (offset < text.len()).then(|| text.split_at(offset))
}

fn char_offset(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

fn size_note(text: &str) -> String {
    format!("({} in all)", count(text.chars().count(), "character"))
}

fn on_one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r', '\t']) {
        text.replace('\n', "\\n")
            .replace('\r', "\\r")
            .replace('\t', "\\t")
            .into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay_as_they_are() {
        assert_eq!(cut("häuser", 6), "häuser");
        assert_eq!(quote("a\nb", 9), "`a\\nb`");
    }

    #[test]
    fn long_texts_are_cut_between_characters_and_say_so() {
        assert_eq!(cut("häuser", 2), "hä… (6 characters in all)");
        assert_eq!(quote("äöü", 1), "`ä…` (3 characters in all)");
    }

    #[test]
    fn a_place_is_shown_with_its_surroundings() {
        let text = "über den Wolken muß die Freiheit";
        let at = text.find("Wolken").unwrap();
        assert_eq!(around(text, at..at + 6, 4), "`…den Wolken muß…`");
        assert_eq!(around("abc", 0..3, 5), "`abc`");
        assert_eq!(around("äbc", 2..3, 1), "`äbc`");
    }
}
