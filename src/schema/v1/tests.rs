//! The kept sample: what this version once wrote stays readable and valid.

use serde_json::Value;

use super::*;
use crate::text::canonical;

/// Written by the first release of the schema, with every field in it; never edited.
const KEPT: &str = include_str!("../../../tests/schema/report-v1.json");

#[test]
fn the_kept_sample_is_read_and_written_back_unaltered() {
    let report: Report<'static> = serde_json::from_str(KEPT).unwrap();
    let written = serde_json::to_value(&report).unwrap();
    assert_eq!(written, serde_json::from_str::<Value>(KEPT).unwrap());
}

#[test]
fn the_kept_sample_is_valid() {
    let validator = jsonschema::draft202012::new(&json_schema()).unwrap();
    let sample: Value = serde_json::from_str(KEPT).unwrap();
    assert!(validator.is_valid(&sample));
}

/// Written by the first release that had a history, with every field in it; never edited.
const KEPT_HISTORY: &str = include_str!("../../../tests/schema/history-v1.json");

/// Written by the first release that had an audit log; never edited.
const KEPT_AUDIT: &str = include_str!("../../../tests/schema/audit-v1.jsonl");

#[test]
fn the_kept_history_is_read_and_written_back_unaltered_and_valid() {
    let history: history::History<'static> = serde_json::from_str(KEPT_HISTORY).unwrap();
    let sample: Value = serde_json::from_str(KEPT_HISTORY).unwrap();
    assert_eq!(serde_json::to_value(&history).unwrap(), sample);
    let validator = jsonschema::draft202012::new(&history::json_schema()).unwrap();
    assert!(validator.is_valid(&sample));
}

#[test]
fn the_kept_audit_log_is_read_and_written_back_unaltered_and_valid() {
    let validator = jsonschema::draft202012::new(&audit::json_schema()).unwrap();
    for line in KEPT_AUDIT.lines() {
        let entry: audit::Entry<'static> = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&entry).unwrap(), line);
        assert!(validator.is_valid(&serde_json::from_str(line).unwrap()));
    }
}

#[test]
fn an_unknown_field_of_a_later_version_is_no_obstacle() {
    let mut sample: Value = serde_json::from_str(KEPT).unwrap();
    sample["cases"][0]["from_the_future"] = true.into();
    assert!(serde_json::from_value::<Report<'static>>(sample).is_ok());
}

#[test]
fn nothing_is_null_but_a_value_that_was_compared() {
    let mut sample: Value = serde_json::from_str(KEPT).unwrap();
    let validator = jsonschema::draft202012::new(&json_schema()).unwrap();
    sample["cases"][1]["steps"][1]["outcomes"][1]["actual"] = Value::Null;
    assert!(validator.is_valid(&sample));
    let read: Report<'static> = serde_json::from_value(sample.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), sample);
    for field in ["description", "server", "startup_ms"] {
        let mut wrong = sample.clone();
        wrong["cases"][0][field] = Value::Null;
        assert!(!validator.is_valid(&wrong), "{field}");
    }
}

#[test]
fn a_missing_list_is_refused() {
    let mut sample: Value = serde_json::from_str(KEPT).unwrap();
    sample["cases"][0].as_object_mut().unwrap().remove("steps");
    assert!(serde_json::from_value::<Report<'static>>(sample).is_err());
}

#[test]
fn every_field_is_described() {
    fn visit(schema: &Value, missing: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            if field.get("description").is_none() {
                missing.push(name.clone());
            }
        }
        for definition in schema["$defs"].as_object().into_iter().flat_map(|all| all.values()) {
            visit(definition, missing);
        }
    }
    let mut missing = Vec::new();
    for schema in [json_schema(), history::json_schema(), audit::json_schema()] {
        visit(&schema, &mut missing);
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_kept_sample_is_rendered_again_as_it_was() {
    let report = read_report(KEPT).expect("it can be read");
    let written = serde_json::to_value(Report::from(&report)).unwrap();
    let mut sample: Value = serde_json::from_str(KEPT).unwrap();
    // Who renders it is no part of the model.
    sample["tool"] = written["tool"].clone();
    // The first reports had no definitions.
    for case in sample["cases"].as_array_mut().unwrap() {
        case["definition"] = "0000000000000000".into();
    }
    assert_eq!(canonical(&written).to_string(), canonical(&sample).to_string());
}

#[test]
fn what_cannot_be_rendered_says_why() {
    let with = |pointer: &str, value: Value| {
        let mut sample: Value = serde_json::from_str(KEPT).unwrap();
        *sample.pointer_mut(pointer).expect("it is there") = value;
        read_report(&sample.to_string()).expect_err("it is damaged")
    };
    assert!(with("/exit_code", 7.into()).contains("7 is no exit code"));
    assert!(with("/started_at", "soon".into()).contains("`started_at` is no time"));
    assert!(with("/duration_ms", (-1).into()).contains("-1 ms is no time"));
    assert!(with("/schema", "other/v1".into()).contains("it is of the schema `other/v1`"));
    assert!(read_report("{").expect_err("it is none").starts_with("it is not JSON"));
}
