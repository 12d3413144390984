//! Diagnostics as text: the message, the place, the line with the mark under it, and what to do.

use std::{borrow::Cow, ops::Range};

use annotate_snippets::{
    AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str, renderer::DecorStyle,
};

use super::{Diagnostic, Severity, SourceFile, Span};
use crate::text::sanitize::without_markers;

/// Columns of a rendered diagnostic; longer source lines are cut around the marked place.
const WIDTH: usize = 120;

/// Bytes of a line that are kept behind the marked place: enough to fill the width, whatever the line holds.
const MOST_BEHIND: usize = 4 * WIDTH;

/// What stands in for what is hidden.
const MASK: &str = "***";

/// Whether the text may carry colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Letters only.
    Plain,
    /// With ANSI colours, for a terminal.
    Styled,
}

/// Renders a diagnostic over several lines, the last one without a line feed.
///
/// Control characters and runner commands from the file are made harmless, so that a fixture steers neither the terminal
/// nor the CI log.
pub fn render(diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group: Group<'_> = Group::with_title(
        level
            .primary_title(harmless(&diagnostic.message))
            .id(diagnostic.code.as_ref()),
    );
    if let (Some(source), Some(span)) = (&diagnostic.source, diagnostic.span) {
        group = group.element(snippet(source, span, diagnostic.label));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(harmless(help)));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Styled => Renderer::styled(),
    };
    let text = renderer
        .decor_style(DecorStyle::Ascii)
        .term_width(WIDTH)
        .render(&[group]);
    // Nothing of a file stands at the start of a line, but runners obey some commands anywhere in one.
    without_markers(&text).into_owned()
}

fn snippet<'a>(
    source: &'a SourceFile,
    span: Span,
    label: Option<&str>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let line = line_around(source.text(), span.start as usize);
    let marked = marked(source.text(), &line, span);
    let (shown, within) = without_hidden(source, &line, &marked);
    let annotation = AnnotationKind::Primary.span(within).label(label.map(harmless));
    Snippet::source(without_c1(&shown).into_owned())
        .line_start(span.line as usize)
        .path(harmless(source.path()))
        .annotation(annotation)
}

/// The line a byte is in, line end left out.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].split('\n').next().unwrap_or_default();
    start..start + line.trim_end_matches('\r').len()
}

/// The part of the span that is in its first line.
fn marked(text: &str, line: &Range<usize>, span: Span) -> Range<usize> {
    let start = text.floor_char_boundary((span.start as usize).clamp(line.start, line.end));
    let end = text.floor_char_boundary((span.end as usize).clamp(start, line.end));
    start..start + text[start..end].trim_end().len()
}

/// A line as it may be shown, not far beyond the marked part of the text, and where that stands in it. Before the mark each hidden character
/// is hidden by itself, so that the column stays what it is.
fn without_hidden(source: &SourceFile, line: &Range<usize>, marked: &Range<usize>) -> (String, Range<usize>) {
    let star = |text: &str| "*".repeat(text.chars().count());
    let mask = |_: &str| MASK.to_owned();
    let is_across = |hidden: &Range<usize>| hidden.start < marked.end && marked.end < hidden.end;
    let across = source.hidden_in(line.clone()).find(is_across);
    let end = across.map_or(marked.end, |hidden| hidden.end);
    let before = masked(source, line.start..marked.start, star);
    let under = masked(source, marked.start..end, mask);
    let within = before.len()..before.len() + under.len();
    let last = source.text().floor_char_boundary(line.end.min(end + MOST_BEHIND));
    (before + &under + &masked(source, end..last, mask), within)
}

/// A part of a text with masks over what is hidden in it.
fn masked(source: &SourceFile, part: Range<usize>, mask: impl Fn(&str) -> String) -> String {
    let text = source.text();
    let mut shown = String::with_capacity(part.len());
    let mut done = part.start;
    for hidden in source.hidden_in(part.clone()) {
        shown += &text[done..hidden.start];
        done = hidden.end;
        shown += &mask(&text[hidden]);
    }
    shown += &text[done..part.end];
    shown
}

/// Text of one line without control characters; a line feed would let user input begin a line of its own.
fn harmless(text: &str) -> String {
    normalize_untrusted_str(&without_c1(text)).replace('\n', "␊")
}

/// The renderer leaves the C1 controls, of which U+009B is an escape sequence of its own. The replacement has the same
/// length in bytes, so that spans still fit.
fn without_c1(text: &str) -> Cow<'_, str> {
    if text.contains(is_c1) {
        text.replace(is_c1, "¤").into()
    } else {
        text.into()
    }
}

fn is_c1(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown_key() -> Diagnostic {
        let source = SourceFile::new(
            "evals/a.yaml",
            "name: a\r\nsteps:\r\n  - expects: {output_contains: x}\r\n",
        );
        let at = source.text().find("expects").unwrap();
        Diagnostic::error("unknown-key", "unknown key `expects` in a step")
            .at(&source, source.span(at, at + 7))
            .label("here")
            .help("did you mean `expect`?")
    }

    #[test]
    fn shows_the_line_with_a_mark() {
        insta::assert_snapshot!(render(&unknown_key(), Style::Plain), @r"
        error[unknown-key]: unknown key `expects` in a step
         --> evals/a.yaml:3:5
          |
        3 |   - expects: {output_contains: x}
          |     ^^^^^^^ here
          |
          = help: did you mean `expect`?
        ");
    }

    #[test]
    fn colours_only_when_asked() {
        assert!(render(&unknown_key(), Style::Styled).contains("\u{1b}["));
        assert!(!render(&unknown_key(), Style::Plain).contains('\u{1b}'));
    }

    /// A line with a mark under one part of it and another part hidden, and the columns said.
    fn hiding(marked: &str, hidden: &[&str]) -> String {
        let file = SourceFile::new("a.yaml", "é: 1\nenv: {KEY: pässword, a: b}\r\n");
        let place = |part: &str| file.text().find(part).expect("it is there");
        let hidden = hidden.iter().map(|part| place(part)..place(part) + part.len());
        let file = file.hiding(hidden.collect());
        let span = file.span(place(marked), place(marked) + marked.len());
        let text = render(&Diagnostic::error("x", "y").at(&file, span), Style::Plain);
        text.lines().skip(1).take(4).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_hidden_is_masked_and_the_mark_stands_where_it_should() {
        insta::assert_snapshot!(hiding("KEY", &["pässword"]), @r"
         --> a.yaml:2:7
          |
        2 | env: {KEY: ***, a: b}
          |       ^^^
        ");
        insta::assert_snapshot!(hiding("pässword", &["pässword"]), @r"
         --> a.yaml:2:12
          |
        2 | env: {KEY: ***, a: b}
          |            ^^^
        ");
        insta::assert_snapshot!(hiding("a: b", &["pässword"]), @r"
         --> a.yaml:2:22
          |
        2 | env: {KEY: ********, a: b}
          |                      ^^^^
        ");
        insta::assert_snapshot!(hiding("word, a", &["1\n", "pässword", "b}\r\n"]), @r"
         --> a.yaml:2:16
          |
        2 | env: {KEY: *******, a: ***
          |                ^^^^^^
        ");
        insta::assert_snapshot!(hiding("KEY: pä", &["pässword"]), @r"
         --> a.yaml:2:7
          |
        2 | env: {KEY: ***, a: b}
          |       ^^^^^^^^
        ");
    }

    #[test]
    fn a_problem_without_a_place_is_said_in_words() {
        let problem = Diagnostic::warning("unreadable", "cannot read `x.yaml`").help("check its permissions");
        insta::assert_snapshot!(render(&problem, Style::Plain), @r"
        warning[unreadable]: cannot read `x.yaml`
         |
         = help: check its permissions
        ");
    }

    #[test]
    fn control_characters_cannot_steer_the_terminal() {
        let source = SourceFile::new(
            "a\u{1b}[2J.yaml",
            "name: \u{1b}[31mred\u{7}\u{9b}\u{202e} ##[error]x ##vso[a]\n",
        );
        let problem = Diagnostic::error("x", "bad \u{1b}[2J\n::error::name")
            .at(&source, source.span(6, 14))
            .label("\u{1b}]0;title\u{7}")
            .help("\u{9b}31m ##[group]");
        let text = render(&problem, Style::Plain);
        let odd: Vec<char> = text
            .chars()
            .filter(|c| *c != '\n' && c.is_control() || *c == '\u{202e}')
            .collect();
        assert_eq!(odd, [] as [char; 0], "{text}");
        assert!(
            text.contains("##\\[error]x ##vso\\[a]") && !text.contains("##["),
            "{text}"
        );
        assert!(text.starts_with("error[x]: bad ␛[2J␊::error::name\n"), "{text}");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = format!("name: {}X{}", "é".repeat(100_000), "z".repeat(100_000));
        let source = SourceFile::new("a.yaml", line);
        let at = source.text().find('X').unwrap();
        let text = render(
            &Diagnostic::error("x", "far out").at(&source, source.span(at, at + 1)),
            Style::Plain,
        );
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH + 20), "{text}");
        assert!(text.contains("a.yaml:1:100007"), "{text}");
        assert!(text.contains("éXz"), "{text}");
    }

    #[test]
    fn any_span_can_be_shown() {
        let source = SourceFile::new("a.yaml", "é\n\nab");
        let hiding = source.hiding(vec![0..2, 5..6]);
        for start in 0..9 {
            for end in 0..9 {
                let span = Span {
                    start,
                    end,
                    line: 1,
                    column: 1,
                };
                for source in [&source, &hiding] {
                    assert!(render(&Diagnostic::error("x", "y").at(source, span), Style::Plain).contains("a.yaml"));
                }
            }
        }
    }
}
