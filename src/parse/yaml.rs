//! YAML into the located tree: anchors, aliases and merge keys applied, every problem noted, sizes bounded.
//!
//! Built on the parser's events and not on serde, because a user wants all problems of a file at once, each key with
//! its place, and scalars as they were written.

use std::{borrow::Cow, collections::HashMap};

use granit_parser::{Event, Marker, Parser, ScalarStyle, StrInput, Tag};

use super::{
    budget::{Budget, MAX_DEPTH, Size, Stop, check_depth},
    mapping::{self, Pair},
    odd,
    problems::Problems,
    scalar,
    tree::{Content, Node, Place, Scalar, ScalarKind},
    yaml_error,
};
use crate::source::{Diagnostic, Span};

/// Reads the one document of a YAML file.
pub(super) fn read(problems: &Problems) -> Option<Node> {
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder {
        parser: Parser::new_from_str_with_options(problems.source().text(), options),
        problems,
        anchors: HashMap::new(),
        budget: Budget::default(),
    };
    builder.document().ok()
}

struct Builder<'p> {
    parser: Parser<'p, StrInput<'p>>,
    problems: &'p Problems,
    /// Anchored values by the parser's id.
    anchors: HashMap<usize, Node>,
    budget: Budget,
}

impl<'p> Builder<'p> {
    fn document(&mut self) -> Result<Node, Stop> {
        let root = loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(..), _) => {}
                (Event::StreamEnd, span) => {
                    self.problems
                        .error("empty-file", span, "the file has no content, only comments");
                    return Err(Stop);
                }
                (event, span) => break self.value(event, span, 1)?,
            }
        };
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(root),
                (Event::DocumentStart(..), span) => {
                    let problem = Diagnostic::error("several-documents", "a second document starts here");
                    self.problems.add(
                        span,
                        problem.help("one file holds one document: move this one into a file of its own"),
                    );
                    return Err(Stop);
                }
                _ => {}
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'p>, Span), Stop> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, between(&span.start, &span.end))),
            Some(Err(error)) => {
                yaml_error::report(&error, self.problems);
                Err(Stop)
            }
            None => Err(Stop),
        }
    }

    /// A value, which unlike a key may hold odd characters anywhere.
    fn value(&mut self, event: Event<'p>, span: Span, depth: usize) -> Result<Node, Stop> {
        if let Event::Scalar(text, style, ..) = &event {
            odd::check_hidden(text, span, self.problems);
            if *style == ScalarStyle::Plain {
                odd::check_quotes(text, span, self.problems);
            }
        }
        self.node(event, span, depth)
    }

    fn node(&mut self, event: Event<'p>, span: Span, depth: usize) -> Result<Node, Stop> {
        check_depth(depth, span, self.problems)?;
        self.budget.charge(Size::ONE, span, self.problems)?;
        let (content, anchor, span) = match event {
            Event::Scalar(text, style, anchor, tag) => (self.scalar(text, style, tag.as_deref(), span), anchor, span),
            Event::SequenceStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &["seq"], span);
                let (items, end) = self.list(depth)?;
                (Content::List(items), anchor, through(span, end))
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &["map"], span);
                let (content, end) = self.mapping(span, depth)?;
                (content, anchor, through(span, end))
            }
            Event::Alias(id) => return self.alias(id, span, depth),
            Event::UnresolvedAlias(name) => (self.unknown_alias(&name, span), 0, span),
            _ => return Err(Stop),
        };
        let node = Node {
            place: Place::here(span),
            content,
        };
        self.remember(anchor, &node)?;
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<(Vec<Node>, Span), Stop> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, end) => return Ok((items, end)),
                (event, span) => items.push(self.value(event, span, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, start: Span, depth: usize) -> Result<(Content, Span), Stop> {
        let mut pairs = Vec::new();
        let mut is_placeholder = false;
        loop {
            let (event, span) = match self.next()? {
                (Event::MappingEnd, end) if is_placeholder => {
                    mapping::unquoted_placeholder(through(start, end), self.problems);
                    return Ok((Content::Broken, end));
                }
                (Event::MappingEnd, end) => {
                    return Ok((Content::Mapping(mapping::assemble(pairs, self.problems)), end));
                }
                next => next,
            };
            let is_plain = matches!(event, Event::Scalar(_, ScalarStyle::Plain, ..));
            let key = self.node(event, span, depth + 1)?;
            let (event, span) = self.next()?;
            let value = if is_prose(&key) {
                self.node(event, span, depth + 1)?
            } else {
                self.value(event, span, depth + 1)?
            };
            match key.content {
                Content::Scalar(scalar) => {
                    if is_plain {
                        odd::check_key(&scalar.text, key.place.written, self.problems);
                    }
                    pairs.push(Pair {
                        is_merge: is_plain && scalar.text == "<<",
                        key: scalar.text,
                        place: key.place,
                        value,
                    });
                }
                Content::Mapping(_) if self.is_brace_pair(start, key.place.written) => is_placeholder = true,
                Content::Broken => {}
                _ => mapping::complex_key(&key, self.problems),
            }
        }
    }

    /// Whether the text has `{{` where a mapping starts whose key is a mapping: `{{steps.a.output}}` without quotes.
    fn is_brace_pair(&self, outer: Span, inner: Span) -> bool {
        let text = self.problems.source().text();
        inner.start == outer.start + 1 && text.get(outer.start as usize..).is_some_and(|it| it.starts_with("{{"))
    }

    fn scalar(&self, text: Cow<'p, str>, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Content {
        let kind = match self.check_tag(tag, &["str", "int", "float", "bool", "null"], span) {
            Some("str") => Ok(ScalarKind::Text),
            Some(core) => scalar::resolve_as(core, &text),
            None if style == ScalarStyle::Plain => scalar::resolve(&text).map_err(Into::into),
            None => Ok(ScalarKind::Text),
        };
        let kind = match kind {
            Ok(kind) => kind,
            Err(unfit) => {
                self.problems.add(span, unfit.diagnostic(&text));
                return Content::Broken;
            }
        };
        if let ScalarKind::Number(number) = &kind {
            scalar::warn_if_inexact(&text, number, span, self.problems);
        }
        Content::Scalar(Scalar {
            text: text.into_owned(),
            kind,
        })
    }

    /// The core type a tag names, if there is a tag; tags that are not in `known` are reported.
    fn check_tag(&self, tag: Option<&Tag>, known: &[&'static str], span: Span) -> Option<&'static str> {
        let tag = tag?;
        if tag.handle().is_empty() && tag.suffix() == "!" {
            return Some("str");
        }
        let suffix = tag.core_suffix();
        let found = suffix.and_then(|suffix| known.iter().copied().find(|it| *it == suffix));
        if found.is_none() {
            let problem = Diagnostic::error(
                "unsupported-tag",
                format!("the tag `{}` is not supported", tag.original()),
            );
            self.problems.add(
                span,
                problem.help("remove the tag, or put the value in quotes to keep it as text"),
            );
        }
        found
    }

    fn unknown_alias(&self, name: &str, span: Span) -> Content {
        let problem = Diagnostic::error(
            "unknown-anchor",
            format!("no anchor `&{name}` stands before this alias"),
        );
        let help = "define the anchor above its first use, or put the text in quotes if the `*` is part of it";
        self.problems.add(span, problem.help(help));
        Content::Broken
    }

    fn alias(&mut self, id: usize, span: Span, depth: usize) -> Result<Node, Stop> {
        let Some(anchored) = self.anchors.get(&id) else {
            self.problems
                .error("recursive-alias", span, "this alias stands inside the value it names");
            return Err(Stop);
        };
        let size = Size::of(anchored);
        check_depth(depth + size.height - 1, span, self.problems)?;
        self.budget.charge(size, span, self.problems)?;
        let mut copy = anchored.clone();
        use_at(&mut copy, span);
        Ok(copy)
    }

    fn remember(&mut self, anchor: usize, node: &Node) -> Result<(), Stop> {
        if anchor != 0 {
            self.budget.charge(Size::of(node), node.place.written, self.problems)?;
            self.anchors.insert(anchor, node.clone());
        }
        Ok(())
    }
}

/// Whether a key holds words for people, which are compared with nothing.
fn is_prose(key: &Node) -> bool {
    matches!(&key.content, Content::Scalar(scalar) if scalar.text == odd::PROSE)
}

/// Everything a copy holds takes effect where the alias stands.
fn use_at(node: &mut Node, span: Span) {
    node.place.used = span;
    match &mut node.content {
        Content::List(items) => items.iter_mut().for_each(|item| use_at(item, span)),
        Content::Mapping(entries) => {
            for entry in entries {
                entry.place.used = span;
                use_at(&mut entry.value, span);
            }
        }
        Content::Scalar(_) | Content::Broken => {}
    }
}

/// The span between two of the parser's marks, whose columns count from 0.
pub(super) fn between(start: &Marker, end: &Marker) -> Span {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let offset = start.byte_offset().unwrap_or_default();
    Span {
        start: number(offset),
        end: number(end.byte_offset().unwrap_or(offset)),
        line: number(start.line()),
        column: number(start.col() + 1),
    }
}

fn through(start: Span, end: Span) -> Span {
    Span { end: end.end, ..start }
}
