//! Secrets as they are written into files, found without understanding the file: it may be broken.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    passwords::passwords,
    secrets::{SHORTEST, credentials, is_scheme},
    telling::{is_counting, is_telling},
};

/// A name and what leads to the value behind it: `NAME: value` and `"NAME": "value"` in YAML and JSON, with tag and
/// anchor, `NAME=value`, and the default in `${NAME:-value}`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r#"(?<name>[\w.-]+) (?: (?<default>:-) | ["']? [\ \t]* [:=] [\ \t]* (?: [&!][^\s,]{0,100}[\ \t]+ ){0,2} )"#,
    )
});

/// A value between quotation marks, the second of which may be missing.
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"\A (?: "(?<double>(?:[^"\\\n]|\\.)*) | '(?<single>(?:[^'\n]|'')*) )"#));

/// What is filled in later; what stands between is written.
static FILLED: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"\$\{ [^}:]* (?: :- | :\?[^}]* )? \}? | \{\{[^}]*\}\} | \}"));

fn compiled(pattern: &str) -> Regex {
    Regex::new(&format!("(?x){pattern}")).expect("the pattern is constant and compiles")
}

/// Where secrets are written in a text: behind a name that tells, and as passwords in addresses. In bytes; they may
/// overlap. The time it takes is linear in the text.
pub fn written_secrets(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut context = Context::default();
    let mut at = 0;
    while let Some(named) = NAMED.captures_at(text, at) {
        at = named.get_match().end();
        let name = &named["name"];
        if !is_telling(name) {
            continue;
        }
        context.advance(text, at);
        let value = match named.name("default") {
            Some(_) => plain(text, at, &['}']),
            None => quoted(text, at).unwrap_or_else(|| plain(text, at, context.ends())),
        };
        at = value.end;
        let is_count = is_counting(name) && text[value.clone()].parse::<f64>().is_ok();
        if !is_count {
            found.extend(literals(text, value));
        }
    }
    found.extend(passwords(text).flat_map(|password| literals(text, password)));
    found
}

/// What stands open before a place in its line.
#[derive(Default)]
struct Context {
    at: usize,
    is_in_double_quotes: bool,
    is_in_single_quotes: bool,
    is_in_braces: bool,
}

impl Context {
    /// Goes on to a later place.
    fn advance(&mut self, text: &str, to: usize) {
        for c in text[self.at..to].chars() {
            match c {
                '\n' => *self = Self::default(),
                '"' => self.is_in_double_quotes ^= true,
                '\'' => self.is_in_single_quotes ^= true,
                '{' | '[' => self.is_in_braces = true,
                _ => {}
            }
        }
        self.at = to;
    }

    /// What ends a value here that has no quotation marks of its own.
    fn ends(&self) -> &'static [char] {
        match self {
            Self {
                is_in_double_quotes: true,
                ..
            } => &['"'],
            Self {
                is_in_single_quotes: true,
                ..
            } => &['\''],
            Self { is_in_braces: true, .. } => &[',', '}', ']'],
            _ => &[],
        }
    }
}

fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let quoted = QUOTED.captures(&text[at..])?;
    let value = quoted.name("double").or(quoted.name("single"))?;
    Some(at + value.start()..at + value.end())
}

/// A value without quotation marks: none, where something begins that is no text.
fn plain(text: &str, at: usize, ends: &[char]) -> Range<usize> {
    let rest = &text[at..];
    if rest.starts_with(['?', '{', '[', '|', '>', '*', '#']) {
        return at..at;
    }
    let end = rest.find(|c| c == '\n' || ends.contains(&c)).unwrap_or(rest.len());
    let value = rest[..end].split(" #").next().unwrap_or_default();
    at..at + value.trim_end().len()
}

/// The parts of a value that are written as they are, without the scheme of a header, and not too short to be secret.
fn literals(text: &str, value: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = value.start;
    let written = &text[value.clone()];
    if written.contains("${") || written.contains("{{") {
        for filled in FILLED.find_iter(written) {
            parts.push(start..value.start + filled.start());
            start = value.start + filled.end();
        }
    }
    parts.push(start..value.end);
    let secret = |part: Range<usize>| {
        let whole = text[part.clone()].trim_end();
        let secret = credentials(whole).trim();
        let end = part.start + whole.len();
        (secret.len() >= SHORTEST && !is_scheme(secret)).then(|| end - secret.len()..end)
    };
    parts.into_iter().filter_map(secret).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        written_secrets(text).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn values_behind_telling_names_are_found_however_they_are_written() {
        for (text, secret) in [
            ("  API_KEY: sk-live-abc # mine\n", "sk-live-abc"),
            ("env: {A: b, API_KEY: sk-live-abc, B: c}", "sk-live-abc"),
            ("env: {API_KEY: \"sk, live} abc\"}", "sk, live} abc"),
            ("API_KEY: 'it''s secret'", "it''s secret"),
            ("API_KEY: a, b} and c\r\nx: y", "a, b} and c"),
            ("headers: {Authorization: Bearer abc-def}", "abc-def"),
            ("headers: {Authorization: \"Basic  abc-def\"}", "abc-def"),
            ("{\"env\":{\"API_KEY\":\"sk\\\"live\",\"B\":\"c\"}}", "sk\\\"live"),
            ("{\"user\": {\"password\": 98765432}}", "98765432"),
            ("args: [\"--api-key=sk-live-abc\", x]", "sk-live-abc"),
            ("env_inherit: [API_KEY=sk-live-abc, B]", "sk-live-abc"),
            ("env: {API_KEY:sk-live-abc}", "sk-live-abc"),
            ("API_KEY: !!str &key sk-live-abc", "sk-live-abc"),
            ("x: \"${MY_TOKEN:-sk-live-abc}\"", "sk-live-abc"),
            ("API_KEY: \"${A}sk-live-abc{{b}}\"", "sk-live-abc"),
            ("x: {API_KEY: ${A:-sk-live-abc}}", "sk-live-abc"),
            ("url: http://user:hunter22@host/", "hunter22"),
            ("x: \"unclosed, API_KEY: sk-live-abc", "sk-live-abc"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn what_is_no_literal_secret_is_left_alone() {
        for text in [
            "API_KEY: ${API_KEY}",
            "headers: {Authorization: \"Bearer ${TOKEN:?set the token first}\"}",
            "headers: {Authorization: \"Bearer {{env.TOKEN}}\"}",
            "url: http://user:${PASSWORD}@host/",
            "url: http://host:8080/a",
            "max_tokens: 200000",
            "API_KEY:\n  x: y",
            "auth: {user: somebody}",
            "token: [somebody]",
            "token: *anchor",
            "token: # none here",
            "token: abc",
            "name: correct horse",
            "PATH: /usr/local/bin",
            "",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
