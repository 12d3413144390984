//! From the argument of an expectation as it is written to a verdict, or to a diagnostic at its place.

use serde_json::Value;

use crate::harness::{Sandbox, statuses};

#[test]
fn text_is_compared_as_it_is_written() {
    let table = [
        ("007", "agent 007", "agent 17"),
        ("01234", "zip 01234", "zip 91234"),
        ("0x1F", "0x1F", "31"),
        ("1.50", "1.50", "1.5"),
        ("1e3", "1e3", "1000.0"),
        ("True", "True", "true"),
        ("[1.10, NO]", "NO 1.10", "NO 1.1"),
    ];
    let mut sandbox = Sandbox::new();
    let mut expected = Vec::new();
    for (index, (written, hit, miss)) in table.into_iter().enumerate() {
        for (output, status) in [(hit, "passed"), (miss, "failed")] {
            let name = format!("{index} {status}");
            let fixture = format!(
                "name: {name}\nsteps:\n  - id: a\n    tool: t\n    expected_output: '{output}'\n    expect:\n      \
                 output_contains: {written}\n"
            );
            sandbox = sandbox.file(&format!("evals/{name}.yaml"), &fixture);
            expected.push((name, status));
        }
    }
    let json = r#"{"name": "json", "steps": [{"id": "a", "tool": "t", "expected_output": "1.5", "expect": {"output_equals": 1.50}}]}"#;
    let (_, report) = sandbox.file("evals/json.json", json).report(&[]);
    let mut found = statuses(&report);
    found.sort_unstable();
    let mut expected: Vec<(&str, &str)> = expected.iter().map(|(name, status)| (name.as_str(), *status)).collect();
    expected.push(("json", "failed"));
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn every_problem_of_an_argument_is_told_at_its_line() {
    let fixture = "name: a\nsteps:\n  - id: a\n    tool: t\n    expected_output: '{}'\n    expect:\n      \
                   schema_match:\n        typ: object\n        properties:\n          a: {minlength: 3}\n          \
                   b: {type: strin}\n        requird: [a]\n      protocol_error:\n        cod: 4\n        mesage: x\n";
    let (finished, report) = Sandbox::new().file("evals/a.yaml", fixture).report(&[]);
    assert_eq!(finished.code, 2, "{finished:?}");
    let mut told = Vec::new();
    for problem in report["diagnostics"].as_array().into_iter().flatten() {
        let text = |key: &str| problem[key].as_str().unwrap_or_default();
        let line = problem["line"].as_u64();
        told.push((line, problem["column"].as_u64(), text("message"), text("help")));
    }
    told.sort_unstable();
    let at = |line, column, message, help| (Some(line), Some(column), message, help);
    assert_eq!(
        told,
        [
            at(8, 9, "`schema_match`: unknown keyword `typ`", "did you mean `type`?"),
            at(
                10,
                15,
                "`schema_match`: unknown keyword `minlength` at /properties/a/minlength",
                "did you mean `minLength`?"
            ),
            at(
                11,
                15,
                "`schema_match`: `strin` is no type at /properties/b/type",
                "did you mean `string`?"
            ),
            at(
                12,
                9,
                "`schema_match`: unknown keyword `requird`",
                "did you mean `required`?"
            ),
            at(14, 9, "unknown key `cod` in `protocol_error`", "did you mean `code`?"),
            at(
                15,
                9,
                "unknown key `mesage` in `protocol_error`",
                "did you mean `message`?"
            ),
        ]
    );
    assert_eq!(report["cases"], Value::Array(Vec::new()));
}
