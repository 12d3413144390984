//! The assertions on the call itself and on errors.

use serde_json::json;

use super::*;

#[test]
fn tool_called_asks_the_servers_list() {
    let mut trace = trace(result("", false));
    let called = json!("search");
    assert!(compiled("tool_called", &called).needs_tool_list());
    assert_eq!(judged("tool_called", &called, &trace).0, Status::Passed);
    let (status, message) = judged("tool_called", &json!("fetch"), &trace);
    assert_eq!(
        (status, message.as_str()),
        (
            Status::Failed,
            "expected `fetch` to be called, but the step calls `search`"
        )
    );

    trace.listed_tools = Some(["searchs".to_owned()].into());
    let (status, message) = judged("tool_called", &called, &trace);
    assert_eq!(status, Status::Failed);
    assert!(
        message.ends_with("does not list it; did you mean `searchs`?"),
        "{message}"
    );

    trace.listed_tools = None;
    assert_eq!(judged("tool_called", &called, &trace).0, Status::Errored);
    trace.mode = Mode::Simulated;
    let (status, message) = judged("tool_called", &called, &trace);
    assert_eq!(status, Status::Passed);
    assert!(message.contains("simulated"), "{message}");
}

#[test]
fn latency_under_is_strict_and_live_only() {
    let mut trace = trace(result("", false));
    for argument in [json!(13), json!("5000"), json!("500ms"), json!("2s"), json!(12.5)] {
        assert_eq!(
            judged("latency_under", &argument, &trace).0,
            Status::Passed,
            "{argument}"
        );
    }
    let (status, message) = judged("latency_under", &json!(12), &trace);
    assert_eq!(
        (status, message.as_str()),
        (
            Status::Failed,
            "expected the call to take less than 12 ms, but it took 12 ms"
        )
    );
    trace.mode = Mode::Simulated;
    assert_eq!(judged("latency_under", &json!(1), &trace).0, Status::Skipped);
    for wrong in [
        json!(0),
        json!(-1),
        json!("fast"),
        json!("1 week"),
        json!(true),
        json!([1]),
    ] {
        assert_eq!(problem("latency_under", &wrong).code, "invalid-argument", "{wrong}");
    }
}

#[test]
fn is_error_means_the_tools_own_error() {
    assert!(compiled("is_error", &json!(true)).expects_error());
    assert!(!compiled("is_error", &json!(false)).expects_error());
    let (good, bad) = (trace(result("8", false)), trace(result("quota", true)));
    assert_eq!(judged("is_error", &json!(true), &bad).0, Status::Passed);
    assert_eq!(judged("is_error", &json!(false), &good).0, Status::Passed);
    assert_eq!(judged("is_error", &json!(true), &good).0, Status::Failed);
    let (status, message) = judged("is_error", &json!(false), &bad);
    assert_eq!(status, Status::Failed);
    assert!(message.ends_with("the tool reported an error: `quota`"), "{message}");
    let (status, message) = judged("is_error", &json!(true), &trace(refusal()));
    assert_eq!(status, Status::Failed);
    assert!(message.contains("protocol error -32602"), "{message}");
    assert_eq!(
        problem("is_error", &json!("yes")).message,
        "`is_error` takes `true` or `false`, found `yes`"
    );
}

#[test]
fn error_contains_reads_both_kinds_of_error() {
    assert!(compiled("error_contains", &json!("x")).expects_error());
    let bad = trace(result("quota exceeded", true));
    assert_eq!(judged("error_contains", &json!("quota"), &bad).0, Status::Passed);
    assert_eq!(
        judged("error_contains", &json!("Unknown tool"), &trace(refusal())).0,
        Status::Passed
    );
    let (status, message) = judged("error_contains", &json!("Quota"), &bad);
    assert_eq!(status, Status::Failed);
    assert!(message.contains("other capitals"), "{message}");
    let (status, message) = judged("error_contains", &json!("quota"), &trace(result("quota", false)));
    assert_eq!(status, Status::Failed);
    assert!(
        message.contains("but the call succeeded and the output is `quota`"),
        "{message}"
    );
}

#[test]
fn protocol_error_compares_code_and_message() {
    let refused = trace(refusal());
    assert!(compiled("protocol_error", &json!(true)).expects_error());
    for hit in [
        json!(true),
        json!({"code": -32602}),
        json!({"code": "-32602", "message": "Unknown"}),
    ] {
        assert_eq!(judged("protocol_error", &hit, &refused).0, Status::Passed, "{hit}");
    }
    for miss in [json!({"code": -32601}), json!({"message": "unknown tool"})] {
        assert_eq!(judged("protocol_error", &miss, &refused).0, Status::Failed, "{miss}");
    }
    let (status, message) = judged(
        "protocol_error",
        &json!({"code": -32602, "message": "no"}),
        &trace(result("oh", true)),
    );
    assert_eq!(status, Status::Failed);
    assert!(
        message.starts_with("expected protocol error -32602 with `no`, but"),
        "{message}"
    );
    assert_eq!(
        problem("protocol_error", &json!({"cod": 1})).help.as_deref(),
        Some("did you mean `code`?")
    );
    assert_eq!(
        problem("protocol_error", &json!({"code": 1.5})).code,
        "invalid-argument"
    );
    assert_eq!(problem("protocol_error", &json!({})).code, "invalid-argument");
    assert!(problem("protocol_error", &json!(false)).help.is_some());
}
