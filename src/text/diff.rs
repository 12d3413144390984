//! What differs between two texts, line by line, with some context.

use std::{borrow::Cow, fmt};

use similar::{ChangeTag, TextDiff as Lines};

/// Unchanged lines shown on either side of a change.
const CONTEXT: usize = 3;
/// Lines of each text that are compared; the time of a comparison grows with their product.
const MAX_COMPARED_LINES: usize = 2000;
/// Characters of a line that are shown.
const MAX_LINE_CHARS: usize = 200;

/// A unified diff, cut to a number of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDiff {
    /// Its lines, in order.
    pub lines: Vec<DiffLine>,
    /// Lines of the diff beyond those.
    pub more: usize,
}

/// One line of a unified diff; prints with its mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffLine {
    /// Where a group of changes is: `@@ -1,3 +1,4 @@`.
    Hunk(String),
    /// In both texts.
    Same(String),
    /// Only in the expected text.
    Removed(String),
    /// Only in the actual text.
    Added(String),
    /// A remark on the line before it, or on the whole.
    Note(String),
}

impl fmt::Display for DiffLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hunk(text) => f.write_str(text),
            Self::Same(text) => write!(f, " {text}"),
            Self::Removed(text) => write!(f, "-{text}"),
            Self::Added(text) => write!(f, "+{text}"),
            Self::Note(text) => write!(f, "\\ {text}"),
        }
    }
}

/// Compares two texts; keeps the first `max` lines of the diff. Where only white space differs, it is made visible in
/// the lines that changed: `·` a space, `→` a tab, `␍` a carriage return.
pub fn text_diff(expected: &str, actual: &str, max: usize) -> TextDiff {
    let (expected_part, actual_part) = (first_lines(expected), first_lines(actual));
    let diff = Lines::from_lines(expected_part, actual_part);
    let show = Show {
        whitespace: without_whitespace(expected_part).eq(without_whitespace(actual_part)),
    };
    let one_lacks_the_end = expected_part.ends_with('\n') != actual_part.ends_with('\n');
    let mut kept = Kept {
        diff: TextDiff {
            lines: Vec::new(),
            more: 0,
        },
        max,
    };
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        kept.push(|| DiffLine::Hunk(hunk.header().to_string()));
        let changes: Vec<_> = hunk
            .iter_changes()
            .map(|change| (change.tag(), change.value()))
            .collect();
        for (index, (tag, line)) in changes.iter().enumerate() {
            kept.push(|| show.line(*tag, line, counterpart(&changes, index)));
            if one_lacks_the_end && *tag != ChangeTag::Equal && !line.ends_with('\n') {
                kept.push(|| DiffLine::Note("no newline at the end".to_owned()));
            }
        }
    }
    if expected_part.len() < expected.len() || actual_part.len() < actual.len() {
        kept.push(|| DiffLine::Note(format!("only the first {MAX_COMPARED_LINES} lines were compared")));
    }
    kept.diff
}

struct Kept {
    diff: TextDiff,
    max: usize,
}

impl Kept {
    fn push(&mut self, line: impl FnOnce() -> DiffLine) {
        if self.diff.lines.len() < self.max {
            self.diff.lines.push(line());
        } else {
            self.diff.more += 1;
        }
    }
}

fn first_lines(text: &str) -> &str {
    let end = text
        .match_indices('\n')
        .nth(MAX_COMPARED_LINES - 1)
        .map_or(text.len(), |(at, _)| at + 1);
    &text[..end]
}

fn without_whitespace(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace())
}

/// The line that stands at the same place of the other side in a block of changes: what a long line is compared with
/// to find the part worth showing.
fn counterpart<'a>(changes: &[(ChangeTag, &'a str)], index: usize) -> Option<&'a str> {
    let tag = changes[index].0;
    let before = changes[..index]
        .iter()
        .rev()
        .take_while(|(other, _)| *other != ChangeTag::Equal);
    let after = changes[index..]
        .iter()
        .take_while(|(other, _)| *other != ChangeTag::Equal);
    let (before, after) = (before.count(), after.count());
    let block = &changes[index - before..index + after];
    let nth = block[..before].iter().filter(|(other, _)| *other == tag).count();
    block
        .iter()
        .filter(|(other, _)| *other != tag)
        .nth(nth)
        .map(|(_, line)| *line)
}

struct Show {
    whitespace: bool,
}

impl Show {
    fn line(&self, tag: ChangeTag, line: &str, other: Option<&str>) -> DiffLine {
        let line = line.strip_suffix('\n').unwrap_or(line);
        match tag {
            ChangeTag::Equal => DiffLine::Same(window(line, 0)),
            ChangeTag::Delete => DiffLine::Removed(self.changed(line, other)),
            ChangeTag::Insert => DiffLine::Added(self.changed(line, other)),
        }
    }

    fn changed(&self, line: &str, other: Option<&str>) -> String {
        let same = other.map_or(0, |other| {
            line.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
        });
        let line: Cow<'_, str> = if self.whitespace {
            line.replace(' ', "·").replace('\t', "→").replace('\r', "␍").into()
        } else {
            line.into()
        };
        window(&line, same)
    }
}

/// The part of a line that can be shown, so that the character at `place` is in it.
fn window(line: &str, place: usize) -> String {
    let total = line.chars().count();
    if total <= MAX_LINE_CHARS {
        return line.to_owned();
    }
    let start = place.saturating_sub(MAX_LINE_CHARS / 4).min(total - MAX_LINE_CHARS);
    let part: String = line.chars().skip(start).take(MAX_LINE_CHARS).collect();
    let left = if start > 0 { "…" } else { "" };
    let right = if start + MAX_LINE_CHARS < total { "…" } else { "" };
    format!("{left}{part}{right}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(expected: &str, actual: &str) -> Vec<String> {
        text_diff(expected, actual, 100)
            .lines
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn equal_texts_have_no_diff() {
        assert!(shown("a\nb\n", "a\nb\n").is_empty());
    }

    #[test]
    fn changes_stand_in_their_context() {
        let expected = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            shown(expected, &expected.replace('5', "five")),
            ["@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"]
        );
    }

    #[test]
    fn a_missing_newline_is_said() {
        assert_eq!(
            shown("hello\n", "hello"),
            ["@@ -1 +1 @@", "-hello", "+hello", "\\ no newline at the end"]
        );
        assert_eq!(
            shown("x", "y"),
            ["@@ -1 +1 @@", "-x", "+y"],
            "where both lack it, it is no difference"
        );
    }

    #[test]
    fn white_space_is_visible_only_where_nothing_else_differs() {
        assert_eq!(shown("a b\n", "a\tb\r\n")[1..], ["-a·b", "+a→b␍"]);
        assert_eq!(shown("a b\n", "a c\n")[1..], ["-a b", "+a c"]);
    }

    #[test]
    fn long_lines_are_shown_where_they_differ() {
        let (head, tail) = ("x".repeat(5000), "y".repeat(5000));
        let lines = shown(&format!("{head}A{tail}\n"), &format!("{head}B{tail}\n"));
        assert!(
            lines[1].starts_with("-…x") && lines[1].contains('A') && lines[1].ends_with("y…"),
            "{lines:?}"
        );
        assert!(lines[2].contains('B') && lines[2].chars().count() < 210, "{lines:?}");
    }

    #[test]
    fn long_diffs_are_cut_and_counted() {
        let many = |word: &str| format!("{word}\n").repeat(5000);
        let diff = text_diff(&many("a"), &many("b"), 10);
        assert_eq!(diff.lines.len(), 10);
        assert_eq!(diff.more, 4000 + 2 - 10);
    }
}
