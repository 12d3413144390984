//! How sessions and servers end, and that nothing survives them.

use std::time::{Duration, Instant};

use mcpvals::{
    mcp::SessionOptions,
    model::{FaultKind, Phase, TimeLimit},
};

use crate::harness::{LONG, call, eventually, is_alive, open, options, output, pid, try_open};

#[tokio::test]
async fn calls_a_tool_and_leaves_nothing_behind() {
    let session = open("").await;
    assert_eq!(session.identity().protocol, "2025-06-18");
    assert_eq!(output(&session, "echo").await, "hello");
    let server = pid(&session).await;
    assert!(is_alive(server));
    session.close().await;
    assert!(!is_alive(server));
    assert!(!session.is_open());
    session.close().await;
    assert_eq!(call(&session, "echo", LONG).await.unwrap_err().kind, FaultKind::Closed);
}

#[tokio::test]
async fn an_early_exit_is_told_at_once_with_status_and_last_words() {
    let begun = Instant::now();
    let error = try_open("sys.exit('DEMO_KEY is missing')", options())
        .await
        .unwrap_err();
    assert!(begun.elapsed() < LONG / 2);
    assert_eq!(
        (error.fault.kind, error.fault.phase),
        (FaultKind::Exited, Phase::Initialize)
    );
    assert_eq!(
        error.fault.message,
        "the server exited (exit status 1) before it answered `initialize`"
    );
    assert_eq!(error.fault.evidence, ["stderr: DEMO_KEY is missing"]);
}

#[tokio::test]
async fn a_crash_in_a_call_is_told_at_once() {
    let session = open("def call(id, name, arguments): os.kill(os.getpid(), 11)").await;
    let begun = Instant::now();
    let fault = call(&session, "echo", LONG).await.unwrap_err();
    assert!(begun.elapsed() < LONG / 2);
    assert_eq!(fault.kind, FaultKind::Exited);
    assert!(fault.message.contains("killed by signal 11 (SIGSEGV)"), "{fault}");
    assert!(!session.is_open());
    session.close().await;
}

#[tokio::test]
async fn a_helper_that_holds_stdout_does_not_hide_the_exit() {
    let behaviour = "
def call(id, name, arguments):
    if name == 'helper': return ok(id, text(helper.pid))
    os._exit(3)
helper = subprocess.Popen(['sleep', '600'])";
    let session = open(behaviour).await;
    let helper: u32 = output(&session, "helper").await.parse().unwrap();
    let begun = Instant::now();
    let fault = call(&session, "echo", LONG).await.unwrap_err();
    assert!(begun.elapsed() < LONG / 2);
    assert!(fault.message.contains("exit status 3"), "{fault}");
    assert!(is_alive(helper));
    session.close().await;
    assert!(!is_alive(helper));
}

#[tokio::test]
async fn a_mute_server_runs_into_the_startup_limit_and_is_ended() {
    let behaviour = "print(os.getpid(), 'waiting', file=sys.stderr, flush=True)\ndef init(id, params): pass";
    // Long enough for Python to start on a busy machine.
    let options = SessionOptions {
        startup_timeout: TimeLimit::new(Duration::from_secs(3), "--startup-timeout"),
        ..options()
    };
    let fault = try_open(behaviour, options).await.unwrap_err().fault;
    assert_eq!(
        fault.message,
        "`initialize` did not answer within 3 s (--startup-timeout)"
    );
    let line = fault
        .evidence
        .iter()
        .find_map(|line| line.strip_prefix("stderr: "))
        .expect("its last words");
    assert!(!is_alive(line.split(' ').next().unwrap().parse().unwrap()));
}

#[tokio::test]
async fn a_server_that_ignores_everything_is_killed_within_a_bound() {
    let session = open(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nold = serve\ndef serve():\n old()\n while True: time.sleep(1)",
    )
    .await;
    let server = pid(&session).await;
    let begun = Instant::now();
    session.close().await;
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert!(!is_alive(server));
}

#[tokio::test]
async fn a_grandchild_that_left_the_group_is_ended_too() {
    let behaviour = "
away = subprocess.Popen(['sleep', '600'], start_new_session=True, stdout=subprocess.DEVNULL)
def call(id, name, arguments): ok(id, text(away.pid))";
    let session = open(behaviour).await;
    let grandchild: u32 = output(&session, "away").await.parse().unwrap();
    assert!(is_alive(grandchild));
    session.close().await;
    assert!(!is_alive(grandchild));
}

#[tokio::test]
async fn a_server_that_left_its_group_is_ended_too() {
    let behaviour = "
os.setpgid(0, os.getpgid(os.getppid()))
signal.signal(signal.SIGTERM, signal.SIG_IGN)
old = serve
def serve():
    old()
    while True: time.sleep(1)";
    let session = open(behaviour).await;
    let server = pid(&session).await;
    session.close().await;
    assert!(!is_alive(server));

    let session = open(&behaviour.replace("SIG_IGN", "SIG_DFL")).await;
    let server = pid(&session).await;
    drop(session);
    eventually(|| !is_alive(server)).await;
}

#[tokio::test]
async fn an_exit_between_two_calls_closes_the_session() {
    let session = open("def call(id, name, arguments): plain(id, name, arguments); os._exit(0)").await;
    assert_eq!(output(&session, "echo").await, "hello");
    eventually(|| !session.is_open()).await;
    assert_eq!(call(&session, "echo", LONG).await.unwrap_err().kind, FaultKind::Exited);
    session.close().await;
}

/// What is remarked of a server that ends so right after its answer.
async fn crash_after_an_answer(end: &str) -> Option<String> {
    let session = open(&format!(
        "def call(id, name, arguments): plain(id, name, arguments); {end}"
    ))
    .await;
    assert_eq!(output(&session, "echo").await, "hello");
    eventually(|| !session.is_open()).await;
    let crash = session.crash();
    session.close().await;
    crash.map(|finding| format!("{}: {}", finding.code, finding.message))
}

#[tokio::test]
async fn a_crash_after_the_last_answer_is_remarked() {
    let said = "server-crashed: the server ended by itself after its last answer:";
    let of_exit = crash_after_an_answer("os._exit(3)").await;
    assert_eq!(of_exit, Some(format!("{said} exit status 3")));
    let of_signal = crash_after_an_answer("os.kill(os.getpid(), 11)").await;
    assert_eq!(of_signal, Some(format!("{said} killed by signal 11 (SIGSEGV)")));
    assert_eq!(crash_after_an_answer("os._exit(0)").await, None);
}

#[tokio::test]
async fn an_end_that_we_bring_about_is_no_crash() {
    let session = open("old = serve\ndef serve(): old(); os._exit(3)").await;
    assert_eq!(output(&session, "echo").await, "hello");
    assert_eq!(session.crash(), None);
    session.close().await;
    assert_eq!(session.crash(), None, "it ended because its stdin did");

    let behaviour = "
def call(id, name, arguments):
    plain(id, name, arguments)
    while name == 'flood': raw(b'A' * 65536)";
    let session = open(behaviour).await;
    let server = pid(&session).await;
    assert_eq!(output(&session, "flood").await, "hello");
    eventually(|| !is_alive(server)).await;
    assert_eq!(
        session.crash(),
        None,
        "it ended because nobody read its stdout any more"
    );
    session.close().await;
}

#[tokio::test]
async fn an_exit_that_the_next_call_runs_into_closes_the_session() {
    let session = open("def call(id, name, arguments): plain(id, name, arguments); os._exit(0)").await;
    assert_eq!(output(&session, "echo").await, "hello");
    let fault = call(&session, "echo", LONG).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Exited, "{fault}");
    assert!(!session.is_open());
    session.close().await;
}

#[tokio::test]
async fn dropping_a_session_kills_the_server() {
    let session = open("signal.signal(signal.SIGTERM, signal.SIG_IGN)").await;
    let server = pid(&session).await;
    drop(session);
    eventually(|| !is_alive(server)).await;
}

#[tokio::test]
async fn an_endless_line_is_cut_off() {
    let session = open("def call(id, name, arguments):\n while True: raw(b'A' * 65536)").await;
    let fault = call(&session, "flood", LONG).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::TooLarge);
    assert!(fault.message.contains("limit of 16777216 bytes"), "{fault}");
    session.close().await;
}

#[tokio::test]
async fn an_answer_of_too_many_values_fails_alone() {
    let behaviour = r#"
def call(id, name, arguments):
    if name != 'many': return plain(id, name, arguments)
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":[' % id + b'{},' * 5200000 + b'1]}}\n')"#;
    let session = open(behaviour).await;
    let fault = call(&session, "many", LONG).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::TooLarge, "{fault}");
    assert_eq!(output(&session, "echo").await, "hello");
    session.close().await;
}

#[tokio::test]
async fn a_closed_stdin_is_told_at_once() {
    let session = open("def call(id, name, arguments):\n os.close(0); ok(id, text('')); time.sleep(600)").await;
    output(&session, "close").await;
    let begun = Instant::now();
    let fault = call(&session, "echo", LONG).await.unwrap_err();
    assert!(begun.elapsed() < LONG / 2);
    assert_eq!(fault.kind, FaultKind::Closed);
    assert!(!session.is_open());
    assert!(
        fault.message.starts_with("the server closed its input (stdin"),
        "{fault}"
    );
    session.close().await;
}
