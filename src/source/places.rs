//! Where the parts of a structured value are written, by JSON Pointer (RFC 6901).

use std::{collections::BTreeMap, fmt};

use super::Span;

/// The places of the parts inside one value; the whole value, whose pointer is empty, is not among them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<String, Span>);

impl Places {
    /// Notes where a part is written.
    pub fn insert(&mut self, pointer: String, span: Span) {
        self.0.insert(pointer, span);
    }

    /// The place of a part, or of the nearest known one around it.
    pub fn nearest(&self, mut pointer: &str) -> Option<Span> {
        loop {
            if let Some(span) = self.0.get(pointer) {
                return Some(*span);
            }
            pointer = &pointer[..pointer.rfind('/')?];
        }
    }
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |(pointer, span): (_, &Span)| (pointer, format!("{}:{}", span.line, span.column));
        f.debug_map().entries(self.0.iter().map(place)).finish()
    }
}

/// The pointer of a member of the value at `pointer`.
pub fn pointer_to(pointer: &str, member: &str) -> String {
    format!("{pointer}/{}", member.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_part_is_where_the_part_around_it_is() {
        let span = |line| Span {
            line,
            ..Span::default()
        };
        let mut places = Places::default();
        places.insert(pointer_to("", "a/b"), span(2));
        places.insert(pointer_to("/a~1b", "c"), span(3));
        assert_eq!(places.nearest("/a~1b/c"), Some(span(3)));
        assert_eq!(places.nearest("/a~1b/x/y"), Some(span(2)));
        assert_eq!(places.nearest("/other"), None);
        assert_eq!(places.nearest(""), None);
    }
}
