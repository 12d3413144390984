//! `mcpvals surface` and `mcpvals diff`: two versions of one server, and what a user sees of it.

use serde_json::{Value, json};

use crate::harness::{Finished, Sandbox, read_json};

/// A server with one tool and one prompt; the version is its first argument.
const SERVER: &str = r#"
import json, sys
new = sys.argv[1] == "2"
properties = {"query": {"type": "string"}, "sort": {"enum": ["date"] if new else ["date", "title"]}}
required = ["query"]
if new:
    properties["user"] = {"type": "string"}
    required = ["user", "query"]
tools = [{"name": "search", "description": "Find notes", "inputSchema": {"type": "object", "properties": properties, "required": required}}]
if new:
    tools.insert(0, {"name": "count", "description": "Count notes", "inputSchema": {"type": "object"}})
lists = {
    "tools/list": {"tools": tools},
    "prompts/list": {"prompts": [{"name": "greet"}]},
}
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        answer["result"] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
            "serverInfo": {"name": "notes", "version": "1.0.0"},
            "instructions": "Ask first.",
        }
    elif message["method"] in lists:
        answer["result"] = lists[message["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new().file("server.py", SERVER);
    for version in ["1", "2"] {
        let file = format!("{version}.json");
        let written = sandbox.run(&["surface", "-o", &file, "--", "python3", "server.py", version]);
        assert_eq!(written.code, 0, "{written:?}");
        assert!(written.stdout.is_empty(), "{written:?}");
    }
    sandbox
}

#[test]
fn a_surface_is_written_as_it_was_sent_with_what_is_missing() {
    let sandbox = sandbox();
    let surface = &read_json(&sandbox.path("1.json"))["surface"];
    assert_eq!(surface["protocol"], "2025-06-18");
    assert_eq!(surface["instructions"], "Ask first.");
    assert_eq!(surface["prompts"], json!([{"name": "greet"}]));
    let missing: Vec<&Value> = surface["missing"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["method"])
        .collect();
    assert_eq!(missing, ["resources/list", "resources/templates/list"]);
    let again = sandbox.run(&["surface", "--", "python3", "server.py", "1"]);
    assert_eq!(again.stdout, sandbox.read("1.json"), "it is the same file each time");
    assert!(
        again.stderr.contains("`resources/list` is not part of it: "),
        "{}",
        again.stderr
    );
}

#[test]
fn a_diff_names_what_broke_with_a_witness_and_closes_the_gate() {
    let sandbox = sandbox();
    let finished = sandbox.run(&["diff", "1.json", "2.json"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    insta::assert_snapshot!("diff", finished.stdout);
    let finished = sandbox.run(&["diff", "2.json", "1.json"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    insta::assert_snapshot!("diff_swapped", finished.stdout);
    let same = sandbox.run(&["diff", "1.json", "1.json"]);
    assert_eq!((same.code, same.stdout.as_str()), (0, "✓ the surfaces are the same\n"));
}

#[test]
fn the_gate_closes_when_it_is_asked_to() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["diff", "1.json", "2.json", "--fail-on", "never"]).code, 0);
    let (old, new) = (
        sandbox.read("1.json"),
        sandbox.read("1.json").replace("Ask first.", "Never ask."),
    );
    let sandbox = sandbox.file("old.json", &old).file("new.json", &new);
    assert_eq!(sandbox.run(&["diff", "old.json", "new.json"]).code, 0);
    assert_eq!(
        sandbox
            .run(&["diff", "old.json", "new.json", "--fail-on", "risky"])
            .code,
        1
    );
}

#[test]
fn the_json_of_a_diff_is_valid_by_its_schema() {
    let sandbox = sandbox();
    let finished = sandbox.run(&["diff", "1.json", "2.json", "--format", "json"]);
    let diff: Value = serde_json::from_str(&finished.stdout).expect("it is JSON");
    for (format, value) in [("surface-diff", diff), ("surface", read_json(&sandbox.path("1.json")))] {
        let schema = serde_json::from_str(&sandbox.run(&["schema", format]).stdout).expect("the schema is JSON");
        let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
        assert!(validator.is_valid(&value), "{format}: {value:#}");
    }
}

#[test]
fn the_project_file_allows_changes_until_a_day() {
    let allow = |entry: &str| -> Finished {
        let project = format!("allow:\n  - {entry}\n");
        sandbox()
            .file("mcpvals.yaml", &project)
            .run(&["diff", "1.json", "2.json"])
    };
    let both = allow(
        "{rule: in-required-added, subject: search, reason: all clients are ours}\n  - {rule: in-enum-value-removed, reason: unused}",
    );
    assert_eq!(both.code, 0, "{both:?}");
    assert!(both.stdout.contains("allowed: all clients are ours"), "{}", both.stdout);
    let expired = allow("{rule: in-required-added, reason: for a while, expires: 2020-01-31}");
    assert_eq!(expired.code, 1, "{expired:?}");
    assert!(
        expired
            .stderr
            .contains("expired on 2020-01-31 and does not count any more"),
        "{}",
        expired.stderr
    );
    let unknown = allow("{rule: in-required-add, reason: x}");
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(
        unknown.stderr.contains("did you mean `in-required-added`?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn what_cannot_be_read_is_said_for_both_sides() {
    let sandbox = Sandbox::new().file("a.json", "{\"schema\": \"mcpvals.surface/v9\"}");
    let finished = sandbox.run(&["diff", "a.json", "b.json"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    assert!(
        finished
            .stderr
            .contains("`mcpvals.surface/v9`, and only `mcpvals.surface/v1`"),
        "{}",
        finished.stderr
    );
    assert!(
        finished.stderr.contains("`b.json` cannot be compared"),
        "{}",
        finished.stderr
    );
}

#[test]
fn a_server_of_the_project_file_is_asked_by_its_name_and_tells_no_secret() {
    let project = "servers:\n  notes: {command: python3, args: [server.py, '1'], env: {API_TOKEN: 'Ask first.'}}\n";
    let sandbox = sandbox().file("mcpvals.yaml", project);
    let finished = sandbox.run(&["surface", "notes"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(
        finished.stdout.contains("\"instructions\": \"***\""),
        "{}",
        finished.stdout
    );
    let unknown = sandbox.run(&["surface", "note"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(unknown.stderr.contains("did you mean `notes`?"), "{}", unknown.stderr);
    assert_eq!(sandbox.run(&["surface"]).code, 2);
}

#[test]
fn whose_fault_it_is_decides_the_exit_code() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["surface", "--", "no-such-command-anywhere"]).code, 3);
    assert_eq!(sandbox.run(&["surface", "--", "true"]).code, 1);
    let demo = sandbox.run(&["surface", "--", crate::harness::MCPVALS, "demo-server"]);
    assert_eq!(demo.code, 0, "{demo:?}");
    assert!(demo.stdout.contains("\"name\": \"divide\""), "{}", demo.stdout);
}

#[test]
fn the_password_of_an_address_on_the_command_line_is_not_said() {
    let echo = "echo \"cannot connect to $0\" >&2; exit 1";
    let asked = Sandbox::new().run(&["surface", "--", "sh", "-c", echo, "postgres://user:hunter22@host/db"]);
    assert_eq!(asked.code, 1, "{asked:?}");
    assert!(
        asked.stderr.contains("connect to postgres://user:***@host/db"),
        "{}",
        asked.stderr
    );
    assert!(!asked.stderr.contains("hunter22"), "{}", asked.stderr);
}
