//! Finds the place of a text that was read from a file, within the part of the file it came from.

use std::{ops::Range, sync::Arc};

use serde_json::Value;

use crate::source::{SourceFile, Span};

/// A text that the file writes with escapes is not found; after a few of those the search is not worth its time.
const MOST_MISSES: usize = 20;

/// Finds texts in a part of a file. Equal texts that are asked for one after the other get one place each.
pub(super) struct Locator<'a> {
    source: &'a Arc<SourceFile>,
    part: Range<usize>,
    next: usize,
    misses: usize,
}

impl<'a> Locator<'a> {
    /// A search in the part of the file that a span covers.
    pub(super) fn within(source: &'a Arc<SourceFile>, span: Span) -> Self {
        Self::new(source, span.start as usize..span.end as usize)
    }

    /// A search from the first `key` on that follows a byte, up to another byte.
    pub(super) fn behind_key(source: &'a Arc<SourceFile>, key: &str, mut part: Range<usize>) -> Self {
        let text = source.text().get(part.clone()).unwrap_or_default();
        part.start += text.find(key).unwrap_or(text.len());
        Self::new(source, part)
    }

    fn new(source: &'a Arc<SourceFile>, part: Range<usize>) -> Self {
        Self {
            source,
            next: part.start,
            part,
            misses: 0,
        }
    }

    /// The place of a text, if the file writes it just so or as JSON does.
    pub(super) fn find(&mut self, text: &str) -> Option<Span> {
        if self.misses == MOST_MISSES {
            return None;
        }
        let as_json = Value::from(text).to_string();
        let found = [text, as_json.trim_matches('"')]
            .into_iter()
            .find_map(|text| self.look(self.next, text).or_else(|| self.look(self.part.start, text)));
        match &found {
            Some(range) => self.next = range.end,
            None => self.misses += 1,
        }
        found.map(|range| self.source.span(range.start, range.end))
    }

    fn look(&self, from: usize, text: &str) -> Option<Range<usize>> {
        let at = self.source.text().get(from..self.part.end)?.find(text)? + from;
        Some(at..at + text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str, words: &[&str]) -> Vec<Option<u32>> {
        let source = SourceFile::new("a.yaml", text);
        let mut locator = Locator::within(&source, source.span(2, text.len()));
        let places = words.iter().map(|word| locator.find(word));
        places.map(|span| span.map(|span| span.column)).collect()
    }

    #[test]
    fn equal_texts_have_places_of_their_own() {
        assert_eq!(columns("ab ab ab", &["ab", "ab"]), [Some(4), Some(7)]);
    }

    #[test]
    fn a_text_further_up_is_found_too() {
        assert_eq!(columns("- b a", &["a", "b", "c"]), [Some(5), Some(3), None]);
    }

    #[test]
    fn escapes_of_json_are_known() {
        assert_eq!(columns("- x[\\\"a\\\"]", &["x[\"a\"]"]), [Some(3)]);
    }

    #[test]
    fn a_hopeless_search_is_given_up() {
        let mut words = vec!["c"; MOST_MISSES];
        words.push("a");
        assert_eq!(columns("- a", &words).last(), Some(&None));
    }
}
