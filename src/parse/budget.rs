//! How much one file may ask for: depth, values, text copied by aliases.

use super::{
    problems::Problems,
    tree::{Content, Node},
};
use crate::source::{Diagnostic, Span};

/// Collections inside collections: nobody writes this deep by hand, and every walk over the tree recurses.
pub(super) const MAX_DEPTH: usize = 64;

/// Values in one file, copies through aliases included; stops alias bombs long before memory is felt.
pub(super) const MAX_VALUES: usize = 250_000;

/// Bytes of text that aliases may copy: as much as a file may hold in the first place.
pub(super) const MAX_COPIED_BYTES: usize = 4 * 1024 * 1024;

/// Reading cannot go on; the reason is noted.
#[derive(Debug)]
pub(super) struct Stop;

/// What was used up so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    values: usize,
    copied: usize,
}

impl Budget {
    /// Counts values that are about to be made.
    pub fn charge(&mut self, size: Size, span: Span, problems: &Problems) -> Result<(), Stop> {
        self.values += size.values;
        self.copied += size.bytes;
        if self.values <= MAX_VALUES && self.copied <= MAX_COPIED_BYTES {
            return Ok(());
        }
        let message = if self.values > MAX_VALUES {
            format!("the file holds more than {MAX_VALUES} values, with its aliases followed")
        } else {
            format!("aliases copy more than {} MiB of text", MAX_COPIED_BYTES >> 20)
        };
        problems.add(
            span,
            Diagnostic::error("too-large", message).help("split the file, or repeat less through aliases"),
        );
        Err(Stop)
    }
}

/// Refuses what is nested too deeply.
pub(super) fn check_depth(depth: usize, span: Span, problems: &Problems) -> Result<(), Stop> {
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    problems.add(span, too_deep());
    Err(Stop)
}

/// What is said of values nested too deeply.
pub(super) fn too_deep() -> Diagnostic {
    Diagnostic::error(
        "too-deep",
        format!("values are nested more than {MAX_DEPTH} levels deep"),
    )
}

/// How large a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// It and everything in it.
    pub values: usize,
    /// Bytes of text in keys and scalars.
    pub bytes: usize,
    /// Levels of nesting, 1 for a scalar.
    pub height: usize,
}

impl Size {
    /// One value as it is read; its text is bounded by the size of the file.
    pub const ONE: Self = Self {
        values: 1,
        bytes: 0,
        height: 1,
    };

    /// Measures a value.
    pub fn of(node: &Node) -> Self {
        let mut size = Self::ONE;
        match &node.content {
            Content::Scalar(scalar) => size.bytes = scalar.text.len(),
            Content::List(items) => items.iter().for_each(|item| size.hold(Self::of(item))),
            Content::Mapping(entries) => {
                for entry in entries {
                    size.bytes += entry.key.len();
                    size.hold(Self::of(&entry.value));
                }
            }
            Content::Broken => {}
        }
        size
    }

    fn hold(&mut self, part: Self) {
        self.values += part.values;
        self.bytes += part.bytes;
        self.height = self.height.max(part.height + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse::tree, source::SourceFile};

    /// The codes of all that is wrong with a file.
    fn codes(name: &str, text: &str) -> Vec<std::borrow::Cow<'static, str>> {
        let problems = Problems::new(&SourceFile::new(name, text));
        let root = tree::read(&problems);
        let codes: Vec<_> = problems.into_sorted().into_iter().map(|it| it.code).collect();
        assert_eq!(root.is_none(), !codes.is_empty(), "{codes:?}");
        codes
    }

    fn nested(depth: usize) -> String {
        "[".repeat(depth) + &"]".repeat(depth)
    }

    #[test]
    fn nests_up_to_the_limit_and_not_beyond() {
        for name in ["a.yaml", "a.json"] {
            assert_eq!(codes(name, &nested(MAX_DEPTH)), [] as [&str; 0]);
            assert_eq!(codes(name, &nested(MAX_DEPTH + 1)), ["too-deep"]);
            assert_eq!(codes(name, &nested(100_000)), ["too-deep"]);
        }
    }

    #[test]
    fn aliases_count_with_their_depth() {
        let text = |depth| {
            format!(
                "a: &a {}\nb: {}*a{}\n",
                nested(40),
                "[".repeat(depth),
                "]".repeat(depth)
            )
        };
        assert_eq!(codes("a.yaml", &text(MAX_DEPTH - 41)), [] as [&str; 0]);
        assert_eq!(codes("a.yaml", &text(MAX_DEPTH - 40)), ["too-deep"]);
    }

    #[test]
    fn aliases_count_with_their_text() {
        let text = |times| format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; times].join(", "));
        assert_eq!(
            codes("a.yaml", &text(3)),
            [] as [&str; 0],
            "the anchor itself is one more copy"
        );
        assert_eq!(codes("a.yaml", &text(4)), ["too-large"]);
    }

    #[test]
    fn values_are_counted_in_yaml_and_json() {
        let list = |items| format!("[{}]", vec!["1"; items].join(","));
        for name in ["a.yaml", "a.json"] {
            assert_eq!(codes(name, &list(MAX_VALUES - 1)), [] as [&str; 0]);
            assert_eq!(codes(name, &list(MAX_VALUES)), ["too-large"]);
        }
    }
}
