//! The stdio transport: one JSON message a line over a child's standard streams.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{
    io::AsyncWriteExt,
    process::{ChildStdin, ChildStdout},
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::{
    BoxFuture, Inbox, Outgoing, Transport,
    lines::Lines,
    reading::{Piece, Reading},
};
use crate::{
    mcp::{
        Recorder,
        process::{Process, Streams},
        quote::{self, quoted},
    },
    model::{Fault, FaultKind, Launch, Phase},
};

/// How long the output is read after the server has ended and nobody serves in its place: what it wrote is in the pipe
/// by then, and a helper that holds the pipe open would keep it from ending for ever.
const AFTERLIFE: Duration = Duration::from_millis(150);
/// Bytes kept of what was not read as a message: enough for a quotation.
const UNREAD: usize = 600;
/// How long a write that hangs may hold up the end of the session.
const WRITER_LIMIT: Duration = Duration::from_millis(50);

/// A child process that speaks MCP over its standard streams.
pub(crate) struct StdioTransport {
    process: Arc<Process>,
    writer: tokio::sync::Mutex<Writer>,
    unread: Arc<Mutex<Unread>>,
    reader: JoinHandle<()>,
}

/// Stdin, and what it has not taken yet.
struct Writer {
    stdin: Option<ChildStdin>,
    /// Whole messages; of the first one a part may have been written. A sender that gives up leaves the rest here, so
    /// that the next message never lands in the middle of a line.
    backlog: Vec<u8>,
    limit: usize,
}

/// What has come on stdout without being a message yet.
#[derive(Debug, Default)]
struct Unread {
    bytes: usize,
    start: String,
    is_spread: bool,
}

impl StdioTransport {
    /// Starts the child and begins to read; a message longer than `limit` bytes ends the connection.
    pub(crate) fn open(
        launch: &Launch,
        inbox: Arc<dyn Inbox>,
        limit: usize,
        recorder: Option<&Arc<dyn Recorder>>,
    ) -> Result<Arc<Self>, Fault> {
        let process = Process::spawn(launch, Streams::Protocol, recorder)?;
        let Some((stdin, stdout)) = process.take_pipes() else {
            let message = format!("`{}` has no pipes", launch.command);
            return Err(Fault::surroundings(FaultKind::CannotStart, Phase::Start, message));
        };
        let unread = Arc::new(Mutex::new(Unread::default()));
        let output = Output {
            stdout,
            process: Arc::clone(&process),
            inbox,
            unread: Arc::clone(&unread),
            limit,
        };
        Ok(Arc::new(Self {
            process,
            writer: tokio::sync::Mutex::new(Writer {
                stdin: Some(stdin),
                backlog: Vec::new(),
                limit,
            }),
            unread,
            reader: tokio::spawn(output.read()),
        }))
    }
}

impl Transport for StdioTransport {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(async move {
            let error = match self.writer.lock().await.write(&message.text).await {
                Ok(()) => return Ok(()),
                Err(WriteError::Pipe(error)) => error,
                Err(WriteError::Full(bytes)) => {
                    let message = format!("the server does not read its stdin: {bytes} bytes wait for it");
                    return Err(Fault::server(FaultKind::TooLarge, Phase::Call, message));
                }
            };
            self.process.settle().await;
            Err(ended(&self.process, &format!("closed its input (stdin: {error})")))
        })
    }

    fn evidence(&self, _: Option<u64>) -> Vec<String> {
        let mut evidence = self.process.evidence();
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        if unread.bytes > 0 {
            let what = if unread.is_spread {
                "an unfinished message on several lines"
            } else {
                "a line without an end"
            };
            evidence.push(format!(
                "stdout: {} bytes of {what} (messages must be on one line and end with a newline): {}",
                unread.bytes,
                quoted(&unread.start)
            ));
        }
        evidence
    }

    fn crash(&self) -> Option<String> {
        self.process.crash()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if let Ok(mut writer) = timeout(WRITER_LIMIT, self.writer.lock()).await {
                writer.stdin = None;
            }
            self.process.end().await;
            self.reader.abort();
        })
    }
}

impl Drop for StdioTransport {
    fn drop(&mut self) {
        self.reader.abort();
        self.process.kill();
    }
}

impl fmt::Debug for StdioTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioTransport")
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

enum WriteError {
    Pipe(std::io::Error),
    Full(usize),
}

impl Writer {
    /// Cancel-safe: what is not written stays in the backlog.
    async fn write(&mut self, text: &str) -> Result<(), WriteError> {
        let Some(stdin) = &mut self.stdin else {
            return Err(WriteError::Pipe(std::io::ErrorKind::BrokenPipe.into()));
        };
        if !self.backlog.is_empty() && self.backlog.len() + text.len() > self.limit {
            return Err(WriteError::Full(self.backlog.len()));
        }
        self.backlog.extend_from_slice(text.as_bytes());
        self.backlog.push(b'\n');
        while !self.backlog.is_empty() {
            let written = stdin.write(&self.backlog).await.map_err(WriteError::Pipe)?;
            self.backlog.drain(..written);
        }
        Ok(())
    }
}

/// The reading side, on a task of its own.
struct Output {
    stdout: ChildStdout,
    process: Arc<Process>,
    inbox: Arc<dyn Inbox>,
    unread: Arc<Mutex<Unread>>,
    limit: usize,
}

impl Output {
    async fn read(mut self) {
        let (mut lines, mut reading) = (Lines::default(), Reading::default());
        let fault = match self.read_to_end(&mut lines, &mut reading).await {
            Err(fatal) => fatal,
            Ok(()) => self.last_words(&lines, &mut reading).await,
        };
        lines.clear();
        self.inbox.closed(fault);
    }

    async fn last_words(&self, lines: &Lines, reading: &mut Reading) -> Fault {
        let received = Instant::now();
        let mut fatal = None;
        reading.end(lines.rest(), &mut |piece| {
            deliver(piece, &*self.inbox, received, &mut fatal);
        });
        self.process.settle().await;
        fatal.unwrap_or_else(|| ended(&self.process, "closed its output (stdout)"))
    }

    async fn read_to_end(&mut self, lines: &mut Lines, reading: &mut Reading) -> Result<(), Fault> {
        let (process, inbox) = (Arc::clone(&self.process), Arc::clone(&self.inbox));
        let mut over = std::pin::pin!(async {
            process.over().await;
            inbox.retired();
            sleep(AFTERLIFE).await;
        });
        loop {
            tokio::select! {
                biased;
                read = lines.read(&mut self.stdout) => match read {
                    Ok(1..) => self.take(lines, reading)?,
                    Ok(0) | Err(_) => return Ok(()),
                },
                () = &mut over => return Ok(()),
            }
        }
    }

    fn take(&self, lines: &mut Lines, reading: &mut Reading) -> Result<(), Fault> {
        let received = Instant::now();
        let mut fatal = None;
        while fatal.is_none()
            && lines.next(|line| reading.line(line, &mut |piece| deliver(piece, &*self.inbox, received, &mut fatal)))
        {
        }
        let rest = lines.rest();
        let gathered = reading.gathered().unwrap_or_default();
        let bytes = rest.len() + gathered.len();
        self.note_unread(
            bytes,
            if gathered.is_empty() { rest } else { gathered.as_bytes() },
            !gathered.is_empty(),
        );
        if bytes > self.limit {
            let message = format!(
                "a message on stdout is larger than the limit of {} bytes: {bytes} bytes came without its end",
                self.limit
            );
            return Err(Fault::server(FaultKind::TooLarge, Phase::Call, message));
        }
        match fatal.or_else(|| reading.is_foreign_framing(rest)) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    fn note_unread(&self, bytes: usize, start: &[u8], is_spread: bool) {
        let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes == 0 && unread.bytes == 0 {
            return;
        }
        if bytes < unread.bytes || unread.start.len() < 200 {
            let beginning = String::from_utf8_lossy(&start[..start.len().min(UNREAD + 1)]);
            unread.start = quote::start(&beginning, UNREAD).into_owned();
        }
        unread.bytes = bytes;
        unread.is_spread = is_spread;
    }
}

fn deliver(piece: Piece<'_>, inbox: &dyn Inbox, received: Instant, fatal: &mut Option<Fault>) {
    match piece {
        Piece::Frame(text) => inbox.frame(text, received),
        Piece::Noise(text, finding) => inbox.noise(text, finding),
        Piece::Unreadable(id, fault) => inbox.unanswerable(id, fault),
        Piece::Fatal(fault) => *fatal = Some(fault),
    }
}

/// Why nothing comes any more: the server has ended, or has only `done` something.
fn ended(process: &Process, done: &str) -> Fault {
    match process.exited() {
        Some(status) => Fault::server(FaultKind::Exited, Phase::Call, format!("the server exited ({status})")),
        None => Fault::server(FaultKind::Closed, Phase::Call, format!("the server {done}"))
            .evidence(["the process is still running".to_owned()]),
    }
}
