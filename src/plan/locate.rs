//! Finds the place of a placeholder within the text of the file that it was read from.

use std::{ops::Range, sync::Arc};

use super::template::{Mention, pairs};
use crate::source::{SourceFile, Span};

/// Finds placeholders in a file. Those of one text are asked for one after the other, so that it is searched once.
pub(super) struct Locator<'a> {
    source: &'a Arc<SourceFile>,
    searched: Option<Searched>,
}

/// The double braces of a text as the file has them, if it has as many as the value: some may be written with escapes.
struct Searched {
    place: Span,
    pairs: Option<Vec<Range<usize>>>,
}

impl<'a> Locator<'a> {
    /// A search in this file.
    pub(super) const fn new(source: &'a Arc<SourceFile>) -> Self {
        Self { source, searched: None }
    }

    /// The place of a placeholder, or of the whole text it stands in.
    pub(super) fn find(&mut self, mention: &Mention<'_>) -> Span {
        let start = mention.place.start as usize;
        let written = self
            .source
            .text()
            .get(start..mention.place.end as usize)
            .unwrap_or_default();
        let known = self.searched.take().filter(|it| it.place == mention.place);
        let searched = self.searched.insert(known.unwrap_or_else(|| Searched {
            place: mention.place,
            pairs: all_pairs(written, mention.text),
        }));
        let Some(pair) = searched.pairs.as_ref().and_then(|pairs| pairs.get(mention.ordinal)) else {
            return mention.place;
        };
        let end = if written[pair.start..].starts_with(mention.written) {
            pair.start + mention.written.len()
        } else {
            pair.end
        };
        self.source.span(start + pair.start, start + end)
    }
}

fn all_pairs(written: &str, text: &str) -> Option<Vec<Range<usize>>> {
    let found: Vec<_> = pairs(written).map(|pair| pair.start..pair.end).collect();
    (found.len() == pairs(text).count()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{super::template::mentions_in_text, *};

    /// The columns of all placeholders of `text`, which the file holds as `written`.
    fn columns(written: &str, text: &str) -> Vec<u32> {
        let source = SourceFile::new("a.yaml", format!("- {written}"));
        let mut locator = Locator::new(&source);
        let mentions = mentions_in_text(text, source.span(2, 2 + written.len()));
        mentions.map(|mention| locator.find(&mention).column).collect()
    }

    #[test]
    fn equal_placeholders_have_places_of_their_own() {
        let text = "{{x}} {{vars.a}} \\{{vars.a}} {{vars.a}}";
        assert_eq!(columns(&format!("'{text}'"), text), [10, 22, 33]);
    }

    #[test]
    fn other_escapes_do_not_matter() {
        assert_eq!(columns(r#""\t{{vars[\"a\"]}}""#, "\t{{vars[\"a\"]}}"), [6]);
    }

    #[test]
    fn braces_behind_escapes_are_where_their_text_is() {
        assert_eq!(
            columns(r#""\x7b{vars.a}} {{vars.a}}""#, "{{vars.a}} {{vars.a}}"),
            [3, 3]
        );
    }
}
