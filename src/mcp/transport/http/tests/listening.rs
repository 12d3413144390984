//! The listening stream: opened once the handshake is done, and never in a loop.

use super::{
    rig::{Rig, spec},
    server::{Act, Server, events, open_events, response},
};
use crate::mcp::transport::Transport;

async fn listening(acts: Vec<Act>) -> (Rig, Server) {
    let server = Server::start(move |_, _| acts.clone()).await;
    let rig = Rig::open(&spec(server.url())).await;
    rig.transport.ready();
    (rig, server)
}

async fn asked(server: &Server, gets: usize) {
    while server.count("GET") < gets {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_the_server_says_unasked_is_handed_on() {
    let note = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let (mut rig, server) = listening(open_events(&[&format!("data: {note}\n\n")])).await;
    assert_eq!(rig.frame().await, note);
    assert_eq!(server.count("GET"), 1);
    rig.done().await;
}

#[tokio::test]
async fn a_server_without_the_stream_is_left_alone() {
    let (rig, server) = listening(response("405 Method Not Allowed", "", "")).await;
    asked(&server, 1).await;
    rig.done().await;
    assert_eq!(server.count("GET"), 1);
}

#[tokio::test]
async fn anything_else_is_remarked_once() {
    for acts in [
        response("200 OK", "Content-Type: text/plain\r\n", "MCP endpoint. Use POST."),
        response("404 Not Found", "", ""),
        response("200 OK", "", ""),
    ] {
        let (mut rig, server) = listening(acts).await;
        let (code, message) = rig.finding().await;
        assert_eq!(code, "http-get");
        assert!(message.ends_with("expected an event stream or 405"), "{message}");
        rig.done().await;
        assert_eq!(server.count("GET"), 1);
    }
}

#[tokio::test]
async fn a_stream_that_ends_at_once_is_opened_three_times_at_most() {
    let (mut rig, server) = listening(events(&["id: 4\nretry: 1\n\n"])).await;
    let (code, message) = rig.finding().await;
    assert_eq!(code, "http-get");
    assert!(message.contains("3 times"), "{message}");
    assert_eq!(server.count("GET"), 3);
    assert!(!server.seen()[0].headers.contains_key("last-event-id"));
    assert_eq!(server.seen()[1].headers["last-event-id"], "4");
    rig.done().await;
}

#[tokio::test]
async fn a_new_session_has_a_stream_of_its_own() {
    let (rig, server) = listening(open_events(&[])).await;
    asked(&server, 1).await;
    rig.transport.ready();
    asked(&server, 2).await;
    rig.done().await;
}
