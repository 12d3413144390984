//! The instrument against real processes that do what servers should not.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use mcpvals::{
    mcp::{
        Answer, DEFAULT_MESSAGE_LIMIT, Direction, OpenError, Recorder, Session, SessionOptions, adopt_orphans,
        sweep_orphans,
    },
    model::{Fault, FaultKind, Launch, Origin, Phase, Reply, ServerSpec, StdioSpec},
};
use serde_json::{Map, Value, json};

/// Far more than anything here needs; what must be quick is compared with half of it.
const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(400);

fn launch(command: &str, args: &[&str]) -> Launch {
    let path = std::env::var("PATH").expect("PATH is set");
    Launch {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: BTreeMap::from([("PATH".to_owned(), path)]),
        cwd: Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/servers/fake")),
    }
}

fn spec(launch: Launch) -> ServerSpec {
    ServerSpec::Stdio(StdioSpec {
        launch,
        startup_timeout: None,
    })
}

fn options() -> SessionOptions {
    SessionOptions {
        startup_timeout: LONG,
        message_limit: DEFAULT_MESSAGE_LIMIT,
        recorder: None,
    }
}

/// A session with the fake server that the Python code `behaviour` has changed.
async fn try_open(behaviour: &str, options: SessionOptions) -> Result<Arc<Session>, OpenError> {
    Session::open(&spec(launch("python3", &["server.py", behaviour])), options).await
}

async fn open(behaviour: &str) -> Arc<Session> {
    try_open(behaviour, options())
        .await
        .expect("python3 must be installed, and the fake server answers initialize")
}

async fn call(session: &Session, tool: &str, limit: Duration) -> Result<Answer, Fault> {
    let arguments = Map::from_iter([("message".to_owned(), json!("hello"))]);
    session.call_tool(tool, &arguments, limit).await
}

async fn output(session: &Session, tool: &str) -> String {
    match call(session, tool, LONG).await.expect("the call is answered").reply {
        Reply::Result(result) => result.output,
        Reply::Error(error) => panic!("an error: {error:?}"),
    }
}

async fn pid(session: &Session) -> u32 {
    output(session, "pid").await.parse().expect("a process id")
}

/// Whether a process runs; one that was killed and waits to be reaped does not.
fn is_alive(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    !stat
        .rsplit_once(')')
        .expect("a stat line")
        .1
        .trim_start()
        .starts_with('Z')
}

fn codes(session: &Session) -> Vec<&'static str> {
    session.findings().into_iter().map(|finding| finding.code).collect()
}

/// Waits for something that another process does.
async fn eventually(mut holds: impl FnMut() -> bool) {
    let limit = Instant::now() + LONG;
    while !holds() {
        assert!(Instant::now() < limit, "it did not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

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
    assert_eq!(error.fault.evidence, ["exit status 1", "stderr: DEMO_KEY is missing"]);
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
        startup_timeout: Duration::from_secs(3),
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
async fn a_daemon_that_was_left_behind_is_swept() {
    adopt_orphans();
    let behaviour = "
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, str(os.getpid()).encode()); os.closerange(0, 10); time.sleep(600)
    os._exit(0)
os.wait()
daemon = os.read(r, 20).decode()
def call(id, name, arguments): ok(id, text(daemon))";
    let session = open(behaviour).await;
    let daemon: u32 = output(&session, "daemon").await.parse().unwrap();
    session.close().await;
    assert!(is_alive(daemon), "it has no tie to the server any more");
    let bystander = open("").await;
    sweep_orphans();
    assert!(!is_alive(daemon));
    assert_eq!(
        output(&bystander, "echo").await,
        "hello",
        "what we started ourselves is left alone"
    );
    bystander.close().await;
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
async fn a_large_answer_comes_through_whole() {
    let session = open("def call(id, name, arguments): ok(id, text('x' * 12 * 1024 * 1024))").await;
    assert_eq!(output(&session, "big").await.len(), 12 * 1024 * 1024);
    session.close().await;
}

#[tokio::test]
async fn a_server_that_asks_before_it_answers_gets_its_answer() {
    let behaviour = "
def init(id, params):
    send({'jsonrpc': '2.0', 'id': 1, 'method': 'ping'})
    assert read() == {'jsonrpc': '2.0', 'id': 1, 'result': {}}
    ok(id, HELLO)
def call(id, name, arguments):
    send({'jsonrpc': '2.0', 'id': id, 'method': 'elicitation/create', 'params': {}})
    ok(id, text(read()['result']['action']))";
    let session = open(behaviour).await;
    let answer = call(&session, "ask", LONG).await.unwrap();
    assert_eq!(answer.server_requests, ["elicitation/create"]);
    assert!(matches!(answer.reply, Reply::Result(result) if result.output == "decline"));
    assert_eq!(codes(&session), ["server-request"]);
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
        "the call did not end within 400 ms (--timeout); the server answered id `0`, which was never asked"
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
            .ends_with("(--timeout); the server was still sending progress"),
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
async fn a_closed_stdin_is_told_at_once() {
    let session = open("def call(id, name, arguments):\n os.close(0); ok(id, text('')); time.sleep(600)").await;
    output(&session, "close").await;
    let begun = Instant::now();
    let fault = call(&session, "echo", LONG).await.unwrap_err();
    assert!(begun.elapsed() < LONG / 2);
    assert_eq!(fault.kind, FaultKind::Closed);
    assert!(
        fault.message.starts_with("the server closed its input (stdin"),
        "{fault}"
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

#[tokio::test]
async fn versions_are_negotiated() {
    let echo = "def init(id, params): ok(id, dict(HELLO, protocolVersion='2024-11-05'))";
    let session = open(echo).await;
    assert_eq!(session.identity().protocol, "2024-11-05");
    session.close().await;

    let listing = "
def init(id, params):
    if params['protocolVersion'] == '2025-03-26': return ok(id, dict(HELLO, protocolVersion='2025-03-26'))
    err(id, -32602, 'Unsupported protocol version', {'supported': ['2025-03-26', '2024-11-05']})";
    let session = open(listing).await;
    assert_eq!(session.identity().protocol, "2025-03-26");
    assert_eq!(codes(&session), ["version-refused"]);
    session.close().await;
}

#[tokio::test]
async fn a_refused_handshake_has_the_servers_own_words() {
    for (behaviour, expected) in [
        (
            "ok(id, dict(HELLO, protocolVersion='2099-01-01'))",
            "protocol version `2099-01-01`",
        ),
        ("err(id, -32000, 'no licence')", "`no licence` (code -32000"),
        (
            "err(id, -32022, 'too old', {'supported': ['2026-07-28']})",
            "2026-07-28",
        ),
    ] {
        let fault = try_open(&format!("def init(id, params): {behaviour}"), options())
            .await
            .unwrap_err()
            .fault;
        assert_eq!(fault.kind, FaultKind::Refused);
        assert!(fault.message.contains(expected), "{fault}");
        assert!(fault.help.unwrap().contains("2025-11-25"));
    }
}

#[tokio::test]
async fn tools_are_listed_once_until_the_list_changes() {
    let behaviour = "
asked = 0
def tools(id, params):
    global asked
    asked += 1
    if 'cursor' not in params: return ok(id, {'tools': [{'name': 'a%d' % asked}], 'nextCursor': ''})
    assert params['cursor'] == ''
    ok(id, {'tools': [{'name': 'b'}, {'name': 'b'}]})
def call(id, name, arguments):
    send({'jsonrpc': '2.0', 'method': 'notifications/tools/list_changed'})
    plain(id, name, arguments)";
    let session = open(behaviour).await;
    assert_eq!(*session.tool_names(LONG).await.unwrap(), ["a1", "b", "b"]);
    assert_eq!(*session.tool_names(LONG).await.unwrap(), ["a1", "b", "b"]);
    output(&session, "change").await;
    assert_eq!(*session.tool_names(LONG).await.unwrap(), ["a3", "b", "b"]);
    assert_eq!(codes(&session), ["duplicate-tool"]);
    session.close().await;
}

#[tokio::test]
async fn the_environment_is_what_the_launch_says_and_nothing_else() {
    let session = open("").await;
    let env: Map<String, Value> = serde_json::from_str(&output(&session, "env").await).unwrap();
    assert!(env.contains_key("PATH"));
    for ours in ["HOME", "CARGO_MANIFEST_DIR"] {
        assert!(std::env::var(ours).is_ok() && !env.contains_key(ours), "{ours}");
    }
    session.close().await;
}

#[tokio::test]
async fn what_cannot_be_started_is_the_fault_of_the_surroundings() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let missing_folder = Launch {
        cwd: Some(Path::new("/no/such/folder").to_owned()),
        ..launch("python3", &[])
    };
    for (launch, expected) in [
        (launch("no-such-server", &[]), "`no-such-server` was not found on PATH"),
        (launch("./server.py", &[]), "`./server.py` may not be executed"),
        (launch("../fake", &[]), "`../fake` is a folder, not a program"),
        (
            launch(script.to_str().unwrap(), &[]),
            "needs `/no/such/interpreter`, which is not installed",
        ),
        (missing_folder, "the working directory `/no/such/folder` does not exist"),
    ] {
        let fault = Session::open(&spec(launch), options()).await.unwrap_err().fault;
        assert_eq!(
            (fault.kind, fault.origin, fault.phase),
            (FaultKind::CannotStart, Origin::Surroundings, Phase::Start)
        );
        assert!(fault.message.contains(expected), "{fault}");
    }
}

#[tokio::test]
async fn a_program_that_is_no_server_is_told() {
    let fault = Session::open(&spec(launch("cat", &[])), options())
        .await
        .unwrap_err()
        .fault;
    assert_eq!(fault.kind, FaultKind::Garbled);
    assert!(fault.message.contains("sent our own `initialize` back"), "{fault}");
}

#[derive(Default)]
struct Tape(Mutex<Vec<String>>);

impl Recorder for Tape {
    fn record(&self, direction: Direction, text: &str, _: Instant) {
        self.0.lock().unwrap().push(format!("{direction:?} {text}"));
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
