//! The secrets known to a run: one search finds any form of any of them.

use std::{cmp::Reverse, ops::Range};

use regex::bytes::{Regex, RegexBuilder};

use super::{disguises::disguises, parts::Parts};

/// The secrets known to a run, in all their forms.
#[derive(Debug)]
pub(super) struct Known {
    /// Any form, the longest that stands at a place.
    whole: Regex,
    parts: Parts,
}

impl Known {
    /// These secrets; nothing where there are none.
    pub(super) fn new<'s>(secrets: impl Iterator<Item = &'s str>) -> Option<Self> {
        let mut forms: Vec<String> = secrets.flat_map(disguises).collect();
        forms.sort_by(|a, b| (Reverse(a.len()), a).cmp(&(Reverse(b.len()), b)));
        forms.dedup();
        if forms.is_empty() {
            return None;
        }
        let any: Vec<String> = forms.iter().map(|form| regex::escape(form)).collect();
        let whole = RegexBuilder::new(&any.join("|"))
            // It is as large as the secrets are.
            .size_limit(usize::MAX)
            .build()
            .expect("texts that are escaped make a pattern");
        Some(Self {
            whole,
            parts: Parts::new(forms),
        })
    }

    /// Whether a text holds one.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.whole.is_match(text.as_bytes())
    }

    /// Where they are in a text, in bytes; they may overlap.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        while let Some(next) = self
            .whole
            .find_at(text.as_bytes(), found.last().map_or(0, |last| last.start + 1))
        {
            found.push(next.range());
        }
        found
    }

    /// Where a message that was cut holds parts of them, in bytes; they may overlap.
    pub(super) fn find_parts(&self, message: &str) -> Vec<Range<usize>> {
        self.parts.find(message)
    }
}
