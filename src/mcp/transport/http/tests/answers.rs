//! JSON answers and everything that should have been one.

use super::{
    rig::{ANSWER, Rig, call, spec},
    server::{Act, Server, chunk, head, json, open_events, response},
};
use crate::{
    mcp::{transport::Limits, weight},
    model::{FaultKind, Origin},
};

#[tokio::test]
async fn a_json_answer_is_one_frame() {
    let (mut rig, _server) = call(json(ANSWER)).await;
    assert_eq!(rig.frame().await, ANSWER);
    rig.done().await;
}

#[tokio::test]
async fn a_content_type_may_have_parameters_and_capitals() {
    let (mut rig, _server) = call(response(
        "200 OK",
        "Content-Type: Application/JSON; charset=utf-8\r\n",
        ANSWER,
    ))
    .await;
    assert_eq!(rig.frame().await, ANSWER);
    rig.done().await;
}

#[tokio::test]
async fn a_chunked_answer_may_be_cut_inside_a_character() {
    let (start, end) = ANSWER.as_bytes().split_at(ANSWER.find('数').unwrap() + 1);
    let part = |bytes: &[u8]| Act::Write([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat());
    let acts = vec![
        head("200 OK", "application/json"),
        part(start),
        part(end),
        Act::Write(b"0\r\n\r\n".to_vec()),
    ];
    let (mut rig, _server) = call(acts).await;
    assert_eq!(rig.frame().await, ANSWER);
    rig.done().await;
}

#[tokio::test]
async fn a_batch_is_one_frame_and_may_answer() {
    let batch = format!(r#"[{{"jsonrpc":"2.0","method":"notifications/message"}},{ANSWER}]"#);
    let (mut rig, _server) = call(json(&batch)).await;
    assert_eq!(rig.frame().await, batch);
    rig.done().await;
}

#[tokio::test]
async fn a_compressed_answer_is_unpacked() {
    // `{"jsonrpc":"2.0","id":1,"result":{}}` in a gzip file of one stored block.
    let text = br#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let length = u16::try_from(text.len()).unwrap();
    let mut packed = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01".to_vec();
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(text);
    packed.extend(crc32(text).to_le_bytes());
    packed.extend(u32::from(length).to_le_bytes());
    let headers = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
    let (mut rig, _server) = call(response("200 OK", headers, packed)).await;
    assert_eq!(rig.frame().await.as_bytes(), text);
    rig.done().await;
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| {
        if crc & 1 == 1 {
            0xEDB8_8320 ^ (crc >> 1)
        } else {
            crc >> 1
        }
    };
    !bytes
        .iter()
        .fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[tokio::test]
async fn a_body_that_is_not_gzip_breaks_the_answer() {
    let headers = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
    let (mut rig, _server) = call(response("200 OK", headers, ANSWER)).await;
    let fault = rig.fault().await;
    assert_eq!(
        (fault.kind, fault.origin),
        (FaultKind::Garbled, Origin::Server),
        "{fault:?}"
    );
    rig.done().await;
}

#[tokio::test]
async fn an_answer_to_another_request_is_handed_on_and_does_not_count() {
    let other = ANSWER.replace(r#""id":1"#, r#""id":99"#);
    let (mut rig, _server) = call(json(&other)).await;
    assert_eq!(rig.frame().await, other);
    let fault = rig.fault().await;
    assert_eq!(fault.kind, FaultKind::Garbled);
    assert!(fault.message.contains("does not answer request 1"), "{fault}");
    rig.done().await;
}

#[tokio::test]
async fn a_request_needs_a_body() {
    for acts in [
        json(""),
        json(" \n"),
        response("200 OK", "", ""),
        response("202 Accepted", "", ""),
        vec![Act::Write(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec())],
    ] {
        let (mut rig, _server) = call(acts).await;
        let fault = rig.fault().await;
        assert_eq!(fault.kind, FaultKind::Garbled);
        assert!(
            fault.message.starts_with("HTTP 20") && fault.message.contains("without a body"),
            "{fault}"
        );
        rig.done().await;
    }
}

#[tokio::test]
async fn a_page_in_place_of_an_answer_is_named() {
    let (mut rig, _server) = call(response(
        "200 OK",
        "Content-Type: text/html\r\n",
        "<html><p>Please log in",
    ))
    .await;
    let fault = rig.fault().await;
    assert_eq!(fault.kind, FaultKind::Garbled);
    assert!(
        fault.message.contains("`text/html`") && fault.message.ends_with("Please log in"),
        "{fault}"
    );
    rig.done().await;
}

#[tokio::test]
async fn json_under_another_content_type_is_no_answer_and_says_why() {
    for (headers, found) in [
        ("Content-Type: text/plain\r\n", "`text/plain`"),
        ("", "no content type"),
    ] {
        let (mut rig, _server) = call(response("200 OK", headers, ANSWER)).await;
        let fault = rig.fault().await;
        assert!(fault.message.contains(found), "{fault}");
        assert!(fault.help.unwrap().contains("Content-Type: application/json"));
        rig.done().await;
    }
}

#[tokio::test]
async fn a_body_that_only_claims_to_be_json_is_shown() {
    let (mut rig, _server) = call(json("Traceback: oh no")).await;
    assert_eq!(rig.finding().await.0, "not-json");
    let fault = rig.fault().await;
    assert_eq!(fault.kind, FaultKind::Garbled);
    assert!(fault.message.ends_with("not JSON: Traceback: oh no"), "{fault}");
    rig.done().await;
}

#[tokio::test]
async fn an_answer_with_a_slip_points_at_the_place() {
    let (mut rig, _server) = call(json(r#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}"#)).await;
    assert_eq!(rig.finding().await.0, "not-json");
    let fault = rig.fault().await;
    assert!(
        fault.message.starts_with("the answer with id 1 is not valid JSON: "),
        "{fault}"
    );
    assert!(fault.evidence[0].contains("NaN"), "{:?}", fault.evidence);
    rig.done().await;
}

#[tokio::test]
async fn a_byte_order_mark_is_remarked_and_taken_off() {
    let (mut rig, _server) = call(json(format!("\u{feff}{ANSWER}"))).await;
    assert_eq!(rig.finding().await.0, "byte-order-mark");
    assert_eq!(rig.frame().await, ANSWER);
    rig.done().await;
}

#[tokio::test]
async fn bad_utf8_is_remarked_and_replaced() {
    let (mut rig, _server) = call(json(b"{\"id\":1,\"result\":\"\xFF\"}")).await;
    assert_eq!(rig.finding().await.0, "bad-utf8");
    assert!(rig.frame().await.contains('\u{fffd}'));
    rig.done().await;
}

#[tokio::test]
async fn an_answer_is_bounded_announced_or_not() {
    let large = format!(r#"{{"id":1,"result":"{}"}}"#, "x".repeat(100_000));
    let chunked = vec![head("200 OK", "application/json"), chunk(&large), Act::Hold];
    for acts in [json(&large), chunked] {
        let (mut rig, _server) = call(acts).await;
        let fault = rig.fault().await;
        assert_eq!((fault.kind, fault.origin), (FaultKind::TooLarge, Origin::Server));
        assert!(fault.message.contains("100000 bytes"), "{fault}");
        rig.done().await;
    }
}

#[tokio::test]
async fn a_batch_of_too_many_values_ends_its_request_at_once_however_it_comes() {
    let batch = format!("[{}{ANSWER}]", "{},".repeat(weight::MAX_VALUES));
    for acts in [json(&batch), open_events(&[&format!("data: {batch}\n\n")])] {
        let server = Server::start(move |_, _| acts.clone()).await;
        let limits = Limits {
            startup: super::rig::PATIENCE.into(),
            message: 1_000_000,
        };
        let mut rig = Rig::open_within(&spec(server.url()), limits).await.unwrap();
        rig.request(1, "tools/call").await;
        assert_eq!(rig.frame().await, batch);
        let fault = rig.fault().await;
        assert_eq!((fault.kind, fault.origin), (FaultKind::TooLarge, Origin::Server));
        assert!(fault.message.contains("holds more than 250000 JSON values"), "{fault}");
        rig.done().await;
    }
}

#[tokio::test]
async fn a_slow_body_shows_in_the_evidence_and_ends_with_the_transport() {
    let (rig, server) = call(vec![head("200 OK", "application/json"), chunk("{\"id\""), Act::Hold]).await;
    let deadline = std::time::Instant::now() + super::rig::PATIENCE;
    let line = "request 1: HTTP 200 `application/json`, 5 bytes so far, no whole answer in them";
    while crate::mcp::transport::Transport::evidence(rig.transport.as_ref(), Some(1)) != [line] {
        assert!(std::time::Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
    assert_eq!(server.count("POST"), 1);
    rig.done().await;
}

#[tokio::test]
async fn nothing_is_sent_after_the_end() {
    let server = Server::start(|_, _| json(ANSWER)).await;
    let rig = Rig::open(&spec(server.url())).await;
    crate::mcp::transport::Transport::close(rig.transport.as_ref()).await;
    assert_eq!(rig.notify().await.unwrap_err().kind, FaultKind::Closed);
    assert!(server.seen().is_empty());
    rig.done().await;
}
