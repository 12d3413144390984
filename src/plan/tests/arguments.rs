//! Arguments of assertions that hold placeholders or other braces.

use super::{plan, plan_with};
use crate::plan::CompiledAssertion;

fn with(expect: &str) -> String {
    format!(
        "name: n\nvars: {{n: 4, t: text, b: true}}\nsteps:\n  - {{id: a, tool: t}}\n  - id: b\n    tool: t\n    expect:\n      {expect}\n"
    )
}

fn said(expect: &str) -> Vec<String> {
    plan(&with(expect)).said()
}

fn is_ready(expect: &str) -> bool {
    let case = plan(&with(expect)).case();
    matches!(case.steps[1].assertions[0].compiled, CompiledAssertion::Ready(_))
}

#[test]
fn braces_that_are_no_placeholders_are_compiled_at_once() {
    assert!(is_ready("output_contains: \"{{name}}\""));
    assert!(is_ready("output_matches: '\\{{2}x'"));
    assert_eq!(said("output_matches: \"a({{\"").len(), 1);
    assert_eq!(said("schema_match: {type: strin, description: \"{{x}}\"}").len(), 1);
}

#[test]
fn constants_are_filled_in_and_checked_when_the_file_is_read() {
    assert!(is_ready("protocol_error: {code: \"{{vars.n}}\"}"));
    assert!(is_ready("is_error: \"{{vars.b}}\""));
    assert!(said("is_error: \"{{vars.t}}\"")[0].starts_with("8:17 `is_error`"));
    assert!(said("protocol_error: {cod: \"{{vars.n}}\"}")[0].contains("unknown key `cod`"));
    assert_eq!(said("output_contains: {a: \"{{vars.t}}\"}").len(), 1);
}

#[test]
fn only_references_to_steps_wait() {
    assert!(!is_ready("output_contains: \"{{steps.a.output}} {{vars.t}}\""));
    assert!(!is_ready("is_error: \"{{steps.a.is_error}}\""));
    assert!(said("protocol_error: {cod: \"{{steps.a.output}}\"}")[0].contains("unknown key `cod`"));
}

#[test]
fn a_bad_reference_is_all_that_is_said_of_an_argument() {
    let said = said("protocol_error: {code: \"{{vars.m}}\"}");
    assert_eq!(said, ["8:31 step `b`: this case has no variable `m` in `vars`"]);
}

#[test]
fn a_secret_that_was_filled_in_is_not_shown() {
    let text = with("output_matches: \"({{env.MY_TOKEN}}\"");
    let planned = plan_with(&text, &[("MY_TOKEN", "hunter22")]);
    assert_eq!(planned.diagnostics.len(), 1);
    assert!(!planned.said()[0].contains("hunter22"), "{:?}", planned.said());
}

#[test]
fn a_variable_without_a_value_is_said_once() {
    let text = with("is_error: \"{{vars.u}}\"").replace("vars: {", "vars: {u: \"${NOPE}\", ");
    assert_eq!(plan(&text).said(), ["2:11 the environment variable `NOPE` is not set"]);
}
