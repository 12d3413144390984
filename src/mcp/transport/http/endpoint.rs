//! What all tasks of one transport share: where to send, where to deliver, and the conversation so far.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use bytes::Bytes;
use reqwest::{
    Client, Method, RequestBuilder, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use tokio::time::Instant;

use super::{
    client,
    exchange::EXIT_GRACE,
    headers::{self, LAST_EVENT_ID, PROTOCOL_VERSION, SESSION_ID},
    progress::Progress,
    refusal::Authorized,
};
use crate::{
    mcp::{link::Limit, process::Process, transport::Inbox},
    model::{Fault, Finding},
};

/// How long an address that refuses connections is tried: a server that is not ours to start may have been started just
/// before us, but nobody else will do it.
const REFUSAL_PATIENCE: Duration = Duration::from_secs(5);
/// A connection attempt that takes longer leads nowhere.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// What we stop short of the start-up limit, so that our own explanation comes before the bare limit.
const MARGIN: Duration = Duration::from_millis(100);
/// The first protocol version with the `MCP-Protocol-Version` header.
const FIRST_VERSION_WITH_HEADER: &str = "2025-06-18";

/// The shared state of one transport.
pub(super) struct Endpoint {
    /// Speaks HTTP.
    pub client: Client,
    /// Where messages go.
    pub url: Url,
    /// Until when a server that does not listen yet is waited for.
    pub patience: Instant,
    /// Whether the server ever answered.
    pub reached: AtomicBool,
    /// The server process, where it is ours.
    pub process: Option<Arc<Process>>,
    /// Where everything is delivered.
    pub inbox: Arc<dyn Inbox>,
    /// Largest message that is kept, in bytes.
    pub message_limit: usize,
    /// How far each open request has come.
    pub progress: Progress,
    headers: HeaderMap,
    conversation: Mutex<Conversation>,
}

/// The bounds of one transport.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Until when the server must be reachable.
    pub(crate) startup: Limit,
    /// Largest message that is kept, in bytes.
    pub(crate) message: usize,
}

#[derive(Debug, Clone, Default)]
struct Conversation {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

/// One HTTP request to the endpoint.
#[derive(Debug, Clone)]
pub(super) enum Call {
    /// Hands over a message.
    Post(Bytes),
    /// Hands over the message that opens a session: it belongs to none, whatever session there was.
    Open(Bytes),
    /// Opens a stream of what the server has to say, or resumes one after the event with this id.
    Listen(Option<String>),
    /// Ends the session.
    Delete,
}

impl Endpoint {
    /// Prepares to speak to `url`; nothing is sent yet.
    pub(super) fn new(
        url: Url,
        headers: &[(String, String)],
        process: Option<Arc<Process>>,
        inbox: Arc<dyn Inbox>,
        limits: Limits,
    ) -> Result<Self, Fault> {
        let (headers, findings) = headers::from_user(headers)?;
        // Whether a process of ours ended is waited for before anything is explained.
        let grace = process.as_ref().map_or(Duration::ZERO, |_| EXIT_GRACE);
        let (now, deadline) = (Instant::now(), limits.startup.at);
        let whole = deadline.checked_sub(MARGIN + grace).unwrap_or(deadline);
        let connect_limit = whole.saturating_duration_since(now).clamp(MARGIN, CONNECT_LIMIT);
        let patience = match process {
            Some(_) => whole,
            None => whole.min(now + REFUSAL_PATIENCE),
        };
        let client = client::build(&url, connect_limit)?;
        for finding in findings {
            inbox.noise("", finding);
        }
        Ok(Self {
            client,
            url,
            patience,
            reached: AtomicBool::new(false),
            process,
            inbox,
            message_limit: limits.message,
            progress: Progress::default(),
            headers,
            conversation: Mutex::default(),
        })
    }

    /// Builds a request to `url`: the user's headers, then ours.
    pub(super) fn request(&self, call: &Call, url: &Url) -> RequestBuilder {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, HeaderValue::from_static(call.accepts()));
        if !matches!(call, Call::Open(_)) {
            let Conversation { session, version } = self.conversation().clone();
            headers.extend(session.map(|session| (SESSION_ID, session)));
            headers.extend(version.map(|version| (PROTOCOL_VERSION, version)));
        }
        let request = self.client.request(call.method(), url.clone());
        match call {
            Call::Post(body) | Call::Open(body) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                request.headers(headers).body(body.clone())
            }
            Call::Listen(after) => {
                let after = after.as_deref().and_then(headers::last_event_id);
                headers.extend(after.map(|id| (LAST_EVENT_ID, id)));
                request.headers(headers)
            }
            Call::Delete => request.headers(headers),
        }
    }

    /// Forgets session and version.
    pub(super) fn forget_session(&self) {
        *self.conversation() = Conversation::default();
    }

    /// Begins the conversation of the session that was opened, which has an id if one came with the answer. What goes
    /// out until then belongs to the session before.
    pub(super) fn remember_session(&self, headers: &HeaderMap) {
        let session = headers.get(SESSION_ID).cloned();
        let is_visible = |id: &HeaderValue| !id.is_empty() && id.as_bytes().iter().all(u8::is_ascii_graphic);
        if let Some(odd) = session.as_ref().filter(|id| !is_visible(id)) {
            let message = "the session id holds other characters than visible ASCII";
            self.remark(&format!("{SESSION_ID}: {odd:?}"), "session-id", message);
        }
        *self.conversation() = Conversation { session, version: None };
    }

    /// Whether messages belong to a session.
    pub(super) fn has_session(&self) -> bool {
        self.conversation().session.is_some()
    }

    /// Keeps the version that the handshake settled on, where it is one that is sent as a header.
    pub(super) fn settle_version(&self, version: &str) {
        // Versions are dates: their order is that of the text.
        let version = HeaderValue::from_str(version)
            .ok()
            .filter(|_| version >= FIRST_VERSION_WITH_HEADER);
        self.conversation().version = version;
    }

    /// Whether the user gave credentials.
    pub(super) fn authorized(&self) -> Authorized {
        if self.headers.contains_key(AUTHORIZATION) {
            Authorized::Yes
        } else {
            Authorized::No
        }
    }

    /// The address as messages show it.
    pub(super) fn address(&self) -> String {
        client::shown(&self.url)
    }

    /// Tells something odd about the server, with what was seen.
    pub(super) fn remark(&self, seen: &str, code: &'static str, message: impl Into<String>) {
        self.inbox.noise(seen, Finding::new(code, message));
    }

    fn conversation(&self) -> MutexGuard<'_, Conversation> {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Call {
    /// Its HTTP method.
    pub(super) fn method(&self) -> Method {
        match self {
            Self::Post(_) | Self::Open(_) => Method::POST,
            Self::Listen(_) => Method::GET,
            Self::Delete => Method::DELETE,
        }
    }

    fn accepts(&self) -> &'static str {
        match self {
            Self::Listen(_) => "text/event-stream",
            Self::Post(_) | Self::Open(_) | Self::Delete => "application/json, text/event-stream",
        }
    }
}
