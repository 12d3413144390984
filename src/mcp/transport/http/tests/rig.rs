//! A transport whose inbox can be looked into.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};

use super::server::{Act, Seen, Server};
use crate::{
    mcp::{
        link::Limit,
        message::Message,
        transport::{
            Inbox, Outgoing, OutgoingKind, Transport,
            http::{connection::HttpTransport, endpoint::Limits},
        },
    },
    model::{Fault, Finding, HttpSpec, Readiness},
};

/// No test waits longer for anything.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What an inbox was told.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Told {
    Frame(String),
    Noise(Cow<'static, str>, String),
    Unanswerable(u64, Fault),
    SessionLost(u64),
    Retired,
    Closed(Fault),
}

struct Listener(UnboundedSender<Told>);

impl Listener {
    fn tell(&self, told: Told) {
        let _ = self.0.send(told);
    }
}

impl Inbox for Listener {
    fn frame(&self, text: &str, _: Instant) {
        self.tell(Told::Frame(text.to_owned()));
    }

    fn message(&self, text: &str, _: Message, received: Instant) {
        self.frame(text, received);
    }

    fn noise(&self, _: &str, finding: Finding) {
        self.tell(Told::Noise(finding.code, finding.message));
    }

    fn unanswerable(&self, id: u64, fault: Fault) {
        self.tell(Told::Unanswerable(id, fault));
    }

    fn retired(&self) {
        self.tell(Told::Retired);
    }

    fn closed(&self, fault: Fault) {
        self.tell(Told::Closed(fault));
    }

    fn session_lost(&self, id: u64) {
        self.tell(Told::SessionLost(id));
    }
}

/// A transport and its inbox.
pub(super) struct Rig {
    pub transport: Arc<HttpTransport>,
    told: UnboundedReceiver<Told>,
}

pub(super) fn spec(url: impl Into<String>) -> HttpSpec {
    HttpSpec {
        url: url.into(),
        headers: Vec::new(),
        start: None,
        ready: Readiness::Endpoint,
        startup_timeout: None,
    }
}

impl Rig {
    pub(super) async fn open(spec: &HttpSpec) -> Self {
        Self::try_open(spec, PATIENCE).await.unwrap()
    }

    pub(super) async fn try_open(spec: &HttpSpec, startup: Duration) -> Result<Self, Fault> {
        Self::open_within(
            spec,
            Limits {
                startup: Limit::from_now(startup, "--startup-timeout"),
                message: 100_000,
            },
        )
        .await
    }

    pub(super) async fn open_within(spec: &HttpSpec, limits: Limits) -> Result<Self, Fault> {
        let (sender, told) = unbounded_channel();
        let transport = HttpTransport::open(spec, Arc::new(Listener(sender)), limits, None).await?;
        Ok(Self { transport, told })
    }

    /// Sends request `id`.
    pub(super) async fn request(&self, id: u64, method: &str) {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
        let kind = OutgoingKind::Request { id };
        self.transport.send(Outgoing { text, kind }).await.unwrap();
    }

    pub(super) async fn notify(&self) -> Result<(), Fault> {
        let text = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned();
        let kind = OutgoingKind::Notification;
        self.transport.send(Outgoing { text, kind }).await
    }

    /// The next thing the inbox is told.
    pub(super) async fn next(&mut self) -> Told {
        timeout(PATIENCE, self.told.recv())
            .await
            .expect("the inbox hears nothing")
            .unwrap()
    }

    pub(super) async fn frame(&mut self) -> String {
        match self.next().await {
            Told::Frame(text) => text,
            other => panic!("expected a frame, found {other:?}"),
        }
    }

    pub(super) async fn fault(&mut self) -> Fault {
        match self.next().await {
            Told::Unanswerable(1, fault) => fault,
            other => panic!("expected a fault, found {other:?}"),
        }
    }

    pub(super) async fn finding(&mut self) -> (Cow<'static, str>, String) {
        match self.next().await {
            Told::Noise(code, message) => (code, message),
            other => panic!("expected a remark, found {other:?}"),
        }
    }

    /// Ends the transport; nothing may have been told that no one asked for.
    pub(super) async fn done(mut self) {
        timeout(PATIENCE, self.transport.close())
            .await
            .expect("close takes too long");
        assert_eq!(self.told.try_recv().ok(), None);
    }
}

/// Sends `tools/call` as request 1 to a server that treats every request like this.
pub(super) async fn call(acts: Vec<Act>) -> (Rig, Server) {
    call_with(move |_, _| acts.clone()).await
}

/// Sends `tools/call` as request 1 to a server with this behaviour.
pub(super) async fn call_with(handler: impl Fn(&Seen, usize) -> Vec<Act> + Send + Sync + 'static) -> (Rig, Server) {
    let server = Server::start(handler).await;
    let rig = Rig::open(&spec(server.url())).await;
    rig.request(1, "tools/call").await;
    (rig, server)
}

/// The answer to request 1.
pub(super) const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"text":"größe 数 ✅"}}"#;
