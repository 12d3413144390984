//! A raw TCP server: it reads one request a connection and writes canned bytes.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// What is done with a connection, in order; at the end it is closed.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Write(Vec<u8>),
    /// Nothing more, until the client closes.
    Hold,
    /// The connection is torn down.
    Reset,
}

/// A running server; it ends when dropped.
pub(super) struct Server {
    pub port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
    _tasks: JoinSet<()>,
}

impl Server {
    /// Answers the n-th request with what `handler` says.
    pub(super) async fn start(handler: impl Fn(&Seen, usize) -> Vec<Act> + Send + Sync + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), handler)
    }

    pub(super) fn on(
        listener: TcpListener,
        handler: impl Fn(&Seen, usize) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, handler) = (Arc::clone(&seen), Arc::new(handler));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (log, handler) = (Arc::clone(&log), Arc::clone(&handler));
                connections.spawn(async move { serve(stream, &log, handler.as_ref()).await });
            }
        });
        Self {
            port,
            seen,
            _tasks: tasks,
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(super) fn count(&self, method: &str) -> usize {
        self.seen().iter().filter(|seen| seen.method == method).count()
    }
}

async fn serve(mut stream: TcpStream, log: &Mutex<Vec<Seen>>, handler: &(impl Fn(&Seen, usize) -> Vec<Act> + ?Sized)) {
    let Some(seen) = read_request(&mut stream).await else {
        return;
    };
    let index = {
        let mut log = log.lock().unwrap();
        log.push(seen.clone());
        log.len() - 1
    };
    for act in handler(&seen, index) {
        match act {
            Act::Write(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Act::Hold => while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {},
            Act::Reset => {
                stream.set_zero_linger().unwrap();
                return;
            }
        }
    }
    let _ = stream.shutdown().await;
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ').map(str::to_owned);
    let headers: BTreeMap<_, _> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    while bytes.len() < head_end + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Seen {
        method: first.next()?,
        path: first.next()?,
        headers,
        body: String::from_utf8(bytes[head_end + 4..].to_vec()).unwrap(),
    })
}

/// A whole response with `Content-Length`.
pub(super) fn response(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<Act> {
    let body = body.as_ref();
    let mut bytes = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    vec![Act::Write(bytes)]
}

/// A JSON answer.
pub(super) fn json(body: impl AsRef<[u8]>) -> Vec<Act> {
    response("200 OK", "Content-Type: application/json\r\n", body)
}

/// An event stream that ends after these parts.
pub(super) fn events(parts: &[&str]) -> Vec<Act> {
    let mut acts = vec![head("200 OK", "text/event-stream")];
    acts.extend(parts.iter().map(|part| chunk(part)));
    acts.push(Act::Write(b"0\r\n\r\n".to_vec()));
    acts
}

/// An event stream that stays open after these parts.
pub(super) fn open_events(parts: &[&str]) -> Vec<Act> {
    let mut acts = events(parts);
    acts.pop();
    acts.push(Act::Hold);
    acts
}

/// The head of a chunked response.
pub(super) fn head(status: &str, content_type: &str) -> Act {
    Act::Write(
        format!("HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\n\r\n").into(),
    )
}

/// One chunk.
pub(super) fn chunk(part: &str) -> Act {
    Act::Write(format!("{:x}\r\n{part}\r\n", part.len()).into())
}
