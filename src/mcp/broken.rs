//! Answers that cannot be read: whose they are, so that a request can end at once instead of running into its limit,
//! and what is wrong with them.

use super::{
    quote::{around, quoted},
    weight,
};
use crate::model::{Fault, FaultKind, Phase};

/// What the JSON reader says of text that is JSON and still not read, and how we say it.
const BEYOND_US: [(&str, &str); 4] = [
    ("recursion limit exceeded", "is nested deeper than 127 levels"),
    ("number out of range", "has a number beyond the range of a double"),
    ("lone leading surrogate", "has half a surrogate pair in a text"),
    ("unexpected end of hex escape", "has half a surrogate pair in a text"),
];

/// The fault of an answer that cannot be read.
pub(super) fn fault(id: u64, text: &str, error: &serde_json::Error, phase: Phase) -> Fault {
    let message = format!("the answer with id {id} {}", problem(error));
    let near = format!("near the error: {}", quoted(&around_error(text, error)));
    Fault::server(FaultKind::Garbled, phase, message).evidence([near])
}

/// What is wrong with a text, as it goes behind its name; grammatical JSON is not called broken.
pub(super) fn problem(error: &serde_json::Error) -> String {
    match beyond_us(error) {
        Some(what) => {
            format!(
                "{what}, which this client does not read (line {}, column {})",
                error.line(),
                error.column()
            )
        }
        None => format!("is not valid JSON: {error}"),
    }
}

/// Whether a text is JSON all the same, as far as it was read.
pub(super) fn is_beyond_us(error: &serde_json::Error) -> bool {
    beyond_us(error).is_some()
}

fn beyond_us(error: &serde_json::Error) -> Option<&'static str> {
    let said = error.to_string();
    let known = BEYOND_US.into_iter().find(|(words, _)| said.starts_with(words));
    known.map(|(_, ours)| ours)
}

/// The text around the place where it could not be read any further.
fn around_error(text: &str, error: &serde_json::Error) -> String {
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    around(text, before + error.column())
}

/// Finds the `id` of the outermost object as far as its text can be followed; not in what looks like a request.
pub(super) fn id_of_answer(text: &str) -> Option<u64> {
    let mut depth = 0_u32;
    let mut key = "";
    let mut id = None;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"', ':', ',']) {
        let (before, mark) = (rest[..at].trim(), rest.as_bytes()[at]);
        rest = &rest[at + 1..];
        match mark {
            b'"' => {
                let string = &rest[..weight::string_length(rest.as_bytes())?];
                rest = &rest[string.len() + 1..];
                if depth == 1 && rest.trim_start().starts_with(':') {
                    key = string;
                } else if depth == 1 && key == "id" {
                    id = id.or(string.parse().ok());
                }
                match key {
                    "method" if depth == 1 => return None,
                    "result" | "error" if depth == 1 && id.is_some() => return id,
                    _ => {}
                }
            }
            b',' | b'}' if depth == 1 && key == "id" => id = id.or(before.parse().ok()),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_is_not_called_broken() {
        let problem = |text: &str| problem(&serde_json::from_str::<serde_json::Value>(text).unwrap_err());
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(serde_json::from_str::<serde_json::Value>(&nested(127)).is_ok());
        assert_eq!(
            problem(&nested(128)),
            "is nested deeper than 127 levels, which this client does not read (line 1, column 128)"
        );
        assert!(problem("[1e400]").starts_with("has a number beyond the range of a double, which"));
        for text in [r#"["\ud800 x"]"#, r#"["\udc00"]"#, r#"["\ud800\u0041"]"#] {
            assert!(
                problem(text).starts_with("has half a surrogate pair in a text, which"),
                "{text}"
            );
        }
        for text in ["[NaN]", r#"["\u12"]"#, "[1e]", "[["] {
            assert!(problem(text).starts_with("is not valid JSON: "), "{text}");
        }
    }

    #[test]
    fn finds_the_id_wherever_it_stands() {
        assert_eq!(
            id_of_answer(r#"{"jsonrpc":"2.0","id":3,"result":{"id":9,"x":NaN}}"#),
            Some(3)
        );
        assert_eq!(
            id_of_answer(r#"{"result":{"id":9,"x":["\"id\":8",NaN]}, "id" : 3}"#),
            Some(3)
        );
        assert_eq!(id_of_answer(r#"{"id":"3","result":{"x":Infinity}}"#), Some(3));
    }

    #[test]
    fn finds_none_where_there_is_none() {
        assert_eq!(id_of_answer(r#"{"id":3,"method":"x","params":NaN}"#), None);
        assert_eq!(id_of_answer(r#"{"result":{"id":9,"x":"cut"#), None);
        assert_eq!(id_of_answer(r#"{"id":null,"result":NaN}"#), None);
        assert_eq!(id_of_answer("plain text, id: 4"), None);
    }
}
