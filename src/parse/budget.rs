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
            format!("the file holds more than {MAX_VALUES} values once its aliases are followed")
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
