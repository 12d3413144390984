//! The assertions on the text of an output.

use serde_json::json;

use super::*;
use crate::model::Difference;

#[test]
fn output_contains_is_exact_and_shows_near_matches() {
    passes("output_contains", &json!("found 3"), "I found 3 items");
    passes("output_contains", &json!(8080), "port 8080");
    passes("output_contains", &json!(["a", "b"]), "b a");
    fails(
        "output_contains",
        &json!("Found 3"),
        "I found 3 items",
        "found with other capitals: `I found 3 items`",
    );
    fails(
        "output_contains",
        &json!("found 3"),
        "found\n  3",
        "found with other white space",
    );
    fails("output_contains", &json!("found 3\n"), "found 3", "use `|-` in YAML");
    fails(
        "output_contains",
        &json!("passed"),
        "all p\u{430}ssed",
        "; found but for characters that look alike",
    );
    fails("output_contains", &json!("x"), "", "the output is empty");
    fails(
        "output_contains",
        &json!(["a", "zz", "y"]),
        "a",
        "to contain `zz` and `y`, but the output is `a`",
    );
    let (_, message) = on_output("output_contains", &json!("needle"), &"abc def\n".repeat(625));
    assert!(
        message.contains("(5000 characters in all)") && message.len() < 200,
        "{message}"
    );
    let (_, message) = judged(
        "output_contains",
        &json!("rows"),
        &trace(result("quota exceeded", true)),
    );
    assert!(
        message.ends_with("but the tool reported an error: `quota exceeded`"),
        "{message}"
    );
}

#[test]
fn output_contains_reads_an_expected_protocol_error() {
    let refused = trace(refusal());
    assert_eq!(
        judged("output_contains", &json!("Unknown tool"), &refused).0,
        Status::Passed
    );
    let (status, message) = judged("output_contains", &json!("other"), &refused);
    assert_eq!(status, Status::Failed);
    assert!(
        message.contains("protocol error -32602: `Unknown tool: serach`"),
        "{message}"
    );
}

#[test]
fn output_not_contains_says_where_it_is() {
    passes("output_not_contains", &json!("Error"), "an error");
    passes("output_not_contains", &json!(["x", "y"]), "abc");
    fails(
        "output_not_contains",
        &json!("error"),
        "fine\nan error here",
        "line 2 has it: `fine\\nan error here`",
    );
    fails("output_not_contains", &json!(["x", "b"]), "abc", "not to contain `b`");
    let long = "é".repeat(3000);
    assert!(on_output("output_not_contains", &json!(long), &long).1.len() < 1000);
}

#[test]
fn empty_expectations_are_refused() {
    for key in ["output_contains", "output_not_contains", "error_contains"] {
        for argument in [json!(""), json!([]), json!(["a", ""])] {
            assert_eq!(problem(key, &argument).code, "empty-expectation", "{key} {argument}");
        }
        assert_eq!(problem(key, &json!({"a": 1})).code, "invalid-argument");
    }
    assert_eq!(
        problem("output_contains", &json!(null)).message,
        "`output_contains` takes a text or a list of texts, found nothing"
    );
    assert_eq!(problem("output_matches", &json!("")).code, "empty-expectation");
    assert_eq!(problem("tool_called", &json!(" ")).code, "empty-expectation");
}

#[test]
fn output_equals_tells_what_cannot_be_seen() {
    passes("output_equals", &json!("hello"), "hello");
    passes("output_equals", &json!(""), "");
    passes("output_equals", &json!(8), "8");
    fails(
        "output_equals",
        &json!("hello\n"),
        "hello",
        "a trailing newline, which the expected text has (use `|-` in YAML)",
    );
    fails(
        "output_equals",
        &json!("hello"),
        "hello\n",
        "a trailing newline, which the output has",
    );
    fails(
        "output_equals",
        &json!("a\nb"),
        "a\r\nb",
        "line endings: the output has CRLF",
    );
    fails(
        "output_equals",
        &json!("a b"),
        "a  b",
        "white space: expected `a·b`, found `a··b`",
    );
    fails("output_equals", &json!("Hello"), "hello", "capitals");
    fails(
        "output_equals",
        &json!("a b"),
        "a\u{a0}b",
        "white space: expected `a·b`, found `a\\u{a0}b`",
    );
    fails(
        "output_equals",
        &json!("xy"),
        "x\u{1b}[1my",
        "look alike or cannot be seen: expected U+0079, found U+001B in `x",
    );
    fails(
        "output_equals",
        &json!("caf\u{e9}"),
        "cafe\u{301}",
        "expected U+00E9, found U+0065 in `cafe",
    );
    fails(
        "output_equals",
        &json!("8"),
        "18",
        "expected the output to be `8`, but the output is `18`",
    );
}

#[test]
fn output_equals_names_the_line_where_long_texts_part() {
    let expected = json!("milk\nbread\napples");
    let first = "the output differs from the expected text, first in line ";
    for (actual, message) in [
        ("milk\nbutter\napples", "2: it is `butter`, expected `bread`"),
        ("milk\nbread", "3: it is missing: `apples`"),
        ("milk\nbread\napples\nnuts", "4: it is not expected: `nuts`"),
    ] {
        fails("output_equals", &expected, actual, &format!("{first}{message}"));
    }
    fails(
        "output_equals",
        &expected,
        "nothing there",
        "but the output is `nothing there`",
    );
}

#[test]
fn output_equals_compares_structures_as_structures() {
    let difference = |expected: &str, actual: &str| {
        compiled("output_equals", &json!(expected))
            .check(&trace(result(actual, false)))
            .difference
            .map(|difference| *difference)
    };
    let expected = r#"{"items": [{"id": 1}], "total": 1}"#;
    let actual = r#"{"items": [{"id": 2}], "total": 2}"#;
    fails(
        "output_equals",
        &json!(expected),
        actual,
        "differs from the expected one in 2 places: $.items[0].id is 2, expected 1",
    );
    assert!(matches!(difference(expected, actual), Some(Difference::Json { .. })));
    fails(
        "output_equals",
        &json!(r#"{"a":1,"b":2}"#),
        r#"{"b": 2, "a": 1}"#,
        "the same JSON",
    );
    fails(
        "output_equals",
        &json!("[12345678901234567890123]"),
        "[12345678901234567890124]",
        "to be `[12345678901234567890123]`, but the output is `[12345678901234567890124]`",
    );
    fails(
        "output_equals",
        &json!(r#"{"a":2}"#),
        r#"{"a":1,"a":2}"#,
        "expected the output to be `{\"a\":2}`",
    );
    assert!(matches!(difference("[1,2]", "[1, 2]"), Some(Difference::Text { .. })));
    assert!(matches!(difference("1", "2"), Some(Difference::Text { .. })));
    assert_eq!(difference("[1]", "[1]"), None);
    assert_eq!(problem("output_equals", &json!({"a": 1})).code, "invalid-argument");
}

#[test]
fn output_matches_hints_at_what_would_match() {
    passes("output_matches", &json!(r"found \d+"), "I found 3");
    passes("output_matches", &json!(r"^(?!.*error).*$"), "all good");
    fails(
        "output_matches",
        &json!(r"found \d+$"),
        "I found x",
        "to match `found \\d+$`, but the output is `I found x`",
    );
    fails("output_matches", &json!("FOUND"), "found", "with `(?i)`");
    fails("output_matches", &json!("^b$"), "a\nb", "with `(?m)`");
    fails("output_matches", &json!("a.b"), "a\nb", "with `(?s)`");
    fails("output_matches", &json!("/abc/i"), "abc", "the slashes");
    fails("output_matches", &json!("/usr/bin/x"), "abc", "the output is `abc`");
}

#[test]
fn output_matches_gives_up_on_a_catastrophe() {
    let (status, message) = on_output(
        "output_matches",
        &json!(r"^(a|aa|a+)+\1!x"),
        &format!("{}!", "a".repeat(28)),
    );
    assert_eq!(status, Status::Errored, "{message}");
    assert_eq!(
        on_output("output_matches", &json!("^(a+)+$"), &format!("{}!", "a".repeat(28))).0,
        Status::Failed
    );
}

#[test]
fn output_matches_refuses_what_cannot_compile() {
    let invalid = problem("output_matches", &json!("a(b"));
    assert_eq!(invalid.code, "invalid-pattern");
    assert_eq!(
        invalid.message,
        "invalid pattern `a(b`: the group is not closed, opened at character 2"
    );
    assert!(invalid.help.is_some_and(|help| help.contains("single quotes")));
    assert!(
        problem("output_matches", &json!("\u{8}foo\u{8}"))
            .help
            .is_some_and(|help| help.contains("single quotes"))
    );
}
