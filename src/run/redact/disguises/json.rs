//! A secret as it stands in a JSON text, and in a JSON text inside of another one.

use super::Hex;

/// How a writer of JSON escapes what need not be escaped.
#[derive(Clone, Copy)]
struct Writer {
    /// Whether the slash gets a backslash.
    slash: Slash,
    /// What is written as `\uXXXX` though it need not be.
    marks: &'static str,
    /// What is not ASCII.
    others: Others,
    hex: Hex,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slash {
    Bare,
    Escaped,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    Bare,
    Escaped,
}

/// Who escapes no more than RFC 8259 §7 asks for.
const PLAIN: Writer = Writer {
    slash: Slash::Bare,
    marks: "",
    others: Others::Bare,
    hex: Hex::Lower,
};

/// .NET's `System.Text.Json` escapes all that could mean something anywhere.
const MARKS_OF_DOT_NET: &str = "<>&'\"+`";

/// A secret in JSON once, and twice: by one writer, or by one who escapes little and another one.
pub(super) fn forms(secret: &str) -> impl Iterator<Item = String> {
    let plain = PLAIN.escaped(secret);
    writers().flat_map(move |writer| {
        let once = writer.escaped(secret);
        let twice = [writer.escaped(&once), PLAIN.escaped(&once), writer.escaped(&plain)];
        [once].into_iter().chain(twice)
    })
}

/// The slash is escaped by PHP's `json_encode`, the marks of HTML by Go's `encoding/json`, all that is not ASCII by
/// Python's `json.dumps`; flags of PHP's combine them.
fn writers() -> impl Iterator<Item = Writer> {
    Hex::BOTH.into_iter().flat_map(|hex| {
        let of_dot_net = Writer {
            marks: MARKS_OF_DOT_NET,
            others: Others::Escaped,
            hex,
            ..PLAIN
        };
        let combined = [Slash::Bare, Slash::Escaped].into_iter().flat_map(move |slash| {
            ["", "<>&"].into_iter().flat_map(move |marks| {
                [Others::Bare, Others::Escaped].map(|others| Writer {
                    slash,
                    marks,
                    others,
                    hex,
                })
            })
        });
        combined.chain([of_dot_net])
    })
}

impl Writer {
    /// What this writer puts between the quotation marks.
    fn escaped(self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            let is_marked = self.marks.contains(c) || self.others == Others::Escaped && !c.is_ascii();
            match short_escape(c) {
                _ if is_marked => self.push_units(&mut escaped, c),
                Some(short) => escaped.extend(['\\', short]),
                None if c == '/' && self.slash == Slash::Escaped => escaped.push_str("\\/"),
                None if c < ' ' => self.push_units(&mut escaped, c),
                None => escaped.push(c),
            }
        }
        escaped
    }

    /// A character as `\uXXXX`, two of them for one beyond 16 bits.
    fn push_units(self, escaped: &mut String, c: char) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            escaped.push_str("\\u");
            escaped.push_str(&self.hex.digits((*unit).into(), 4));
        }
    }
}

/// What stands behind the backslash.
fn short_escape(c: char) -> Option<char> {
    match c {
        '"' | '\\' => Some(c),
        '\u{8}' => Some('b'),
        '\t' => Some('t'),
        '\n' => Some('n'),
        '\u{c}' => Some('f'),
        '\r' => Some('r'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::has, *};

    #[test]
    fn json_in_the_spelling_of_other_languages() {
        has(
            "a/b&c<d>\"pä😀+",
            &[
                r#"a/b&c<d>\"pä😀+"#,
                r#"a\/b&c<d>\"pä😀+"#,
                r#"a/b&c<d>\"p\u00e4\ud83d\ude00+"#,
                r#"a/b&c<d>\"p\u00E4\uD83D\uDE00+"#,
                r#"a\/b&c<d>\"p\u00e4\ud83d\ude00+"#,
                r#"a\/b\u0026c\u003Cd\u003E\"p\u00E4\uD83D\uDE00+"#,
                r#"a/b\u0026c\u003cd\u003e\"pä😀+"#,
                r"a/b\u0026c\u003Cd\u003E\u0022p\u00E4\uD83D\uDE00\u002B",
            ],
        );
        has("ends\\in\"", &[r#"ends\\in\""#]);
    }

    #[test]
    fn json_inside_of_json() {
        has(
            "a\"b\\c\nä/&",
            &[
                r#"a\\\"b\\\\c\\nä/&"#,
                r#"a\\\"b\\\\c\\n\\u00e4/&"#,
                r#"a\\\"b\\\\c\\nä\\\/&"#,
                r#"a\\\"b\\\\c\\nä\\/&"#,
                r#"a\\\"b\\\\c\\nä/\\u0026"#,
                r#"a\\\"b\\\\c\\nä/\u0026"#,
            ],
        );
    }

    #[test]
    fn a_plain_writer_does_what_the_standard_asks_for() {
        let text: String = (0..0x300).filter_map(char::from_u32).collect();
        let expected = serde_json::Value::from(text.as_str()).to_string();
        assert_eq!(format!("\"{}\"", PLAIN.escaped(&text)), expected);
    }
}
