//! The line to a server: requests with their limits, whatever the transport and the era.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::json;
use tokio::{
    sync::mpsc,
    task::JoinHandle,
    time::{timeout, timeout_at},
};

use super::{
    Direction, Recorder,
    findings::Mark,
    inbox::Switchboard,
    jsonrpc::{self, Payload},
    pending::{Delivery, Notes, Ticket},
    transport::{Outgoing, OutgoingKind, Transport},
};
use crate::{
    model::{Fault, FaultKind, Finding, Heard, Phase, TimeLimit},
    text,
};

/// Messages on our own account (answers, cancellations) that may wait for a server that does not read.
const OUTBOX: usize = 64;
/// How long such messages may take when the session ends.
const FLUSH_LIMIT: Duration = Duration::from_millis(100);

/// A transport with what waits for its answers.
pub(super) struct Link {
    transport: Arc<dyn Transport>,
    /// Where its messages arrive.
    pub(super) board: Arc<Switchboard>,
    recorder: Option<Arc<dyn Recorder>>,
    poster: Mutex<Option<JoinHandle<()>>>,
}

/// Until when something may take, and what the user calls that limit. A [`TimeLimit`] becomes one that begins now; several
/// requests may share it.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The moment it is over.
    pub(super) at: tokio::time::Instant,
    /// Its length, as the user set it.
    pub(super) length: Duration,
    /// Where it was set.
    pub(super) name: &'static str,
}

/// A request to be sent.
pub(super) struct Ask<'a, P> {
    /// What it is part of.
    pub(super) phase: Phase,
    /// Its method.
    pub(super) method: &'static str,
    /// Its parameters.
    pub(super) params: &'a P,
    /// How long the answer may take.
    pub(super) limit: Limit,
    /// From when on remarks may explain a fault of it.
    pub(super) since: Mark,
}

/// An answered request.
#[derive(Debug)]
pub(super) struct Answered {
    /// What came.
    pub(super) payload: Payload,
    /// From the request written to the answer read; over HTTP from the request handed on, since connecting is part of
    /// each call there.
    pub(super) latency: Duration,
    /// What the server said meanwhile on its own account.
    pub(super) heard: Heard,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It failed for good.
    Fault(Fault),
    /// The server forgot the session.
    SessionLost,
}

/// What a session needs before its transport can be opened.
pub(super) fn switchboard(
    recorder: Option<Arc<dyn Recorder>>,
    source: &'static str,
) -> (Arc<Switchboard>, mpsc::Receiver<Outgoing>) {
    let (sender, receiver) = mpsc::channel(OUTBOX);
    (Arc::new(Switchboard::new(sender, recorder, source)), receiver)
}

impl Link {
    /// Joins a transport with its switchboard; what the switchboard posts goes out on a task of its own.
    pub(super) fn new(
        transport: Arc<dyn Transport>,
        board: Arc<Switchboard>,
        mut outbox: mpsc::Receiver<Outgoing>,
        recorder: Option<Arc<dyn Recorder>>,
    ) -> Self {
        // Weak, so that dropping the session drops the transport, which kills the process.
        let (wire, witness) = (Arc::downgrade(&transport), recorder.clone());
        let inbox = Arc::clone(&board);
        let poster = tokio::spawn(async move {
            while let Some(message) = outbox.recv().await {
                let Some(wire) = wire.upgrade() else { return };
                record(witness.as_ref(), &message.text);
                let is_answer = message.kind == OutgoingKind::Response;
                // What makes a message fail makes the requests fail as well, and is told there; a status does not.
                if let Err(fault) = wire.send(message).await {
                    inbox.conclude(&fault);
                    if is_answer && fault.kind == FaultKind::HttpStatus {
                        inbox.findings.note_first(refused_answer(&fault));
                    }
                }
            }
        });
        Self {
            transport,
            board,
            recorder,
            poster: Mutex::new(Some(poster)),
        }
    }

    /// Sends a request and waits for its answer.
    pub(super) async fn request<P: Serialize>(&self, ask: Ask<'_, P>) -> Result<Answered, Trouble> {
        let mut asked = self.open(&ask)?;
        let text = jsonrpc::request(asked.ticket.id, ask.method, ask.params);
        record(self.recorder.as_ref(), &text);
        let message = Outgoing {
            text,
            kind: OutgoingKind::Request { id: asked.ticket.id },
        };
        let mut sent = Instant::now();
        let exchange = async {
            if let Err(fault) = self.transport.send(message).await {
                return Delivery::Closed(fault);
            }
            sent = Instant::now();
            asked.ticket.delivery().await
        };
        match timeout_at(ask.limit.at, exchange).await {
            Ok(Delivery::Answer {
                payload: Payload::Malformed(why),
                ..
            }) => {
                let message = format!("the answer to `{}` is not JSON-RPC: {why}", ask.method);
                Err(asked.explained(Fault::server(FaultKind::Garbled, ask.phase, message)))
            }
            Ok(Delivery::Answer {
                payload,
                received,
                notes,
            }) => {
                let latency = received.saturating_duration_since(sent);
                Ok(Answered {
                    payload,
                    latency,
                    heard: notes.heard,
                })
            }
            Ok(Delivery::Fault(fault)) => Err(asked.explained(Fault {
                phase: ask.phase,
                ..fault
            })),
            Ok(Delivery::Closed(fault)) => Err(asked.cut_off(fault, &ask)),
            Ok(Delivery::SessionLost) => Err(Trouble::SessionLost),
            Err(_elapsed) => Err(asked.timed_out(&ask)),
        }
    }

    /// Sends a notification.
    pub(super) async fn notify(&self, method: &'static str, phase: Phase, limit: Limit) -> Result<(), Fault> {
        let text = jsonrpc::notification(method, None);
        record(self.recorder.as_ref(), &text);
        let sent = self.transport.send(Outgoing {
            text,
            kind: OutgoingKind::Notification,
        });
        let fault = match timeout_at(limit.at, sent).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(fault)) => {
                self.board.conclude(&fault);
                Fault { phase, ..fault }
            }
            Err(_elapsed) => Fault::server(
                FaultKind::Timeout,
                phase,
                format!("`{method}` was not taken within {}", limit.words()),
            ),
        };
        Err(self.with_evidence(fault, Mark::default()))
    }

    /// Tells the transport which protocol version is in use.
    pub(super) fn negotiated(&self, version: &str) {
        self.transport.negotiated(version);
    }

    /// Tells the transport that the handshake is complete.
    pub(super) fn ready(&self) {
        self.transport.ready();
    }

    /// How the server ended of its own accord, if it did and not with success: what ends after we have closed the
    /// connection, or stopped to read from it, may end for that.
    pub(super) fn crash(&self) -> Option<String> {
        match self.board.pending.closed_by() {
            None | Some(FaultKind::Exited) => self.transport.crash(),
            Some(_) => None,
        }
    }

    /// Ends the connection and what was started for it.
    pub(super) async fn close(&self) {
        let fault = Fault::surroundings(FaultKind::Closed, Phase::Call, "the session was closed by this run");
        self.board.pending.close(&fault);
        self.board.close_outbox();
        let poster = self.poster.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut poster) = poster
            && timeout(FLUSH_LIMIT, &mut poster).await.is_err()
        {
            poster.abort();
        }
        self.transport.close().await;
    }

    /// Adds what explains a fault at this moment, as far as it was noted `since` then.
    pub(super) fn with_evidence(&self, fault: Fault, since: Mark) -> Fault {
        self.explained(fault, None, since)
    }

    fn explained(&self, mut fault: Fault, request: Option<u64>, since: Mark) -> Fault {
        let facts = self.transport.evidence(request);
        for line in facts.into_iter().chain(self.board.findings.evidence(since)) {
            let is_said = line == fault.message || fault.message.contains(&format!("({line})"));
            if !is_said && !fault.evidence.contains(&line) {
                fault.evidence.push(line);
            }
        }
        fault
    }

    fn open<P>(&self, ask: &Ask<'_, P>) -> Result<OpenRequest<'_>, Trouble> {
        match self.board.pending.open(ask.method) {
            Ok(ticket) => Ok(OpenRequest {
                link: self,
                ticket,
                since: ask.since,
            }),
            Err(fault) => Err(Trouble::Fault(self.with_evidence(self.cut_off(fault, ask), ask.since))),
        }
    }

    /// The connection ended, for this request as for all others.
    fn cut_off<P>(&self, fault: Fault, ask: &Ask<'_, P>) -> Fault {
        self.board.conclude(&fault);
        let message = match fault.kind {
            FaultKind::Exited | FaultKind::Closed => {
                format!("{} before it answered `{}`", fault.message, ask.method)
            }
            _ => fault.message.clone(),
        };
        Fault {
            message,
            phase: ask.phase,
            ..fault
        }
    }
}

/// A request on its way. The transport forgets one that is dropped without an answer.
struct OpenRequest<'a> {
    link: &'a Link,
    ticket: Ticket,
    since: Mark,
}

impl OpenRequest<'_> {
    fn timed_out<P>(&self, ask: &Ask<'_, P>) -> Trouble {
        let id = self.ticket.id;
        let notes = self.ticket.give_up().unwrap_or_default();
        // "The `initialize` request MUST NOT be cancelled by clients" (2025-11-25, basic/utilities/cancellation).
        if ask.method != "initialize" {
            let reason = format!("no answer within {}", text::limit(ask.limit.length));
            let params = json!({"requestId": id, "reason": reason});
            let text = jsonrpc::notification("notifications/cancelled", Some(params));
            self.link.board.post(text, OutgoingKind::Notification);
        }
        let message = timeout_message(ask.phase, ask.method, ask.limit, &notes);
        let trouble = self.explained(Fault::server(FaultKind::Timeout, ask.phase, message));
        self.link.transport.forget(id);
        trouble
    }

    fn cut_off<P>(&self, fault: Fault, ask: &Ask<'_, P>) -> Trouble {
        self.explained(self.link.cut_off(fault, ask))
    }

    fn explained(&self, fault: Fault) -> Trouble {
        Trouble::Fault(self.link.explained(fault, Some(self.ticket.id), self.since))
    }
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        if self.ticket.give_up().is_some() {
            self.link.transport.forget(self.ticket.id);
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(poster) = self.poster.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            poster.abort();
        }
    }
}

impl From<Duration> for Limit {
    fn from(length: Duration) -> Self {
        Self::from_now(length, "a limit of ours")
    }
}

impl From<TimeLimit> for Limit {
    fn from(TimeLimit { length, set_by }: TimeLimit) -> Self {
        Self::from_now(length, set_by)
    }
}

impl Limit {
    /// A limit that starts now.
    pub fn from_now(length: Duration, name: &'static str) -> Self {
        let now = tokio::time::Instant::now();
        // A limit beyond what the clock can tell is as good as a day.
        let at = now
            .checked_add(length)
            .unwrap_or_else(|| now + Duration::from_hours(24));
        Self { at, length, name }
    }

    /// Its length, and what sets it.
    pub(super) fn words(self) -> String {
        format!("{} ({})", text::limit(self.length), self.name)
    }
}

fn refused_answer(fault: &Fault) -> Finding {
    let message = format!("the server refused the answer to its own request: {}", fault.message);
    Finding::new("answer-refused", message)
}

fn record(recorder: Option<&Arc<dyn Recorder>>, text: &str) {
    if let Some(recorder) = recorder {
        recorder.record(Direction::Sent, text, Instant::now());
    }
}

fn timeout_message(phase: Phase, method: &str, limit: Limit, notes: &Notes) -> String {
    let what = match phase {
        Phase::Call => "the call did not end".to_owned(),
        _ => format!("`{method}` did not answer"),
    };
    let mut message = format!("{what} within {}", limit.words());
    if notes.progress {
        message.push_str("; the server was still sending progress");
    }
    if let Some(instead) = &notes.instead {
        message.push_str("; ");
        message.push_str(instead);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::transport::{BoxFuture, Inbox as _};

    /// Takes every message and hears nothing.
    #[derive(Default)]
    struct Silent {
        forgotten: Mutex<Vec<u64>>,
    }

    impl Transport for Silent {
        fn send(&self, _: Outgoing) -> BoxFuture<'_, Result<(), Fault>> {
            Box::pin(std::future::ready(Ok(())))
        }

        fn forget(&self, id: u64) {
            self.forgotten.lock().unwrap().push(id);
        }

        fn evidence(&self, request: Option<u64>) -> Vec<String> {
            vec![format!("evidence of {request:?}")]
        }

        fn close(&self) -> BoxFuture<'_, ()> {
            Box::pin(std::future::ready(()))
        }
    }

    fn ask(length: Duration) -> Ask<'static, ()> {
        Ask {
            phase: Phase::Call,
            method: "tools/call",
            params: &(),
            limit: Limit::from_now(length, "--timeout"),
            since: Mark::default(),
        }
    }

    #[tokio::test]
    async fn the_transport_forgets_what_is_given_up_and_tells_only_of_that() {
        let transport = Arc::new(Silent::default());
        let (board, outbox) = switchboard(None, "stdout");
        let link = Link::new(transport.clone(), board, outbox, None);
        let Err(Trouble::Fault(fault)) = link.request(ask(Duration::from_millis(10))).await else {
            panic!("an answer")
        };
        assert_eq!(fault.evidence, ["evidence of Some(1)"]);
        let dropped = link.request(ask(Duration::from_mins(1)));
        assert!(timeout(Duration::from_millis(10), dropped).await.is_err());
        assert_eq!(*transport.forgotten.lock().unwrap(), [1, 2]);
        let answered = async {
            tokio::task::yield_now().await;
            let answer = r#"{"jsonrpc":"2.0","id":3,"result":{}}"#;
            link.board.frame(answer, Instant::now());
        };
        let (answered, ()) = tokio::join!(link.request(ask(Duration::from_mins(1))), answered);
        assert!(answered.is_ok());
        assert_eq!(*transport.forgotten.lock().unwrap(), [1, 2]);
    }

    #[test]
    fn a_timeout_says_which_limit_and_what_happened_meanwhile() {
        let limit = Limit::from_now(Duration::from_millis(2500), "--timeout");
        let quiet = timeout_message(Phase::Call, "tools/call", limit, &Notes::default());
        assert_eq!(quiet, "the call did not end within 2.5 s (--timeout)");
        let notes = Notes {
            progress: true,
            instead: Some("the server sent nonsense".to_owned()),
            ..Notes::default()
        };
        let told = timeout_message(Phase::Initialize, "initialize", limit, &notes);
        assert_eq!(
            told,
            "`initialize` did not answer within 2.5 s (--timeout); the server was still sending progress; \
             the server sent nonsense"
        );
    }
}
