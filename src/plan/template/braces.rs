//! Finds what stands in double braces, and whose it is.

use std::ops::Range;

use super::reference::{has_root, is_rooted, is_rootless, may_be_slip};

/// Two opening braces in a text, and what follows them.
pub(in crate::plan) struct Pair<'a> {
    /// First byte of the opening braces.
    pub start: usize,
    /// Byte after the closing braces; of the last byte that can belong to it, where they are missing.
    pub end: usize,
    /// What stands between them, trimmed.
    pub inside: &'a str,
    /// The backslashes right before all the braces.
    pub backslashes: Range<usize>,
    /// Whether the closing braces are there.
    pub is_closed: bool,
}

impl Pair<'_> {
    /// Whether a backslash makes them literal; two backslashes are one, and no escape.
    pub fn is_escaped(&self) -> bool {
        self.backslashes.len() % 2 == 1
    }
}

/// All double braces in a text. Of more than two opening braces in a row the last two count; a pair ends where the next
/// one begins.
pub(in crate::plan) fn pairs(text: &str) -> impl Iterator<Item = Pair<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let first = from + text[from..].find("{{")?;
        let run = text[first..].bytes().take_while(|byte| *byte == b'{').count();
        let body = first + run;
        let next = text.as_bytes()[body..]
            .windows(2)
            .position(|pair| pair == b"{{" || pair == b"}}")
            .map_or(text.len(), |at| body + at);
        let is_closed = text[next..].starts_with("}}");
        from = if is_closed { next + 2 } else { next };
        Some(Pair {
            start: body - 2,
            end: from,
            inside: text[body..next].trim(),
            backslashes: text[..first].trim_end_matches('\\').len()..first,
            is_closed,
        })
    })
}

/// Double braces that mean something to us.
pub(super) struct Braces<'a> {
    /// First byte of the opening braces.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// The backslashes before them, of which half stay once placeholders are filled.
    pub backslashes: Range<usize>,
    /// Which one they are among all double braces of the text, counted from 0.
    pub ordinal: usize,
    pub kind: Kind<'a>,
}

/// What braces are.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    /// A placeholder, known by its root.
    Placeholder(&'a str),
    /// What may be a placeholder with a slip in its root, or braces of another program.
    Slip(&'a str),
    /// A placeholder behind an odd number of backslashes: literal text once one of them is gone.
    Escaped(&'a str),
    /// The beginning of a placeholder whose end is missing.
    Unclosed,
    /// A step's field without its root, if there is such a step.
    Rootless(&'a str),
}

/// All braces of a text that mean something to us.
pub(super) fn braces(text: &str) -> impl Iterator<Item = Braces<'_>> {
    pairs(text).enumerate().filter_map(move |(ordinal, pair)| {
        let kind = kind(&pair)?;
        let end = match kind {
            Kind::Unclosed => pair.start + end_of_word(&text[pair.start..pair.end]),
            _ => pair.end,
        };
        Some(Braces {
            start: pair.start,
            end,
            backslashes: pair.backslashes,
            ordinal,
            kind,
        })
    })
}

fn kind<'a>(pair: &Pair<'a>) -> Option<Kind<'a>> {
    let inside = pair.inside;
    let kind = match inside {
        _ if is_rooted(inside) && (!pair.is_closed || closes_with_one_brace(inside)) => Kind::Unclosed,
        _ if pair.is_closed && has_root(inside) => Kind::Placeholder(inside),
        _ if pair.is_closed && may_be_slip(inside) => Kind::Slip(inside),
        _ if pair.is_closed && is_rootless(inside) => Kind::Rootless(inside),
        _ => return None,
    };
    Some(if pair.is_escaped() { Kind::Escaped(inside) } else { kind })
}

/// `{{vars.a} and {…}}`: the two braces at the end belong to something else.
fn closes_with_one_brace(inside: &str) -> bool {
    inside.find('}').is_some_and(|at| !inside[..at].contains(['"', '\'']))
}

/// Where an unfinished placeholder ends to the eye.
fn end_of_word(text: &str) -> usize {
    let body = text.len() - text[2..].trim_start().len();
    text[body..]
        .find(|c: char| c.is_whitespace() || c == '}')
        .map_or(text.len(), |at| {
            body + at + usize::from(text[body + at..].starts_with('}'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        braces(text)
            .map(|braces| {
                let kind = match braces.kind {
                    Kind::Placeholder(_) => "placeholder",
                    Kind::Slip(_) => "slip",
                    Kind::Escaped(_) => "escaped",
                    Kind::Unclosed => "unclosed",
                    Kind::Rootless(_) => "rootless",
                };
                format!("{kind} {}", &text[braces.start..braces.end])
            })
            .collect()
    }

    #[test]
    fn braces_are_told_apart() {
        assert_eq!(
            found("{{ vars.a }}\\{{vars.b}} {{a.output}} {{vars.c"),
            [
                "placeholder {{ vars.a }}",
                "escaped {{vars.b}}",
                "rootless {{a.output}}",
                "unclosed {{vars.c"
            ]
        );
    }

    #[test]
    fn braces_of_others_are_left_alone() {
        for text in [
            "\\{{2}x",
            "{{name}}",
            "{{",
            "{{{{",
            "a({{",
            "{{#each x}}{{/each}}",
            "\\{{name}}",
            "{{ .Names }}",
            "{{a.b}}",
            "{{variable",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn the_innermost_braces_count() {
        assert_eq!(found("{{{vars.a}}}"), ["placeholder {{vars.a}}"]);
        assert_eq!(found("\\{{{vars.a}}}"), ["escaped {{vars.a}}"]);
        assert_eq!(found("{{x {{vars.a}}"), ["placeholder {{vars.a}}"]);
    }

    #[test]
    fn two_backslashes_escape_nothing() {
        assert_eq!(found("\\\\{{vars.a}}"), ["placeholder {{vars.a}}"]);
        assert_eq!(found("\\\\\\{{vars.a}}"), ["escaped {{vars.a}}"]);
    }

    #[test]
    fn roots_with_a_slip_are_told_apart_later() {
        assert_eq!(
            found("{{step.a.output}} {{envelope.x}}"),
            ["slip {{step.a.output}}", "slip {{envelope.x}}"]
        );
    }

    #[test]
    fn one_closing_brace_is_not_two() {
        assert_eq!(found("{{steps.a.output}"), ["unclosed {{steps.a.output}"]);
        assert_eq!(found("{\"x\": {{vars.a}, \"y\": {}}"), ["unclosed {{vars.a}"]);
        assert_eq!(
            found("{{vars.a {{vars.b}}"),
            ["unclosed {{vars.a", "placeholder {{vars.b}}"]
        );
        assert_eq!(found("{{vars.a[\"}\"]}}"), ["placeholder {{vars.a[\"}\"]}}"]);
    }
}
