//! The syntax of JavaScript's patterns, written so that `regex` and `fancy-regex` read the same thing.

use std::fmt::Write;

use super::PatternError;

/// How `\b` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// With the ASCII boundary that `regex` has.
    Native,
    /// With look-around, for `fancy-regex`, which has no ASCII boundary.
    LookAround,
}

/// White space as ECMAScript defines it (`WhiteSpace` and `LineTerminator`); Unicode's differs in U+0085 and U+FEFF.
const SPACES: &str =
    r"\t\n\x0B\x0C\r\x20\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const DIGITS: &str = "0-9";
const WORDS: &str = "0-9A-Za-z_";
const IS_BOUNDARY: &str = "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
const IS_NO_BOUNDARY: &str = "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))";
/// Groups in groups that are read; `regex` has a limit of its own (250), `fancy-regex` recurses for each.
const MAX_DEPTH: usize = 200;

/// Translates a pattern; finds what is plainly wrong in it with its place.
pub(super) fn translate(source: &str, boundary: Boundary) -> Result<String, PatternError> {
    let mut translator = Translator {
        chars: source.chars().collect(),
        at: 0,
        out: String::with_capacity(source.len() + 16),
        open_groups: Vec::new(),
        can_repeat: false,
        boundary,
    };
    while let Some(next) = translator.next() {
        translator.item(next)?;
    }
    match translator.open_groups.last() {
        Some(group) => Err(problem("the group is not closed, opened", *group)),
        None => Ok(translator.out),
    }
}

struct Translator {
    chars: Vec<char>,
    /// The next character to read.
    at: usize,
    out: String,
    /// Where the groups that are still open begin.
    open_groups: Vec<usize>,
    /// Whether a quantifier may follow.
    can_repeat: bool,
    boundary: Boundary,
}

impl Translator {
    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The place of the character read last, counted from 0.
    const fn here(&self) -> usize {
        self.at - 1
    }

    fn item(&mut self, next: char) -> Result<(), PatternError> {
        match next {
            '\\' => self.escape()?,
            '[' => self.class()?,
            '(' => return self.open_group(),
            ')' => {
                self.open_groups
                    .pop()
                    .ok_or_else(|| problem("no group is open for `)`", self.here()))?;
                self.out.push(')');
            }
            '|' => {
                self.out.push('|');
                self.can_repeat = false;
                return Ok(());
            }
            '*' | '+' | '?' => self.quantifier(&next.to_string())?,
            '{' => match self.counted() {
                Some(quantifier) => self.quantifier(&quantifier)?,
                None => self.out.push_str("\\{"),
            },
            '}' | ']' => self.literal(next),
            _ => self.out.push(next),
        }
        self.can_repeat = true;
        Ok(())
    }

    fn open_group(&mut self) -> Result<(), PatternError> {
        self.open_groups.push(self.here());
        if self.open_groups.len() > MAX_DEPTH {
            return Err(problem("groups are nested too deeply", self.here()));
        }
        self.out.push('(');
        if self.take('?') {
            self.out.push('?');
        }
        self.can_repeat = false;
        Ok(())
    }

    fn quantifier(&mut self, quantifier: &str) -> Result<(), PatternError> {
        if !self.can_repeat {
            return Err(problem(
                format!("there is nothing to repeat for `{quantifier}`"),
                self.here(),
            ));
        }
        self.out.push_str(quantifier);
        Ok(())
    }

    /// `{2}`, `{2,}` or `{2,3}` after its brace was read; any other brace stands for itself, as in `{"id": 1}`.
    fn counted(&mut self) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|c| *c == '}')?;
        let body: String = self.chars[self.at..self.at + length].iter().collect();
        let (least, most) = body.split_once(',').unwrap_or((&body, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if least.is_empty() || !is_number(least) || !is_number(most) {
            return None;
        }
        self.at += length + 1;
        Some(format!("{{{body}}}"))
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        let start = self.here();
        let Some(next) = self.next() else {
            return Err(problem("the backslash has nothing to escape", start));
        };
        match (next, self.boundary) {
            ('b', Boundary::Native) => self.out.push_str(r"(?-u:\b)"),
            ('b', Boundary::LookAround) => self.out.push_str(IS_BOUNDARY),
            ('B', _) => self.out.push_str(IS_NO_BOUNDARY),
            _ => {
                if let Some(set) = set(next) {
                    self.out.push_str(&set);
                } else {
                    self.escaped_character(next);
                }
            }
        }
        Ok(())
    }

    /// An escape that stands for one character, inside or outside a class; unknown ones are left to the engines.
    fn escaped_character(&mut self, next: char) {
        match next {
            'v' => self.code_point(0x0b),
            'f' => self.code_point(0x0c),
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => self.code_point(0),
            'c' if self.peek().is_some_and(|c| c.is_ascii_alphabetic()) => {
                let letter = self.next().unwrap_or_default();
                self.code_point(u32::from(letter) % 32);
            }
            'u' => match self.unicode() {
                Some(code) => self.code_point(code),
                None => self.out.push_str("\\u"),
            },
            'p' | 'P' | 'x' | 'k' => self.copied_escape(next),
            _ if next.is_ascii_alphanumeric() => self.out.extend(['\\', next]),
            _ => self.literal(next),
        }
    }

    /// `41`, `{1F600}` or `D83D\uDE00` after `\u`.
    fn unicode(&mut self) -> Option<u32> {
        if self.peek() == Some('{') {
            let end = self.chars[self.at..].iter().position(|c| *c == '}')?;
            let code = self.hex(self.at + 1, end - 1)?;
            self.at += end + 1;
            return Some(code);
        }
        let high = self.hex(self.at, 4)?;
        self.at += 4;
        let follows = self.chars.get(self.at..self.at + 2) == Some(&['\\', 'u']);
        match self.hex(self.at + 2, 4).filter(|_| follows) {
            Some(low) if (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low) => {
                self.at += 6;
                Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
            }
            _ => Some(high),
        }
    }

    fn hex(&self, start: usize, length: usize) -> Option<u32> {
        let digits: String = self.chars.get(start..start + length)?.iter().collect();
        u32::from_str_radix(&digits, 16).ok()
    }

    /// An escape with a name or a number in braces, which are no quantifier.
    fn copied_escape(&mut self, next: char) {
        self.out.extend(['\\', next]);
        if self.peek() == Some('{')
            && let Some(end) = self.chars[self.at..].iter().position(|c| *c == '}')
        {
            self.out.extend(&self.chars[self.at..=self.at + end]);
            self.at += end + 1;
        }
    }

    fn code_point(&mut self, code: u32) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "\\x{{{code:X}}}");
    }

    fn literal(&mut self, c: char) {
        self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }

    fn class(&mut self) -> Result<(), PatternError> {
        let start = self.here();
        let negated = self.take('^');
        if self.take(']') {
            self.out
                .push_str(if negated { "(?s:.)" } else { r"[^\x00-\x{10FFFF}]" });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        let mut before = ClassItem::Start;
        loop {
            let next = self
                .next()
                .ok_or_else(|| problem("the character class is not closed, opened", start))?;
            if next == ']' {
                self.out.push(']');
                return Ok(());
            }
            before = self.class_item(next, before)?;
        }
    }

    fn class_item(&mut self, next: char, before: ClassItem) -> Result<ClassItem, PatternError> {
        match next {
            '-' if self.is_range_dash(before) => {
                self.out.push('-');
                return Ok(ClassItem::Dash);
            }
            '\\' => {
                let start = self.here();
                let escaped = self
                    .next()
                    .ok_or_else(|| problem("the backslash has nothing to escape", start))?;
                if let Some(set) = set(escaped) {
                    self.out.push_str(&set);
                    return Ok(ClassItem::Set);
                }
                if escaped == 'b' {
                    self.code_point(0x08);
                } else {
                    self.escaped_character(escaped);
                }
            }
            _ => self.literal(next),
        }
        Ok(ClassItem::Character)
    }

    /// Whether a dash in a class stands between two characters; `[\w-.]` and `[a-]` have it as a character.
    fn is_range_dash(&self, before: ClassItem) -> bool {
        let after = self.chars.get(self.at).copied();
        let set_follows = after == Some('\\') && self.chars.get(self.at + 1).is_some_and(|c| set(*c).is_some());
        before == ClassItem::Character && after != Some(']') && !set_follows
    }
}

/// What stands before a place in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClassItem {
    Start,
    Character,
    Set,
    Dash,
}

/// The classes of characters that have a letter, in ASCII as in JavaScript.
fn set(letter: char) -> Option<String> {
    let members = match letter.to_ascii_lowercase() {
        'd' => DIGITS,
        'w' => WORDS,
        's' => SPACES,
        _ => return None,
    };
    let not = if letter.is_ascii_uppercase() { "^" } else { "" };
    Some(format!("[{not}{members}]"))
}

fn problem(message: impl Into<String>, at: usize) -> PatternError {
    PatternError {
        message: message.into(),
        at: Some(at + 1),
    }
}
