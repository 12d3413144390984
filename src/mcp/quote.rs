//! Foreign text inside our messages: shortened, on one line. What is cut says so by `…`: by that mark redaction knows
//! where a part of a secret may stand, so nothing in this folder shortens a text without it.

use std::borrow::Cow;

/// Characters of foreign text that a message quotes.
const QUOTED: usize = 120;

/// Bytes shown before and behind a place in a text.
const BEFORE: usize = 40;
const BEHIND: usize = 20;

/// `text` in backticks, on one line, shortened with a note of its full size.
pub(crate) fn quoted(text: &str) -> String {
    let flat = text.trim().replace(['\n', '\r'], " ");
    match flat.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("`{}…` ({} bytes)", &flat[..cut], text.len()),
        None => format!("`{flat}`"),
    }
}

/// The beginning of `text`, at most so many bytes, and `…` where that is not all of it.
pub(crate) fn start(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return text.into();
    }
    format!("{}…", &text[..text.floor_char_boundary(bytes)]).into()
}

/// Some text on both sides of a byte offset, and `…` on each side where there is more.
pub(crate) fn around(text: &str, at: usize) -> String {
    let at = at.min(text.len());
    let start = text.floor_char_boundary(at.saturating_sub(BEFORE));
    let end = text.floor_char_boundary(at + BEHIND);
    let more = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", more(start > 0), &text[start..end], more(end < text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters() {
        assert_eq!(start("aé", 2), "a…");
        assert_eq!(start("aé", 3), "aé");
        let shown = format!("…{}…", "é".repeat(30));
        assert_eq!(around(&"é".repeat(100), 101), shown);
    }

    #[test]
    fn a_side_that_is_whole_is_not_marked() {
        assert_eq!(around("short", 100), "short");
        let long = format!("begin{}end", "x".repeat(100));
        assert!(around(&long, 0).starts_with("begin") && around(&long, 0).ends_with('…'));
        assert!(around(&long, 108).starts_with('…') && around(&long, 108).ends_with("end"));
    }

    #[test]
    fn shortens_and_flattens() {
        assert_eq!(quoted(" one\ntwo "), "`one two`");
        let long = quoted(&"é".repeat(200));
        assert!(
            long.ends_with("é…` (400 bytes)") && long.chars().count() < 150,
            "{long}"
        );
    }
}
