//! Servers that are ours to start. They are written in Python, which the test suite needs anyway.

use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};

use super::{
    rig::{PATIENCE, Rig, Told, spec},
    server::{Server, response},
};
use crate::{
    mcp::transport::Transport,
    model::{Fault, FaultKind, HttpSpec, Launch, Origin, Phase, Readiness},
};

const SERVER: &str = r#"
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    looks = 0
    def log_message(self, *args): pass
    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        Handler.looks += 1
        print("look", Handler.looks, flush=True)
        self.reply(503 if Handler.looks < 3 else 404, b"")
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if os.environ.get("DIE"):
            print("dying", file=sys.stderr, flush=True)
            os._exit(7)
        self.reply(200, b'{"jsonrpc":"2.0","id":1,"result":{"looks":%d}}' % Handler.looks)
HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"#;

fn python(script: &str) -> HttpSpec {
    let path = std::env::var("PATH").unwrap();
    HttpSpec {
        start: Some(Launch {
            command: "python3".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned(), "{{port}}".to_owned()],
            env: [("PATH".to_owned(), path)].into(),
            cwd: None,
        }),
        ..spec("http://127.0.0.1:{{port}}/mcp")
    }
}

async fn refused(spec: &HttpSpec, startup: Duration) -> Fault {
    match Rig::try_open(spec, startup).await {
        Ok(_) => panic!("the server was taken for ready"),
        Err(fault) => fault,
    }
}

#[tokio::test]
async fn a_server_is_started_on_a_free_port_and_ended_with_the_transport() {
    let mut rig = Rig::open(&python(SERVER)).await;
    rig.request(1, "initialize").await;
    assert_eq!(rig.frame().await, r#"{"jsonrpc":"2.0","id":1,"result":{"looks":0}}"#);
    let address = rig.transport.address();
    let listening = || {
        TcpStream::connect(
            address
                .trim_start_matches("http://")
                .trim_end_matches("/mcp")
                .to_owned(),
        )
    };
    assert!(listening().await.is_ok());
    rig.transport.close().await;
    assert!(listening().await.is_err());
    rig.done().await;
}

#[tokio::test]
async fn a_server_of_ours_that_listens_elsewhere_is_at_fault_and_told_before_the_limit() {
    let elsewhere = Server::start(|_, _| response("200 OK", "", "")).await;
    let mut spec = python("import time; time.sleep(60)");
    spec.ready = Readiness::Url(elsewhere.url());
    let limit = Duration::from_millis(900);
    let begun = Instant::now();
    let mut rig = Rig::try_open(&spec, limit).await.unwrap();
    rig.request(1, "initialize").await;
    let fault = rig.fault().await;
    assert!(begun.elapsed() < limit, "{:?}", begun.elapsed());
    assert_eq!((fault.kind, fault.origin), (FaultKind::Unreachable, Origin::Server));
    assert!(
        fault.message.ends_with("cannot be reached: connection refused"),
        "{fault}"
    );
    assert!(!fault.help.unwrap().contains("before the run"));
    rig.done().await;
}

#[tokio::test]
async fn a_ready_address_is_asked_until_it_answers_below_500() {
    let mut spec = python(SERVER);
    spec.ready = Readiness::Url("http://127.0.0.1:{{port}}/health".to_owned());
    let mut rig = Rig::open(&spec).await;
    rig.request(1, "initialize").await;
    assert_eq!(rig.frame().await, r#"{"jsonrpc":"2.0","id":1,"result":{"looks":3}}"#);
    assert!(
        rig.transport.evidence(None).iter().any(|line| line.ends_with("look 3")),
        "{:?}",
        rig.transport.evidence(None)
    );
    rig.done().await;
}

#[tokio::test]
async fn a_server_that_ends_before_it_is_ready_is_told_at_once() {
    let fault = refused(
        &python("import sys; print('no licence', file=sys.stderr); sys.exit(3)"),
        PATIENCE,
    )
    .await;
    assert_eq!(
        (fault.kind, fault.origin, fault.phase),
        (FaultKind::Exited, Origin::Server, Phase::Start)
    );
    assert_eq!(fault.message, "the server exited (exit status 3) before it was ready");
    assert!(
        fault.evidence.iter().any(|line| line.contains("no licence")),
        "{:?}",
        fault.evidence
    );
}

#[tokio::test]
async fn a_server_that_never_listens_runs_into_the_start_up_limit() {
    let mut spec = python("");
    let launch = spec.start.as_mut().unwrap();
    launch.command = "sh".to_owned();
    launch.args = vec!["-c".to_owned(), "echo thinking; exec sleep 60".to_owned()];
    let fault = refused(&spec, Duration::from_secs(2)).await;
    assert_eq!((fault.kind, fault.origin), (FaultKind::Timeout, Origin::Server));
    assert!(
        fault.message.contains("not ready within 2 s (--startup-timeout)")
            && fault.message.contains("nothing listens at"),
        "{fault}"
    );
    assert!(
        fault.message.ends_with("(the last look found: connection refused)"),
        "{fault}"
    );
    assert_eq!(fault.evidence, ["log: thinking"]);
}

#[tokio::test]
async fn a_server_that_is_never_ready_is_told_with_its_last_status() {
    let mut spec = python(&SERVER.replace("Handler.looks < 3", "True"));
    spec.ready = Readiness::Url("http://127.0.0.1:{{port}}/health".to_owned());
    let fault = refused(&spec, Duration::from_secs(4)).await;
    assert!(
        fault
            .message
            .ends_with("(the last look found: HTTP 503 Service Unavailable)"),
        "{fault}"
    );
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_is_told_with_its_exit_status() {
    let mut spec = python(SERVER);
    let launch = spec.start.as_mut().unwrap();
    launch.env.insert("DIE".to_owned(), "1".to_owned());
    let mut rig = Rig::open(&spec).await;
    rig.request(1, "tools/call").await;
    let (first, second) = (rig.next().await, rig.next().await);
    let fault = match (first, second) {
        (Told::Unanswerable(1, fault), Told::Retired) | (Told::Retired, Told::Unanswerable(1, fault)) => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!((fault.kind, fault.origin), (FaultKind::Exited, Origin::Server));
    assert_eq!(
        fault.message,
        "the server exited (exit status 7) before it answered `tools/call`"
    );
    assert!(rig.transport.evidence(None).iter().any(|line| line.contains("dying")));
    rig.transport.close().await;
}

#[tokio::test]
async fn an_exit_is_told_without_being_asked() {
    let exits_late = SERVER.replace(
        "HTTPServer((",
        "import threading, time; threading.Timer(1, os._exit, [4]).start(); HTTPServer((",
    );
    let mut rig = Rig::open(&python(&exits_late)).await;
    assert_eq!(rig.next().await, Told::Retired);
    match rig.next().await {
        Told::Closed(fault) => assert_eq!(fault.message, "the server exited (exit status 4)"),
        other => panic!("{other:?}"),
    }
    rig.done().await;
    // What was forked listens on the same socket: the server goes on.
    let mut rig = Rig::open(&python(
        &SERVER.replace("self.reply(200", "os.fork() and os._exit(4); self.reply(200"),
    ))
    .await;
    rig.request(1, "tools/call").await;
    rig.frame().await;
    rig.request(1, "tools/call").await;
    rig.frame().await;
    rig.done().await;
}

#[tokio::test]
async fn an_address_that_is_taken_is_not_mistaken_for_our_server() {
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut spec = python(SERVER);
    spec.url = format!("http://{}/mcp", other.local_addr().unwrap());
    let fault = refused(&spec, PATIENCE).await;
    assert_eq!(
        (fault.kind, fault.origin),
        (FaultKind::CannotStart, Origin::Surroundings)
    );
    assert!(fault.message.contains("already") && fault.help.unwrap().contains("{{port}}"));
}

#[tokio::test]
async fn a_placeholder_without_a_start_block_is_told() {
    let fault = refused(&spec("http://127.0.0.1:{{port}}/mcp"), PATIENCE).await;
    assert_eq!(fault.origin, Origin::Surroundings);
    assert!(fault.help.unwrap().contains("`start` block"));
}
