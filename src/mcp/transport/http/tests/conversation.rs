//! What a conversation carries from message to message: session, version, headers, redirects, the farewell.

use super::{
    rig::{ANSWER, Rig, Told, call, call_with, spec},
    server::{Act, Seen, Server, events, json, response},
};
use crate::{mcp::transport::Transport, model::FaultKind};

fn with_session(seen: &Seen, _: usize) -> Vec<Act> {
    match (seen.body.contains("initialize\""), seen.method.as_str()) {
        (true, _) => response(
            "200 OK",
            "Content-Type: application/json\r\nMcp-Session-Id: s-1\r\n",
            ANSWER,
        ),
        (false, "POST") => response(
            "404 Not Found",
            "",
            r#"{"id":null,"error":{"code":-32001,"message":"gone"}}"#,
        ),
        _ => response("405 Method Not Allowed", "", ""),
    }
}

async fn opened(handler: impl Fn(&Seen, usize) -> Vec<Act> + Send + Sync + 'static) -> (Rig, Server) {
    let server = Server::start(handler).await;
    let mut rig = Rig::open(&spec(server.url())).await;
    rig.request(1, "initialize").await;
    rig.frame().await;
    (rig, server)
}

#[tokio::test]
async fn a_lost_session_is_told_and_the_next_one_begins_without_the_old_id() {
    let (mut rig, server) = opened(with_session).await;
    rig.transport.negotiated("2025-11-25");
    rig.request(2, "tools/call").await;
    assert_eq!(rig.next().await, Told::SessionLost(2));
    rig.request(1, "initialize").await;
    rig.frame().await;
    rig.done().await;
    let seen = server.seen();
    assert!(!seen[0].headers.contains_key("mcp-session-id"));
    assert_eq!(seen[1].headers["mcp-session-id"], "s-1");
    assert_eq!(seen[1].headers["mcp-protocol-version"], "2025-11-25");
    assert!(!seen[2].headers.contains_key("mcp-session-id"));
    assert!(!seen[2].headers.contains_key("mcp-protocol-version"));
    let farewell = seen.last().unwrap();
    assert_eq!(
        (farewell.method.as_str(), farewell.headers["mcp-session-id"].as_str()),
        ("DELETE", "s-1")
    );
}

#[tokio::test]
async fn messages_belong_to_the_old_session_until_the_next_one_is_open() {
    let (rig, server) = opened(|seen, index| match (seen.body.contains("initialize\""), index) {
        (true, 0) => with_session(seen, index),
        (true, _) => vec![Act::Hold],
        (false, _) => response("202 Accepted", "", ""),
    })
    .await;
    rig.request(2, "initialize").await;
    rig.notify().await.unwrap();
    let session = |seen: &Seen| seen.headers.get("mcp-session-id").cloned();
    let seen = server.seen();
    let notified = seen.iter().find(|seen| seen.body.contains("notifications/")).unwrap();
    assert_eq!(session(notified).as_deref(), Some("s-1"));
    rig.done().await;
}

#[tokio::test]
async fn a_session_without_an_id_takes_the_old_one_away() {
    let (mut rig, server) = opened(|seen, index| match index {
        0 => with_session(seen, index),
        1 => json(ANSWER.replace("\"id\":1", "\"id\":2")),
        _ => response("202 Accepted", "", ""),
    })
    .await;
    rig.request(2, "initialize").await;
    rig.frame().await;
    rig.notify().await.unwrap();
    assert!(!server.seen()[2].headers.contains_key("mcp-session-id"));
    rig.done().await;
    assert_eq!(server.count("DELETE"), 0);
}

#[tokio::test]
async fn a_404_without_a_session_is_a_plain_fault() {
    let (mut rig, server) = call(response("404 Not Found", "", "no such page")).await;
    let fault = rig.fault().await;
    assert_eq!(fault.kind, FaultKind::HttpStatus);
    assert_eq!(fault.message, "HTTP 404 Not Found: no such page");
    rig.done().await;
    assert_eq!(server.count("DELETE"), 0);
}

#[tokio::test]
async fn only_versions_with_the_header_are_sent() {
    for (version, sent) in [
        ("2025-03-26", None),
        ("2024-11-05", None),
        ("2025-06-18", Some("2025-06-18")),
    ] {
        let server = Server::start(|_, _| response("202 Accepted", "", "")).await;
        let rig = Rig::open(&spec(server.url())).await;
        rig.transport.negotiated(version);
        rig.notify().await.unwrap();
        assert_eq!(
            server.seen()[0].headers.get("mcp-protocol-version").map(String::as_str),
            sent
        );
        rig.done().await;
    }
}

#[tokio::test]
async fn the_users_headers_go_with_every_request_but_not_over_ours() {
    let server = Server::start(|_, _| response("202 Accepted", "", "")).await;
    let mut spec = spec(server.url());
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    spec.headers = vec![
        header("Authorization", "Bearer abc"),
        header("Accept", "text/html"),
        header("User-Agent", "me"),
    ];
    let mut rig = Rig::open(&spec).await;
    assert_eq!(rig.finding().await.0, "reserved-header");
    rig.notify().await.unwrap();
    rig.done().await;
    let headers = &server.seen()[0].headers;
    assert_eq!(headers["authorization"], "Bearer abc");
    assert_eq!(headers["accept"], "application/json, text/event-stream");
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["user-agent"], "me");
}

#[tokio::test]
async fn any_success_takes_a_notification() {
    for (acts, remark) in [
        (response("202 Accepted", "Content-Type: text/plain\r\n", ""), false),
        (response("200 OK", "", ""), true),
        (vec![Act::Write(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec())], true),
        (response("202 Accepted", "", "null"), true),
        (json("{}"), true),
    ] {
        let server = Server::start(move |_, _| acts.clone()).await;
        let mut rig = Rig::open(&spec(server.url())).await;
        rig.notify().await.unwrap();
        if remark {
            assert_eq!(rig.finding().await.0, "http-notification");
        }
        rig.done().await;
    }
}

#[tokio::test]
async fn a_stream_in_answer_to_a_notification_is_read() {
    let server = Server::start(|_, _| events(&["data: {\"method\":\"ping\",\"id\":1}\n\n"])).await;
    let mut rig = Rig::open(&spec(server.url())).await;
    rig.notify().await.unwrap();
    assert_eq!(rig.frame().await, "{\"method\":\"ping\",\"id\":1}");
    rig.done().await;
}

#[tokio::test]
async fn a_notification_that_is_never_answered_is_left_behind() {
    let server = Server::start(|_, _| vec![Act::Hold]).await;
    let mut rig = Rig::open(&spec(server.url())).await;
    rig.notify().await.unwrap();
    let (code, message) = rig.finding().await;
    assert_eq!(code, "http-notification");
    assert!(message.contains("not answered within 2 s"), "{message}");
    rig.done().await;
}

#[tokio::test]
async fn a_refused_notification_is_an_error() {
    let server = Server::start(|_, _| response("400 Bad Request", "", "no session")).await;
    let rig = Rig::open(&spec(server.url())).await;
    let fault = rig.notify().await.unwrap_err();
    assert_eq!(fault.message, "HTTP 400 Bad Request: no session");
    rig.done().await;
}

#[tokio::test]
async fn a_redirect_on_the_same_origin_keeps_method_body_and_headers() {
    for status in [
        "307 Temporary Redirect",
        "308 Permanent Redirect",
        "301 Moved Permanently",
        "302 Found",
    ] {
        let server = Server::start(move |seen, _| match seen.path.as_str() {
            "/mcp" => response(status, "Location: /mcp/\r\n", ""),
            _ => json(ANSWER),
        })
        .await;
        let mut spec = spec(server.url());
        spec.headers = vec![("Authorization".to_owned(), "Bearer abc".to_owned())];
        let mut rig = Rig::open(&spec).await;
        rig.request(1, "tools/call").await;
        assert_eq!(rig.finding().await.0, "http-redirect");
        assert_eq!(rig.frame().await, ANSWER);
        rig.done().await;
        let [first, second] = &server.seen()[..] else {
            panic!("two requests")
        };
        assert_eq!((second.method.as_str(), second.path.as_str()), ("POST", "/mcp/"));
        assert_eq!(second.body, first.body);
        assert_eq!(second.headers["authorization"], "Bearer abc");
    }
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_refused() {
    let elsewhere = Server::start(|_, _| json(ANSWER)).await;
    let location = format!("Location: {}\r\n", elsewhere.url());
    let (mut rig, _server) = call_with(move |_, _| response("307 Temporary Redirect", &location, "")).await;
    let fault = rig.fault().await;
    assert_eq!(fault.kind, FaultKind::HttpStatus);
    assert!(fault.message.contains("another origin"), "{fault}");
    rig.done().await;
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_circle_of_redirects_ends() {
    let (mut rig, server) = call(response("308 Permanent Redirect", "Location: /mcp\r\n", "")).await;
    let fault = loop {
        match rig.next().await {
            Told::Unanswerable(_, fault) => break fault,
            other => assert!(matches!(other, Told::Noise(code, _) if code == "http-redirect")),
        }
    };
    assert!(fault.message.contains("more than 5 redirects"), "{fault}");
    assert_eq!(server.count("POST"), 6);
    rig.done().await;
}

#[tokio::test]
async fn a_farewell_that_is_never_answered_ends() {
    let (rig, server) = opened(|seen, index| match seen.method.as_str() {
        "DELETE" => vec![Act::Hold],
        _ => with_session(seen, index),
    })
    .await;
    rig.done().await;
    assert_eq!(server.count("DELETE"), 1);
}
