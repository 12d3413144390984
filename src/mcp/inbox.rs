//! Where everything that comes from a server is sorted: answers to their requests, requests answered, oddities noted.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    Direction, Recorder, answers,
    findings::Findings,
    jsonrpc::{self, Incoming, Payload},
    message::{Message, Repeated},
    pending::{Delivery, Match, Pending},
    quote::quoted,
    transport::{Inbox, Outgoing, OutgoingKind},
    weight,
};
use crate::model::{Fault, FaultKind, Finding, Phase};

/// The inbox of one session.
pub(super) struct Switchboard {
    /// The requests that wait for an answer.
    pub(super) pending: Arc<Pending>,
    /// What was odd so far.
    pub(super) findings: Findings,
    /// What goes to the server on our own account; `None` once the session ends.
    outbox: Mutex<Option<mpsc::Sender<Outgoing>>>,
    recorder: Option<Arc<dyn Recorder>>,
    tool_list_changes: AtomicU64,
    /// Where stray text came from, in words.
    pub(super) source: &'static str,
}

impl Switchboard {
    /// An inbox that puts its own messages into `outbox`.
    pub(super) fn new(
        outbox: mpsc::Sender<Outgoing>,
        recorder: Option<Arc<dyn Recorder>>,
        source: &'static str,
    ) -> Self {
        Self {
            pending: Arc::default(),
            findings: Findings::default(),
            outbox: Mutex::new(Some(outbox)),
            recorder,
            tool_list_changes: AtomicU64::new(0),
            source,
        }
    }

    /// How often the server said that its list of tools changed.
    pub(super) fn tool_list_changes(&self) -> u64 {
        self.tool_list_changes.load(Ordering::Acquire)
    }

    /// Sends something without waiting; tells whether there was room for it.
    pub(super) fn post(&self, text: String, kind: OutgoingKind) -> bool {
        let outbox = self.outbox.lock().unwrap_or_else(PoisonError::into_inner);
        outbox
            .as_ref()
            .is_none_or(|outbox| outbox.try_send(Outgoing { text, kind }).is_ok())
    }

    /// Draws the consequence of the fault of one request: a connection that broke is given to nobody else, while what
    /// is open on it may still be answered.
    pub(super) fn conclude(&self, fault: &Fault) {
        if matches!(fault.kind, FaultKind::Exited | FaultKind::Closed) {
            self.pending.retire();
        }
    }

    /// Nothing more goes out on our own account.
    pub(super) fn close_outbox(&self) {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Hands a message to whoever it is for.
    pub(super) fn sort(&self, Message { value, repeated }: Message, received: Instant) {
        self.sort_value(value, &repeated, received);
    }

    fn sort_value(&self, value: Value, repeated: &Repeated, received: Instant) {
        if let Value::Array(batch) = value {
            for value in batch {
                self.sort_value(value, repeated, received);
            }
            return;
        }
        // What has no version may turn out to be foreign, and is quoted then.
        let shown = value.get("jsonrpc").is_none().then(|| quoted(&value.to_string()));
        let (incoming, finding) = Incoming::read(value);
        if let Some(finding) = finding {
            self.findings.note(finding);
        }
        if let (Some(key), false) = (repeated.any(), incoming == Incoming::Foreign) {
            self.repeated(key);
        }
        match incoming {
            Incoming::Response { id, payload } => match &repeated.deciding {
                Some(key) => self.ambiguous(key, repeated.ids.iter().chain([&id]), received),
                None => self.response(&id, payload, received),
            },
            Incoming::Request { id, method } => self.request(&id, &method),
            Incoming::Notification { method, params } => self.notification(&method, params.as_ref()),
            Incoming::Foreign => self.foreign(&shown.unwrap_or_default()),
        }
    }

    fn foreign(&self, shown: &str) {
        let message = format!("JSON that is not the protocol on {}: {shown}", self.source);
        self.findings.note_first(Finding::new("stdout-noise", message));
    }

    /// Hands an answer to the request with this id, and says what is odd about that.
    pub(super) fn response(&self, id: &Value, payload: Payload, received: Instant) {
        if id.is_null() {
            return self.response_without_id(&payload);
        }
        match self.pending.answer(id, payload, received) {
            Match::Exact | Match::Late => {}
            Match::OtherType(ours) => self.findings.note_first(Finding::new(
                "id-type-changed",
                format!(
                    "the request had id {ours}, the answer has id {}: the type of the id changed",
                    quoted(&id.to_string())
                ),
            )),
            Match::Again(ours) => self.findings.note_first(Finding::new(
                "duplicate-answer",
                format!("the request with id {ours} was answered more than once; the first answer counts"),
            )),
            Match::NeverAsked => {
                let id = quoted(&id.to_string());
                self.pending
                    .note_instead(&format!("the server answered id {id}, which was never asked"));
                let message = format!("the server answered a request that was never asked: id {id}");
                self.findings.note_first(Finding::new("unknown-id", message));
            }
        }
    }

    fn response_without_id(&self, payload: &Payload) {
        let what = match payload {
            Payload::Error(error) => {
                format!(
                    "the server sent an error without an id: {} (code {})",
                    quoted(&error.message),
                    error.code
                )
            }
            Payload::Result(_) => "the server sent a result without an id".to_owned(),
            Payload::Malformed(why) => format!("the server sent an answer without an id, and {why}"),
        };
        self.pending.note_instead(&what);
        self.findings.note_first(Finding::new("error-without-id", what));
    }

    fn request(&self, id: &Value, method: &str) {
        if self.pending.is_open(id, method) {
            let message = format!("the server sent our own `{method}` back instead of an answer");
            let fault = Fault::server(FaultKind::Garbled, Phase::Call, message).help("is this an MCP server at all?");
            self.pending
                .end(jsonrpc::our_id(id).unwrap_or_default(), Delivery::Fault(fault));
            return;
        }
        self.pending.note_server_request(method);
        if answers::is_id_too_long(id) {
            let message = format!(
                "the server made a request with an id of more than {} bytes, which was not answered",
                answers::MAX_ID
            );
            return self.findings.note(Finding::new("oversized-id", message));
        }
        let (text, finding) = answers::to(method, id);
        if let Some(finding) = finding {
            self.findings.note(finding);
        }
        if !self.post(text, OutgoingKind::Response) {
            let message = "the server asked faster than it read the answers; some of its requests were not answered";
            self.findings.note(Finding::new("replies-dropped", message));
        }
    }

    fn notification(&self, method: &str, params: Option<&Value>) {
        self.pending.note_notification(method, params);
        match method {
            "notifications/progress" => self.pending.note_progress(),
            "notifications/tools/list_changed" => {
                self.tool_list_changes.fetch_add(1, Ordering::AcqRel);
            }
            _ => {}
        }
    }

    fn record(&self, direction: Direction, text: &str, at: Instant) {
        if let Some(recorder) = &self.recorder {
            recorder.record(direction, text, at);
        }
    }
}

impl Inbox for Switchboard {
    fn frame(&self, text: &str, received: Instant) {
        self.record(Direction::Received, text, received);
        if weight::is_too_heavy(text) {
            return self.too_heavy(text);
        }
        match serde_json::from_str(text) {
            Ok(message) => self.sort(message, received),
            Err(error) => self.broken(text, &error, received),
        }
    }

    fn message(&self, text: &str, message: Message, received: Instant) {
        self.record(Direction::Received, text, received);
        self.sort(message, received);
    }

    fn noise(&self, text: &str, finding: Finding) {
        if !text.is_empty() {
            self.record(Direction::Noise, text, Instant::now());
        }
        self.findings.note_first(finding);
    }

    fn unanswerable(&self, id: u64, fault: Fault) {
        self.conclude(&fault);
        self.pending.end(id, Delivery::Fault(fault));
    }

    fn retired(&self) {
        self.pending.retire();
    }

    fn closed(&self, fault: Fault) {
        self.pending.close(&fault);
    }

    fn session_lost(&self, id: u64) {
        self.pending.end(id, Delivery::SessionLost);
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use serde_json::json;

    use super::{
        super::{pending::Ticket, unreadable::MAX_GLUED},
        *,
    };

    fn board() -> (Switchboard, mpsc::Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(2);
        (Switchboard::new(sender, None, "stdout"), receiver)
    }

    fn codes(board: &Switchboard) -> Vec<Cow<'static, str>> {
        board.findings.list().into_iter().map(|finding| finding.code).collect()
    }

    async fn result_of(mut ticket: Ticket) -> Value {
        match ticket.delivery().await {
            Delivery::Answer {
                payload: Payload::Result(value),
                ..
            } => value,
            other => panic!("no result: {other:?}"),
        }
    }

    #[tokio::test]
    async fn takes_a_batch_and_several_messages_on_a_line() {
        let (board, _outbox) = board();
        let tickets: Vec<Ticket> = (0..4).map(|_| board.pending.open("tools/call").unwrap()).collect();
        board.frame(
            r#"[{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":2,"result":2}]"#,
            Instant::now(),
        );
        board.frame(
            r#"{"jsonrpc":"2.0","id":3,"result":3}{"jsonrpc":"2.0","id":4,"result":4} done"#,
            Instant::now(),
        );
        let mut results = Vec::new();
        for ticket in tickets {
            results.push(result_of(ticket).await);
        }
        assert_eq!(results, [json!(1), json!(2), json!(3), json!(4)]);
        assert_eq!(codes(&board), ["several-messages-on-a-line", "glued-text"]);
    }

    #[tokio::test]
    async fn an_answer_that_is_a_question_too_ends_its_request_at_once() {
        let (board, mut outbox) = board();
        let mut ticket = board.pending.open("tools/call").unwrap();
        board.frame(r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#, Instant::now());
        let delivery = ticket.delivery().await;
        assert!(
            matches!(&delivery, Delivery::Answer { payload: Payload::Malformed(why), .. } if why.contains("`method`")),
            "{delivery:?}"
        );
        assert!(outbox.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_broken_answer_ends_its_request_at_once() {
        let (board, _outbox) = board();
        let mut ticket = board.pending.open("tools/call").unwrap();
        board.frame(r#"{"jsonrpc":"2.0","id":1,"result":{"value":NaN}}"#, Instant::now());
        let Delivery::Fault(fault) = ticket.delivery().await else {
            panic!("no fault")
        };
        assert!(fault.message.contains("id 1 is not valid JSON"), "{fault}");
        assert!(fault.evidence[0].contains("NaN"), "{:?}", fault.evidence);
    }

    #[test]
    fn a_message_that_never_was_asked_for_is_noted_with_what_waits() {
        let (board, _outbox) = board();
        let ticket = board.pending.open("initialize").unwrap();
        board.frame(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#, Instant::now());
        board.frame(
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}"#,
            Instant::now(),
        );
        assert_eq!(codes(&board), ["unknown-id", "error-without-id"]);
        assert_eq!(
            ticket.give_up().unwrap().instead.unwrap(),
            "the server answered id `0`, which was never asked"
        );
    }

    #[test]
    fn a_flood_of_requests_is_answered_within_a_bound() {
        let (board, mut outbox) = board();
        for id in 0..50 {
            let ping = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
            board.frame(&ping.to_string(), Instant::now());
        }
        assert!(outbox.try_recv().is_ok() && outbox.try_recv().is_ok() && outbox.try_recv().is_err());
        assert_eq!(codes(&board), ["replies-dropped"]);
    }

    #[test]
    fn a_request_with_a_huge_id_is_not_answered() {
        let (board, mut outbox) = board();
        for (id, is_answered) in [("p".repeat(1000), true), ("p".repeat(15_000_000), false)] {
            let ping = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
            board.frame(&ping.to_string(), Instant::now());
            assert_eq!(outbox.try_recv().is_ok(), is_answered);
        }
        assert_eq!(codes(&board), ["oversized-id"]);
    }

    #[tokio::test]
    async fn an_answer_of_too_many_values_is_refused_unread() {
        let (board, _outbox) = board();
        let mut ticket = board.pending.open("tools/call").unwrap();
        let values = "{},".repeat(weight::MAX_VALUES);
        board.frame(
            &format!(r#"{{"jsonrpc":"2.0","method":"x","params":[{values}1]}}"#),
            Instant::now(),
        );
        board.frame(
            &format!(r#"{{"jsonrpc":"2.0","id":1,"result":[{values}1]}}"#),
            Instant::now(),
        );
        let Delivery::Fault(fault) = ticket.delivery().await else {
            panic!("no fault")
        };
        assert_eq!(
            (fault.kind, fault.origin),
            (FaultKind::TooLarge, crate::model::Origin::Server)
        );
        assert!(
            fault.message.starts_with("the answer with id 1 holds more than 250000"),
            "{fault}"
        );
        assert_eq!(codes(&board), ["message-dropped"]);
    }

    #[test]
    fn a_batch_of_too_many_values_is_noted_with_what_waits() {
        let (board, _outbox) = board();
        let ticket = board.pending.open("tools/call").unwrap();
        board.frame(&format!("[{}1]", "{},".repeat(weight::MAX_VALUES)), Instant::now());
        assert_eq!(codes(&board), ["message-dropped"]);
        let instead = ticket.give_up().unwrap().instead.unwrap();
        assert!(
            instead.starts_with("a message on stdout holds more than 250000"),
            "{instead}"
        );
    }

    #[test]
    fn a_line_of_very_many_messages_is_not_read_to_its_end() {
        let (board, _outbox) = board();
        board.frame(&"{}".repeat(MAX_GLUED + 2), Instant::now());
        let messages: Vec<String> = board.findings.list().into_iter().map(|it| it.message).collect();
        assert_eq!(
            codes(&board),
            ["stdout-noise", "several-messages-on-a-line", "glued-text"]
        );
        assert!(
            messages[0].ends_with("(and 999 more)") && messages[2].ends_with(": `{}{}`"),
            "{messages:?}"
        );
    }

    #[tokio::test]
    async fn a_broken_connection_is_given_to_nobody_else() {
        for (kind, is_over) in [
            (FaultKind::Closed, true),
            (FaultKind::Exited, true),
            (FaultKind::HttpStatus, false),
        ] {
            let (board, _outbox) = board();
            let _broken = board.pending.open("tools/call").unwrap();
            let other = board.pending.open("tools/call").unwrap();
            board.unanswerable(1, Fault::server(kind, Phase::Call, "no"));
            assert_eq!(board.pending.is_over(), is_over);
            board.frame(r#"{"jsonrpc":"2.0","id":2,"result":1}"#, Instant::now());
            assert_eq!(result_of(other).await, json!(1));
        }
    }

    #[tokio::test]
    async fn our_own_request_come_back_is_a_fault() {
        let (board, mut outbox) = board();
        let mut ticket = board.pending.open("initialize").unwrap();
        board.frame(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            Instant::now(),
        );
        assert!(matches!(ticket.delivery().await, Delivery::Fault(_)));
        assert!(outbox.try_recv().is_err());
    }

    #[test]
    fn json_that_is_not_the_protocol_is_quoted_once() {
        let (board, _outbox) = board();
        board.frame(r#"{"level":30,"msg":"listening"}"#, Instant::now());
        board.frame("[1,2]", Instant::now());
        let list = board.findings.list();
        assert_eq!(list.len(), 1);
        assert!(
            list[0].message.contains("listening") && list[0].message.ends_with("(and 2 more)"),
            "{list:?}"
        );
    }

    #[test]
    fn notifications_are_never_answers() {
        let (board, _outbox) = board();
        let ticket = board.pending.open("tools/call").unwrap();
        for method in [
            "notifications/progress",
            "notifications/tools/list_changed",
            "textDocument/x",
        ] {
            board.frame(&json!({"jsonrpc": "2.0", "method": method}).to_string(), Instant::now());
        }
        assert_eq!(board.tool_list_changes(), 1);
        assert!(ticket.give_up().unwrap().progress);
        assert!(codes(&board).is_empty());
    }
}
