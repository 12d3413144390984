//! Untrusted text made harmless for a terminal and for a CI log.
//!
//! A log is read by GitHub's runner, which obeys `::command::` at the start of a line (after white space) and
//! `##[command]` anywhere in it (`ActionCommand.cs`); it ends lines at `\n`, `\r\n` and a lone `\r`, and looks for
//! `##[` by the rules of a language, where characters without width do not count. So nothing that has no width, moves
//! the cursor or ends a line survives unseen. The agents of Azure Pipelines obey `##vso[command]` anywhere in a line
//! (`Command.cs`), those of `TeamCity` obey `##teamcity[message]`.

use std::{
    borrow::Cow,
    fmt::{self, Write},
};

/// One line: line breaks are shown as `\n` and `\r`, everything harmful is visible and dead.
pub fn line(text: &str) -> String {
    defuse(visible(text))
}

/// Several lines, broken at `\n` and `\r\n` only; each of them is harmless at the start of a line and behind an indent.
pub fn lines(text: &str) -> Vec<String> {
    text.lines().map(line).collect()
}

/// Several lines as one text.
pub fn block(text: &str) -> String {
    lines(text).join("\n")
}

/// A text in which a backslash keeps each marker that counts anywhere in a line from being one: `##[`, `##word[`.
pub fn without_markers(text: &str) -> Cow<'_, str> {
    let is_marker = |&(at, _): &(usize, &str)| {
        let before = text[..at].trim_end_matches(|c: char| c.is_alphanumeric() || "-_.".contains(c));
        before.ends_with("##")
    };
    let mut clean = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices('[').filter(is_marker) {
        clean.extend([&text[done..at], "\\"]);
        done = at;
    }
    if done == 0 {
        return text.into();
    }
    clean.push_str(&text[done..]);
    clean.into()
}

/// Makes runner commands plain text.
fn defuse(mut line: String) -> String {
    if let Cow::Owned(dead) = without_markers(&line) {
        line = dead;
    }
    let start = line.len() - line.trim_start().len();
    if line[start..].starts_with("::") {
        line.insert(start, '\\');
    }
    line
}

fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_visible(&mut out, c);
    }
    out
}

fn push_visible(out: &mut String, c: char) {
    match c {
        '\t' => out.push(c),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        _ if c.is_control() => show(out, format_args!("\\x{:02x}", u32::from(c))),
        _ if is_joiner(c) && out.chars().next_back().is_some_and(|before| !before.is_ascii()) => out.push(c),
        _ if is_joiner(c) || is_invisible(c) => show(out, format_args!("\\u{{{:x}}}", u32::from(c))),
        _ => out.push(c),
    }
}

fn show(out: &mut String, escape: fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(escape);
}

/// Characters that real text needs (emoji, Persian, Hindi), if only after a character they can join.
pub(super) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Line separators, bidirectional controls and the default-ignorable characters of Unicode (`DerivedCoreProperties`).
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_not_touched() {
        for text in [
            "",
            "two  spaces\tand a tab",
            "naïve 日本語 ❤️ 👩‍👩‍👧",
            "std::env ## [x] a::b",
            "می‌خواهم",
        ] {
            assert_eq!(line(text), text);
        }
        assert_eq!(block("a\r\nb\n\nc"), "a\nb\n\nc");
    }

    #[test]
    fn runner_commands_are_dead_in_both_syntaxes() {
        assert_eq!(line("::error::x"), "\\::error::x");
        assert_eq!(line(" \u{3000}::stop-commands::x"), " \u{3000}\\::stop-commands::x");
        assert_eq!(line("a ##[add-mask]b ###[c"), "a ##\\[add-mask]b ###\\[c");
        assert_eq!(
            lines("a\n  ::set-output name=x::y\r\n##[error]"),
            ["a", "  \\::set-output name=x::y", "##\\[error]"]
        );
    }

    #[test]
    fn commands_of_other_agents_are_dead_too() {
        assert_eq!(
            line("a ##vso[task.setvariable variable=x]y ##VSO[z"),
            "a ##vso\\[task.setvariable variable=x]y ##VSO\\[z"
        );
        assert_eq!(line("##teamcity[buildStop]"), "##teamcity\\[buildStop]");
        assert_eq!(line("###vso[x ##[y"), "###vso\\[x ##\\[y");
        for text in ["#vso[x]", "## vso[x]", "##vso x[y]", "a[0] ##b", "##", "##x"] {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn markers_cannot_be_put_together_from_parts() {
        for glue in [
            "\x1b[0m",
            "\x1b[m",
            "\u{200b}",
            "\u{200d}",
            "\u{ad}",
            "\u{fe0f}",
            "\u{feff}",
            "\0",
            "\r",
            "\x1b[##[m",
        ] {
            let seen = line(&format!("#{glue}#{glue}[error]x"));
            assert!(!seen.contains("##["), "{seen}");
            assert!(seen.chars().all(|c| c.is_ascii() && !c.is_control()), "{seen}");
            let seen = line(&format!("##v{glue}so{glue}[task.complete]x"));
            assert!(seen.chars().all(|c| c.is_ascii() && !c.is_control()), "{seen}");
            assert!(!seen.contains("##vso["), "{seen}");
            let seen = line(&format!("{glue}:{glue}:error::x"));
            assert!(!seen.trim_start().starts_with("::"), "{seen}");
            assert!(seen.chars().all(|c| c.is_ascii() && !c.is_control()), "{seen}");
        }
    }

    #[test]
    fn a_line_cannot_be_broken_or_overwritten() {
        assert_eq!(line("a\r::error::b"), "a\\r::error::b");
        assert_eq!(line("a\nb"), "a\\nb");
        assert_eq!(
            line("a\u{85}b\u{2028}c\u{2029}d\x0be\x0cf"),
            "a\\x85b\\u{2028}c\\u{2029}d\\x0be\\x0cf"
        );
    }

    #[test]
    fn terminals_see_no_escape_sequence() {
        assert_eq!(line("\x1b[1;31mred\x1b[0m \x1b[2K"), "\\x1b[1;31mred\\x1b[0m \\x1b[2K");
        assert_eq!(line("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
        assert_eq!(line("\x1b[31"), "\\x1b[31");
        assert_eq!(line("\u{9b}31m\x7f"), "\\x9b31m\\x7f");
    }

    #[test]
    fn order_and_width_cannot_be_faked() {
        assert_eq!(line("a\u{202e}b\u{2066}c"), "a\\u{202e}b\\u{2066}c");
        assert_eq!(line("pass\u{200b}ed\u{feff}"), "pass\\u{200b}ed\\u{feff}");
    }
}
