//! Statuses that are no answers, and servers that are not there, not yet there, or not HTTP.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::{
    rig::{ANSWER, Rig, call, spec},
    server::{Act, Server, json, response},
};
use crate::model::{FaultKind, Origin, Phase};

#[tokio::test]
async fn a_status_is_told_with_the_servers_words() {
    let (mut rig, _server) = call(response(
        "502 Bad Gateway",
        "Content-Type: text/html\r\n",
        "<h1>Bad</h1>upstream",
    ))
    .await;
    let fault = rig.fault().await;
    assert_eq!(
        (fault.kind, fault.origin, fault.phase),
        (FaultKind::HttpStatus, Origin::Server, Phase::Call)
    );
    assert_eq!(fault.message, "HTTP 502 Bad Gateway: Bad upstream");
    rig.done().await;
}

#[tokio::test]
async fn a_challenge_is_told_with_what_to_set() {
    let challenge = "WWW-Authenticate: Bearer error=\"invalid_token\", error_description=\"Missing API key\"\r\n";
    let (mut rig, _server) = call(response("401 Unauthorized", challenge, "{}")).await;
    let fault = rig.fault().await;
    assert_eq!(fault.message, "HTTP 401 Unauthorized: Missing API key, invalid_token");
    assert!(fault.help.unwrap().contains("headers.Authorization"));
    rig.done().await;
}

#[tokio::test]
async fn a_post_that_is_not_allowed_points_at_the_legacy_transport() {
    let server = Server::start(|_, _| response("405 Method Not Allowed", "Allow: GET\r\n", "")).await;
    let mut rig = Rig::open(&spec(server.url())).await;
    rig.request(1, "initialize").await;
    let fault = rig.fault().await;
    assert!(fault.message.contains("405") && fault.help.unwrap().contains("transport: sse"));
    rig.done().await;
}

#[tokio::test]
async fn an_error_answer_counts_whatever_its_status() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m"}}"#;
    let (mut rig, _server) = call(response(
        "400 Bad Request",
        "Content-Type: application/json\r\n",
        answer,
    ))
    .await;
    assert_eq!(rig.finding().await.0, "http-error-status");
    assert_eq!(rig.frame().await, answer);
    rig.done().await;
    let (mut rig, _server) = call(response("400 Bad Request", "", answer.replace('1', "null"))).await;
    assert_eq!(rig.fault().await.message, "HTTP 400 Bad Request: m");
    rig.done().await;
}

#[tokio::test]
async fn an_error_page_that_never_ends_does_not_hold_up_its_status() {
    let acts = vec![
        Act::Write(b"HTTP/1.1 500 Oops\r\nContent-Length: 99\r\n\r\nboom".to_vec()),
        Act::Hold,
    ];
    let (mut rig, _server) = call(acts).await;
    assert_eq!(rig.fault().await.message, "HTTP 500 Internal Server Error: boom");
    rig.done().await;
}

#[tokio::test]
async fn a_connection_that_ends_without_a_response_is_the_servers_fault() {
    for act in [Act::Write(Vec::new()), Act::Reset] {
        let (mut rig, _server) = call(vec![act]).await;
        let fault = rig.fault().await;
        assert_eq!(
            (fault.kind, fault.origin),
            (FaultKind::Closed, Origin::Server),
            "{fault:?}"
        );
        rig.done().await;
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_the_servers_fault() {
    let acts = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"id\"".to_vec();
    let (mut rig, _server) = call(vec![Act::Write(acts)]).await;
    let fault = rig.fault().await;
    assert_eq!((fault.kind, fault.origin), (FaultKind::Closed, Origin::Server));
    assert!(fault.message.contains("in the middle of the answer"), "{fault}");
    rig.done().await;
}

#[tokio::test]
async fn something_that_is_not_http_is_named() {
    let (mut rig, server) = call(vec![Act::Write(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec())]).await;
    let fault = rig.fault().await;
    assert_eq!((fault.kind, fault.origin), (FaultKind::Garbled, Origin::Server));
    assert!(
        fault
            .message
            .contains(&format!("`{}` does not speak HTTP", server.url())),
        "{fault}"
    );
    rig.done().await;
}

#[tokio::test]
async fn a_server_that_comes_up_late_is_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut rig = Rig::open(&spec(format!("http://{address}/mcp"))).await;
    rig.request(1, "initialize").await;
    // Long enough for several attempts to be refused.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let _server = Server::on(TcpListener::bind(address).await.unwrap(), |_, _| json(ANSWER));
    assert_eq!(rig.frame().await, ANSWER);
    rig.done().await;
}

#[tokio::test]
async fn a_server_that_never_comes_up_is_unreachable_within_the_limit() {
    let port = {
        TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap()
            .port()
    };
    let spec = spec(format!("http://127.0.0.1:{port}/mcp?token=secret"));
    let mut rig = Rig::try_open(&spec, Duration::from_millis(400)).await.unwrap();
    let begun = std::time::Instant::now();
    rig.request(1, "initialize").await;
    let fault = rig.fault().await;
    assert!(
        (200..400).contains(&begun.elapsed().as_millis()),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(
        (fault.kind, fault.origin, fault.phase),
        (FaultKind::Unreachable, Origin::Surroundings, Phase::Start)
    );
    assert_eq!(
        fault.message,
        format!("`http://127.0.0.1:{port}/mcp` cannot be reached: connection refused")
    );
    assert!(fault.help.unwrap().contains("server.start"));
    rig.done().await;
}

#[tokio::test]
async fn a_server_that_goes_away_is_not_waited_for() {
    let server = Server::start(|_, _| json(ANSWER)).await;
    let mut rig = Rig::open(&spec(server.url())).await;
    rig.request(1, "tools/call").await;
    rig.frame().await;
    drop(server);
    rig.request(1, "tools/call").await;
    let fault = rig.fault().await;
    assert_eq!(
        (fault.kind, fault.origin),
        (FaultKind::Closed, Origin::Server),
        "{fault:?}"
    );
    rig.done().await;
}

#[tokio::test]
async fn tls_where_there_is_none_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/mcp", listener.local_addr().unwrap());
    let plain = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
            while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
        }
    });
    // A machine without CA certificates says so at once; any other one when the server answers in clear text.
    let fault = match Rig::try_open(&spec(url), Duration::from_secs(5)).await {
        Err(fault) => fault,
        Ok(mut rig) => {
            rig.request(1, "initialize").await;
            let fault = rig.fault().await;
            rig.done().await;
            assert!(fault.help.as_ref().unwrap().contains("write `http://`"), "{fault:?}");
            fault
        }
    };
    plain.abort();
    assert_eq!(
        (fault.kind, fault.origin),
        (FaultKind::Unreachable, Origin::Surroundings)
    );
    assert!(fault.message.starts_with("TLS "), "{fault}");
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_named() {
    let mut rig = Rig::try_open(&spec("http://no-such-host.invalid/mcp"), Duration::from_secs(9))
        .await
        .unwrap();
    rig.request(1, "initialize").await;
    let fault = rig.fault().await;
    assert_eq!(
        (fault.kind, fault.origin),
        (FaultKind::Unreachable, Origin::Surroundings)
    );
    assert!(fault.message.contains("no-such-host.invalid"), "{fault}");
    rig.done().await;
}
