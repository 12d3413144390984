//! The other side: a client of a few lines that spawns, writes lines, reads lines, and checks nothing.

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    task::JoinSet,
};

const INITIALIZE: &str = r#""method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}"#;
const CALL: &str = r#""method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}"#;

struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
    line: String,
}

impl Client {
    async fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program has a path"))
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be started");
        let mut client = Self {
            stdin: child.stdin.take().expect("stdin is piped"),
            stdout: BufReader::new(child.stdout.take().expect("stdout is piped")),
            child,
            next: 0,
            line: String::new(),
        };
        client.request(INITIALIZE).await;
        client
            .write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
            .await;
        client
    }

    async fn request(&mut self, body: &str) -> serde_json::Value {
        self.send(body).await;
        self.receive().await
    }

    async fn send(&mut self, body: &str) {
        self.next += 1;
        let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},{body}}}\n", self.next);
        self.write(&message).await;
    }

    async fn receive(&mut self) -> serde_json::Value {
        self.line.clear();
        self.stdout.read_line(&mut self.line).await.expect("the server answers");
        serde_json::from_str(&self.line).expect("the answer is JSON")
    }

    async fn write(&mut self, text: &str) {
        self.stdin.write_all(text.as_bytes()).await.expect("the server reads");
    }

    async fn stop(mut self) {
        drop(self.stdin);
        self.child.wait().await.expect("the server ends");
    }
}

/// The time of `count` calls, one after the other, on one server.
pub async fn calls(count: usize) -> Duration {
    let mut client = Client::start().await;
    let began = Instant::now();
    for _ in 0..count {
        client.request(CALL).await;
    }
    let took = began.elapsed();
    client.stop().await;
    took
}

/// The time of one server that is started, called `count` times and stopped; `concurrency` calls are under way at a time.
pub async fn shared_server(count: usize, concurrency: usize) -> Duration {
    let began = Instant::now();
    let mut client = Client::start().await;
    for _ in 0..concurrency {
        client.send(CALL).await;
    }
    for _ in concurrency..count {
        client.receive().await;
        client.send(CALL).await;
    }
    for _ in 0..concurrency {
        client.receive().await;
    }
    client.stop().await;
    began.elapsed()
}

/// The time of `count` servers that are started, called once and stopped, `concurrency` at a time.
pub async fn fresh_servers(count: usize, concurrency: usize) -> Duration {
    let began = Instant::now();
    let mut workers = JoinSet::new();
    for worker in 0..concurrency {
        let share = count / concurrency + usize::from(worker < count % concurrency);
        workers.spawn(async move {
            for _ in 0..share {
                let mut client = Client::start().await;
                client.request(CALL).await;
                client.stop().await;
            }
        });
    }
    workers.join_all().await;
    began.elapsed()
}
