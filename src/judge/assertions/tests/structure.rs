//! The assertions that read more than text out of an answer.

use serde_json::json;

use super::*;

#[test]
fn schema_match_prefers_structured_content() {
    let schema = json!({"type": "object", "required": ["count"], "properties": {"count": {"type": "integer"}}});
    passes("schema_match", &schema, r#"{"count": 3}"#);
    fails(
        "schema_match",
        &schema,
        r#"{"count": 8.5}"#,
        "schema: /count: 8.5 is not of type \"integer\"",
    );
    fails("schema_match", &schema, "hello", "the output is not JSON: `hello`");
    fails("schema_match", &schema, "", "the output is empty");
    let structured = |value: Value| {
        trace(Reply::Result(ToolResult {
            raw: Value::Null,
            is_error: false,
            output: "three things".to_owned(),
            structured: Some(value),
        }))
    };
    assert_eq!(
        judged("schema_match", &schema, &structured(json!({"count": 3}))).0,
        Status::Passed
    );
    assert_eq!(
        judged("schema_match", &schema, &structured(json!({}))).0,
        Status::Failed
    );
}

#[test]
fn whole_numbers_are_compared_to_the_last_digit() {
    let number = 9_007_199_254_740_993_u64;
    for schema in [
        json!({"const": number}),
        json!({"enum": [1, number]}),
        json!({"minimum": number}),
        json!({"exclusiveMinimum": number - 1}),
        json!({"const": {"id": [number]}, "type": "object"}),
    ] {
        let text = |number: &str| match schema["type"].as_str() {
            Some(_) => format!(r#"{{"id": [{number}]}}"#),
            None => number.to_owned(),
        };
        passes("schema_match", &schema, &text("9007199254740993"));
        let (status, message) = on_output("schema_match", &schema, &text("9007199254740992"));
        assert_eq!(status, Status::Failed, "{schema}: {message}");
    }
    passes("schema_match", &json!({"const": 1}), "1.0");
    let equals = json!(r#"{"id": 9007199254740993}"#);
    fails(
        "output_equals",
        &equals,
        r#"{"id": 9007199254740992}"#,
        "$.id is 9007199254740992, expected 9007199254740993",
    );
    fails("output_equals", &json!(number), "9007199254740992", "9007199254740993");
}

#[test]
fn schema_match_tells_all_places_within_bounds() {
    let schema = json!({"items": {"type": "string"}});
    let (_, message) = on_output("schema_match", &schema, "[1, 2]");
    assert_eq!(
        message,
        "the output is not valid against the schema in 2 places:\n  /0: 1 is not of type \"string\"\n  \
         /1: 2 is not of type \"string\""
    );
    let (_, message) = on_output("schema_match", &schema, &json!(vec![1; 25]).to_string());
    assert_eq!(message.lines().count(), 12);
    assert!(message.ends_with("… and 15 more"), "{message}");
}

#[test]
fn schema_match_refuses_bad_schemas() {
    let slip = problem("schema_match", &json!({"requred": ["id"]}));
    assert_eq!(
        (slip.code, slip.help.as_deref()),
        ("unknown-keyword", Some("did you mean `required`?"))
    );
    assert_eq!(problem("schema_match", &json!(true)).code, "invalid-argument");
    assert_eq!(
        problem("schema_match", &json!({"$ref": "https://example.com/a.json"})).code,
        "remote-ref"
    );
    let invalid = problem("schema_match", &json!({"properties": {"a": {"type": "strin"}}}));
    assert_eq!(invalid.code, "invalid-schema");
    assert!(invalid.message.contains("/properties/a/type"), "{}", invalid.message);
    assert_eq!(
        problem(
            "schema_match",
            &json!({"$schema": "https://example.com/x", "type": "object"})
        )
        .code,
        "invalid-schema"
    );
}

#[test]
fn schema_match_says_that_alternatives_nest_too_deep_to_be_told() {
    let link = |required: &str| json!({"properties": {"next": {"$ref": "#"}}, "required": [required]});
    let schema = json!({"anyOf": [link("a"), link("b")]});
    let chain = (0..60).fold(json!({}), |inner, _| json!({"next": inner}));
    fails("schema_match", &schema, &chain.to_string(), "nest too deep");
}

#[test]
fn schema_match_gives_up_on_a_catastrophic_pattern() {
    let output = json!(format!("{}!", "a".repeat(28))).to_string();
    assert_eq!(
        on_output("schema_match", &json!({"pattern": r"^(a|aa|a+)+\1!x"}), &output).0,
        Status::Errored
    );
}

#[test]
fn llm_judge_is_read_but_not_told() {
    let good = json!({"prompt_template": "good? {actual}", "min_score": 0.5, "model": "m", "expected": "x"});
    let (status, message) = on_output("llm_judge", &good, "hello");
    assert_eq!(
        (status, message.as_str()),
        (Status::Errored, "`llm_judge` is not available yet")
    );
    assert_eq!(
        problem("llm_judge", &json!({"min_scor": 1})).help.as_deref(),
        Some("did you mean `min_score`?")
    );
    assert_eq!(
        problem("llm_judge", &json!({"prompt_template": "a", "min_score": 1})).code,
        "missing-key"
    );
    let out_of_range = json!({"prompt_template": "a", "min_score": 8, "model": "m"});
    assert_eq!(problem("llm_judge", &out_of_range).code, "invalid-argument");
}
