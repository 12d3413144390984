//! Runs against a baseline: two builds of one small server, and what the gate says of the second.

use serde_json::Value;

use crate::harness::{Finished, Sandbox};

/// Answers each tool with the text that `answers.json` has for it; `flip` is good and bad in turn, `crash` ends it.
const SERVER: &str = r#"import json, os, sys
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "small", "version": "1"}}
    elif m.get("method") == "tools/list":
        r = {"tools": json.load(open("tools.json")) if os.path.exists("tools.json") else []}
    elif m.get("method") == "tools/call":
        answer = json.load(open("answers.json"))[m["params"]["name"]]
        if answer == "crash":
            os._exit(3)
        if answer == "flip":
            count = int(open("count").read()) + 1 if os.path.exists("count") else 0
            open("count", "w").write(str(count))
            answer = "good" if count % 2 == 0 else "bad"
        r = {"content": [{"type": "text", "text": answer}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;

/// A case that expects `good` of a tool.
fn case(tool: &str) -> String {
    format!(
        "name: {tool}\nserver: {{ command: python3, args: [server.py] }}\nsteps:\n  - {{ id: call, tool: {tool}, expect: {{ output_contains: good }} }}\n"
    )
}

/// The first build: `a` and `b` are good, `red` is not.
fn first() -> Sandbox {
    let sandbox = Sandbox::new()
        .file("server.py", SERVER)
        .file("evals/a.yaml", &case("a"))
        .file("evals/b.yaml", &case("b"))
        .file("evals/red.yaml", &case("red"));
    answering(sandbox, r#"{"a": "good", "b": "good", "red": "broken"}"#)
}

fn answering(sandbox: Sandbox, answers: &str) -> Sandbox {
    sandbox.file("answers.json", answers)
}

fn recorded(sandbox: &Sandbox) -> Finished {
    let finished = sandbox.run(&["run", "--write-baseline", "main.json"]);
    assert_eq!(finished.code, 1, "the first build is red: {finished:?}");
    finished
}

fn compared(sandbox: &Sandbox, arguments: &[&str]) -> (Finished, Value) {
    sandbox.report(&[&["--baseline", "main.json"], arguments].concat())
}

fn reason(report: &Value) -> &str {
    report["reason"].as_str().expect("there is a reason")
}

#[test]
fn a_run_against_itself_changes_nothing() {
    let sandbox = first();
    recorded(&sandbox);
    let written = sandbox.read("main.json");
    let (finished, report) = compared(&sandbox, &["--write-baseline", "again.json"]);
    assert_eq!(finished.code, 0, "what is red on main is no news: {finished:?}");
    assert_eq!(reason(&report), "no regressions in 3 cases, 1 still failing");
    assert_eq!(sandbox.read("again.json"), written, "equal results are equal files");
}

#[test]
fn a_red_main_does_not_hide_a_new_break() {
    let sandbox = first();
    recorded(&sandbox);
    let sandbox = answering(sandbox, r#"{"a": "good", "b": "crash", "red": "broken"}"#);
    let (finished, report) = compared(&sandbox, &[]);
    assert_eq!(
        (finished.code, reason(&report)),
        (1, "1 regression in 3 cases"),
        "{finished:?}"
    );
    assert!(
        finished.stdout.starts_with("✗ mcpvals: 1 regression in 3 cases"),
        "{finished:?}"
    );
}

#[test]
fn what_is_new_or_defined_anew_must_pass() {
    let sandbox = first();
    recorded(&sandbox);
    let sandbox = sandbox
        .file("evals/new.yaml", &case("new"))
        .file("evals/b.yaml", &case("b").replace("good", "better"));
    let sandbox = answering(sandbox, r#"{"a": "good", "b": "good", "red": "good", "new": "bad"}"#);
    let (finished, report) = compared(&sandbox, &[]);
    let reason = reason(&report);
    assert_eq!(
        (finished.code, reason),
        (1, "2 of 4 cases failed that cannot be compared")
    );
}

#[test]
fn a_case_that_is_gone_closes_the_gate_when_asked_to() {
    let sandbox = first();
    recorded(&sandbox);
    std::fs::remove_file(sandbox.path("evals/a.yaml")).expect("it is there");
    assert_eq!(compared(&sandbox, &[]).0.code, 0);
    let (finished, report) = compared(&sandbox, &["--fail-on", "regressions,removed"]);
    assert_eq!((finished.code, reason(&report)), (1, "1 case was removed"));
    let (finished, _) = compared(&sandbox, &["--filter", "b.yaml", "--fail-on", "removed"]);
    assert_eq!(finished.code, 0, "what was not chosen is not gone");
}

#[test]
fn a_part_of_the_cases_replaces_only_itself() {
    let sandbox = first();
    recorded(&sandbox);
    let sandbox = answering(sandbox, r#"{"a": "good too", "b": "good", "red": "broken"}"#);
    let finished = sandbox.run(&["run", "--filter", "a.yaml", "--write-baseline", "main.json"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let text = sandbox.read("main.json");
    assert!(
        text.contains("good too") && text.contains("evals/red.yaml › red"),
        "{text}"
    );
}

#[test]
fn a_baseline_that_cannot_be_used_is_said_and_trusted_in_nothing() {
    let sandbox = first();
    recorded(&sandbox);
    let text = sandbox.read("main.json");
    for damaged in [
        &text[..100],
        &text.replace("\"passed\"", "\"failed\""),
        "{\"schema\": \"other\"}",
        "",
    ] {
        std::fs::write(sandbox.path("main.json"), damaged).expect("it can be written");
        let (finished, report) = compared(&sandbox, &[]);
        assert_eq!(finished.code, 1, "{finished:?}");
        assert_eq!(reason(&report), "1 of 3 cases failed that cannot be compared");
    }
    std::fs::remove_file(sandbox.path("main.json")).expect("it is there");
    let (finished, report) = compared(&sandbox, &[]);
    assert_eq!((finished.code, reason(&report)), (1, "1 of 3 cases failed"));
    assert!(
        finished.stdout.contains("there is no baseline yet at main.json"),
        "{finished:?}"
    );
}

#[test]
fn policies_decide() {
    let sandbox = first();
    for (arguments, code, why) in [
        (
            vec!["--fail-on", "never"],
            0,
            "1 of 3 cases not passed, and nothing closes the gate",
        ),
        (
            vec!["--fail-on", "removed", "--min-pass-rate", "70%"],
            1,
            "66.7 % passed, less than 70 %",
        ),
        (
            vec!["--fail-on", "removed", "--min-pass-rate", "0.6"],
            0,
            "1 of 3 cases not passed, and nothing closes the gate",
        ),
        (vec!["--fail-on", "regressions"], 1, "1 of 3 cases failed"),
    ] {
        let (finished, report) = sandbox.report(&arguments);
        assert_eq!((finished.code, reason(&report)), (code, why), "{arguments:?}");
    }
    let finished = sandbox.run(&["run", "--fail-on", "regresions"]);
    assert_eq!(finished.code, 2, "{finished:?}");
}

#[test]
fn a_known_failure_is_put_up_with_until_it_passes_or_its_day_is_over() {
    let known = |more: &str| format!("known_failures:\n  - {{ case: red, reason: the search is rewritten{more} }}\n");
    let sandbox = first().file("mcpvals.yaml", &known(", issue: '#12', expires: 2999-12-31"));
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(
        (finished.code, reason(&report)),
        (0, "2 cases passed, 1 known to fail"),
        "{finished:?}"
    );
    let sandbox = sandbox.file("mcpvals.yaml", &known(", expires: 2020-01-01"));
    let (finished, report) = sandbox.report(&[]);
    let why = "1 of 3 cases failed; the known failure of `red` expired on 2020-01-01";
    assert_eq!((finished.code, reason(&report)), (1, why));
    let sandbox = answering(sandbox, r#"{"a": "good", "b": "good", "red": "good"}"#).file("mcpvals.yaml", &known(""));
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(
        (finished.code, reason(&report)),
        (1, "`red` is a known failure and passes now")
    );
}

#[test]
fn attempts_that_disagree_are_flaky_and_counted() {
    let sandbox = Sandbox::new()
        .file("server.py", SERVER)
        .file("evals/a.yaml", &case("a"))
        .file("answers.json", r#"{"a": "flip"}"#);
    let (finished, report) = sandbox.report(&["--repeat", "4"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let case = &report["cases"][0];
    assert_eq!((&case["status"], &case["attempts"]), (&"flaky".into(), &4.into()));
    assert_eq!(
        (&case["pass_rate"]["passed"], &case["pass_rate"]["of"]),
        (&2.into(), &4.into())
    );
    assert_eq!(case["steps"][0]["samples_ms"].as_array().map(Vec::len), Some(2));
}

/// The tools of a build: `a` with this schema of its argument, and others without any.
fn tools(limit: &str, others: &[&str]) -> String {
    let plain = others
        .iter()
        .map(|name| format!(r#", {{"name": "{name}", "inputSchema": {{"type": "object"}}}}"#));
    format!(
        r#"[{{"name": "a", "inputSchema": {{"type": "object", "properties": {{"n": {limit}}}}}}}{}]"#,
        plain.collect::<String>()
    )
}

/// A build whose tool `a` takes at most 100, and a case that sends 70.
fn limited() -> Sandbox {
    let case = case("a").replace("tool: a,", "tool: a, input: { n: 70 },");
    let sandbox = Sandbox::new()
        .file("server.py", SERVER)
        .file("evals/a.yaml", &case)
        .file("tools.json", &tools(r#"{"type": "integer", "maximum": 100}"#, &["b"]));
    let sandbox = answering(sandbox, r#"{"a": "good"}"#);
    let finished = sandbox.run(&["run", "--write-baseline", "main.json"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    sandbox
}

#[test]
fn a_green_run_does_not_hide_a_changed_tool() {
    let sandbox = limited();
    let narrower = tools(r#"{"type": "integer", "maximum": 50}"#, &["b"]);
    let sandbox = sandbox.file("tools.json", &narrower);
    let (finished, report) = compared(&sandbox, &[]);
    assert_eq!(
        finished.code, 0,
        "it is shown, and closes the gate when asked to: {finished:?}"
    );
    let surface = &report["comparison"]["surfaces"][0];
    assert_eq!(surface["server"], "python3 server.py");
    let change = &surface["changes"][0];
    assert_eq!(
        (&change["rule"], &change["class"]),
        (&"in-bound-tightened".into(), &"breaking".into())
    );
    assert_eq!(change["witness"]["value"], serde_json::json!({"n": 70}));
    assert_eq!(change["witness"]["case"], "evals/a.yaml › a › call");
    assert!(finished.stdout.contains("breaking"), "{finished:?}");

    let (finished, report) = compared(&sandbox, &["--fail-on", "regressions,breaking-surface"]);
    assert_eq!(
        (finished.code, reason(&report)),
        (1, "1 breaking change of the surface")
    );
    let fingerprint = change["fingerprint"].as_str().expect("it has one");
    let sandbox = sandbox.file(
        "mcpvals.yaml",
        &format!("allow:\n  - {{ fingerprint: '{fingerprint}', reason: agreed }}\n"),
    );
    let (finished, _) = compared(&sandbox, &["--fail-on", "breaking-surface"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(finished.stdout.contains("allowed: agreed"), "{finished:?}");
}

#[test]
fn the_mirror_of_a_break_is_none() {
    let sandbox = limited().file("tools.json", &tools(r#"{"type": "integer", "maximum": 200}"#, &["b"]));
    let (finished, report) = compared(&sandbox, &["--fail-on", "breaking-surface"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let change = &report["comparison"]["surfaces"][0]["changes"][0];
    assert_eq!(
        (&change["rule"], &change["class"]),
        (&"in-bound-loosened".into(), &"compatible".into())
    );
}

#[test]
fn surfaces_of_a_run_against_itself_are_equal_also_in_another_order() {
    let sandbox = limited();
    let written = sandbox.read("main.json");
    let reordered = r#"[{"inputSchema": {"type": "object"}, "name": "b"}, {"inputSchema": {"properties": {"n": {"maximum": 100, "type": "integer"}}, "type": "object"}, "name": "a"}]"#;
    let (_, report) = compared(&sandbox, &["--write-baseline", "again.json"]);
    assert_eq!(sandbox.read("again.json"), written);
    assert_eq!(report["comparison"]["surfaces"][0]["changes"], serde_json::json!([]));
    let sandbox = sandbox.file("tools.json", reordered);
    let (_, report) = compared(&sandbox, &[]);
    let changes = report["comparison"]["surfaces"][0]["changes"]
        .as_array()
        .expect("a list");
    let rules: Vec<&Value> = changes.iter().map(|change| &change["rule"]).collect();
    assert_eq!(
        rules,
        ["tool-order-changed"],
        "which is cosmetic, since it costs a prompt cache"
    );
}

#[test]
fn tools_without_a_case_are_named() {
    let sandbox = limited().file("tools.json", &tools("{}", &["b", "c"]));
    let (finished, report) = compared(&sandbox, &[]);
    let coverage = serde_json::json!([{"server": "python3 server.py", "tools": 3, "added": ["c"], "uncovered": ["b"]}]);
    assert_eq!(report["coverage"], coverage);
    assert!(
        finished
            .stdout
            .contains("1 of 3 tools of `python3 server.py` have a case; added without a case: `c`; no case: `b`"),
        "{finished:?}"
    );
}

#[test]
fn a_surface_that_cannot_be_had_keeps_the_gate_from_opening() {
    let sandbox = limited();
    // It answers its first user and no other.
    let shy = format!("import os\nif os.path.exists('met'): os._exit(1)\nopen('met', 'w')\n{SERVER}");
    let sandbox = sandbox.file("server.py", &shy);
    let arguments = ["--fail-on", "regressions,breaking-surface", "--concurrency", "1"];
    let (finished, report) = compared(&sandbox, &arguments);
    assert_eq!(
        (finished.code, reason(&report)),
        (3, "the surface of `python3 server.py` could not be compared"),
        "{finished:?}"
    );
}

#[test]
fn a_file_that_cannot_be_used_takes_no_case_out_of_the_baseline() {
    let sandbox = first();
    recorded(&sandbox);
    let written = sandbox.read("main.json");
    let sandbox = sandbox.file("mcpvals.yaml", "secrets: [\n");
    let (finished, report) = compared(&sandbox, &["--write-baseline", "main.json"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    let cases = &report["comparison"]["cases"];
    assert_eq!(cases, &serde_json::json!([]), "none of them is gone");
    assert_eq!(sandbox.read("main.json"), written);
}
