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

#[cfg(test)]
mod tests {
    use super::*;

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
