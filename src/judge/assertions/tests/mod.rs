//! Every kind on real answers: a hit, a near miss, and what the message says.

mod call;
mod output;
mod structure;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::{Value, json};

use super::*;
use crate::model::{Heard, Mode, ProtocolError, Reply, Status, ToolResult};

fn result(output: &str, is_error: bool) -> Reply {
    Reply::Result(ToolResult {
        raw: Value::Null,
        is_error,
        output: output.to_owned(),
        structured: None,
    })
}

fn refusal() -> Reply {
    Reply::Error(ProtocolError {
        code: -32602,
        message: "Unknown tool: serach".to_owned(),
        data: None,
    })
}

fn trace(reply: Reply) -> Trace {
    Trace {
        tool: "search".to_owned(),
        mode: Mode::Live,
        reply,
        latency: Duration::from_millis(12),
        listed_tools: Some(["search".to_owned(), "fetch".to_owned()].into()),
        heard: Heard::default(),
    }
}

fn compiled(key: &str, argument: &Value) -> Arc<dyn Assertion> {
    let compile = kind(key).expect("a known key").compile;
    compile(argument).unwrap_or_else(|problem| panic!("{key}: {argument}: {problem:?}"))
}

fn problems(key: &str, argument: &Value) -> Vec<Problem> {
    let compile = kind(key).expect("a known key").compile;
    compile(argument)
        .err()
        .unwrap_or_else(|| panic!("{key} takes {argument}"))
}

fn problem(key: &str, argument: &Value) -> Problem {
    problems(key, argument).remove(0)
}

/// The types that the JSON Schema of an argument allows at each place, by JSON Pointer.
fn types(schema: &Value, pointer: &str, all: &mut BTreeMap<String, BTreeSet<String>>) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let names = list(&schema["type"]);
    let here = all.entry(pointer.to_owned()).or_default();
    here.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
    for either in schema["anyOf"].as_array().into_iter().flatten() {
        types(either, pointer, all);
    }
    if schema["items"].is_object() {
        types(&schema["items"], &format!("{pointer}/0"), all);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        types(property, &format!("{pointer}/{name}"), all);
    }
}

fn judged(key: &str, argument: &Value, trace: &Trace) -> (Status, String) {
    let outcome = compiled(key, argument).check(trace);
    assert_eq!(outcome.assertion, key);
    assert!(outcome.message.chars().count() < 2000, "{}", outcome.message);
    (outcome.status, outcome.message)
}

fn on_output(key: &str, argument: &Value, output: &str) -> (Status, String) {
    judged(key, argument, &trace(result(output, false)))
}

#[track_caller]
fn passes(key: &str, argument: &Value, output: &str) {
    assert_eq!(
        on_output(key, argument, output).0,
        Status::Passed,
        "{argument} on {output:?}"
    );
}

#[track_caller]
fn fails(key: &str, argument: &Value, output: &str, says: &str) {
    let (status, message) = on_output(key, argument, output);
    assert_eq!(status, Status::Failed, "{argument} on {output:?}");
    assert!(message.contains(says), "{message}");
}

#[test]
fn the_registry_is_consistent() {
    let keys: BTreeSet<&str> = ASSERTIONS.iter().map(|kind| kind.key).collect();
    assert_eq!(keys.len(), ASSERTIONS.len());
    for kind in ASSERTIONS {
        let example: Value = serde_saphyr::from_str(kind.example).expect(kind.key);
        let schema = jsonschema::validator_for(&(kind.schema)()).expect(kind.key);
        assert!(schema.is_valid(&example), "{}", kind.key);
        compiled(kind.key, &example);
        for wrong in [json!(null), json!([[]]), json!({ "typ": { "requred": [] } })] {
            assert!((kind.compile)(&wrong).is_err(), "{} takes {wrong}", kind.key);
        }
    }
    assert!(kind("output_contain").is_none());
}

#[test]
fn text_is_taken_as_written_wherever_text_is_meant() {
    for kind in ASSERTIONS {
        let mut all = BTreeMap::new();
        types(&(kind.schema)(), "", &mut all);
        for (place, types) in all {
            let is_text = ["string", "number", "boolean"].iter().all(|it| types.contains(*it));
            assert_eq!((kind.is_text)(&place), is_text, "{} at `{place}`", kind.key);
        }
    }
    for (key, typed) in [
        ("protocol_error", "/code"),
        ("llm_judge", "/min_score"),
        ("schema_match", "/const"),
    ] {
        assert!(!(kind(key).expect("a known key").is_text)(typed), "{key}");
    }
}

#[test]
fn everything_wrong_in_an_argument_is_told_with_its_place() {
    let told = |key: &str, argument: &Value| {
        let problems = problems(key, argument).into_iter();
        problems.map(|it| (it.code, it.pointer)).collect::<Vec<_>>()
    };
    let at = |code: &'static str, pointer: &str| (code, pointer.to_owned());
    assert_eq!(
        told("output_contains", &json!(["a", "", {}])),
        [at("empty-expectation", "/1"), at("invalid-argument", "/2")]
    );
    assert_eq!(
        told("protocol_error", &json!({"cod": 4, "mesage": "x", "code": "x"})),
        [
            at("unknown-key", "/cod"),
            at("unknown-key", "/mesage"),
            at("invalid-argument", "/code")
        ]
    );
    assert_eq!(
        told("llm_judge", &json!({"prompt_template": " ", "min_score": 9})),
        [
            at("invalid-argument", "/prompt_template"),
            at("invalid-argument", "/min_score"),
            at("missing-key", "")
        ]
    );
    assert_eq!(
        told(
            "schema_match",
            &json!({"typ": "object", "properties": {"a": {"minlength": 1}}, "requird": []})
        ),
        [
            at("unknown-keyword", "/typ"),
            at("unknown-keyword", "/properties/a/minlength"),
            at("unknown-keyword", "/requird")
        ]
    );
    assert_eq!(told("is_error", &json!("x")), [at("invalid-argument", "")]);
}
