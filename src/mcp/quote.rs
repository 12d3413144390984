//! Foreign text inside our messages: shortened, on one line.

/// Characters of foreign text that a message quotes.
const QUOTED: usize = 120;

/// `text` in backticks, on one line, shortened with a note of its full size.
pub(crate) fn quoted(text: &str) -> String {
    let flat = text.trim().replace(['\n', '\r'], " ");
    match flat.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("`{}…` ({} bytes)", &flat[..cut], text.len()),
        None => format!("`{flat}`"),
    }
}

/// The beginning of `text`, at most so many bytes.
pub(crate) fn start(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Some text on both sides of a byte offset.
pub(crate) fn around(text: &str, at: usize) -> &str {
    let at = at.min(text.len());
    let before = start(text, at.saturating_sub(40)).len();
    &start(text, at + 20)[before..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters() {
        assert_eq!(start("aé", 2), "a");
        assert_eq!(start("aé", 9), "aé");
        assert_eq!(around(&"é".repeat(100), 101).chars().count(), 30);
        assert_eq!(around("short", 100), "short");
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
