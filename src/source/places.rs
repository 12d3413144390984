//! Where a structured value is written, and every part of it: a tree of the value's own shape.

use std::{collections::BTreeMap, fmt};

use super::Span;

/// Where one value is written, and where what is inside it is.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The key, if it has one, together with the value: what a complaint about the text points at.
    pub whole: Span,
    /// The key where it takes effect, which an alias puts elsewhere than its text; empty for what has none.
    pub key: Span,
    /// The value where it takes effect.
    pub value: Span,
    /// A scalar's text as it stands in the file, where its value looks different: `007` is the number 7.
    pub written: Option<Box<str>>,
    /// The parts of a list or a mapping.
    pub parts: Parts,
}

/// The parts of a value.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Parts {
    /// A scalar has none.
    #[default]
    None,
    /// The items of a list.
    Items(Vec<Places>),
    /// The members of a mapping.
    Members(BTreeMap<String, Places>),
}

impl Places {
    /// Where an item of the list is.
    pub fn item(&self, index: usize) -> Option<&Self> {
        match &self.parts {
            Parts::Items(items) => items.get(index),
            Parts::Members(_) | Parts::None => None,
        }
    }

    /// Where a member of the mapping is.
    pub fn member(&self, key: &str) -> Option<&Self> {
        match &self.parts {
            Parts::Members(members) => members.get(key),
            Parts::Items(_) | Parts::None => None,
        }
    }

    /// Where the part that a JSON Pointer (RFC 6901) leads to is written, or the nearest known one around it; nothing
    /// for the value itself.
    pub fn nearest(&self, pointer: &str) -> Option<Span> {
        let mut nearest = None;
        let mut here = self;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            let index = || here.item(token.parse().ok()?);
            let Some(part) = here.member(&token).or_else(index) else {
                break;
            };
            here = part;
            nearest = Some(part.whole);
        }
        nearest
    }

    fn list(&self, pointer: &str, list: &mut fmt::DebugMap<'_, '_>) {
        let mut part = |name: &str, part: &Self| {
            let pointer = pointer_to(pointer, name);
            let written = part.written.as_ref().map(|text| format!(" as {text:?}"));
            let place = format!("{}:{}", part.whole.line, part.whole.column);
            list.entry(&pointer, &format_args!("{place}{}", written.unwrap_or_default()));
            part.list(&pointer, list);
        };
        match &self.parts {
            Parts::None => {}
            Parts::Items(items) => items.iter().enumerate().for_each(|(at, it)| part(&at.to_string(), it)),
            Parts::Members(members) => members.iter().for_each(|(key, it)| part(key, it)),
        }
    }
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_map();
        if let Some(text) = &self.written {
            list.entry(&"", &format_args!("as {text:?}"));
        }
        self.list("", &mut list);
        list.finish()
    }
}

/// The pointer of a member of the value at `pointer`.
pub fn pointer_to(pointer: &str, member: &str) -> String {
    let mut pointer = pointer.to_owned();
    push_token(&mut pointer, member);
    pointer
}

/// Makes a pointer lead to a member of what it leads to.
pub fn push_token(pointer: &mut String, member: &str) {
    pointer.push('/');
    pointer.push_str(&member.replace('~', "~0").replace('/', "~1"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(line: u32) -> Span {
        Span {
            line,
            ..Span::default()
        }
    }

    fn places(line: u32, parts: Parts) -> Places {
        Places {
            whole: span(line),
            parts,
            ..Places::default()
        }
    }

    #[test]
    fn an_unknown_part_is_where_the_part_around_it_is() {
        let list = places(4, Parts::Items(vec![places(5, Parts::None)]));
        let inner = BTreeMap::from([("c".to_owned(), places(3, Parts::None)), ("l".to_owned(), list)]);
        let outer = BTreeMap::from([("a/b".to_owned(), places(2, Parts::Members(inner)))]);
        let places = places(1, Parts::Members(outer));
        assert_eq!(places.nearest(&pointer_to(&pointer_to("", "a/b"), "c")), Some(span(3)));
        assert_eq!(places.nearest("/a~1b/l/0"), Some(span(5)));
        assert_eq!(places.nearest("/a~1b/l/1"), Some(span(4)));
        assert_eq!(places.nearest("/a~1b/x/y"), Some(span(2)));
        assert_eq!(places.nearest("/other"), None);
        assert_eq!(places.nearest(""), None);
    }
}
