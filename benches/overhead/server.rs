//! The fastest server there is: one thread, one buffer, an answer that is a constant.

use std::io::{BufRead, Write, stdin, stdout};

use serde::Deserialize;

#[derive(Deserialize)]
struct Request<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: &'a str,
}

const INITIALIZED: &str =
    r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}"#;
const ANSWER: &str = r#"{"content":[{"type":"text","text":"hello"}]}"#;

/// Answers until stdin ends.
pub fn serve() {
    let mut lines = stdin().lock();
    let mut out = stdout().lock();
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
        let request: Request<'_> = serde_json::from_str(&line).expect("the client speaks JSON-RPC");
        if let Some(id) = request.id {
            let result = if request.method == "initialize" {
                INITIALIZED
            } else {
                ANSWER
            };
            let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n");
            out.write_all(answer.as_bytes())
                .and_then(|()| out.flush())
                .expect("the client reads");
        }
        line.clear();
    }
}
