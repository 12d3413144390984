//! Sessions over HTTP that the server forgets.

use std::sync::Arc;

use mcpvals::{
    mcp::Session,
    model::{HttpSpec, Readiness, ServerSpec},
};

use crate::harness::{LONG, SHORT, call, codes, launch, options, output};

/// A session with the fake HTTP server that the Python code `behaviour` has changed.
async fn open(behaviour: &str) -> Arc<Session> {
    let spec = ServerSpec::Http(HttpSpec {
        url: "http://127.0.0.1:{{port}}/mcp".to_owned(),
        headers: Vec::new(),
        start: Some(launch("python3", &["http_server.py", "{{port}}", behaviour])),
        ready: Readiness::Endpoint,
        startup_timeout: None,
    });
    let opened = Session::open(&spec, options()).await;
    opened.expect("python3 must be installed, and the fake server answers initialize")
}

#[tokio::test]
async fn calls_wait_while_a_forgotten_session_is_opened_anew() {
    let session = open("opening = lambda: time.sleep(0.3)").await;
    assert_eq!(output(&session, "forget").await, "s-1");
    let first = output(&session, "echo");
    let meanwhile = async {
        tokio::time::sleep(SHORT / 4).await;
        tokio::join!(output(&session, "echo"), output(&session, "echo"))
    };
    let (first, (second, third)) = tokio::join!(first, meanwhile);
    assert_eq!([first, second, third], ["s-2", "s-2", "s-2"]);
    assert_eq!(codes(&session), ["session-lost"]);
    session.close().await;
}

#[tokio::test]
async fn a_session_opened_anew_has_a_list_of_its_own() {
    let session = open("").await;
    assert_eq!(*session.tool_names(LONG).await.unwrap(), ["echo-s-1"]);
    output(&session, "forget").await;
    output(&session, "echo").await;
    assert_eq!(*session.tool_names(LONG).await.unwrap(), ["echo-s-2"]);
    session.close().await;
}

#[tokio::test]
async fn a_refused_answer_is_told_with_the_timeout_it_leads_to() {
    let session = open(
        r#"
def handle_message(self, session, id, method, params):
    if id is None: return self.reply(202)
    if method is None: return self.reply(403, {"detail": "no answers please"})
    self.send_response(200)
    self.send_header("Content-Type", "text/event-stream")
    self.end_headers()
    self.wfile.write(b'data: {"jsonrpc":"2.0","id":"p","method":"ping"}\n\n')
    self.wfile.flush()
    time.sleep(60)
Handler.handle_message = handle_message
"#,
    )
    .await;
    let fault = call(&session, "echo", SHORT).await.unwrap_err();
    let told = "the server refused the answer to its own request: HTTP 403 Forbidden: no answers please";
    assert!(fault.evidence.iter().any(|line| line == told), "{:?}", fault.evidence);
    assert_eq!(codes(&session), ["answer-refused"]);
    session.close().await;
}
