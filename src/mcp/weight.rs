//! What a message weighs once it is read, told from its text: two letters of text may become a kilobyte of memory.

/// The most JSON values of one message. A value takes 72 bytes and a member of an object some 300, so a message of this
/// weight takes 75 MB at worst, where 16 MiB of `{},{},…` would take a gigabyte. No model could read that many either:
/// each costs it a token at least.
pub(super) const MAX_VALUES: usize = 250_000;

/// Whether a text holds more values than that. Every value but the first stands behind a comma or an opening bracket.
pub(super) fn is_too_heavy(text: &str) -> bool {
    // The shortest value has one letter, and a comma between it and the next.
    text.len() / 2 > MAX_VALUES && values(text.as_bytes()) > MAX_VALUES
}

/// What is wrong with such a text, as it goes behind its name.
pub(super) fn problem() -> String {
    format!("holds more than {MAX_VALUES} JSON values, the most that is read")
}

fn values(text: &[u8]) -> usize {
    let (mut values, mut at) = (1, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b',' => values += 1,
            b'[' | b'{' if !matches!(text.get(at), Some(b']' | b'}')) => values += 1,
            b'"' => at += string_length(&text[at..]).map_or(text.len() - at, |length| length + 1),
            _ => {}
        }
    }
    values
}

/// Length of a JSON string up to its closing quote, which may be missing.
pub(super) fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_every_value_outside_strings() {
        for (text, expected) in [
            ("1", 1),
            (r#"{"a":1}"#, 2),
            ("[[],[],{}]", 4),
            (r#"["a,[{\",","b\\",1]"#, 4),
            (r#"["open , ,"#, 2),
            (r#"["open\"#, 2),
        ] {
            assert_eq!(values(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn many_values_are_too_heavy_and_a_long_text_is_not() {
        assert!(is_too_heavy(&format!("[{}{{}}]", "{},".repeat(MAX_VALUES - 1))));
        assert!(!is_too_heavy(&format!("[{}{{}}]", "{},".repeat(MAX_VALUES - 2))));
        assert!(!is_too_heavy(&format!("[\"{}\"]", ",[{".repeat(MAX_VALUES))));
    }
}
