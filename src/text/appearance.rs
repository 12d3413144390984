//! Texts as an eye reads them, to tell why two texts differ that look the same.

use unicode_normalization::UnicodeNormalization;

use super::sanitize::{is_invisible, is_joiner};

/// The text without what cannot be seen (escape sequences, controls, characters without width), composed and
/// compatibility forms made one (NFKC), and letters and signs that look alike replaced by the ASCII one.
pub fn appearance(text: &str) -> String {
    let is_seen = |c: &char| !(c.is_control() && *c != '\n' || is_joiner(*c) || is_invisible(*c));
    without_styling(text).nfkc().filter(is_seen).map(plain).collect()
}

/// Leaves out complete CSI sequences (ECMA-48 §5.4): colours and cursor moves.
fn without_styling(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let parameters = part.trim_start_matches(|c| ('\x30'..='\x3f').contains(&c));
        let end = parameters.trim_start_matches(|c| ('\x20'..='\x2f').contains(&c));
        match end.strip_prefix(|c| ('\x40'..='\x7e').contains(&c)) {
            Some(after) => out.push_str(after),
            None => out.push_str(part),
        }
    }
    out
}

/// The commonest of Unicode's confusable characters (UTS #39): Cyrillic and Greek letters, quotes, dashes, minus.
const fn plain(c: char) -> char {
    match c {
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' => 'C',
        'Е' | 'Ε' => 'E',
        'Н' | 'Η' => 'H',
        'І' | 'Ι' => 'I',
        'Ј' => 'J',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'Х' | 'Χ' => 'X',
        'Υ' => 'Y',
        'Ζ' => 'Z',
        'а' | 'α' => 'a',
        'с' => 'c',
        'е' => 'e',
        'і' => 'i',
        'ј' => 'j',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'ν' => 'v',
        'х' => 'x',
        'у' => 'y',
        '‘' | '’' | '‛' | '′' | '´' => '\'',
        '“' | '”' | '„' | '‟' | '″' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_the_same() {
        for (a, b) in [
            ("x\x1b[1;31my\x1b[0m", "xy"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("p\u{430}ss\u{200b}ed\u{feff}", "passed"),
            ("it’s “fine” – really", "it's \"fine\" - really"),
            ("a\u{a0}b", "a b"),
        ] {
            assert_eq!(appearance(a), appearance(b), "{a:?}");
        }
    }

    #[test]
    fn what_looks_different_stays_different() {
        for (a, b) in [
            ("café", "cafe"),
            ("a b", "ab"),
            ("A", "a"),
            ("a\nb", "ab"),
            ("[1m", "\x1b["),
        ] {
            assert_ne!(appearance(a), appearance(b), "{a:?}");
        }
    }
}
