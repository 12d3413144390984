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
    inbox::Switchboard,
    jsonrpc::{self, Payload},
    pending::{Delivery, Notes, Ticket},
    transport::{Outgoing, OutgoingKind, Transport},
};
use crate::model::{Fault, FaultKind, Phase};

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

/// Until when something may take, and what the user calls that limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
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
}

/// An answered request.
#[derive(Debug)]
pub(super) struct Answered {
    /// What came.
    pub(super) payload: Payload,
    /// From the request written to the answer read.
    pub(super) latency: Duration,
    /// Methods of the requests that the server made meanwhile.
    pub(super) server_requests: Vec<String>,
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
                // What makes a message fail makes the requests fail as well, and is told there.
                if let Err(fault) = wire.send(message).await {
                    inbox.conclude(&fault);
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
        let mut ticket = self
            .board
            .pending
            .open(ask.method)
            .map_err(|fault| self.cut_off(fault, &ask))?;
        let text = jsonrpc::request(ticket.id, ask.method, ask.params);
        record(self.recorder.as_ref(), &text);
        let message = Outgoing {
            text,
            kind: OutgoingKind::Request { id: ticket.id },
        };
        let sent = Instant::now();
        let exchange = async {
            self.transport.send(message).await.map_err(Delivery::Closed)?;
            ticket.delivery().await.ok_or(Delivery::SessionLost)
        };
        match timeout_at(ask.limit.at, exchange).await {
            Ok(Ok(Delivery::Answer {
                payload: Payload::Malformed(why),
                ..
            })) => {
                let message = format!("the answer to `{}` is not JSON-RPC: {why}", ask.method);
                Err(self.explained(Fault::server(FaultKind::Garbled, ask.phase, message)))
            }
            Ok(Ok(Delivery::Answer {
                payload,
                received,
                notes,
            })) => {
                let latency = received.saturating_duration_since(sent);
                Ok(Answered {
                    payload,
                    latency,
                    server_requests: notes.server_requests,
                })
            }
            Ok(Ok(Delivery::Fault(fault))) => Err(self.explained(Fault {
                phase: ask.phase,
                ..fault
            })),
            Ok(Ok(Delivery::Closed(fault)) | Err(Delivery::Closed(fault))) => Err(self.cut_off(fault, &ask)),
            Ok(_) => Err(Trouble::SessionLost),
            Err(_elapsed) => Err(self.timed_out(&ticket, &ask)),
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
        Err(self.with_evidence(fault))
    }

    /// Tells the transport which protocol version is in use.
    pub(super) fn negotiated(&self, version: &str) {
        self.transport.negotiated(version);
    }

    /// Tells the transport that the handshake is complete.
    pub(super) fn ready(&self) {
        self.transport.ready();
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

    /// Adds what explains a fault at this moment.
    pub(super) fn with_evidence(&self, mut fault: Fault) -> Fault {
        for line in self
            .transport
            .evidence()
            .into_iter()
            .chain(self.board.findings.evidence())
        {
            if !fault.evidence.contains(&line) && line != fault.message {
                fault.evidence.push(line);
            }
        }
        fault
    }

    /// The connection ended, for this request as for all others.
    fn cut_off<P>(&self, fault: Fault, ask: &Ask<'_, P>) -> Trouble {
        self.board.conclude(&fault);
        let message = match fault.kind {
            FaultKind::Exited | FaultKind::Closed => {
                format!("{} before it answered `{}`", fault.message, ask.method)
            }
            _ => fault.message.clone(),
        };
        self.explained(Fault {
            message,
            phase: ask.phase,
            ..fault
        })
    }

    fn timed_out<P>(&self, ticket: &Ticket, ask: &Ask<'_, P>) -> Trouble {
        let notes = ticket.give_up().unwrap_or_default();
        // "The `initialize` request MUST NOT be cancelled by clients" (2025-11-25, basic/utilities/cancellation).
        if ask.method != "initialize" {
            let reason = format!("no answer within {}", seconds(ask.limit.length));
            let params = json!({"requestId": ticket.id, "reason": reason});
            let text = jsonrpc::notification("notifications/cancelled", Some(params));
            self.board.post(text, OutgoingKind::Notification);
        }
        let message = timeout_message(ask.phase, ask.method, ask.limit, &notes);
        self.explained(Fault::server(FaultKind::Timeout, ask.phase, message))
    }

    fn explained(&self, fault: Fault) -> Trouble {
        Trouble::Fault(self.with_evidence(fault))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(poster) = self.poster.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            poster.abort();
        }
    }
}

impl Limit {
    /// A limit that starts now.
    pub(super) fn from_now(length: Duration, name: &'static str) -> Self {
        let now = tokio::time::Instant::now();
        // A limit beyond what the clock can tell is as good as a day.
        let at = now
            .checked_add(length)
            .unwrap_or_else(|| now + Duration::from_hours(24));
        Self { at, length, name }
    }

    fn words(self) -> String {
        format!("{} ({})", seconds(self.length), self.name)
    }
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

/// A duration as people write it: `250 ms`, `2.5 s`.
fn seconds(length: Duration) -> String {
    if length < Duration::from_secs(1) {
        format!("{} ms", length.as_millis())
    } else {
        format!("{} s", (length.as_secs_f64() * 1000.0).round() / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn durations_read_well() {
        let of = |ms| seconds(Duration::from_millis(ms));
        assert_eq!(
            (of(250), of(1000), of(2500), of(90_001)),
            ("250 ms".into(), "1 s".into(), "2.5 s".into(), "90.001 s".into())
        );
    }
}
