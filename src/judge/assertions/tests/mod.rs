//! Every kind on real answers: a hit, a near miss, and what the message says.

mod call;
mod output;
mod structure;

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use super::*;
use crate::model::{Mode, ProtocolError, Reply, Status, ToolResult};

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
        arguments: serde_json::Map::new(),
        mode: Mode::Live,
        reply,
        latency: Duration::from_millis(12),
        listed_tools: Some(["search".to_owned(), "fetch".to_owned()].into()),
        server_requests: Vec::new(),
    }
}

fn compiled(key: &str, argument: &Value) -> Box<dyn Assertion> {
    let compile = kind(key).expect("a known key").compile;
    compile(argument).unwrap_or_else(|problem| panic!("{key}: {argument}: {problem:?}"))
}

fn problem(key: &str, argument: &Value) -> Problem {
    let compile = kind(key).expect("a known key").compile;
    compile(argument)
        .err()
        .unwrap_or_else(|| panic!("{key} takes {argument}"))
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
