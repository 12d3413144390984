//! Answers as event streams: what comes before and after, and streams that end too soon.

use super::{
    rig::{ANSWER, call, call_with},
    server::{Act, Seen, chunk, events, head, open_events, response},
};
use crate::{mcp::transport::Transport, model::FaultKind};

fn event(data: &str) -> String {
    format!("data: {data}\n\n")
}

#[tokio::test]
async fn every_message_of_the_stream_is_handed_on_in_order() {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
    let parts = [event(request), event(note), event(ANSWER), event(note)];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (mut rig, _server) = call(events(&parts)).await;
    for expected in [request, note, ANSWER, note] {
        assert_eq!(rig.frame().await, expected);
    }
    rig.done().await;
}

#[tokio::test]
async fn framing_as_proxies_send_it_is_understood() {
    let parts = [
        ": keep-alive\r\n\r\nevent: message\r\nid: 7\r\nda",
        "ta:{\"id\":1,\r\ndata:\"result\":{}}\r\n\r",
        "\n",
    ];
    let (mut rig, _server) = call(events(&parts)).await;
    assert_eq!(rig.frame().await, "{\"id\":1,\n\"result\":{}}");
    rig.done().await;
}

#[tokio::test]
async fn an_open_stream_does_not_hold_up_the_answer_or_the_end() {
    let (mut rig, _server) = call(open_events(&["id: p\nretry: 5\ndata: \n\n", &event(ANSWER)])).await;
    assert_eq!(rig.frame().await, ANSWER);
    let deadline = std::time::Instant::now() + super::rig::PATIENCE;
    while !rig.transport.evidence(Some(1)).is_empty() {
        assert!(
            std::time::Instant::now() < deadline,
            "an answered request is still told as open"
        );
        tokio::task::yield_now().await;
    }
    rig.done().await;
}

#[tokio::test]
async fn other_kinds_of_event_are_remarked() {
    let (mut rig, _server) = call(events(&["event: ping\ndata: 1\n\n", &event(ANSWER)])).await;
    let (code, message) = rig.finding().await;
    assert_eq!(code, "sse-event-type");
    assert!(message.contains("`ping`"));
    assert_eq!(rig.frame().await, ANSWER);
    rig.done().await;
}

#[tokio::test]
async fn a_stream_without_ids_that_ends_too_soon_is_not_resumed() {
    for (parts, words) in [
        (vec![], "closed the event stream before it answered `tools/call`"),
        (
            vec!["data: \n\n"],
            "closed the event stream before it answered `tools/call`",
        ),
        (vec!["data: {\"id\":1"], "in the middle of an event: 13 bytes"),
    ] {
        let (mut rig, server) = call(events(&parts)).await;
        let fault = rig.fault().await;
        assert_eq!(fault.kind, FaultKind::Closed);
        assert!(fault.message.contains(words), "{fault}");
        assert_eq!(server.count("GET"), 0);
        rig.done().await;
    }
}

fn primed_then(get: Vec<Act>) -> impl Fn(&Seen, usize) -> Vec<Act> + Send + Sync + 'static {
    move |seen, _| match seen.method.as_str() {
        "POST" => events(&["id: p-1\nretry: 1\ndata: \n\n"]),
        _ => get.clone(),
    }
}

#[tokio::test]
async fn a_stream_with_ids_is_resumed() {
    let (mut rig, server) = call_with(primed_then(events(&[&event(ANSWER)]))).await;
    assert_eq!(rig.finding().await.0, "sse-resumed");
    assert_eq!(rig.frame().await, ANSWER);
    let get = &server.seen()[1];
    assert_eq!(
        (get.method.as_str(), get.headers["last-event-id"].as_str()),
        ("GET", "p-1")
    );
    assert_eq!(get.headers["accept"], "text/event-stream");
    assert!(!get.headers.contains_key("content-type"));
    rig.done().await;
}

#[tokio::test]
async fn a_broken_stream_with_ids_is_resumed_too() {
    let broken = vec![
        head("200 OK", "text/event-stream"),
        chunk("id: 3\nretry: 1\ndata: \n\n"),
        Act::Reset,
    ];
    let (mut rig, _server) = call_with(move |seen, _| match seen.method.as_str() {
        "POST" => broken.clone(),
        _ => events(&[&event(ANSWER)]),
    })
    .await;
    // A reset may overtake the event that gave the id; then there is nothing to resume from.
    match rig.next().await {
        super::rig::Told::Noise(code, _) => {
            assert_eq!(code, "sse-resumed");
            assert_eq!(rig.frame().await, ANSWER);
        }
        super::rig::Told::Unanswerable(1, fault) => assert_eq!(fault.kind, FaultKind::Closed),
        other => panic!("{other:?}"),
    }
    rig.done().await;
}

#[tokio::test]
async fn a_resumption_that_is_refused_is_told() {
    let (mut rig, server) = call_with(primed_then(response("405 Method Not Allowed", "", ""))).await;
    let fault = rig.fault().await;
    assert!(
        fault
            .message
            .ends_with("it could not be resumed: HTTP 405 Method Not Allowed"),
        "{fault}"
    );
    assert_eq!(server.count("GET"), 1);
    rig.done().await;
}

#[tokio::test]
async fn an_event_id_that_no_header_takes_is_not_sent() {
    let primed = format!("id: {}\nretry: 1\ndata: \n\n", "p".repeat(90_000));
    let (mut rig, server) = call_with(move |_, _| events(&[&primed])).await;
    let fault = rig.fault().await;
    assert!(
        fault
            .message
            .ends_with("it could not be resumed: its event id cannot be sent in a header"),
        "{fault}"
    );
    assert_eq!(server.count("GET"), 0);
    rig.done().await;
}

#[tokio::test]
async fn resuming_without_progress_ends() {
    let (mut rig, server) = call_with(primed_then(events(&["id: p-1\ndata: \n\n"]))).await;
    let fault = loop {
        match rig.next().await {
            super::rig::Told::Unanswerable(_, fault) => break fault,
            other => assert!(matches!(other, super::rig::Told::Noise(code, _) if code == "sse-resumed")),
        }
    };
    assert_eq!(fault.kind, FaultKind::Closed);
    assert_eq!(server.count("GET"), 3);
    rig.done().await;
}

#[tokio::test]
async fn polling_goes_on_as_long_as_the_ids_move() {
    let (mut rig, server) = call_with(|seen, index| match (seen.method.as_str(), index) {
        ("GET", 8) => events(&[&event(ANSWER)]),
        (_, index) => events(&[&format!("id: {index}\nretry: 1\ndata: \n\n")]),
    })
    .await;
    for _ in 0..8 {
        assert_eq!(rig.finding().await.0, "sse-resumed");
    }
    assert_eq!(rig.frame().await, ANSWER);
    assert_eq!(server.seen()[8].headers["last-event-id"], "7");
    rig.done().await;
}

#[tokio::test]
async fn a_request_that_is_forgotten_is_resumed_no_more() {
    let (rig, server) = call_with(|_, index| events(&[&format!("id: {index}\nretry: 1\ndata: \n\n")])).await;
    rig.request(2, "tools/call").await;
    let deadline = std::time::Instant::now() + super::rig::PATIENCE;
    while server.count("GET") < 4 {
        assert!(std::time::Instant::now() < deadline);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert!(rig.transport.evidence(Some(1))[0].starts_with("request 1: "));
    rig.transport.forget(1);
    rig.transport.forget(2);
    while !rig.transport.evidence(Some(1)).is_empty() || !rig.transport.evidence(Some(2)).is_empty() {
        assert!(std::time::Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let before = server.count("GET");
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(server.count("GET"), before);
    rig.transport.close().await;
}

#[tokio::test]
async fn an_event_is_bounded() {
    let (mut rig, _server) = call(open_events(&["id: 1\ndata: ", &"x".repeat(100_000)])).await;
    assert_eq!(rig.fault().await.kind, FaultKind::TooLarge);
    rig.done().await;
}

#[tokio::test]
async fn a_garbled_chunk_is_told_from_a_broken_connection() {
    let garbage = Act::Write(b"zzz\r\n".to_vec());
    let (mut rig, _server) = call(vec![head("200 OK", "text/event-stream"), garbage]).await;
    assert_eq!(rig.fault().await.kind, FaultKind::Garbled);
    rig.done().await;
    let (mut rig, _server) = call(vec![head("200 OK", "text/event-stream"), chunk(": hi\n\n")]).await;
    assert_eq!(rig.fault().await.kind, FaultKind::Closed);
    rig.done().await;
}
