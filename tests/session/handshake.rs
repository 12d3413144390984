//! How a session begins, and what the server declares.

use std::path::Path;

use mcpvals::{
    mcp::Session,
    model::{FaultKind, Launch, Origin, Phase, Reply},
};
use serde_json::{Map, Value};

use crate::harness::{LONG, call, codes, launch, open, options, output, spec, try_open};

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
    assert_eq!(answer.heard.requests, ["elicitation/create"]);
    assert!(matches!(answer.reply, Reply::Result(result) if result.output == "decline"));
    assert_eq!(codes(&session), ["server-request"]);
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
async fn of_a_servers_name_only_the_beginning_is_kept() {
    let session = open("HELLO['serverInfo']['name'] = 'N' * 7000000").await;
    let identity = session.identity();
    assert_eq!(identity.name, format!("{}…", "N".repeat(512)));
    assert_eq!(identity.version, "1");
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
