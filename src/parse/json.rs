//! JSON into the located tree. `serde_json` decides what is JSON; this only finds out where things are.

use serde::de::IgnoredAny;

use super::{
    budget::{Budget, Size, Stop, check_depth},
    mapping::{self, Pair},
    odd,
    problems::Problems,
    scalar,
    tree::{Content, Entry, Node, Place, Scalar, ScalarKind},
};
use crate::source::{Diagnostic, Span};

/// Reads a JSON file.
pub(super) fn read(problems: &Problems) -> Option<Node> {
    let text = problems.source().text();
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        report(&error, text, problems);
        return None;
    }
    let mut reader = Reader {
        text,
        at: 0,
        budget: Budget::default(),
        problems,
    };
    reader.value(1).ok()
}

/// Walks over text that is known to be JSON.
struct Reader<'p> {
    text: &'p str,
    at: usize,
    budget: Budget,
    problems: &'p Problems,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Node, Stop> {
        let start = self.token();
        check_depth(depth, start, self.problems)?;
        self.budget.charge(Size::ONE, start, self.problems)?;
        let content = match self.peek() {
            b'{' => Content::Mapping(self.object(depth)?),
            b'[' => Content::List(self.array(depth)?),
            b'"' => self
                .string()
                .map_or(Content::Broken, |text| content(text, ScalarKind::Text)),
            _ => self.literal().unwrap_or(Content::Broken),
        };
        Ok(Node {
            place: Place::here(self.since(start)),
            content,
        })
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Entry>, Stop> {
        let mut pairs = Vec::new();
        self.at += 1;
        loop {
            let start = self.token();
            match self.peek() {
                b'"' => {}
                b',' => {
                    self.at += 1;
                    continue;
                }
                _ => break,
            }
            let key = self.string();
            let place = Place::here(self.since(start));
            self.token();
            self.at += 1;
            let value = self.value(depth + 1)?;
            if key.as_deref() != Some(odd::PROSE) {
                self.check_hidden(&value);
            }
            pairs.extend(key.map(|key| Pair {
                key,
                place,
                value,
                is_merge: false,
            }));
        }
        self.at += 1;
        Ok(mapping::assemble(pairs, self.problems))
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node>, Stop> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.token();
            match self.peek() {
                b']' => break,
                b',' => self.at += 1,
                _ => {
                    let item = self.value(depth + 1)?;
                    self.check_hidden(&item);
                    items.push(item);
                }
            }
        }
        self.at += 1;
        Ok(items)
    }

    fn check_hidden(&self, value: &Node) {
        if let Content::Scalar(scalar) = &value.content {
            odd::check_hidden(&scalar.text, value.place.written, self.problems);
        }
    }

    fn string(&mut self) -> Option<String> {
        let start = self.here();
        let bytes = self.text.as_bytes();
        self.at += 1;
        while self.peek() != b'"' {
            self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        let span = self.since(start);
        let text = serde_json::from_str(&self.text[span.start as usize..span.end as usize]);
        text.inspect_err(|_| {
            self.problems.error(
                "json-syntax",
                span,
                "the text holds half of a surrogate pair (`\\ud800` to `\\udfff`)",
            );
        })
        .ok()
    }

    fn literal(&mut self) -> Option<Content> {
        let start = self.here();
        while matches!(self.peek(), b'a'..=b'z' | b'E' | b'0'..=b'9' | b'-' | b'+' | b'.') {
            self.at += 1;
        }
        let span = self.since(start);
        let text = &self.text[span.start as usize..span.end as usize];
        let kind = match text {
            "null" => ScalarKind::Null,
            "true" => ScalarKind::Bool(true),
            "false" => ScalarKind::Bool(false),
            _ => self.number(text, span)?,
        };
        Some(content(text.to_owned(), kind))
    }

    fn number(&self, text: &str, span: Span) -> Option<ScalarKind> {
        let Ok(number) = serde_json::from_str(text) else {
            self.problems
                .error("no-json-form", span, format!("the number `{text}` is out of range"));
            return None;
        };
        scalar::warn_if_inexact(text, &number, span, self.problems);
        Some(ScalarKind::Number(number))
    }

    /// Goes to the next token and says where it starts.
    fn token(&mut self) -> Span {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
        self.here()
    }

    /// The byte that is next, 0 at the end.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    fn here(&self) -> Span {
        self.problems.source().span(self.at, self.at)
    }

    fn since(&self, start: Span) -> Span {
        Span {
            // Files are refused long before they reach 4 GiB.
            end: u32::try_from(self.at).unwrap_or(u32::MAX),
            ..start
        }
    }
}

const fn content(text: String, kind: ScalarKind) -> Content {
    Content::Scalar(Scalar { text, kind })
}

fn report(error: &serde_json::Error, text: &str, problems: &Problems) {
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    let stopped = offset(error, text);
    let (words, at) = match words {
        "expected ident" | "expected value" => ("this is not a JSON value".to_owned(), word_start(text, stopped)),
        words => (words.replace("EOF", "end of file"), stopped),
    };
    let mut problem = Diagnostic::error("json-syntax", words);
    if let Some(help) = help(&text[..at], &text[at..]) {
        problem = problem.help(help);
    }
    problems.add(problems.source().span(at, at), problem);
}

/// Where `serde_json` stopped; it counts lines and columns in bytes, both from 1.
fn offset(error: &serde_json::Error, text: &str) -> usize {
    let line_start: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    text.floor_char_boundary(line_start + error.column().saturating_sub(1))
}

fn word_start(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len()
}

fn help(before: &str, rest: &str) -> Option<&'static str> {
    if before.ends_with('\\') {
        return Some("a backslash that is meant as text is written twice: `\\\\`");
    }
    let before = before.trim_end();
    Some(match rest.chars().next()? {
        '/' | '#' => "JSON has no comments: remove it, or name the file `.yaml`, where `#` starts a comment",
        '\'' => "JSON knows double quotes only",
        ']' | '}' if before.ends_with(',') => "remove the comma before it",
        '{' | '[' if before.ends_with(['}', ']']) => "one file holds one value; between items stands a comma",
        c if c.is_alphabetic() => "text needs double quotes",
        _ => return None,
    })
}
