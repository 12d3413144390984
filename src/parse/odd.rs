//! Characters that look like others and are not: what comes along when a fixture is copied from a web page.

use super::{mapping::SHOWN, problems::Problems};
use crate::{
    source::{Diagnostic, Span},
    text::quote,
};

/// Where odd characters come from, and the way out.
const HELP: &str = "type it anew: such characters come along with text copied from web pages and documents";

/// The key of text for people: what is odd in it misleads no comparison.
pub(super) const PROSE: &str = "description";

/// Reports a key whose edge is an odd character: it is indentation or a quote to the eye, and text to YAML. Whether it
/// is such a key.
pub(super) fn check_key(key: &str, span: Span, problems: &Problems) -> bool {
    let Some(name) = edge(key).and_then(name) else {
        return false;
    };
    let shown = key.trim_matches(|c| name_of(c).is_some() || c == ' ');
    let message = format!("{name} is part of the key {}", quote(shown, SHOWN));
    problems.add(span, Diagnostic::error("odd-character", message).help(HELP));
    true
}

/// The words for the first odd character anywhere in a text, such as `a non-breaking space (U+00A0)`.
pub(super) fn find(text: &str) -> Option<String> {
    text.chars().find(|c| name_of(*c).is_some()).and_then(name)
}

/// Warns of a character in a value that nobody sees and every comparison does. Written as an escape it is meant.
pub(super) fn check_hidden(text: &str, span: Span, problems: &Problems) {
    let (start, end) = (span.start as usize, span.end as usize);
    let written = problems.source().text().get(start..end).unwrap_or_default();
    let Some((at, c)) = hidden(written).filter(|(_, c)| text.contains(*c)) else {
        return;
    };
    let name = name(c).unwrap_or_default();
    let problem = Diagnostic::warning("odd-character", format!("{name} is part of the text"));
    let help = format!(
        "remove it; if it is meant, write it as `\\u{:04X}` in double quotes",
        u32::from(c)
    );
    let place = problems.source().span(start + at, start + at + c.len_utf8());
    problems.add(place, problem.help(help));
}

fn hidden(written: &str) -> Option<(usize, char)> {
    let mut before = None;
    let mut rest = written.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if is_hidden(before, c, rest.peek().map(|(_, after)| *after)) {
            return Some((at, c));
        }
        before = Some(c);
    }
    None
}

/// Joiners, direction marks and the wide space are part of many scripts and of emoji, but not of ASCII text.
fn is_hidden(before: Option<char>, c: char, after: Option<char>) -> bool {
    let is_foreign = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
    match c {
        '\u{200c}'..='\u{200f}' | '\u{3000}' => !is_foreign(before) || !is_foreign(after),
        c => is_space(c) || is_invisible(c),
    }
}

/// Warns of a value wrapped in quotes that are none.
pub(super) fn check_quotes(text: &str, span: Span, problems: &Problems) {
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

fn name_of(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' | '\u{202f}' => "a non-breaking space",
        c if is_space(c) => "a wide or thin space",
        c if is_invisible(c) => "an invisible character",
        '“' | '”' | '„' | '‘' | '’' => "a curly quote",
        '：' => "a full-width colon",
        _ => return None,
    })
}

const fn is_space(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{202f}' | '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}'
    )
}

/// Zero-width characters, the soft hyphen, and what changes the direction of writing.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
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
        assert!(edge("\u{a0} - id").is_some());
        assert!(edge("“name”").is_some());
        assert!(edge("it’s fine").is_none());
        assert!(edge("schlüssel").is_none());
    }

    #[test]
    fn finds_what_nobody_sees() {
        for (text, at) in [
            ("error\u{a0}", 5),
            ("err\u{200b}or", 3),
            ("\u{3000}a", 0),
            ("a\u{200d}b", 1),
            ("x\u{202e}", 1),
        ] {
            assert_eq!(hidden(text).map(|(at, _)| at), Some(at), "{text:?}");
        }
        for text in [
            "plain text",
            "don’t “quote”",
            "👨\u{200d}👩\u{200d}👧",
            "東\u{3000}京",
            "می\u{200c}خواهم",
        ] {
            assert_eq!(hidden(text), None, "{text:?}");
        }
    }
}
