//! Exit codes and what they mean.

use crate::harness::{Sandbox, demo, simulated, statuses};

const PASSING: &str = "{ id: sum, tool: add, input: { a: 1, b: 2 }, expect: { output_equals: '3' } }";

#[test]
fn a_run_whose_cases_pass_is_0() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &demo("a", &[PASSING]));
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(
        (&report["verdict"], &report["exit_code"]),
        (&"passed".into(), &0.into())
    );
    assert_eq!(report["cases"][0]["mode"], "live");
}

#[test]
fn a_failed_assertion_is_1_and_points_at_its_line() {
    let fixture = "name: a\nserver: { command: mcpvals, args: [demo-server] }\nsteps:\n  - id: sum\n    tool: add\n    \
                   input: { a: 1, b: 2 }\n    expect:\n      output_contains: '3'\n      output_equals: '4'\n";
    let sandbox = Sandbox::new().file("evals/a.yaml", fixture);
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(finished.stdout.contains("evals/a.yaml:9:7"), "{}", finished.stdout);
    let outcomes = &report["cases"][0]["steps"][0]["outcomes"];
    assert_eq!(
        (&outcomes[0]["status"], &outcomes[1]["status"]),
        (&"passed".into(), &"failed".into())
    );
    assert_eq!(outcomes[1]["line"], 9);
}

#[test]
fn a_broken_fixture_is_2_and_the_good_ones_still_run() {
    let sandbox = Sandbox::new()
        .file("evals/good.yaml", &demo("good", &[PASSING]))
        .file("evals/bad.yaml", "name: bad\nstep: []\n");
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 2, "{finished:?}");
    assert!(finished.stderr.contains("did you mean `steps`?"), "{}", finished.stderr);
    assert_eq!(statuses(&report), [("good", "passed")]);
    assert_eq!(report["diagnostics"][0]["file"], "evals/bad.yaml");
}

#[test]
fn nothing_to_run_is_3() {
    let sandbox = Sandbox::new().file("evals/.keep", "");
    let finished = sandbox.run(&["run"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(finished.stdout.contains("no fixture was found"), "{}", finished.stdout);
}

#[test]
fn a_missing_folder_is_2() {
    let finished = Sandbox::new().run(&["run", "nowhere"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    assert!(finished.stderr.contains("nowhere"), "{}", finished.stderr);
}

#[test]
fn a_server_that_dies_is_1_and_a_command_that_is_missing_is_3() {
    let dies = demo("dies", &["{ id: boom, tool: crash, input: {} }", PASSING]);
    let sandbox = Sandbox::new().file("evals/dies.yaml", &dies);
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 1, "{finished:?}");
    let case = &report["cases"][0];
    assert_eq!(
        (&case["status"], &case["steps"][0]["error"]["origin"]),
        (&"errored".into(), &"server".into())
    );
    assert_eq!(case["steps"][1]["status"], "skipped");
    assert_eq!(case["steps"][1]["reason"], "not run: step `boom` gave no result");
    assert_eq!(case["findings"], serde_json::json!([]), "the error tells of it already");
    assert!(finished.stdout.contains("exit status 3"), "{}", finished.stdout);

    let missing = "name: m\nserver: { command: no-such-server }\nsteps: [{ id: a, tool: t }]\n";
    let (finished, report) = Sandbox::new().file("evals/m.yaml", missing).report(&[]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert_eq!(report["cases"][0]["error"]["origin"], "surroundings");
}

#[test]
fn a_server_that_crashes_after_its_last_answer_is_remarked() {
    // The answer is so long that the server is gone before it is judged.
    const CRASHES: &str = r#"import json, os, sys
for line in sys.stdin:
    m = json.loads(line)
    r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "c", "version": "1"}}
    if m.get("method") == "tools/call": r = {"content": [{"type": "text", "text": "x" * 4_000_000}]}
    if "id" in m: print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
    if m.get("method") == "tools/call": os._exit(3)
"#;
    let case = "name: c\nserver: { command: python3, args: [server.py] }\nsteps: [{ id: a, tool: t }]\n";
    let sandbox = Sandbox::new().file("server.py", CRASHES).file("evals/c.yaml", case);
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let remark = &report["cases"][0]["findings"][0];
    assert_eq!(remark["code"], "server-crashed");
    let said = "the server ended by itself after its last answer: exit status 3";
    assert_eq!(remark["message"], said);
    assert!(finished.stdout.contains(said), "{finished:?}");
}

#[test]
fn simulated_cases_are_labelled_and_counted_apart() {
    let sandbox = Sandbox::new().file("evals/s.yaml", &simulated("s", "hello", "ell"));
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(finished.stdout.contains("simulation"), "{}", finished.stdout);
    assert_eq!(
        (&report["cases"][0]["mode"], &report["totals"]["simulated"]),
        (&"simulated".into(), &1.into())
    );
}

#[test]
fn a_skipped_case_says_why_and_needs_no_variable() {
    let fixture = "name: s\nskip_unless: { env: TOKEN }\nserver: { command: x, env: { T: \"${TOKEN}\" } }\n\
                   steps: [{ id: a, tool: t, input: { v: \"{{env.TOKEN}}\" } }]\n";
    let sandbox = Sandbox::new()
        .file("evals/s.yaml", fixture)
        .file("evals/t.yaml", &simulated("t", "x", "x"));
    let (finished, report) = sandbox.report(&[]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(statuses(&report), [("s", "skipped"), ("t", "passed")]);
    assert_eq!(
        report["cases"][0]["reason"],
        "the environment variable `TOKEN` is not set"
    );
}

#[test]
fn a_report_that_cannot_be_written_is_not_a_green_run() {
    let sandbox = Sandbox::new().file("evals/s.yaml", &simulated("s", "x", "x"));
    let finished = sandbox.run(&["run", "--json", "/dev/full"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(finished.stderr.contains("/dev/full"), "{}", finished.stderr);
}

#[test]
fn a_report_beyond_the_size_of_a_file_could_not_be_written() {
    let sandbox = Sandbox::new().file("evals/s.yaml", &simulated("s", &"x".repeat(2000), "x"));
    let finished = sandbox.run_with_small_files(&["run", "--json", "out.json"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    let said = "mcpvals: `out.json` could not be written: File too large";
    assert!(finished.stderr.contains(said), "{finished:?}");
    assert!(finished.stdout.contains("1 case passed"), "{finished:?}");
    assert!(!sandbox.path("out.json").exists(), "half a report is none");
}

#[test]
fn a_transcript_that_cannot_be_written_is_not_a_green_run() {
    let step = "{ id: a, tool: echo, input: { text: hello } }";
    let sandbox = Sandbox::new()
        .file("evals/d.yaml", &demo("d", &[step]))
        .file("wire/other.jsonl", "");
    let transcript = sandbox.path("wire/evals+d.yaml-d.jsonl");
    std::os::unix::fs::symlink("/dev/full", transcript).expect("the folder is writable");
    let finished = sandbox.run(&["run", "--transcript", "wire"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    let said = "mcpvals: the transcript `wire/evals+d.yaml-d.jsonl` could not be written to its end: No space left";
    assert!(finished.stderr.contains(said), "{finished:?}");
    assert!(finished.stdout.contains("1 case passed"), "{finished:?}");
}

#[test]
fn a_report_never_takes_the_place_of_a_fixture_or_of_another_report() {
    let sandbox = Sandbox::new().file("evals/s.yaml", &simulated("s", "x", "x"));
    for arguments in [
        ["run", "--json", "evals/s.yaml"].as_slice(),
        &["run", "--json", "same", "--junit", "same"],
        &["run", "--json", "-"],
        &["run", "--rerun-failed=nope.json"],
        &["run", "--transcript", "evals/s.yaml"],
        &["run", "--filter", ""],
    ] {
        let finished = sandbox.run(arguments);
        assert_eq!(finished.code, 2, "{arguments:?}: {finished:?}");
    }
    assert!(sandbox.read("evals/s.yaml").starts_with("name: s"));
}

#[test]
fn a_slip_in_the_name_of_a_tool_is_told_where_an_error_is_expected() {
    let step = |tool: &str| format!("{{ id: a, tool: {tool}, expect: {{ protocol_error: true }} }}");
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &demo("slip", &[&step("ecko")]))
        .file("evals/b.yaml", &demo("meant", &[&step("no_tool_of_this_kind")]));
    let (finished, report) = sandbox.report(&["-j", "1"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let told = &report["cases"][0]["findings"][0];
    assert_eq!(told["code"], "unlisted-tool");
    assert_eq!(told["message"], "the server lists no tool `ecko`; did you mean `echo`?");
    assert!(
        finished.stdout.contains("warning: the server lists no tool `ecko`"),
        "{finished:?}"
    );
    assert_eq!(report["cases"][1]["findings"], serde_json::json!([]));
}

#[test]
fn an_expectation_that_takes_for_ever_to_judge_is_given_up() {
    let fixture = format!(
        "name: bomb\nsteps:\n  - {{ id: a, tool: t, expected_output: {}, expect: {{ output_matches: '((a{{1,500}}){{1,50}})+b' }} }}\n",
        "a".repeat(50_000)
    );
    let (finished, report) = Sandbox::new().file("evals/a.yaml", &fixture).report(&[]);
    assert_eq!(finished.code, 3, "{finished:?}");
    let outcome = &report["cases"][0]["steps"][0]["outcomes"][0];
    assert_eq!(outcome["status"], "errored");
    assert!(
        outcome["message"]
            .as_str()
            .is_some_and(|it| it.contains("judging took longer")),
        "{outcome}"
    );
}
