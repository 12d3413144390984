//! Outputs without what differs from run to run, whatever the server: times, ids, ports, temporary paths.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;

/// What differs from run to run, and what stands for it.
static VOLATILE: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (
            r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?",
            "<time>",
        ),
        (
            r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b",
            "<uuid>",
        ),
        (r"\b(localhost|127\.0\.0\.1|\[::1\]):\d{2,5}\b", "$1:<port>"),
        (
            r#"(?:/private)?(?:/var/folders|/tmp|/var/tmp)/[^\s"',;)\]}]+"#,
            "<path>",
        ),
        (
            r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|seconds|milliseconds)\b",
            "<duration>",
        ),
        (r"\b1[5-9]\d{8}(?:\d{3})?\b", "<time>"),
    ]
    .into_iter()
    .map(|(pattern, stand_in)| (Regex::new(pattern).expect("the pattern is constant"), stand_in))
    .collect()
});

/// The output as it is compared.
pub fn normal(output: &str) -> Cow<'_, str> {
    let mut normal = Cow::Borrowed(output);
    for (pattern, stand_in) in VOLATILE.iter() {
        if let Cow::Owned(changed) = pattern.replace_all(&normal, *stand_in) {
            normal = Cow::Owned(changed);
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_gone() {
        for (one, other) in [
            ("at 2026-11-30T22:01:07.123Z", "at 2026-12-01T00:00:00Z"),
            ("2026-11-30 22:01:07 +0100", "2027-01-02 03:04:05 -0500"),
            (
                "id 550e8400-e29b-41d4-a716-446655440000",
                "id 00000000-e29b-41d4-a716-446655440001",
            ),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:41233/x"),
            (r#"{"file":"/tmp/a1b2/x.txt"}"#, r#"{"file":"/tmp/zz/x.txt"}"#),
            ("took 12ms", "took 1.5 s"),
            ("1796052896789", "1796052896000"),
        ] {
            assert_eq!(normal(one), normal(other));
        }
    }

    #[test]
    fn what_says_something_is_kept() {
        for text in [
            "8",
            "found 3 items",
            "2026",
            "port 8080",
            "1.5 apples",
            "a-b-c",
            "12345",
        ] {
            assert_eq!(normal(text), text);
        }
    }
}
