//! A secret between the quotation marks of programs and shells.

/// What stands for a single quotation mark inside of a pair of them in a shell: POSIX §2.2.2, and Python's `shlex.quote`.
const QUOTES_IN_SHELLS: [&str; 2] = ["'\\''", "'\"'\"'"];

pub(super) fn forms(secret: &str) -> impl Iterator<Item = String> {
    // Messages of our own.
    let debug = secret.escape_debug().to_string();
    let in_shells = QUOTES_IN_SHELLS.map(|quote| secret.replace('\'', quote));
    // Python's `repr` escapes the single mark where the text holds both, JavaScript's `util.inspect` does much the same;
    // the `repr` of bytes escapes what is not ASCII too.
    let text = escaped(secret.chars());
    let bytes = secret.as_bytes().escape_ascii().to_string().replace("\\\"", "\"");
    let bare_quotes = [text.replace("\\'", "'"), bytes.replace("\\'", "'")];
    [debug, text, bytes].into_iter().chain(in_shells).chain(bare_quotes)
}

/// With a backslash before backslashes and single quotation marks, and for the usual controls.
fn escaped(characters: impl Iterator<Item = char>) -> String {
    characters.fold(String::new(), |mut escaped, c| {
        match c {
            '\\' | '\'' => escaped.extend(['\\', c]),
            '\t' | '\n' | '\r' => escaped.extend(c.escape_default()),
            _ => escaped.push(c),
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::has;

    #[test]
    fn texts_as_programs_show_them() {
        has(
            "it's\\a\"nä\n",
            &[
                r#"it\'s\\a\"nä\n"#,
                r#"it\'s\\a"nä\n"#,
                r#"it's\\a"nä\n"#,
                r#"it\'s\\a"n\xc3\xa4\n"#,
                r#"it's\\a"n\xc3\xa4\n"#,
            ],
        );
    }

    #[test]
    fn texts_as_shells_quote_them() {
        has("it's", &[r"it'\''s", r#"it'"'"'s"#]);
    }
}
