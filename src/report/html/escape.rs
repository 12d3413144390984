//! Untrusted text made plain text for HTML, in elements and in attributes.

use crate::text::{self, sanitize};

/// Characters of a name or a place.
const NAME: usize = 300;
/// Characters of a message.
const MESSAGE: usize = 2000;

/// A name on one line.
pub(super) fn name(name: &str) -> String {
    markup(&sanitize::line(&text::cut(name, NAME)))
}

/// A message; its line breaks are kept for who shows them.
pub(super) fn message(message: &str) -> String {
    lines(message, MESSAGE)
}

/// Several lines, cut to a number of characters.
pub(super) fn lines(lines: &str, max: usize) -> String {
    markup(&sanitize::block(&text::cut(lines, max)))
}

/// Nothing in it begins or ends an element, an attribute or an entity.
fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(
            name("</script><img src=x onerror=\"a('`')\">&\u{2028}"),
            "&lt;/script&gt;&lt;img src=x onerror=&quot;a(&#39;&#96;&#39;)&quot;&gt;&amp;\\u{2028}"
        );
        assert_eq!(message("a\nb\0"), "a\nb\\x00");
    }
}
