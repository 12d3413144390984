//! Text within a line: our own words as they stand, everything else made plain text.
//!
//! GitHub reads a `<summary>` as HTML and everything around it as Markdown, so signs become character references, which
//! are text in both and structure in neither (`CommonMark` §2.5). References to people, issues, commits and pages are
//! found in the finished text, where a character reference is the character; there, a space without width keeps them
//! apart. In code GitHub looks for none, but its parser for addresses does not know what is code.

use std::fmt::Write;

use crate::text::{self, sanitize};

/// Characters of a name.
const NAME: usize = 120;
/// Characters of a message.
const MESSAGE: usize = 600;
/// Keeps what GitHub would link from being in one piece.
const BREAK: &str = "&#8203;";
/// Hexadecimal digits that are no commit yet; GitHub takes seven for one.
const NO_COMMIT: usize = 6;

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Words,
    Code,
}

/// A line of Markdown that begins no block and leaves nothing open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Inline(String);

impl Inline {
    /// Our own words, which may be markup.
    pub(super) fn ours(words: &'static str) -> Self {
        Self(words.to_owned())
    }

    /// Our own words behind it.
    pub(super) fn then(mut self, words: &'static str) -> Self {
        self.0.push_str(words);
        self
    }

    /// A name on one line.
    pub(super) fn name(mut self, name: &str) -> Self {
        self.push(&short(name), Place::Words);
        self
    }

    /// A name in bold.
    pub(super) fn bold(self, name: &str) -> Self {
        self.then("<b>").name(name).then("</b>")
    }

    /// A name as code.
    pub(super) fn code(mut self, name: &str) -> Self {
        self.push_code(&short(name));
        self
    }

    /// A message with its line breaks; what it has in backticks becomes code.
    pub(super) fn message(mut self, message: &str) -> Self {
        for (index, line) in sanitize::lines(&text::cut(message, MESSAGE)).iter().enumerate() {
            if index > 0 {
                self = self.then("<br>");
            }
            self.push_with_code(line);
        }
        self
    }

    /// The Markdown.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    fn push_with_code(&mut self, mut line: &str) {
        while let Some((before, after)) = line.split_once('`')
            && let Some((code, rest)) = after.split_once('`')
            && !code.is_empty()
        {
            self.push(before, Place::Words);
            self.push_code(code);
            line = rest;
        }
        self.push(line, Place::Words);
    }

    fn push_code(&mut self, code: &str) {
        self.0.push_str("<code>");
        self.push(code, Place::Code);
        self.0.push_str("</code>");
    }

    /// Plain text, word by word and sign by sign.
    fn push(&mut self, text: &str, place: Place) {
        let mut rest = text;
        if self.0.is_empty() {
            rest = text.trim_start();
            rest = self.push_start(rest);
        }
        let mut word = "";
        while let Some(c) = rest.chars().next() {
            let (token, after) = rest.split_at(word_length(rest).max(c.len_utf8()));
            if c.is_ascii_alphanumeric() {
                word = token;
                self.push_word(word, place);
            } else {
                self.push_sign(c, word, after, place);
                word = "";
            }
            rest = after;
        }
    }

    /// What would begin a list or underline a heading at the start of a line.
    fn push_start<'a>(&mut self, text: &'a str) -> &'a str {
        let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = after_number.len() < text.len() && after_number.starts_with(['.', ')']);
        match text.chars().next() {
            Some(c) if is_number || matches!(c, '-' | '+' | '=') => {
                self.push_reference(c);
                &text[c.len_utf8()..]
            }
            _ => text,
        }
    }

    fn push_word(&mut self, word: &str, place: Place) {
        if place == Place::Code || word.len() <= NO_COMMIT || !word.chars().all(|c| c.is_ascii_hexdigit()) {
            self.0.push_str(word);
            return;
        }
        for (index, c) in word.char_indices() {
            if index > 0 && index % NO_COMMIT == 0 {
                self.0.push_str(BREAK);
            }
            self.0.push(c);
        }
    }

    fn push_sign(&mut self, c: char, word: &str, after: &str, place: Place) {
        match c {
            '_' if !word.is_empty() && word_length(after) > 0 => self.0.push(c),
            '&' | '<' | '>' | '*' | '_' | '~' | '`' | '[' | ']' | '|' | '\\' | '#' => self.push_reference(c),
            // Its own element, as GitHub's "Writing mathematical expressions" says.
            '$' => self.0.push_str("<span>&#36;</span>"),
            _ => self.0.push(c),
        }
        let is_linked = match place {
            Place::Words => is_address(c, word, after) || is_reference(c, word, after),
            Place::Code => is_address(c, word, after),
        };
        if is_linked {
            self.0.push_str(BREAK);
        }
    }

    fn push_reference(&mut self, c: char) {
        match c {
            '&' => self.0.push_str("&amp;"),
            '<' => self.0.push_str("&lt;"),
            '>' => self.0.push_str("&gt;"),
            c => {
                // Writing to a string cannot fail.
                let _ = write!(self.0, "&#{};", u32::from(c));
            }
        }
    }
}

/// A name that is short enough, on one line.
fn short(name: &str) -> String {
    sanitize::line(&text::cut(name, NAME))
}

/// Whether a sign is part of what the parser makes a link: an address of a page or of mail.
fn is_address(c: char, word: &str, after: &str) -> bool {
    match c {
        '@' => true,
        ':' => after.starts_with("//"),
        '.' => word.eq_ignore_ascii_case("www"),
        _ => false,
    }
}

/// Whether a sign is part of what GitHub replaces: an issue or an emoji.
fn is_reference(c: char, word: &str, after: &str) -> bool {
    let is_before_digit = after.starts_with(|c: char| c.is_ascii_digit());
    match c {
        '#' => is_before_digit,
        // `GH-1`, and the keys of other trackers that a repository may link.
        '-' => is_before_digit && word.ends_with(|c: char| c.is_ascii_alphabetic()),
        ':' => is_shortcode(after),
        _ => false,
    }
}

fn word_length(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric());
    end.unwrap_or(text.len())
}

/// Whether a colon before it makes it an emoji: `+1:`.
fn is_shortcode(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    let rest = text.trim_start_matches(is_part);
    rest.len() < text.len() && rest.starts_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        Inline::default().name(text).0
    }

    #[test]
    fn plain_words_stay_readable() {
        for text in [
            "output_equals: expected 3, found 4 (2 of 8)",
            "evals/notes.yaml:14",
            "protocol 2025-11-25, C-ares, naïve 日本語 👩‍👩‍👧",
        ] {
            assert_eq!(name(text), text);
        }
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(
            name("<img> &amp; *a* __b__ ~c~ [d](e) `f` | \\"),
            "&lt;img&gt; &amp;amp; &#42;a&#42; &#95;&#95;b&#95;&#95; &#126;c&#126; &#91;d&#93;(e) &#96;f&#96; &#124; &#92;"
        );
        assert_eq!(name("$x$"), "<span>&#36;</span>x<span>&#36;</span>");
    }

    #[test]
    fn nobody_is_mentioned_and_nothing_linked() {
        assert_eq!(name("@octocat a@b.c"), "@&#8203;octocat a@&#8203;b.c");
        assert_eq!(name("o/r#1 GH-2 # 3"), "o/r&#35;&#8203;1 GH-&#8203;2 &#35; 3");
        assert_eq!(name("https://x.y WWW.x.y"), "https:&#8203;//x.y WWW.&#8203;x.y");
        assert_eq!(name("0123456789abcdef"), "012345&#8203;6789ab&#8203;cdef");
        assert_eq!(name(":+1: a: b"), ":&#8203;+1: a: b");
    }

    #[test]
    fn code_can_be_copied_and_holds_no_address() {
        let code = |text| Inline::default().code(text).0;
        assert_eq!(
            code("evals/a.yaml:1:2 abc1234 GH-1 :x:"),
            "<code>evals/a.yaml:1:2 abc1234 GH-1 :x:</code>"
        );
        assert_eq!(code("a@b.c http://x"), "<code>a@&#8203;b.c http:&#8203;//x</code>");
        assert_eq!(code("</code>"), "<code>&lt;/code&gt;</code>");
    }

    #[test]
    fn the_start_of_a_line_begins_no_block() {
        assert_eq!(name("  - a"), "&#45; a");
        assert_eq!(name("+ a"), "&#43; a");
        assert_eq!(name("12. a - b"), "&#49;2. a - b");
        assert_eq!(name("12 a"), "12 a");
        assert_eq!(name("==="), "&#61;==");
    }

    #[test]
    fn messages_keep_their_lines_and_their_code() {
        let message = |text| Inline::default().message(text).0;
        assert_eq!(message("`a|b` is\nnew"), "<code>a&#124;b</code> is<br>new");
        assert_eq!(message("a ` b"), "a &#96; b");
        assert_eq!(message("a `` b `c`"), "a &#96;&#96; b &#96;c&#96;");
        assert_eq!(message("a\u{202e}\0"), "a&#92;u{202e}&#92;x00");
    }
}
