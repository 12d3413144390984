//! Requests on their way: each waits for the answer with its id.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::Value;
use tokio::sync::oneshot;

use super::{
    jsonrpc::{self, Payload},
    quote,
};
use crate::model::{Fault, FaultKind, Heard, Notification, Phase};

/// How many given-up requests are remembered, to tell a late answer from a second one.
const REMEMBERED: usize = 1024;
/// How many requests of the server, and how many notifications, are kept with one open call.
const MAX_HEARD: usize = 32;
/// Bytes that are kept of the method of each.
const MAX_METHOD: usize = 128;
/// The longest parameters of a notification that are kept, as JSON in bytes.
const MAX_PARAMS: usize = 1024;

/// The requests that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct Pending {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: HashMap<u64, Open>,
    last_id: u64,
    given_up: HashSet<u64>,
    given_up_in_order: VecDeque<u64>,
    closed: Option<Fault>,
    is_retired: bool,
}

#[derive(Debug)]
struct Open {
    method: &'static str,
    sender: oneshot::Sender<Delivery>,
    notes: Notes,
}

/// What happened while a request was open.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// What the server said on its own account.
    pub(super) heard: Heard,
    /// Whether progress was reported.
    pub(super) progress: bool,
    /// What came instead of the answer, in words.
    pub(super) instead: Option<String>,
}

/// How a request ended.
#[derive(Debug)]
pub(super) enum Delivery {
    /// It was answered.
    Answer {
        /// What came.
        payload: Payload,
        /// When its last byte was read.
        received: Instant,
        /// What happened meanwhile.
        notes: Notes,
    },
    /// It will not be answered.
    Fault(Fault),
    /// Nothing is answered any more.
    Closed(Fault),
    /// The server forgot the session.
    SessionLost,
}

/// Whose answer an answer is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// That of an open request.
    Exact,
    /// That of the open request with this id, which came back as another type.
    OtherType(u64),
    /// That of a request which was given up.
    Late,
    /// That of a request which had its answer already.
    Again(u64),
    /// Nobody's: the id was never asked.
    NeverAsked,
}

impl Pending {
    /// Opens a request; fails with what ended the connection.
    pub(super) fn open(self: &Arc<Self>, method: &'static str) -> Result<Ticket, Fault> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.lock();
        if let Some(fault) = &state.closed {
            return Err(fault.clone());
        }
        // From 1 on: 0 is what servers answer that do not look at the id.
        state.last_id += 1;
        let id = state.last_id;
        state.open.insert(
            id,
            Open {
                method,
                sender,
                notes: Notes::default(),
            },
        );
        Ok(Ticket {
            id,
            receiver,
            pending: Arc::clone(self),
        })
    }

    /// Hands an answer to its request; the first one counts.
    pub(super) fn answer(&self, id: &Value, payload: Payload, received: Instant) -> Match {
        let mut state = self.lock();
        let Some(number) = jsonrpc::our_id(id) else {
            return Match::NeverAsked;
        };
        if let Some(Open { sender, notes, .. }) = state.open.remove(&number) {
            drop(state);
            // The receiver is gone only if the request was given up this very moment.
            let _ = sender.send(Delivery::Answer {
                payload,
                received,
                notes,
            });
            return if id.is_u64() {
                Match::Exact
            } else {
                Match::OtherType(number)
            };
        }
        if state.given_up.contains(&number) {
            Match::Late
        } else if (1..=state.last_id).contains(&number) {
            Match::Again(number)
        } else {
            Match::NeverAsked
        }
    }

    /// Ends one request in another way than by an answer.
    pub(super) fn end(&self, id: u64, delivery: Delivery) {
        let open = self.lock().open.remove(&id);
        if let Some(open) = open {
            let _ = open.sender.send(delivery);
        }
    }

    /// Ends every open request, and every later one, with `fault`. The first reason counts.
    pub(super) fn close(&self, fault: &Fault) {
        let mut state = self.lock();
        let reason = state.closed.get_or_insert_with(|| fault.clone()).clone();
        let open = std::mem::take(&mut state.open);
        drop(state);
        for open in open.into_values() {
            let _ = open.sender.send(Delivery::Closed(reason.clone()));
        }
    }

    /// What kind of thing ended the connection, if something did.
    pub(super) fn closed_by(&self) -> Option<FaultKind> {
        self.lock().closed.as_ref().map(|fault| fault.kind)
    }

    /// The connection is not to be given to anybody else; what is open on it may still be answered.
    pub(super) fn retire(&self) {
        self.lock().is_retired = true;
    }

    /// Whether the connection has ended or is about to.
    pub(super) fn is_over(&self) -> bool {
        let state = self.lock();
        state.is_retired || state.closed.is_some()
    }

    /// Whether our own request with this id and method is open.
    pub(super) fn is_open(&self, id: &Value, method: &str) -> bool {
        jsonrpc::our_id(id).is_some_and(|id| self.lock().open.get(&id).is_some_and(|open| open.method == method))
    }

    /// Notes a request of the server with every open request.
    pub(super) fn note_server_request(&self, method: &str) {
        let method = quote::start(method, MAX_METHOD);
        self.note(|notes| {
            if notes.heard.requests.len() < MAX_HEARD {
                notes.heard.requests.push(method.clone().into_owned());
            }
        });
    }

    /// Notes a notification of the server with every open request; parameters that are too long are left out whole.
    pub(super) fn note_notification(&self, method: &str, params: Option<&Value>) {
        let made = OnceCell::new();
        self.note(|notes| {
            if notes.heard.notifications.len() < MAX_HEARD {
                let notification = made.get_or_init(|| Notification {
                    method: quote::start(method, MAX_METHOD).into_owned(),
                    params: params.map(Value::to_string).filter(|text| text.len() <= MAX_PARAMS),
                });
                notes.heard.notifications.push(notification.clone());
            }
        });
    }

    /// Notes progress with every open request: a call that runs into its limit says that it was still going on.
    pub(super) fn note_progress(&self) {
        self.note(|notes| notes.progress = true);
    }

    /// Notes what came instead of an answer with every open request; the first one is kept.
    pub(super) fn note_instead(&self, what: &str) {
        self.note(|notes| {
            notes.instead.get_or_insert_with(|| what.to_owned());
        });
    }

    fn note(&self, change: impl Fn(&mut Notes)) {
        self.lock().open.values_mut().for_each(|open| change(&mut open.notes));
    }

    fn give_up(&self, id: u64) -> Option<Notes> {
        let mut state = self.lock();
        let open = state.open.remove(&id)?;
        state.given_up.insert(id);
        state.given_up_in_order.push_back(id);
        if state.given_up_in_order.len() > REMEMBERED
            && let Some(oldest) = state.given_up_in_order.pop_front()
        {
            state.given_up.remove(&oldest);
        }
        Some(open.notes)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One open request. Dropping it gives the request up: its answer, should it still come, is late.
#[derive(Debug)]
pub(super) struct Ticket {
    /// The id of the request.
    pub(super) id: u64,
    receiver: oneshot::Receiver<Delivery>,
    pending: Arc<Pending>,
}

impl Ticket {
    /// Waits for how the request ends.
    pub(super) async fn delivery(&mut self) -> Delivery {
        (&mut self.receiver).await.unwrap_or_else(|_given_up| {
            let message = "the request was given up";
            Delivery::Closed(Fault::surroundings(FaultKind::Closed, Phase::Call, message))
        })
    }

    /// Gives the request up and tells what happened while it was open; `None` if it has ended meanwhile.
    pub(super) fn give_up(&self) -> Option<Notes> {
        self.pending.give_up(self.id)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pending.give_up(self.id);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(pending: &Pending, id: &Value) -> Match {
        pending.answer(id, Payload::Result(json!("ok")), Instant::now())
    }

    #[tokio::test]
    async fn an_answer_finds_its_request_and_only_the_first_counts() {
        let pending = Arc::new(Pending::default());
        let mut one = pending.open("tools/call").unwrap();
        let mut two = pending.open("tools/call").unwrap();
        assert_eq!(answer(&pending, &json!(2)), Match::Exact);
        assert_eq!(answer(&pending, &json!(2)), Match::Again(2));
        assert_eq!(answer(&pending, &json!("1")), Match::OtherType(1));
        assert!(matches!(one.delivery().await, Delivery::Answer { .. }));
        assert!(matches!(two.delivery().await, Delivery::Answer { .. }));
    }

    #[test]
    fn knows_what_was_never_asked() {
        let pending = Arc::new(Pending::default());
        let _one = pending.open("tools/call").unwrap();
        for id in [json!(0), json!(2), json!(null), json!("x"), json!({})] {
            assert_eq!(answer(&pending, &id), Match::NeverAsked);
        }
    }

    #[test]
    fn an_answer_to_a_dropped_request_is_late() {
        let pending = Arc::new(Pending::default());
        drop(pending.open("tools/call").unwrap());
        assert_eq!(answer(&pending, &json!(1)), Match::Late);
    }

    #[test]
    fn remembers_only_so_many() {
        let pending = Arc::new(Pending::default());
        (0..=REMEMBERED).for_each(|_| drop(pending.open("tools/call").unwrap()));
        assert_eq!(answer(&pending, &json!(1)), Match::Again(1));
        assert_eq!(answer(&pending, &json!(2)), Match::Late);
        assert_eq!(pending.lock().given_up.len(), REMEMBERED);
    }

    #[test]
    fn keeps_the_beginnings_of_a_few_methods() {
        let pending = Arc::new(Pending::default());
        let ticket = pending.open("tools/call").unwrap();
        (0..100).for_each(|_| pending.note_server_request(&"m".repeat(100_000)));
        let methods = ticket.give_up().unwrap().heard.requests;
        assert_eq!(methods, vec![format!("{}…", "m".repeat(MAX_METHOD)); MAX_HEARD]);
    }

    #[test]
    fn keeps_a_few_notifications_with_short_parameters() {
        let pending = Arc::new(Pending::default());
        let ticket = pending.open("tools/call").unwrap();
        pending.note_notification("a", Some(&json!({"data": 1})));
        pending.note_notification("b", Some(&json!("x".repeat(MAX_PARAMS))));
        (0..100).for_each(|_| pending.note_notification("c", None));
        let notifications = ticket.give_up().unwrap().heard.notifications;
        let params: Vec<_> = notifications.iter().map(|one| one.params.as_deref()).collect();
        assert_eq!(params[..3], [Some(r#"{"data":1}"#), None, None]);
        assert_eq!(
            (notifications.len(), notifications[1].method.as_str()),
            (MAX_HEARD, "b")
        );
    }

    #[tokio::test]
    async fn closing_ends_open_and_later_requests_with_the_first_reason() {
        let pending = Arc::new(Pending::default());
        let mut one = pending.open("tools/call").unwrap();
        let fault = |message| Fault::server(FaultKind::Closed, Phase::Call, message);
        pending.close(&fault("first"));
        pending.close(&fault("second"));
        assert!(matches!(one.delivery().await, Delivery::Closed(fault) if fault.message == "first"));
        assert_eq!(pending.open("tools/call").unwrap_err().message, "first");
    }
}
