//! The syntax of JavaScript's patterns, written so that `regex` and `fancy-regex` read the same thing.

use super::{
    PatternError,
    groups::{GroupKind, Groups},
};

/// How `\b` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// With the ASCII boundary that `regex` has.
    Native,
    /// With look-around, for `fancy-regex`, which has no ASCII boundary.
    LookAround,
}

/// Groups in groups that are read; `regex` has a limit of its own (250), `fancy-regex` recurses for each.
const MAX_DEPTH: usize = 200;

/// Translates a pattern; finds what is plainly wrong in it with its place.
pub(super) fn translate(source: &str, boundary: Boundary) -> Result<String, PatternError> {
    let mut translator = Translator {
        chars: source.chars().collect(),
        at: 0,
        out: String::with_capacity(source.len() + 16),
        groups: Groups::default(),
        before: Before::Nothing,
        boundary,
    };
    while let Some(next) = translator.next() {
        translator.before = translator.item(next)?;
    }
    match translator.groups.innermost() {
        Some(group) => Err(PatternError::new("the group is not closed, opened", group)),
        None => translator.groups.check().map(|()| translator.out),
    }
}

/// What stands before a quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing that can be repeated.
    Nothing,
    /// A character or a class.
    Item,
    /// The group of this index.
    Group(usize),
}

pub(super) struct Translator {
    pub(super) chars: Vec<char>,
    /// The next character to read.
    pub(super) at: usize,
    pub(super) out: String,
    pub(super) groups: Groups,
    before: Before,
    pub(super) boundary: Boundary,
}

impl Translator {
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The place of the character read last, counted from 0.
    pub(super) const fn here(&self) -> usize {
        self.at - 1
    }

    fn item(&mut self, next: char) -> Result<Before, PatternError> {
        match next {
            '\\' => {
                let can_repeat = self.escape()?;
                return Ok(if can_repeat { Before::Item } else { Before::Nothing });
            }
            '[' => self.class()?,
            '(' => return self.open_group().map(|()| Before::Nothing),
            ')' => {
                let closed = self.groups.close();
                self.out.push(')');
                return closed
                    .map(Before::Group)
                    .ok_or_else(|| PatternError::new("no group is open for `)`", self.here()));
            }
            '|' => {
                self.groups.alternative();
                self.out.push('|');
                return Ok(Before::Nothing);
            }
            '^' | '$' => {
                self.out.push(next);
                return Ok(Before::Nothing);
            }
            '*' => return self.quantifier("*", 0, u64::MAX),
            '+' => return self.quantifier("+", 1, u64::MAX),
            '?' => return self.quantifier("?", 0, 1),
            '{' => match self.counted() {
                Some((text, least, most)) => return self.quantifier(&text, least, most),
                None => self.out.push_str("\\{"),
            },
            '}' | ']' => self.literal(next),
            _ => self.out.push(next),
        }
        Ok(Before::Item)
    }

    fn open_group(&mut self) -> Result<(), PatternError> {
        let start = self.here();
        if self.groups.depth() == MAX_DEPTH {
            return Err(PatternError::new("groups are nested too deeply", start));
        }
        if !self.take('?') {
            self.out.push('(');
            return self.groups.open(GroupKind::Capture(None), start);
        }
        if let Some((mark, kind)) = self.mark() {
            self.at += mark.len();
            self.out.push_str("(?");
            self.out.push_str(mark);
            return self.groups.open(kind, start);
        }
        if let Some(name) = self.name_after_open() {
            // The engines count a named group like any other, and only some names are names to them.
            self.out.push('(');
            return self.groups.open(GroupKind::Capture(Some(name)), start);
        }
        self.flags(start)
    }

    /// What makes a group behind `(?` other than a capture.
    fn mark(&self) -> Option<(&'static str, GroupKind)> {
        let marks = [
            ("<=", GroupKind::LookBehind),
            ("<!", GroupKind::LookBehind),
            (":", GroupKind::Plain),
            ("=", GroupKind::Plain),
            ("!", GroupKind::Plain),
        ];
        let follows = |mark: &str| self.chars[self.at..].iter().take(mark.len()).copied().eq(mark.chars());
        marks.into_iter().find(|(mark, _)| follows(mark))
    }

    /// The name in `<name>`, if that is what comes next.
    pub(super) fn name_after_open(&mut self) -> Option<String> {
        let rest = self.chars[self.at..].strip_prefix(&['<'])?;
        let length = rest.iter().position(|c| *c == '>')?;
        let is_name = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let name = &rest[..length];
        if name.first().is_none_or(char::is_ascii_digit) || !name.iter().all(is_name) {
            return None;
        }
        self.at += length + 2;
        Some(name.iter().collect())
    }

    /// `(?i)` for the rest of the group, or `(?i:…)`: the flags of JavaScript that matter for one text.
    fn flags(&mut self, start: usize) -> Result<(), PatternError> {
        let length = self.chars[self.at..]
            .iter()
            .take_while(|c| matches!(c, 'i' | 'm' | 's' | '-'))
            .count();
        let flags: String = self.chars[self.at..self.at + length].iter().collect();
        self.at += length;
        let end = self.next().unwrap_or(' ');
        if length == 0 || !matches!(end, ')' | ':') {
            let word = format!("(?{flags}{end}");
            return Err(PatternError::new(no_group(word.trim_end()), start));
        }
        self.out.push_str("(?");
        self.out.push_str(&flags);
        self.out.push(end);
        match end {
            ':' => self.groups.open(GroupKind::Plain, start),
            _ => Ok(()),
        }
    }

    fn quantifier(&mut self, text: &str, least: u64, most: u64) -> Result<Before, PatternError> {
        match self.before {
            Before::Nothing => {
                let message = format!("there is nothing to repeat for `{text}`");
                return Err(PatternError::new(message, self.here()));
            }
            _ if least > most => {
                let message = format!("the numbers of `{text}` are the wrong way round");
                return Err(PatternError::new(message, self.here()));
            }
            Before::Group(index) => self.groups.repeat(index, least, most),
            Before::Item => {}
        }
        self.out.push_str(text);
        if self.take('?') {
            self.out.push('?');
        }
        Ok(Before::Nothing)
    }

    /// `{2}`, `{2,}` or `{2,3}` after its brace was read; any other brace stands for itself, as in `{"id": 1}`.
    fn counted(&mut self) -> Option<(String, u64, u64)> {
        let length = self.chars[self.at..].iter().position(|c| *c == '}')?;
        let body: String = self.chars[self.at..self.at + length].iter().collect();
        let (least, most) = match body.split_once(',') {
            Some((least, "")) => (number(least)?, u64::MAX),
            Some((least, most)) => (number(least)?, number(most)?),
            None => (number(&body)?, number(&body)?),
        };
        self.at += length + 1;
        Some((format!("{{{body}}}"), least, most))
    }
}

fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

fn no_group(word: &str) -> String {
    let hint = if word == "(?P" {
        " (a name is written `(?<name>…)`)"
    } else {
        ""
    };
    format!("unknown group `{word}`{hint}")
}
