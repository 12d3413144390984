//! Commands that start the server, hand their pipes to it and end.

use std::time::{Duration, Instant};

use mcpvals::model::FaultKind;

use crate::harness::{LONG, ORPHANS, SHORT, call, eventually, is_alive, open, output, pid};

/// Answers only when a launcher that ended is long forgotten.
const SLOW: &str = "
def call(id, name, arguments):
    time.sleep(0.5)
    plain(id, name, arguments)";

#[tokio::test]
async fn what_a_launcher_left_behind_is_the_server() {
    let _others = ORPHANS.read().await;
    for launcher in ["if os.fork(): os._exit(0)", "if os.fork(): os._exit(0)\nos.setsid()"] {
        let session = open(&format!("{launcher}\n{SLOW}")).await;
        let server = pid(&session).await;
        assert_eq!(output(&session, "echo").await, "hello");
        assert!(session.is_open());
        session.close().await;
        assert!(!is_alive(server), "{launcher}");
    }
}

#[tokio::test]
async fn what_a_launcher_left_behind_may_end_by_itself() {
    let _others = ORPHANS.read().await;
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("note");
    let behaviour =
        format!("if os.fork(): os._exit(0)\n{SLOW}\nold = serve\ndef serve(): old(); open({note:?}, 'w').close()");
    let session = open(&behaviour).await;
    output(&session, "echo").await;
    session.close().await;
    assert!(note.exists(), "it was killed before it could end");
}

#[tokio::test]
async fn the_end_of_the_server_is_the_end_whatever_became_of_its_launcher() {
    let _others = ORPHANS.read().await;
    let session = open(&format!(
        "if os.fork(): os._exit(0)\n{SLOW}; name == 'end' and os._exit(0)"
    ))
    .await;
    output(&session, "end").await;
    let begun = Instant::now();
    assert_eq!(call(&session, "echo", LONG).await.unwrap_err().kind, FaultKind::Exited);
    assert!(begun.elapsed() < LONG / 2);
    session.close().await;
}

#[tokio::test]
async fn a_helper_that_may_be_the_server_holds_a_call_no_longer_than_its_limit() {
    let _others = ORPHANS.read().await;
    let behaviour = "
def call(id, name, arguments):
    if name == 'helper': return ok(id, text(helper.pid))
    os._exit(0)
helper = subprocess.Popen(['sleep', '600'])";
    let session = open(behaviour).await;
    let helper: u32 = output(&session, "helper").await.parse().unwrap();
    let fault = call(&session, "echo", SHORT).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert_eq!(
        fault.evidence,
        ["exit status 0, but what it started still holds its stdout"],
    );
    let begun = Instant::now();
    session.close().await;
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert!(!is_alive(helper));
}

#[tokio::test]
async fn a_successful_exit_that_leaves_nobody_is_told_at_once() {
    let session = open("def call(id, name, arguments): os._exit(0)").await;
    let begun = Instant::now();
    let fault = call(&session, "echo", LONG).await.unwrap_err();
    assert!(begun.elapsed() < LONG / 2);
    assert!(
        fault.message.starts_with("the server exited (exit status 0)"),
        "{fault}"
    );
    eventually(|| !session.is_open()).await;
    session.close().await;
}
