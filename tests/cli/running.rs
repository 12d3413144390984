//! How cases run: servers, sharing, retries, limits, secrets, transcripts.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::Path,
    time::{Duration, Instant},
};

use crate::harness::{Sandbox, demo, simulated, statuses};

const CREATE: &str = "{ id: create, tool: create_note, input: { title: Milk } }";
const LIST: &str =
    "{ id: list, tool: list_notes, expect: { schema_match: { properties: { notes: { maxItems: 1 } } } } }";

#[test]
fn each_case_gets_a_fresh_server_unless_it_asks_to_share() {
    let alone = |name: &str| demo(name, &[CREATE, LIST]);
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &alone("a"))
        .file("evals/b.yaml", &alone("b"));
    let (finished, _) = sandbox.report(&["-j", "1"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let (finished, report) = sandbox.report(&["-j", "1", "--server-scope", "run"]);
    assert_eq!(
        finished.code, 1,
        "the second case sees the note of the first: {finished:?}"
    );
    assert_eq!(statuses(&report), [("a", "passed"), ("b", "failed")]);
    assert_eq!(report["cases"][1]["startup_ms"], serde_json::Value::Null);
}

#[test]
fn a_shared_server_that_died_is_started_again_and_that_is_said() {
    let crash = "{ id: boom, tool: crash }";
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &demo("a", &[crash]))
        .file("evals/b.yaml", &demo("b", &[CREATE]));
    let (_, report) = sandbox.report(&["-j", "1", "--server-scope", "run"]);
    assert_eq!(statuses(&report), [("a", "errored"), ("b", "passed")]);
    assert_eq!(report["cases"][1]["findings"][0]["code"], "server-restarted");
}

#[test]
fn values_go_from_step_to_step_with_their_type() {
    let steps = [
        "{ id: sum, tool: add, input: { a: 1, b: 2 } }",
        "{ id: twice, tool: multiply, input: { a: '{{steps.sum.json}}', b: 2 }, expect: { output_equals: '6' } }",
        "{ id: say, tool: echo, input: { text: 'is {{steps.twice.output}}' }, expect: { output_equals: 'is {{steps.twice.json}}' } }",
    ];
    let (finished, _) = Sandbox::new().file("evals/a.yaml", &demo("a", &steps)).report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
}

#[test]
fn an_unknown_reference_is_found_before_anything_starts() {
    let steps = [
        "{ id: first, tool: add }",
        "{ id: second, tool: echo, input: { text: '{{steps.frist.output}}' } }",
    ];
    let finished = Sandbox::new().file("evals/a.yaml", &demo("a", &steps)).run(&["run"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    assert!(finished.stderr.contains("did you mean `first`?"), "{}", finished.stderr);
    assert!(finished.stderr.contains("evals/a.yaml:5:"), "{}", finished.stderr);
}

#[test]
fn a_call_that_takes_too_long_is_errored_and_names_the_limit() {
    let slow = "{ id: slow, tool: slow, input: { ms: 60000 } }";
    let sandbox = Sandbox::new().file("evals/a.yaml", &demo("a", &[slow]));
    let began = Instant::now();
    let (finished, report) = sandbox.report(&["--timeout", "300"]);
    assert!(began.elapsed() < Duration::from_secs(20), "it did not hang");
    assert_eq!(finished.code, 1, "{finished:?}");
    let error = &report["cases"][0]["steps"][0]["error"];
    assert_eq!(error["kind"], "timeout");
    assert!(
        error["message"].as_str().expect("it has words").contains("300 ms"),
        "{error}"
    );
}

#[test]
fn an_error_nobody_expected_fails_and_an_expected_one_passes() {
    let steps = [
        "{ id: asked, tool: fail, input: { message: 'quota exceeded' }, expect: { is_error: true, error_contains: quota } }",
        "{ id: unknown, tool: nope, expect: { protocol_error: { code: -32602 } } }",
        "{ id: not_asked, tool: fail, input: { message: 'quota exceeded' }, expect: { output_not_contains: Traceback } }",
        "{ id: after, tool: echo, input: { text: still here } }",
    ];
    let (finished, report) = Sandbox::new().file("evals/a.yaml", &demo("a", &steps)).report(&[]);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(finished.stdout.contains("quota exceeded"), "{}", finished.stdout);
    let steps = report["cases"][0]["steps"].as_array().expect("there are steps");
    let statuses: Vec<_> = steps
        .iter()
        .map(|step| step["status"].as_str().expect("it has one"))
        .collect();
    assert_eq!(statuses, ["passed", "passed", "failed", "passed"]);
}

#[test]
fn a_protocol_error_nobody_expected_stops_the_case_and_hints_at_the_tool() {
    let steps = ["{ id: typo, tool: list_note }", "{ id: after, tool: list_notes }"];
    let (finished, report) = Sandbox::new().file("evals/a.yaml", &demo("a", &steps)).report(&[]);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(
        finished.stdout.contains("did you mean `list_notes`?"),
        "{}",
        finished.stdout
    );
    assert_eq!(report["cases"][0]["steps"][1]["status"], "skipped");
}

/// Fails in its first process and passes in the second: the file it leaves is its memory.
const FLAKY: &str = r#"import json, os, sys
seen = os.path.exists("seen")
open("seen", "w").close()
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "f", "version": "1"}}
    elif m.get("method") == "tools/call":
        r = {"content": [{"type": "text", "text": "good" if seen else "bad"}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;

#[test]
fn a_pass_after_a_failure_is_flaky_and_both_attempts_are_kept() {
    let fixture = "name: f\nserver: { command: python3, args: [server.py] }\nretries: 2\n\
                   steps: [{ id: a, tool: t, expect: { output_equals: good } }]\n";
    let sandbox = Sandbox::new().file("server.py", FLAKY).file("evals/f.yaml", fixture);
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let case = &report["cases"][0];
    assert_eq!((&case["status"], &case["attempts"]), (&"flaky".into(), &2.into()));
    assert_eq!(case["earlier_attempts"][0]["status"], "failed");
    assert!(finished.stdout.contains("flaky"), "{}", finished.stdout);
}

#[test]
fn secrets_appear_nowhere() {
    let fixture = "name: s\nserver: { command: mcpvals, args: [demo-server], env: { API_TOKEN: \"${MY_TOKEN}\" } }\n\
                   vars: { said: \"${MY_TOKEN}\" }\n\
                   steps: [{ id: a, tool: echo, input: { text: 'it is {{vars.said}}' }, expect: { output_equals: nothing } }]\n";
    let secret = "hunter2-very-secret";
    let sandbox = Sandbox::new()
        .variable("MY_TOKEN", secret)
        .file("evals/s.yaml", fixture);
    let arguments = ["--junit", "junit.xml", "--transcript", "wire", "--verbose"];
    let (finished, report) = sandbox.report(&arguments);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert_eq!(report["cases"][0]["steps"][0]["output"], "it is ***");
    let wire = fs::read_dir(sandbox.path("wire")).expect("there are transcripts");
    let wire: Vec<String> = wire
        .map(|entry| fs::read_to_string(entry.expect("it is a file").path()).expect("it is text"))
        .collect();
    assert!(wire[0].contains("tools/call"), "{wire:?}");
    let everything = [
        &finished.stdout,
        &finished.stderr,
        &sandbox.read("junit.xml"),
        &report.to_string(),
        &wire.concat(),
    ];
    assert!(everything.iter().all(|text| !text.contains(secret)), "{everything:?}");
}

/// Says what it was given in the spelling of many libraries.
const DISGUISES: &str = r#"
import html, json, os, re, shlex, sys
from urllib.parse import quote, quote_plus, unquote
secret = os.environ["MY_VALUE"]
said = {
    "json": json.dumps(secret), "twice": json.dumps(json.dumps(secret)), "html": html.escape(secret),
    "numbers": html.escape(secret).encode("ascii", "xmlcharrefreplace").decode(), "form": quote_plus(secret),
    "address": quote(secret), "hex": secret.encode().hex(), "HEX": secret.encode().hex().upper(), "repr": repr(secret),
    "bytes": repr(secret.encode()), "shell": shlex.quote(secret),
    "password": unquote(re.search(":([^:]*)@", os.environ["DATABASE_URL"]).group(1)),
}
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "d", "version": "1"}}
    elif m.get("method") == "tools/call":
        r = {"content": [{"type": "text", "text": "\n".join(f"{name}=<{form}>" for name, form in said.items())}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;

#[test]
fn secrets_are_hidden_in_the_spelling_of_many_libraries() {
    let fixture = "name: d\nserver: { command: python3, args: [server.py], env_inherit: [MY_VALUE, DATABASE_URL] }\n\
                   steps: [{ id: a, tool: t, expect: { output_equals: nothing } }]\n";
    let sandbox = Sandbox::new()
        .variable("MY_VALUE", "it's <ä> \"b\" & c\\d")
        .variable("DATABASE_URL", "postgres://user:correct%2Fhorse@host/db")
        .file("mcpvals.yaml", "secrets: [MY_VALUE]\n")
        .file("server.py", DISGUISES)
        .file("evals/d.yaml", fixture);
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 1, "{finished:?}");
    let output = report["cases"][0]["steps"][0]["output"]
        .as_str()
        .expect("there is an output");
    let said: Vec<&str> = output.lines().collect();
    assert_eq!(
        said,
        [
            r#"json=<"***">"#,
            r#"twice=<"\"***\"">"#,
            "html=<***>",
            "numbers=<***>",
            "form=<***>",
            "address=<***>",
            "hex=<***>",
            "HEX=<***>",
            "repr=<'***'>",
            "bytes=<b'***'>",
            "shell=<'***'>",
            "password=<***>",
        ]
    );
}

#[test]
fn a_server_gets_little_of_our_environment() {
    let fixture = "name: e\nserver: { command: sh, args: [-c, 'env >&2; exit 1'], env: { GIVEN: g }, env_inherit: [NAMED, ABSENT] }\n\
                   steps: [{ id: a, tool: t }]\n";
    let sandbox = Sandbox::new()
        .variable("NAMED", "n")
        .variable("OTHER_VARIABLE", "o")
        .variable("GITHUB_OUTPUT", "/x")
        .file("evals/e.yaml", fixture);
    let (_, report) = sandbox.report(&[]);
    let evidence = report["cases"][0]["error"]["evidence"].to_string();
    for given in ["GIVEN=g", "NAMED=n", "PATH=", "HOME="] {
        assert!(evidence.contains(given), "{given} is missing: {evidence}");
    }
    for kept in ["OTHER_VARIABLE", "GITHUB_OUTPUT", "ABSENT"] {
        assert!(!evidence.contains(kept), "{kept} was handed on: {evidence}");
    }
}

#[test]
fn a_named_server_comes_from_the_project_file() {
    let sandbox = Sandbox::new()
        .file(
            "mcpvals.yaml",
            "servers:\n  demo: { command: mcpvals, args: [demo-server] }\ndefaults: { server_scope: run }\n",
        )
        .file(
            "evals/a.yaml",
            "name: a\nserver: demo\nsteps: [{ id: a, tool: list_notes }]\n",
        )
        .file(
            "evals/b.yaml",
            "name: b\nserver: dmeo\nsteps: [{ id: a, tool: list_notes }]\n",
        );
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 2, "{finished:?}");
    assert_eq!(statuses(&report), [("a", "passed")]);
    assert!(finished.stderr.contains("did you mean `demo`?"), "{}", finished.stderr);
}

#[test]
fn a_thousand_cases_are_told_one_by_one() {
    let mut sandbox = Sandbox::new();
    for number in 0..1000 {
        sandbox = sandbox.file(
            &format!("evals/{number}.yaml"),
            &simulated(&number.to_string(), "x", "x"),
        );
    }
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(report["totals"]["passed"], 1000);
}

/// Says its token behind so much other text that every message about it is cut in the middle of the token.
const TELLS: &str = r#"import json, os, sys
token = os.environ["MY_TOKEN"]
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": token, "version": "1"}}
    elif m.get("method") == "tools/call":
        before = int(m["params"]["arguments"]["before"])
        print("x" * (before % 120) + token, flush=True)
        r = {"content": [{"type": "text", "text": "y" * before + token + "tail" * 100}], token: token}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;

#[test]
fn no_part_of_a_secret_survives_where_a_message_is_cut() {
    let secret = "SuperSecretValue-0123456789abcdefghijklmnopqrstuvwxyz";
    let steps: Vec<String> = (0..220)
        .step_by(20)
        .map(|before| format!("  - {{ id: s{before}, tool: t, input: {{ before: {before} }}, expect: {{ output_contains: hello, output_not_contains: tail, output_equals: \"x {{{{env.MY_TOKEN}}}}\" }} }}\n"))
        .collect();
    let fixture = format!(
        "name: s\nserver: {{ command: python3, args: [server.py], env_inherit: [MY_TOKEN] }}\nsteps:\n{}",
        steps.concat()
    );
    let sandbox = Sandbox::new()
        .variable("MY_TOKEN", secret)
        .file("server.py", TELLS)
        .file("evals/s.yaml", &fixture);
    let (finished, report) = sandbox.report(&["--junit", "junit.xml", "--transcript", "wire"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    let everything = [
        vec![
            finished.stdout,
            finished.stderr,
            sandbox.read("junit.xml"),
            report.to_string(),
        ],
        wire(&sandbox),
    ];
    for text in everything.iter().flatten() {
        for part in ["SuperS", "0123456", "uvwxyz", "jklmnop"] {
            let found = text
                .find(part)
                .map(|at| &text[at.saturating_sub(60)..(at + 60).min(text.len())]);
            assert_eq!(found, None, "a part of the secret is left");
        }
    }
}

/// The transcripts in the folder `wire`.
fn wire(sandbox: &Sandbox) -> Vec<String> {
    fs::read_dir(sandbox.path("wire"))
        .expect("there are transcripts")
        .map(|entry| fs::read_to_string(entry.expect("it is a file").path()).expect("it is text"))
        .collect()
}

/// Says its token in answers that cannot be read.
const GARBLES: &str = r#"import json, os, sys
token = os.environ["MY_TOKEN"].encode()
broken = {"nan": b'%s"}],"x":NaN}', "latin": b'%s\xe9"}]}', "slashes": b'%s"}]}'}
for line in sys.stdin:
    m = json.loads(line)
    id = str(m.get("id")).encode()
    if m.get("method") == "initialize":
        result = b'{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"g","version":"1"}}'
    elif m.get("method") == "tools/call":
        said = broken[m["params"]["name"]]
        if m["params"]["name"] == "slashes":
            token = token.replace(b"&", b"\\u0026").replace(b"/", b"\\/")
        result = b'{"content":[{"type":"text","text":"' + said.replace(b"%s", token)
    else:
        continue
    sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":' + id + b',"result":' + result + b"}\n")
    sys.stdout.buffer.flush()
"#;

#[test]
fn no_part_of_a_secret_survives_in_an_answer_that_cannot_be_read() {
    let secret = "Super&Secret/Value-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ-9876543210";
    let mut sandbox = Sandbox::new().variable("MY_TOKEN", secret).file("server.py", GARBLES);
    for tool in ["nan", "latin", "slashes"] {
        let fixture = format!(
            "name: {tool}\nserver: {{ command: python3, args: [server.py], env_inherit: [MY_TOKEN] }}\nsteps: [{{ id: a, tool: {tool} }}]\n"
        );
        sandbox = sandbox.file(&format!("evals/{tool}.yaml"), &fixture);
    }
    let (finished, report) = sandbox.report(&["--junit", "junit.xml", "--transcript", "wire"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    let shown = report.to_string();
    assert!(
        shown.contains("near the error: `…***") && shown.contains("at offset"),
        "{shown}"
    );
    let everything = [
        vec![finished.stdout, finished.stderr, sandbox.read("junit.xml"), shown],
        wire(&sandbox),
    ];
    for text in everything.iter().flatten() {
        for part in ["Super&", "Secret", "012345", "rstuvw", "RSTUVW", "543210"] {
            assert!(!text.contains(part), "`{part}` is left in {text}");
        }
    }
}

#[test]
fn what_a_server_says_besides_is_reported_without_secrets() {
    const TALKS: &str = r#"import json, os, sys
def say(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        say(id=m["id"], result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}})
    elif m.get("method") == "tools/call":
        say(method="notifications/message", params={"level": "info", "data": "token " + os.environ["MY_TOKEN"]})
        say(id="e", method="elicitation/create", params={})
    elif m.get("id") == "e":
        say(id=2, result={"content": []})
"#;
    let fixture = "name: s\nserver: { command: python3, args: [server.py], env_inherit: [MY_TOKEN] }\nsteps: [{ id: a, tool: t }]\n";
    let (finished, report) = Sandbox::new()
        .variable("MY_TOKEN", "SuperSecretValue-0123456789")
        .file("server.py", TALKS)
        .file("evals/s.yaml", fixture)
        .report(&["--verbose"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let step = &report["cases"][0]["steps"][0];
    assert_eq!(step["server_requests"], serde_json::json!(["elicitation/create"]));
    assert_eq!(
        step["notifications"],
        serde_json::json!([{"method": "notifications/message", "params": {"level": "info", "data": "token ***"}}])
    );
    let said = "the server\n    asked for elicitation/create\n    told notifications/message {\"level\":\"info\",\"data\":\"token ***\"}\n";
    assert!(finished.stdout.contains(said), "{}", finished.stdout);
}

#[test]
fn with_one_case_at_a_time_there_is_one_server_at_a_time() {
    let server = format!("{FLAKY}\nopen('log', 'a').write('end ')\n")
        .replace(
            "import json, os, sys",
            "import json, os, sys, time\nopen('log', 'a').write('start ')",
        )
        .replace(
            "\nopen('log', 'a').write('end ')",
            "\ntime.sleep(0.2)\nopen('log', 'a').write('end ')",
        );
    let mut sandbox = Sandbox::new().file("server.py", &server);
    for name in ["a", "b", "c"] {
        let fixture =
            format!("name: {name}\nserver: {{ command: python3, args: [server.py] }}\nsteps: [{{ id: a, tool: t }}]\n");
        sandbox = sandbox.file(&format!("evals/{name}.yaml"), &fixture);
    }
    assert_eq!(sandbox.run(&["run", "-j", "1"]).code, 0);
    assert_eq!(sandbox.read("log").trim(), "start end start end start end");
}

#[test]
fn a_shared_server_that_did_not_start_is_tried_again_by_a_retry() {
    let server = format!(
        "import os, sys\nif not os.path.exists('tried'):\n    open('tried', 'w').close()\n    sys.exit(1)\n{FLAKY}"
    );
    let fixture = "name: f\nserver: { command: python3, args: [server.py] }\nserver_scope: run\nretries: 2\nsteps: [{ id: a, tool: t }]\n";
    let sandbox = Sandbox::new().file("server.py", &server).file("evals/f.yaml", fixture);
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(
        (&report["cases"][0]["status"], &report["cases"][0]["attempts"]),
        (&"flaky".into(), &2.into())
    );
}

#[test]
fn a_list_of_tools_that_cannot_be_had_is_the_servers_error() {
    let server = FLAKY.replace(
        "    else:\n        continue",
        "    elif m.get(\"method\") == \"tools/list\":\n        r = {\"tools\": {}}\n    else:\n        continue",
    );
    let fixture = "name: f\nserver: { command: python3, args: [server.py] }\nsteps: [{ id: a, tool: t, expect: { tool_called: t } }]\n";
    let (finished, report) = Sandbox::new()
        .file("server.py", &server)
        .file("evals/f.yaml", fixture)
        .report(&[]);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert_eq!(report["cases"][0]["steps"][0]["error"]["phase"], "tools/list");
}

#[test]
fn what_a_server_says_of_itself_is_bounded_in_reports() {
    let server = FLAKY.replace("\"name\": \"f\"", "\"name\": \"N\" * 2000000");
    let fixture = "name: f\nserver: { command: python3, args: [server.py] }\nsteps: [{ id: a, tool: t }]\n";
    let sandbox = Sandbox::new().file("server.py", &server).file("evals/f.yaml", fixture);
    let (finished, _) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(sandbox.read("report.json").len() < 20_000);
}

#[test]
fn a_timeout_takes_the_time_it_took() {
    let slow = "{ id: slow, tool: slow, input: { ms: 60000 } }";
    let sandbox = Sandbox::new().file("evals/a.yaml", &demo("a", &[slow]));
    let (_, report) = sandbox.report(&["--timeout", "300"]);
    let took = report["cases"][0]["steps"][0]["duration_ms"]
        .as_f64()
        .expect("it is a number");
    assert!((300.0..10_000.0).contains(&took), "{took}");
}

#[test]
fn a_slip_in_the_name_of_a_tool_is_told_even_where_an_error_is_expected() {
    // As SDK servers do: an unknown tool is a result with `isError`.
    let tools = r#"import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif m.get("method") == "tools/list":
        r = {"tools": [{"name": "get-sum", "inputSchema": {"type": "object"}}]}
    else:
        r = {"content": [{"type": "text", "text": "unknown tool"}], "isError": True}
    if "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;
    let case = |name: &str, step: &str| {
        format!("name: {name}\nserver: {{ command: python3, args: [server.py] }}\nsteps:\n  - {{ id: a, {step} }}\n")
    };
    let sandbox = Sandbox::new()
        .file("server.py", tools)
        .file(
            "evals/a.yaml",
            &case("slip", "tool: gett-sum, expect: { is_error: true }"),
        )
        .file("evals/b.yaml", &case("meant", "tool: nope, expect: { is_error: true }"))
        .file("evals/c.yaml", &case("unexpected", "tool: gett-sum"));
    let (finished, report) = sandbox.report(&[]);
    let words = "the server lists no tool `gett-sum`; did you mean `get-sum`?";
    let cases = &report["cases"];
    assert_eq!(cases[0]["findings"][0]["code"], "unlisted-tool", "{finished:?}");
    let finding = cases[0]["findings"][0]["message"].as_str().expect("it has words");
    assert!(finding.contains(words), "{finding}");
    assert!(
        cases[1]["findings"].as_array().is_none_or(Vec::is_empty),
        "{finished:?}"
    );
    let outcome = cases[2]["steps"][0]["outcomes"][0]["message"]
        .as_str()
        .expect("it has words");
    assert!(outcome.contains(words), "{outcome}");
}

#[test]
fn a_step_that_needs_a_value_of_a_failed_step_is_skipped() {
    let steps = [
        "{ id: made, tool: echo, input: { text: plain }, expect: { output_contains: other } }",
        "{ id: used, tool: echo, input: { text: '{{steps.made.json.id}}' } }",
        "{ id: last, tool: echo, input: { text: fine }, expect: { output_equals: fine } }",
    ];
    let sandbox = Sandbox::new().file("evals/a.yaml", &demo("a", &steps));
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(statuses(&report), [("a", "failed")]);
    let steps = &report["cases"][0]["steps"];
    let statuses: Vec<_> = (0..3)
        .map(|n| steps[n]["status"].as_str().expect("it has one"))
        .collect();
    assert_eq!(statuses, ["failed", "skipped", "passed"]);
    assert!(
        finished
            .stdout
            .contains("`used` not run: step `made` failed, and `{{steps.made.json.id}}` has no value"),
        "{}",
        finished.stdout
    );
}

#[test]
fn a_value_that_is_missing_without_a_failure_is_an_error() {
    let steps = [
        "{ id: made, tool: echo, input: { text: plain } }",
        "{ id: used, tool: echo, input: { text: '{{steps.made.json.id}}' } }",
    ];
    let (_, report) = Sandbox::new().file("evals/a.yaml", &demo("a", &steps)).report(&[]);
    assert_eq!(statuses(&report), [("a", "errored")]);
    assert_eq!(report["cases"][0]["steps"][1]["error"]["kind"], "missing-value");
}

#[test]
fn a_limit_is_named_after_the_setting_it_comes_from() {
    let slow = |limit: &str| format!("{{ id: slow, tool: slow, input: {{ ms: 60000 }}{limit} }}");
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &demo("a", &[&slow(", timeout: 200ms")]))
        .file("evals/b.yaml", &format!("timeout: 210ms\n{}", demo("b", &[&slow("")])))
        .file("evals/c.yaml", &demo("c", &[&slow("")]))
        .file("mcpvals.yaml", "defaults: { timeout: 230ms }\n");
    let said = |report: &serde_json::Value, case: usize| {
        let message = report["cases"][case]["steps"][0]["error"]["message"].as_str();
        message.expect("it has words").to_owned()
    };
    let (_, report) = sandbox.report(&["--timeout", "220"]);
    assert_eq!(
        said(&report, 0),
        "the call did not end within 200 ms (`timeout` of the step)"
    );
    assert_eq!(
        said(&report, 1),
        "the call did not end within 210 ms (`timeout` of the fixture)"
    );
    assert_eq!(said(&report, 2), "the call did not end within 220 ms (--timeout)");
    let (_, report) = sandbox.report(&[]);
    assert_eq!(
        said(&report, 2),
        "the call did not end within 230 ms (`defaults.timeout` of mcpvals.yaml)"
    );
}

#[test]
fn an_address_that_refuses_is_waited_for_once_in_a_run() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    drop(listener);
    let case = |name: &str| {
        let server = format!("server: {{ transport: shttp, url: 'http://{address}/mcp' }}");
        format!("name: {name}\n{server}\nsteps: [{{ id: a, tool: t }}]\n")
    };
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &case("a"))
        .file("evals/b.yaml", &case("b"));
    let (finished, report) = sandbox.report(&["-j", "1", "--startup-timeout", "2s"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    let took = |case: usize| {
        report["cases"][case]["duration_ms"]
            .as_f64()
            .expect("it took some time")
    };
    assert!(took(1) < took(0) / 2.0, "{} and {}", took(0), took(1));
    for case in 0..2 {
        assert_eq!(report["cases"][case]["error"]["kind"], "unreachable", "{report:#}");
    }
}

#[test]
fn a_server_that_ends_at_once_is_told_with_its_reason_and_what_was_run() {
    let case = "name: a\nserver: { command: python3, args: [nowhere.py] }\nsteps: [{ id: a, tool: t }]\n";
    let sandbox = Sandbox::new().file("evals/a.yaml", case);
    let finished = sandbox.run(&["run"]);
    let folder = sandbox.path("").canonicalize().expect("it is there");
    let help = format!("`python3 nowhere.py` was run in `{}`", folder.display());
    assert!(finished.stdout.contains(&help), "{}", finished.stdout);
    assert_eq!(
        finished.stdout.matches("exit status 2").count(),
        1,
        "{}",
        finished.stdout
    );
    assert!(finished.stdout.contains("No such file"), "{}", finished.stdout);
}

#[test]
fn literal_secrets_are_masked_where_a_broken_file_is_shown() {
    let broken = "name: b\nserver: { comand: x, env: { API_KEY: sk-live-4711 }, headers: { Authorization: Bearer abc-4712 } }\n\
                  steps: [{ id: a, tool: t, input: { password: pass-4713, x: '{{vars.none}}' } }]\n";
    let torn = "name: t\nserver: { command: x, env: { DB_PASSWORD: \"pass-4714\", A: *none } }\nsteps: [}\n";
    let named = "name: n\nserver: s\nsteps: [{ id: a, tool: t }]\n";
    let project = "servers: { s: { comand: x, env: { URL: 'redis://:pass-4715@h' } } }\n";
    let sandbox = Sandbox::new()
        .file("mcpvals.yaml", project)
        .file("evals/b.yaml", broken)
        .file("evals/n.yaml", named)
        .file("evals/t.yaml", torn);
    let (finished, report) = sandbox.report(&["--junit", "junit.xml", "--html", "report.html"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    let mut everything = vec![
        finished.stdout,
        finished.stderr,
        sandbox.read("junit.xml"),
        sandbox.read("report.html"),
        report.to_string(),
    ];
    for command in ["list", "validate"] {
        let finished = sandbox.run(&[command, "evals"]);
        everything.extend([finished.stdout, finished.stderr]);
    }
    assert!(everything.iter().all(|text| !text.contains("-471")), "{everything:?}");
    let shown = "2 | server: { comand: x, env: { API_KEY: *** }, headers: { Authorization: Bearer *** } }";
    assert!(everything[1].contains(shown), "{}", everything[1]);
    assert!(
        everything[1].contains("env: { URL: 'redis://:***@h' }"),
        "{}",
        everything[1]
    );
}

#[test]
fn beside_a_project_file_that_hides_secrets_nothing_is_started() {
    for project in ["secrets: [MY_VALUE\n", "secrets: {MY_VALUE: x}\n"] {
        let sandbox = Sandbox::new()
            .variable("MY_VALUE", "open sesame")
            .file("mcpvals.yaml", project)
            .file("evals/sim.yaml", &simulated("sim", "x", "x"))
            .file(
                "evals/live.yaml",
                "name: live\nserver: { command: sh, args: [-c, 'touch started'], env_inherit: [MY_VALUE] }\n\
                 steps: [{ id: a, tool: t, expect: { output_matches: '{{env.MY_VALUE}}(' } }]\n",
            );
        let (finished, report) = sandbox.report(&["--junit", "junit.xml"]);
        assert_eq!(finished.code, 2, "{project}: {finished:?}");
        assert_eq!(
            (&report["verdict"], &report["totals"]["cases"]),
            (&"invalid".into(), &0.into())
        );
        assert!(
            sandbox.read("junit.xml").contains("<testsuites"),
            "every report is written"
        );
        assert!(
            finished.stdout.contains("no case was run: which values are secret"),
            "{finished:?}"
        );
        assert!(!sandbox.path("started").exists(), "{project}: a server was started");
        let all = [finished.stdout, finished.stderr, report.to_string()].concat();
        assert!(!all.contains("open sesame"), "{project}: {all}");
        let listed = sandbox.run(&["list"]);
        assert_eq!((listed.code, listed.stdout.as_str()), (2, "0 cases\n"), "{listed:?}");
        let validated = sandbox.run(&["validate"]);
        assert_eq!(
            (validated.code, validated.stdout.as_str()),
            (2, "✗ 1 problem, 0 cases usable\n"),
            "{validated:?}"
        );
    }
}

#[test]
fn a_project_file_that_is_no_file_is_refused_at_once() {
    let make: [fn(&Path) -> io::Result<()>; 3] = [
        |path| symlink("gone.yaml", path),
        |path| fs::create_dir(path),
        |path| Ok(nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU)?),
    ];
    let leads_nowhere = "the symlink `mcpvals.yaml` leads nowhere";
    let is_no_file = "`mcpvals.yaml` is not a regular file";
    for (make, said) in make.into_iter().zip([leads_nowhere, is_no_file, is_no_file]) {
        let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("a", "x", "x"));
        make(&sandbox.path("mcpvals.yaml")).expect("it is new");
        for command in ["run", "list", "validate"] {
            let finished = sandbox.run(&[command]);
            assert_eq!(finished.code, 2, "{command}: {finished:?}");
            assert!(finished.stderr.contains(said), "{command}: {finished:?}");
        }
    }
}

#[test]
fn a_pipe_that_is_named_as_a_fixture_is_refused_at_once() {
    let sandbox = Sandbox::new();
    for name in ["pipe.yaml", "pipe.json"] {
        nix::unistd::mkfifo(&sandbox.path(name), nix::sys::stat::Mode::S_IRWXU).expect("it is new");
        let finished = sandbox.run(&["run", name, "--db", "runs.db"]);
        assert_eq!(finished.code, 2, "{finished:?}");
        let said = format!("`{name}` is not a regular file");
        assert!(finished.stderr.contains(&said), "{finished:?}");
    }
}

#[test]
fn there_are_no_more_workers_than_cases() {
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &simulated("a", "x", "x"))
        .file("evals/b.yaml", &simulated("b", "x", "x"));
    let (finished, _) = sandbox.report(&["-j", "256"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(
        finished.stderr.contains("running 2 cases, up to 2 at a time"),
        "{finished:?}"
    );
}
