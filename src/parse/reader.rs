//! Typed reading of a mapping: each key is asked for by name, and what nobody asked for is reported.

use std::time::Duration;

use super::{
    mapping::SHOWN,
    odd,
    problems::Problems,
    tree::{Content, Entry, Node, Place, Scalar, ScalarKind},
};
use crate::{
    source::{Diagnostic, Located, Span, did_you_mean, is_one_edit},
    text::{DURATION_HELP, parse_duration, quote},
};

/// Words to say when an unknown key is one of these: its name and the help.
pub(super) type Hint = (&'static str, &'static str);

/// The keys of one mapping.
pub(super) struct Fields<'a> {
    what: &'static str,
    place: Place,
    entries: &'a [Entry],
    asked: Vec<&'static str>,
    problems: &'a Problems,
}

/// One key that is there, with its value.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    /// How messages call it.
    pub name: &'a str,
    pub key: Place,
    pub node: &'a Node,
    pub problems: &'a Problems,
}

impl<'a> Fields<'a> {
    /// The keys of `node`, which messages call `what`; an error if it is not a mapping.
    pub fn of(node: &'a Node, what: &'static str, problems: &'a Problems) -> Option<Self> {
        match &node.content {
            Content::Mapping(entries) => Some(Self {
                what,
                place: node.place,
                entries,
                asked: Vec::new(),
                problems,
            }),
            Content::Broken => None,
            _ => {
                problems.error(
                    "wrong-type",
                    node.place.written,
                    format!("{what} must be a mapping, not {}", node.describe()),
                );
                None
            }
        }
    }

    /// Where the mapping is.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// A key, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.asked.push(key);
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(Field::of(entry, self.problems))
    }

    /// A key that is there with something behind it.
    pub fn take_written(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.take(key).filter(|field| !field.node.is_null())
    }

    /// A key that has to be there.
    pub fn require(&mut self, key: &'static str) -> Option<Field<'a>> {
        let field = self.take(key);
        if field.is_none() {
            let message = format!("{} has no `{key}`", self.what);
            self.problems.error("missing-key", self.start(), message);
        }
        field
    }

    /// Whether there is a key that is `key` but for a slip.
    pub fn has_slip_of(&self, key: &'static str) -> bool {
        self.entries.iter().any(|entry| is_one_edit(&entry.key, key))
    }

    /// The text of an optional key; nothing behind the key counts as absent.
    pub fn text(&mut self, key: &'static str) -> Option<Located<String>> {
        self.take_written(key)?.text()
    }

    /// The text of a key that has to be there and not blank, located where it is used: it names what is run.
    pub fn required_text(&mut self, key: &'static str) -> Option<Located<String>> {
        let field = self.require(key)?;
        Some(Located::new(field.filled_text()?.value, field.place().used))
    }

    /// The length of time an optional key gives.
    pub fn duration(&mut self, key: &'static str) -> Option<Duration> {
        self.take_written(key)?.duration()
    }

    /// Reports every key that was not asked for, but for those that begin with `free`.
    pub fn close(self, hints: &[Hint], free: &[&str]) {
        for entry in self.entries {
            let key = entry.key.as_str();
            let is_free = free.iter().any(|prefix| key.starts_with(prefix));
            if !is_free && !self.asked.contains(&key) && !odd::check_key(key, entry.place.written, self.problems) {
                self.report_unknown(entry, hints);
            }
        }
    }

    /// The first character of the mapping: enough to point at, and shown in one line.
    fn start(&self) -> Span {
        let span = self.place.written;
        let first = self.entries.first().map_or(span, |entry| entry.place.written);
        if first.line == span.line {
            first
        } else {
            Span {
                end: span.start,
                ..span
            }
        }
    }

    fn report_unknown(&self, entry: &Entry, hints: &[Hint]) {
        let key = entry.key.as_str();
        let message = format!("unknown key {} in {}", quote(key, SHOWN), self.what);
        let help = match (hints.iter().find(|hint| hint.0 == key), odd::find(key)) {
            (Some((_, help)), _) => (*help).to_owned(),
            (None, Some(odd)) => format!("the key holds {odd}"),
            (None, None) => did_you_mean(key, self.asked.iter().copied()),
        };
        let problem = Diagnostic::error("unknown-key", message).help(help);
        self.problems.add(entry.place.written, problem);
    }
}

impl<'a> Field<'a> {
    /// An entry as a field of its own, named by its key.
    pub fn of(entry: &'a Entry, problems: &'a Problems) -> Self {
        Self {
            name: &entry.key,
            key: entry.place,
            node: &entry.value,
            problems,
        }
    }

    /// The same field with one of its items in place of its value.
    pub const fn item(self, node: &'a Node) -> Self {
        Self { node, ..self }
    }

    /// Where the value is written; the key, if nothing is behind it.
    pub const fn place(&self) -> Place {
        if self.node.place.written.start == self.node.place.written.end {
            self.key
        } else {
            self.node.place
        }
    }

    /// The text of a scalar as it was written, located there: `8080` and `true` are text here.
    pub fn text(self) -> Option<Located<String>> {
        self.written("text")
    }

    /// Text that is not blank.
    pub fn filled_text(self) -> Option<Located<String>> {
        if self.is_blank() {
            self.error("empty-value", format!("`{}` is empty", self.name));
            return None;
        }
        self.text()
    }

    /// Whether nothing is behind the key, or only white space.
    pub fn is_blank(&self) -> bool {
        matches!(
            &self.node.content,
            Content::Scalar(Scalar { text, kind }) if *kind == ScalarKind::Null || text.trim().is_empty()
        )
    }

    /// Whether it is a mapping with something in it.
    pub fn has_entries(&self) -> bool {
        matches!(&self.node.content, Content::Mapping(entries) if !entries.is_empty())
    }

    /// Every item of a list; one scalar is a list of one.
    pub fn items(self) -> Vec<Self> {
        match &self.node.content {
            Content::List(items) => items.iter().map(|node| self.item(node)).collect(),
            Content::Scalar(scalar) if scalar.kind == ScalarKind::Null => Vec::new(),
            Content::Scalar(_) => vec![self],
            Content::Mapping(_) | Content::Broken => {
                self.refuse::<()>("a list");
                Vec::new()
            }
        }
    }

    /// The items of a list, as text.
    pub fn texts(self) -> Vec<Located<String>> {
        self.items().into_iter().filter_map(Self::text).collect()
    }

    /// Every entry of a mapping.
    pub fn entries(self) -> Vec<Self> {
        match &self.node.content {
            Content::Mapping(entries) => entries.iter().map(|entry| Self::of(entry, self.problems)).collect(),
            Content::Scalar(scalar) if scalar.kind == ScalarKind::Null => Vec::new(),
            _ => {
                self.refuse::<()>("a mapping");
                Vec::new()
            }
        }
    }

    /// The entries of a mapping of texts.
    pub fn text_entries(self) -> Vec<(Located<String>, Located<String>)> {
        let entries = self.entries().into_iter();
        entries
            .filter_map(|field| Some((field.located_name(), field.text()?)))
            .collect()
    }

    /// The key as a value.
    pub fn located_name(&self) -> Located<String> {
        Located::new(self.name.to_owned(), self.key.written)
    }

    /// A length of time.
    pub fn duration(self) -> Option<Duration> {
        let text = self.written("a length of time")?;
        match parse_duration(&text.value) {
            Ok(duration) => Some(duration),
            Err(reason) => {
                let message = format!("`{}` is not usable: {reason}", self.name);
                self.add(Diagnostic::error("invalid-value", message).help(DURATION_HELP));
                None
            }
        }
    }

    /// A whole number within `least..=most`.
    pub fn whole(self, least: u32, most: u32) -> Option<u32> {
        let text = self.written("a whole number")?;
        let number = text
            .value
            .trim()
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let message = format!(
                "`{}` must be a whole number from {least} to {most}, not `{}`",
                self.name, text.value
            );
            self.error("invalid-value", message);
        }
        number
    }

    /// One of a few words.
    pub fn one_of<T: Copy>(self, words: &[(&'static str, T)]) -> Option<T> {
        let text = self.written("a word")?;
        let found = words.iter().find(|(word, _)| *word == text.value);
        if found.is_none() {
            let message = format!("`{}` cannot be `{}`", self.name, text.value);
            let help = did_you_mean(&text.value, words.iter().map(|(word, _)| *word));
            self.add(Diagnostic::error("invalid-value", message).help(help));
        }
        found.map(|(_, value)| *value)
    }

    /// Reports that the value is of the wrong type.
    pub fn refuse<T>(self, wanted: &str) -> Option<T> {
        if !matches!(self.node.content, Content::Broken) {
            let message = format!("`{}` must be {wanted}, not {}", self.name, self.node.describe());
            self.error("wrong-type", message);
        }
        None
    }

    /// The scalar as it was written; anything else is not what was `wanted`.
    fn written(self, wanted: &str) -> Option<Located<String>> {
        match &self.node.content {
            Content::Scalar(scalar) if scalar.kind != ScalarKind::Null => {
                Some(Located::new(scalar.text.clone(), self.place().written))
            }
            _ => self.refuse(wanted),
        }
    }

    /// Notes an error at the value.
    pub fn error(&self, code: &'static str, message: impl Into<String>) {
        self.add(Diagnostic::error(code, message));
    }

    /// Notes a problem at the value.
    pub fn add(&self, diagnostic: Diagnostic) {
        self.problems.add(self.place().written, diagnostic);
    }
}
