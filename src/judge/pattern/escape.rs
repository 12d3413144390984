//! Escapes: a backslash and what follows it.

use std::fmt::Write;

use super::{
    PatternError,
    groups::{Found, Target},
    translate::{Boundary, Translator},
};

/// White space as ECMAScript defines it (`WhiteSpace` and `LineTerminator`); Unicode's differs in U+0085 and U+FEFF.
const SPACES: &str =
    r"\t\n\x0B\x0C\r\x20\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const DIGITS: &str = "0-9";
const WORDS: &str = "0-9A-Za-z_";
const IS_BOUNDARY: &str = "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
const IS_NO_BOUNDARY: &str = "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))";

/// The classes of characters that have a letter, in ASCII as in JavaScript.
pub(super) fn set(letter: char) -> Option<String> {
    let members = match letter.to_ascii_lowercase() {
        'd' => DIGITS,
        'w' => WORDS,
        's' => SPACES,
        _ => return None,
    };
    let not = if letter.is_ascii_uppercase() { "^" } else { "" };
    Some(format!("[{not}{members}]"))
}

impl Translator {
    /// An escape outside a class. Whether a quantifier may follow it.
    pub(super) fn escape(&mut self) -> Result<bool, PatternError> {
        let start = self.here();
        let next = self.escaped()?;
        match (next, self.boundary) {
            ('b', Boundary::Native) => self.out.push_str(r"(?-u:\b)"),
            ('b', Boundary::LookAround) => self.out.push_str(IS_BOUNDARY),
            ('B', _) => self.out.push_str(IS_NO_BOUNDARY),
            ('1'..='9', _) => {
                let number = self.number(start + 1);
                self.back_reference(Target::Number(number), start);
            }
            ('k', _) => {
                let name = self.name_after_open().ok_or_else(|| incomplete('k', start))?;
                self.back_reference(Target::Name(name), start);
            }
            _ => match set(next) {
                Some(set) => self.out.push_str(&set),
                None => self.escaped_character(next)?,
            },
        }
        Ok(!matches!(next, 'b' | 'B'))
    }

    /// The character behind a backslash.
    pub(super) fn escaped(&mut self) -> Result<char, PatternError> {
        let start = self.here();
        self.next()
            .ok_or_else(|| PatternError::new("the backslash has nothing to escape", start))
    }

    /// Reads the number that starts at a place, of which the first digit was read.
    fn number(&mut self, start: usize) -> usize {
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        digits.parse().unwrap_or(usize::MAX)
    }

    fn back_reference(&mut self, target: Target, start: usize) {
        let found = self.groups.refer(target, start);
        let text = match (found, self.boundary) {
            (Found::Nothing, _) => "(?:)".to_owned(),
            (Found::Group(number), Boundary::Native) => format!("\\{number}"),
            (Found::Group(number), Boundary::LookAround) => format!("(?:(?({number})\\{number}|))"),
        };
        self.out.push_str(&text);
    }

    /// An escape that stands for one character, inside or outside a class.
    pub(super) fn escaped_character(&mut self, next: char) -> Result<(), PatternError> {
        let start = self.here() - 1;
        let code = match next {
            't' | 'n' | 'r' => {
                self.out.extend(['\\', next]);
                return Ok(());
            }
            'p' | 'P' => return self.property(next, start),
            'v' => Some(0x0b),
            'f' => Some(0x0c),
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => Some(0),
            'c' => self.control(),
            'x' => self.hex(self.at, 2).inspect(|_| self.at += 2),
            'u' => self.unicode(),
            _ if next.is_ascii_alphanumeric() => {
                return Err(PatternError::new(format!("unknown escape `\\{next}`"), start));
            }
            _ => {
                self.literal(next);
                return Ok(());
            }
        };
        self.code_point(code.ok_or_else(|| incomplete(next, start))?);
        Ok(())
    }

    fn control(&mut self) -> Option<u32> {
        let letter = self.peek().filter(char::is_ascii_alphabetic)?;
        self.at += 1;
        Some(u32::from(letter) % 32)
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
        let digits = self.chars.get(start..start + length)?;
        // `from_str_radix` would take a sign, too.
        let digits: Option<String> = digits.iter().map(|c| c.is_ascii_hexdigit().then_some(*c)).collect();
        u32::from_str_radix(&digits?, 16).ok()
    }

    /// `\p{…}`, whose names the engines know.
    fn property(&mut self, next: char, start: usize) -> Result<(), PatternError> {
        let end = match self.peek() {
            Some('{') => self.chars[self.at..].iter().position(|c| *c == '}'),
            _ => None,
        };
        let end = end.ok_or_else(|| incomplete(next, start))?;
        self.out.extend(['\\', next]);
        self.out.extend(&self.chars[self.at..=self.at + end]);
        self.at += end + 1;
        Ok(())
    }

    fn code_point(&mut self, code: u32) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "\\x{{{code:X}}}");
    }

    pub(super) fn literal(&mut self, c: char) {
        self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }
}

fn incomplete(letter: char, start: usize) -> PatternError {
    PatternError::new(format!("incomplete escape `\\{letter}`"), start)
}
