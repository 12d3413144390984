//! A run that is stopped: by a signal, by its limit, by a failure. Nothing is left running, and the report is there.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;

use crate::harness::{Finished, Sandbox, demo, read_json, simulated, statuses};

/// Answers the handshake, then never a call; it and its helper tell their process ids.
const HANGS: &str = r#"import json, os, subprocess, sys
helper = subprocess.Popen(["sleep", "600"], start_new_session=True)
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
    elif m.get("method") == "tools/call":
        with open("pids.part", "w") as f: f.write(f"{os.getpid()} {helper.pid}")
        os.rename("pids.part", "pids")
"#;

const CASE: &str =
    "name: hangs\nserver: { command: python3, args: [server.py] }\nsteps: [{ id: a, tool: t }, { id: b, tool: t }]\n";

fn sandbox() -> Sandbox {
    Sandbox::new()
        .file("server.py", HANGS)
        .file("evals/a.yaml", &simulated("before", "x", "x"))
        .file("evals/b.yaml", CASE)
        .file("evals/c.yaml", &simulated("after", "x", "x"))
}

/// Waits until the hanging call has been made.
fn wait_for_the_call(sandbox: &Sandbox) -> Vec<i32> {
    let limit = Instant::now() + Duration::from_secs(20);
    while Instant::now() < limit {
        if let Ok(pids) = std::fs::read_to_string(sandbox.path("pids")) {
            return pids
                .split_whitespace()
                .map(|pid| pid.parse().expect("it is a number"))
                .collect();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the server was never called");
}

fn is_alive(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim_start()
            .starts_with('Z')
    })
}

fn start(sandbox: &Sandbox) -> Child {
    sandbox
        .command(&["run", "-j", "1", "--json", "report.json", "--junit", "junit.xml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

fn stopped_by(signal: Signal) {
    let sandbox = sandbox();
    let child = start(&sandbox);
    let pids = wait_for_the_call(&sandbox);
    kill(Pid::from_raw(child.id().cast_signed()), signal).expect("the run can be signalled");
    let began = Instant::now();
    let finished = Finished::from(child.wait_with_output().expect("it ends"));
    assert!(
        began.elapsed() < Duration::from_secs(7),
        "GitHub's runner waits 7.5 seconds, this took {:?}",
        began.elapsed()
    );
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(!pids.iter().any(|pid| is_alive(*pid)), "{pids:?} live on");
    let report: Value = read_json(&sandbox.path("report.json"));
    assert_eq!(
        statuses(&report),
        [("before", "passed"), ("hangs", "errored"), ("after", "skipped")]
    );
    assert_eq!(report["cases"][1]["steps"][0]["error"]["kind"], "interrupted");
    assert_eq!(report["cases"][2]["reason"], "not run: it was interrupted");
    assert!(sandbox.read("junit.xml").contains("</testsuites>"));
    assert!(finished.stdout.contains("interrupted"), "{}", finished.stdout);
}

#[test]
fn an_attempt_that_never_began_is_not_counted() {
    const FAILS_ONCE: &str = r#"import json, os, sys, time
if os.path.exists("again"):
    open("pids", "w").close()
    time.sleep(600)
for line in sys.stdin:
    m = json.loads(line)
    r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}
    if m.get("method") == "tools/call":
        open("again", "w").close()
        r = {"content": [], "isError": True}
    if "id" in m: print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;
    let sandbox = Sandbox::new()
        .file("server.py", FAILS_ONCE)
        .file("evals/a.yaml", &format!("{CASE}retries: 1\n"));
    let child = start(&sandbox);
    wait_for_the_call(&sandbox);
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("the run can be signalled");
    child.wait_with_output().expect("it ends");
    let report: Value = read_json(&sandbox.path("report.json"));
    let case = &report["cases"][0];
    assert_eq!(case["status"], "failed");
    assert_eq!(case["attempts"], 1);
    assert_eq!(case["earlier_attempts"], serde_json::json!([]));
}

#[test]
fn ctrl_c_leaves_a_partial_report_and_no_process() {
    stopped_by(Signal::SIGINT);
}

#[test]
fn a_cancelled_job_leaves_a_partial_report_and_no_process() {
    stopped_by(Signal::SIGTERM);
}

#[test]
fn quitting_leaves_a_partial_report_and_no_process() {
    stopped_by(Signal::SIGQUIT);
}

#[test]
fn two_signals_at_once_still_leave_a_report_and_no_process() {
    let sandbox = sandbox();
    let child = start(&sandbox);
    let pids = wait_for_the_call(&sandbox);
    let run = Pid::from_raw(child.id().cast_signed());
    kill(run, Signal::SIGINT).expect("the run can be signalled");
    kill(run, Signal::SIGTERM).expect("the run can be signalled");
    let finished = Finished::from(child.wait_with_output().expect("it ends"));
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(!pids.iter().any(|pid| is_alive(*pid)), "{pids:?} live on");
    let report: Value = read_json(&sandbox.path("report.json"));
    assert_eq!(statuses(&report)[1], ("hangs", "errored"));
}

#[test]
fn what_was_not_reached_is_run_again_by_rerun_failed() {
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &simulated("a", "x", "y"))
        .file("evals/b.yaml", &simulated("b", "x", "x"));
    assert_eq!(sandbox.run(&["run", "-j", "1", "--fail-fast"]).code, 1);
    let (_, report) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(statuses(&report), [("a", "failed"), ("b", "passed")]);
}

#[test]
fn the_limit_of_the_run_ends_it() {
    let sandbox = sandbox();
    let (finished, report) = sandbox.report(&["-j", "1", "--max-time", "2s"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert_eq!(
        statuses(&report),
        [("before", "passed"), ("hangs", "errored"), ("after", "skipped")]
    );
    assert!(finished.stdout.contains("--max-time 2s ran out"), "{}", finished.stdout);
    assert!(!wait_for_the_call(&sandbox).into_iter().any(is_alive));
}

#[test]
fn fail_fast_begins_no_further_case() {
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &simulated("a", "x", "y"))
        .file("evals/b.yaml", &simulated("b", "x", "x"));
    let (finished, report) = sandbox.report(&["-j", "1", "--fail-fast"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert_eq!(statuses(&report), [("a", "failed"), ("b", "skipped")]);
    assert_eq!(
        report["cases"][1]["reason"],
        "not run: --fail-fast after `evals/a.yaml › a`"
    );
}

#[test]
fn a_killed_run_takes_a_well_behaved_server_with_it() {
    let steps = ["{ id: slow, tool: slow, input: { ms: 60000 } }"];
    let sandbox = Sandbox::new().file("evals/a.yaml", &demo("a", &steps));
    let mut child = sandbox
        .command(&["run", "--transcript", "wire"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let server = server_of(child.id());
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL).expect("the run can be killed");
    child.wait().expect("it ends");
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
    stderr.read_until(0, &mut Vec::new()).expect("stderr ends");
    let limit = Instant::now() + Duration::from_secs(10);
    while is_alive(server) {
        assert!(Instant::now() < limit, "the server lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The first child of a process.
fn server_of(parent: u32) -> i32 {
    let limit = Instant::now() + Duration::from_secs(20);
    while Instant::now() < limit {
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
        if let Some(child) = children.split_whitespace().next() {
            return child.parse().expect("it is a number");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no server was started");
}
