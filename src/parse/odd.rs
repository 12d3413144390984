//! Characters that look like others and are not: what comes along when a fixture is copied from a web page.

use super::problems::Problems;
use crate::source::{Diagnostic, Span};

/// Where odd characters come from, and the way out.
const HELP: &str = "type it anew: such characters come along with text copied from web pages and documents";

/// Reports a key whose edge is an odd character: it is indentation or a quote to the eye, and text to YAML.
pub(super) fn check_key(key: &str, span: Span, problems: &Problems) {
    if let Some(name) = edge(key).and_then(name) {
        let shown = key.trim_matches(|c| name_of(c).is_some() || c == ' ');
        let message = format!("{name} is part of the key `{shown}`");
        problems.add(span, Diagnostic::error("odd-character", message).help(HELP));
    }
}

/// Whether [`check_key`] reports this key.
pub(super) fn is_reported(key: &str) -> bool {
    edge(key).is_some()
}

/// The words for the first odd character anywhere in a text, such as `a non-breaking space (U+00A0)`.
pub(super) fn find(text: &str) -> Option<String> {
    text.chars().find(|c| name_of(*c).is_some()).and_then(name)
}

/// Warns of a value wrapped in quotes that are none.
pub(super) fn check_value(text: &str, span: Span, problems: &Problems) {
    let mut chars = text.chars();
    if let (Some('“' | '”' | '„' | '‘' | '’'), Some('“' | '”' | '‘' | '’')) = (chars.next(), chars.next_back())
    {
        let message = format!("the curly quotes around {text} are part of the text");
        problems.add(
            span,
            Diagnostic::warning("curly-quotes", message).help("use straight quotes: \" or '"),
        );
    }
}

fn edge(key: &str) -> Option<char> {
    let edges = [key.chars().next(), key.chars().next_back()];
    edges.into_iter().flatten().find(|c| name_of(*c).is_some())
}

fn name(c: char) -> Option<String> {
    name_of(c).map(|name| format!("{name} (U+{:04X})", u32::from(c)))
}

const fn name_of(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' | '\u{202f}' => "a non-breaking space",
        '\u{2000}'..='\u{200a}' | '\u{3000}' => "a wide or thin space",
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => "an invisible character",
        '“' | '”' | '„' | '‘' | '’' => "a curly quote",
        '：' => "a full-width colon",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_character() {
        assert_eq!(find("a\u{a0}b").as_deref(), Some("a non-breaking space (U+00A0)"));
        assert_eq!(find("“name”").as_deref(), Some("a curly quote (U+201C)"));
        assert_eq!(find("plain key"), None);
    }

    #[test]
    fn only_edges_make_a_key_suspicious() {
        assert!(is_reported("\u{a0} - id"));
        assert!(is_reported("“name”"));
        assert!(!is_reported("it’s fine"));
        assert!(!is_reported("schlüssel"));
    }
}
