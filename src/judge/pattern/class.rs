//! Character classes: `[a-z]`.

use super::{PatternError, escape::set, translate::Translator};

/// What stands before a place in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClassItem {
    Start,
    Character,
    Set,
    Dash,
}

impl Translator {
    /// A class, of which the bracket was read.
    pub(super) fn class(&mut self) -> Result<(), PatternError> {
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
                .ok_or_else(|| PatternError::new("the character class is not closed, opened", start))?;
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
                let escaped = self.escaped()?;
                if let Some(set) = set(escaped) {
                    self.out.push_str(&set);
                    return Ok(ClassItem::Set);
                }
                match escaped {
                    'b' => self.out.push_str(r"\x08"),
                    _ => self.escaped_character(escaped)?,
                }
            }
            _ => self.literal(next),
        }
        Ok(ClassItem::Character)
    }

    /// Whether a dash in a class stands between two characters; `[\w-.]` and `[a-]` have it as a character.
    fn is_range_dash(&self, before: ClassItem) -> bool {
        let after = self.peek();
        let set_follows = after == Some('\\') && self.chars.get(self.at + 1).is_some_and(|c| set(*c).is_some());
        before == ClassItem::Character && after != Some(']') && !set_follows
    }
}
