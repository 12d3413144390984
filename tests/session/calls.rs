//! Calls, their limits and their answers.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use mcpvals::{
    mcp::{Direction, Limit, Recorder, SessionOptions},
    model::{FaultKind, Finding, Origin},
};
use serde_json::{Map, Value, json};

use crate::harness::{LONG, SHORT, call, codes, open, options, output, try_open};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overlapping_calls_find_their_answers_in_any_order() {
    let behaviour = "
held = []
def call(id, name, arguments):
    held.append((id, name))
    if len(held) == 3:
        for id, name in reversed(held): ok(id, text(name))";
    let session = open(behaviour).await;
    let one = |tool: &'static str| {
        let session = Arc::clone(&session);
        tokio::spawn(async move { output(&session, tool).await })
    };
    let (a, b, c) = tokio::join!(one("a"), one("b"), one("c"));
    assert_eq!([a.unwrap(), b.unwrap(), c.unwrap()], ["a", "b", "c"]);
    session.close().await;
}

#[tokio::test]
async fn a_large_answer_comes_through_whole() {
    let session = open("def call(id, name, arguments): ok(id, text('x' * 12 * 1024 * 1024))").await;
    assert_eq!(output(&session, "big").await.len(), 12 * 1024 * 1024);
    session.close().await;
}

#[tokio::test]
async fn a_flood_of_pings_that_is_never_read_does_no_harm() {
    let behaviour = "
def call(id, name, arguments):
    if name != 'flood': return plain(id, name, arguments)
    for n in range(20000): send({'jsonrpc': '2.0', 'id': 'p%d' % n, 'method': 'ping', 'params': {'x': 'y' * 100}})
    ok(id, text('done'))";
    let session = open(behaviour).await;
    assert_eq!(output(&session, "flood").await, "done");
    assert_eq!(codes(&session), ["replies-dropped"]);
    assert_eq!(output(&session, "echo").await, "hello");
    session.close().await;
}

#[tokio::test]
async fn a_wrong_id_is_named_when_the_limit_is_over() {
    let session = open("def call(id, name, arguments): ok(0, text('?'))").await;
    let fault = call(&session, "echo", SHORT).await.unwrap_err();
    assert_eq!(
        fault.message,
        "the call did not end within 400 ms (a limit of ours); the server answered id `0`, which was never asked"
    );
    session.close().await;
}

#[tokio::test]
async fn a_late_answer_never_counts_for_the_next_call() {
    let behaviour = "
late = []
def call(id, name, arguments):
    if name == 'slow': return late.append(id)
    for old in late: ok(old, text('late'))
    plain(id, name, arguments)";
    let session = open(behaviour).await;
    let fault = call(&session, "slow", SHORT).await.unwrap_err();
    assert_eq!((fault.kind, fault.origin), (FaultKind::Timeout, Origin::Server));
    assert_eq!(output(&session, "echo").await, "hello");
    let seen: Value = serde_json::from_str(&output(&session, "seen").await).unwrap();
    let cancelled = seen
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["method"] == "notifications/cancelled")
        .unwrap();
    assert_eq!(
        cancelled["params"],
        json!({"requestId": 2, "reason": "no answer within 400 ms"})
    );
    assert!(codes(&session).is_empty(), "{:?}", session.findings());
    session.close().await;
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_nothing_pending() {
    let session = open("def call(id, name, arguments): name == 'slow' or plain(id, name, arguments)").await;
    let slow = call(&session, "slow", LONG);
    assert!(tokio::time::timeout(Duration::from_millis(50), slow).await.is_err());
    assert_eq!(output(&session, "echo").await, "hello");
    session.close().await;
}

#[tokio::test]
async fn progress_does_not_extend_the_limit_but_is_told() {
    let behaviour = "def call(id, name, arguments): send({'jsonrpc': '2.0', 'method': 'notifications/progress', 'params': {'progressToken': 1, 'progress': 1}})";
    let session = open(behaviour).await;
    let fault = call(&session, "slow", SHORT).await.unwrap_err();
    assert!(
        fault
            .message
            .ends_with("(a limit of ours); the server was still sending progress"),
        "{fault}"
    );
    session.close().await;
}

#[tokio::test]
async fn a_broken_answer_is_told_at_once() {
    for (behaviour, expected) in [
        (
            "ok(id, {'value': float('nan')})",
            "the answer with id 2 is not valid JSON",
        ),
        (
            "send({'jsonrpc': '2.0', 'id': id})",
            "it has neither `result` nor `error`",
        ),
        (
            "send({'jsonrpc': '2.0', 'id': id, 'method': name, 'result': {}})",
            "it has a `method` as well",
        ),
        (
            r#"raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"isError":true,"isError":false}}\n' % id)"#,
            "the key `isError` stands in it more than once",
        ),
        (
            r#"raw(b'{"jsonrpc":"2.0","id":%d,"id":99,"result":{"content":[]}}\n' % id)"#,
            "the key `id` stands in it more than once",
        ),
        (
            r#"raw(b'{"jsonrpc":"2.0","id":%d,"result":{"x":"\xe9"}}\n' % id)"#,
            "the answer with id 2 is not valid UTF-8 (byte 0xe9 at offset 39)",
        ),
        (
            "raw(b'{\"jsonrpc\":\"2.0\",\"id\":2,'); os._exit(0)",
            "the server exited (exit status 0)",
        ),
    ] {
        let session = open(&format!("def call(id, name, arguments): {behaviour}")).await;
        let begun = Instant::now();
        let fault = call(&session, "echo", LONG).await.unwrap_err();
        assert!(begun.elapsed() < LONG / 2);
        assert!(fault.message.contains(expected), "{fault}");
        session.close().await;
    }
}

#[tokio::test]
async fn a_key_twice_inside_a_result_is_a_remark() {
    let answer = r#"{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"a":1,"a":2}}}\n"#;
    let session = open(&format!("def call(id, name, arguments): raw(b'{answer}' % id)")).await;
    assert_eq!(output(&session, "echo").await, r#"{"a":2}"#);
    assert_eq!(codes(&session), ["repeated-key"]);
    session.close().await;
}

#[tokio::test]
async fn remarks_about_a_call_are_told_to_its_caller_alone() {
    let one = open("def call(id, name, arguments): ok(id, {} if name == 'odd' else text('ok'))").await;
    let other = one.for_another_user();
    output(&one, "odd").await;
    output(&other, "echo").await;
    one.remark(Finding::new("unlisted-tool", "no such tool"));
    assert_eq!(codes(&one), ["invalid-result", "unlisted-tool"]);
    assert!(codes(&other).is_empty());
    one.close().await;
}

#[tokio::test]
async fn an_answer_without_line_end_is_explained() {
    let session = open("def call(id, name, arguments): raw(json.dumps({'jsonrpc': '2.0', 'id': id}).encode())").await;
    let fault = call(&session, "echo", SHORT).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!(
        fault
            .evidence
            .iter()
            .any(|line| line.contains("bytes of a line without an end")),
        "{:?}",
        fault.evidence
    );
    session.close().await;
}

#[tokio::test]
async fn a_request_that_is_never_read_runs_into_the_limit_and_spoils_nothing() {
    let behaviour = "
def call(id, name, arguments):
    if name == 'sleep':
        ok(id, text('')); time.sleep(1)
        return
    plain(id, name, arguments)";
    let session = open(behaviour).await;
    output(&session, "sleep").await;
    let big = Map::from_iter([("message".to_owned(), json!("x".repeat(1024 * 1024)))]);
    let fault = session.call_tool("echo", &big, SHORT).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert_eq!(
        output(&session, "echo").await,
        "hello",
        "the rest of the large request went out first"
    );
    session.close().await;
}

#[derive(Default)]
struct Tape(Mutex<Vec<String>>);

impl Recorder for Tape {
    fn record(&self, direction: Direction, text: &str, _: Instant) {
        self.0
            .lock()
            .expect("no test panics in between")
            .push(format!("{direction:?} {text}"));
    }
}

#[tokio::test]
async fn the_recorder_sees_everything_in_order() {
    let tape = Arc::new(Tape::default());
    let options = SessionOptions {
        recorder: Some(Arc::clone(&tape) as Arc<dyn Recorder>),
        ..options()
    };
    let behaviour = "
def call(id, name, arguments):
    raw(b'log line\\n')
    ok(id, text('hi'))";
    let session = try_open(behaviour, options).await.unwrap();
    output(&session, "echo").await;
    session.close().await;
    let tape = tape.0.lock().unwrap();
    let kinds: Vec<&str> = tape.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["Sent", "Received", "Sent", "Sent", "Noise", "Received"]);
    assert_eq!(tape[4], "Noise log line");
    assert_eq!(
        tape[5],
        r#"Received {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "hi"}]}}"#
    );
    assert_eq!(
        tape[2],
        r#"Sent {"jsonrpc":"2.0","method":"notifications/initialized"}"#
    );
}

#[tokio::test]
async fn requests_may_share_one_limit() {
    let session =
        open("plain_tools = tools\ndef tools(*a): time.sleep(0.25); plain_tools(*a)\ndef call(*a): pass").await;
    let (begun, limit) = (Instant::now(), Limit::from(SHORT));
    session.tool_names(limit).await.unwrap();
    let fault = session.call_tool("echo", &Map::new(), limit).await.unwrap_err();
    assert!(begun.elapsed() < SHORT + SHORT / 2, "{:?}", begun.elapsed());
    assert!(
        fault.message.starts_with("the call did not end within 400 ms"),
        "{fault}"
    );
    session.close().await;
}
