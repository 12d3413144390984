//! What an answer is to the assertions on its output, and how it is told in their messages.

use crate::{
    model::{ProtocolError, Reply, Trace},
    text,
};

/// Characters of an output shown in a message; reports show the output itself beside it.
pub(super) const OUTPUT_CHARS: usize = 80;
/// Characters of an expected text shown in a message.
pub(super) const EXPECTED_CHARS: usize = 120;

/// What two different texts differ in that look the same.
pub(super) const LOOK_ALIKE: &str = "characters that look alike or cannot be seen";

/// The text that `output_*` assertions look at. A JSON-RPC error has no output; its message stands in for it, so that a
/// step that expects the error can say more about it.
pub(super) fn output(trace: &Trace) -> &str {
    match &trace.reply {
        Reply::Result(result) => &result.output,
        Reply::Error(error) => &error.message,
    }
}

/// What came, as the second half of a message: "expected …, but …".
pub(super) fn found(trace: &Trace) -> String {
    match &trace.reply {
        Reply::Error(error) => format!("the server answered with {}", protocol_error(error)),
        Reply::Result(result) if result.is_error => {
            format!(
                "the tool reported an error: {}",
                text::quote(&result.output, OUTPUT_CHARS)
            )
        }
        Reply::Result(result) if result.output.is_empty() => "the output is empty".to_owned(),
        Reply::Result(result) => format!("the output is {}", text::quote(&result.output, OUTPUT_CHARS)),
    }
}

/// A JSON-RPC error with its number and its words.
pub(super) fn protocol_error(error: &ProtocolError) -> String {
    format!(
        "protocol error {}: {}",
        error.code,
        text::quote(&error.message, OUTPUT_CHARS)
    )
}

/// An expected text in a message.
pub(super) fn expected(expected: &str) -> String {
    text::quote(expected, EXPECTED_CHARS)
}

/// Several expected texts in a message: `` `a` and `b` ``.
pub(super) fn all_expected<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().map(expected).collect::<Vec<_>>().join(" and ")
}

/// A place in an output with a little of what stands around it.
pub(super) fn shown_at(output: &str, at: usize, length: usize) -> String {
    let part = &output[at..at + length];
    let shown = part.char_indices().nth(EXPECTED_CHARS).map_or(length, |(end, _)| end);
    text::around(output, at..at + shown, 30)
}

/// The first text that is missing in `haystack` but nearly there, and what differs.
pub(super) fn near_match(haystack: &str, needles: &[&str]) -> Option<String> {
    needles.iter().find_map(|needle| {
        let difference = near_difference(haystack, needle)?;
        Some(match needles.len() {
            1 => difference,
            _ => format!("{}: {difference}", expected(needle)),
        })
    })
}

fn near_difference(haystack: &str, needle: &str) -> Option<String> {
    let trimmed = needle.trim_end_matches(['\n', '\r']);
    if trimmed.len() < needle.len() && haystack.contains(trimmed) {
        return Some("found without the newline at its end (use `|-` in YAML)".to_owned());
    }
    if let Some(at) = haystack.to_ascii_lowercase().find(&needle.to_ascii_lowercase()) {
        return Some(format!(
            "found with other capitals: {}",
            shown_at(haystack, at, needle.len())
        ));
    }
    let one_space = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let spaced = one_space(needle);
    if !spaced.is_empty() && one_space(haystack).contains(&spaced) {
        return Some("found with other white space".to_owned());
    }
    let seen = text::appearance(needle);
    (!seen.trim().is_empty() && text::appearance(haystack).contains(&seen))
        .then(|| format!("found but for {LOOK_ALIKE}"))
}
