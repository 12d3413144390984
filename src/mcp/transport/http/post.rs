//! One message on its way to the server, and whatever comes back for it.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Response, StatusCode};
use tokio::sync::oneshot;

use super::{
    body::{self, Body, BodyKind},
    endpoint::{Call, Endpoint},
    envelope::{self, Asked},
    failure,
    progress::Entry,
    refusal::{Refusal, extract, plain},
    stream::{self, Track},
};
use crate::{
    mcp::{broken, message::Message, weight},
    model::{Fault, FaultKind},
};

/// How long the body of a response that should have none is looked at.
const LEFTOVER_TIME: Duration = Duration::from_secs(1);
/// How much of it is read.
const LEFTOVER_LIMIT: usize = 64 * 1024;
/// JSON-RPC's "method not found": an answer even where it comes with the status 404.
const METHOD_NOT_FOUND: i64 = -32601;

enum Ending {
    Answered,
    SessionLost,
}

/// Sends a request; its answer, or why there is none, goes to the inbox.
pub(super) async fn request(endpoint: &Endpoint, id: u64, text: String) {
    match ask(endpoint, Asked::new(id, &text), text).await {
        Ok(Ending::Answered) => {}
        Ok(Ending::SessionLost) => endpoint.inbox.session_lost(id),
        Err(fault) => endpoint.inbox.unanswerable(id, fault),
    }
}

/// Sends a message that has no answer, tells whether the server took it, and then looks at what else it said.
pub(super) async fn notify(endpoint: &Endpoint, text: String, taken: oneshot::Sender<Result<(), Fault>>) {
    let phase = envelope::phase(&text);
    let outcome = match endpoint.exchange(&Call::Post(text.into()), phase).await {
        Ok(response) if response.status().is_success() => Ok(response),
        Ok(response) => Err(Refusal::read(response).await.fault(phase, endpoint.authorized())),
        Err(fault) => Err(fault),
    };
    // Who sent the message may have stopped waiting.
    match outcome {
        Ok(response) => {
            let _ = taken.send(Ok(()));
            leftovers(endpoint, response).await;
        }
        Err(fault) => {
            let _ = taken.send(Err(fault));
        }
    }
}

async fn ask(endpoint: &Endpoint, asked: Asked, text: String) -> Result<Ending, Fault> {
    let entry = endpoint.progress.enter(asked.id);
    let in_session = endpoint.has_session() && !asked.opens_session();
    let message = Bytes::from(text);
    let call = if asked.opens_session() {
        Call::Open(message)
    } else {
        Call::Post(message)
    };
    let response = endpoint.exchange(&call, asked.phase).await?;
    entry.head(format!(
        "HTTP {} `{}`",
        response.status().as_u16(),
        body::essence(response.headers())
    ));
    if !response.status().is_success() {
        return refused(endpoint, response, asked, in_session).await;
    }
    if asked.opens_session() {
        endpoint.remember_session(response.headers());
    }
    match BodyKind::of(response.headers()) {
        BodyKind::Json => json(endpoint, response, asked, &entry).await?,
        BodyKind::EventStream => stream::answer(endpoint, response, asked, &entry).await?,
        BodyKind::Other => return Err(wrong_type(response, asked).await),
    }
    Ok(Ending::Answered)
}

async fn json(endpoint: &Endpoint, mut response: Response, asked: Asked, entry: &Entry<'_>) -> Result<(), Fault> {
    let status = response.status();
    let body = match body::whole(&mut response, endpoint.message_limit, |bytes| entry.body(bytes)).await {
        Ok(body) => body,
        Err(error) => return Err(failure::bad_body(&error, endpoint.message_limit, asked.phase)),
    };
    let text = text_of(endpoint, &body);
    if text.trim().is_empty() {
        return Err(no_answer(status, asked));
    }
    if weight::is_too_heavy(&text) {
        endpoint.inbox.frame(&text, body.received);
        return Err(failure::too_heavy(text.len(), asked.phase));
    }
    let message: Message = match serde_json::from_str(&text) {
        Ok(message) => message,
        Err(error) => return Err(not_json(endpoint, status, asked, &text, &error)),
    };
    let is_answer = asked.is_answered_by(&message.value);
    endpoint.inbox.message(&text, message, body.received);
    if is_answer {
        return Ok(());
    }
    let message = format!(
        "HTTP {status} with a message that does not answer request {}: {}",
        asked.id,
        extract(&text)
    );
    Err(Fault::server(FaultKind::Garbled, asked.phase, message))
}

fn not_json(endpoint: &Endpoint, status: StatusCode, asked: Asked, text: &str, error: &serde_json::Error) -> Fault {
    endpoint.remark(text, "not-json", "a body said to be JSON is not JSON");
    if broken::id_of_answer(text) == Some(asked.id) {
        return broken::fault(asked.id, text, error, asked.phase);
    }
    let message = format!("HTTP {status} with a body that is not JSON: {}", extract(&plain(text)));
    Fault::server(FaultKind::Garbled, asked.phase, message)
}

fn text_of(endpoint: &Endpoint, body: &Body) -> String {
    let bytes = match body.bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => {
            endpoint.remark(
                "\u{feff}",
                "byte-order-mark",
                "a JSON body begins with a byte order mark",
            );
            rest
        }
        None => &body.bytes,
    };
    let text = String::from_utf8_lossy(bytes);
    if let std::borrow::Cow::Owned(_) = text {
        endpoint.remark("", "bad-utf8", "a message held bytes that are not UTF-8");
    }
    text.into_owned()
}

async fn refused(endpoint: &Endpoint, response: Response, asked: Asked, in_session: bool) -> Result<Ending, Fault> {
    let refusal = Refusal::read(response).await;
    let status = refusal.status();
    let code = envelope::error(refusal.body()).and_then(|(code, _)| code);
    if status == StatusCode::NOT_FOUND && in_session && code != Some(METHOD_NOT_FOUND) {
        return Ok(Ending::SessionLost);
    }
    // A client that goes by the status sees no result in this; an error it may.
    if let Ok(message) = serde_json::from_str::<Message>(refusal.body())
        && asked.is_answered_by(&message.value)
        && message.value.get("error").is_some()
    {
        endpoint.remark(
            &format!("HTTP {status}"),
            "http-error-status",
            format!("an answer came with the status {status}"),
        );
        endpoint
            .inbox
            .message(refusal.body(), message, std::time::Instant::now());
        return Ok(Ending::Answered);
    }
    Err(refusal.fault(asked.phase, endpoint.authorized()))
}

async fn wrong_type(mut response: Response, asked: Asked) -> Fault {
    let status = response.status();
    let essence = body::essence(response.headers());
    let bytes = body::beginning(&mut response, LEFTOVER_LIMIT, LEFTOVER_TIME).await;
    let words = extract(&plain(&String::from_utf8_lossy(&bytes)));
    if words.is_empty() {
        return no_answer(status, asked);
    }
    let found = if essence.is_empty() {
        "no content type".to_owned()
    } else {
        format!("the content type `{essence}`")
    };
    let message = format!("HTTP {status} with {found}, expected `application/json` or `text/event-stream`: {words}");
    let fault = Fault::server(FaultKind::Garbled, asked.phase, message);
    if words.starts_with(['{', '[']) {
        fault.help("the body looks like JSON, but MCP clients go by the header: set `Content-Type: application/json`")
    } else {
        fault.help("check that `url` is the MCP endpoint and not a page beside it")
    }
}

fn no_answer(status: StatusCode, asked: Asked) -> Fault {
    let message = format!("HTTP {status} without a body: a request must be answered with JSON or an event stream");
    let fault = Fault::server(FaultKind::Garbled, asked.phase, message);
    if asked.opens_session() {
        return fault.help("where this is a legacy SSE endpoint, write `transport: sse`");
    }
    fault
}

async fn leftovers(endpoint: &Endpoint, mut response: Response) {
    let status = response.status();
    if BodyKind::of(response.headers()) == BodyKind::EventStream {
        stream::read(endpoint, response, None, &mut Track::default()).await;
        return;
    }
    let bytes = body::beginning(&mut response, LEFTOVER_LIMIT, LEFTOVER_TIME).await;
    if status != StatusCode::ACCEPTED || !bytes.is_empty() {
        let message = format!(
            "a notification was answered with HTTP {status} and {} bytes, expected 202 and none",
            bytes.len()
        );
        endpoint.remark(&String::from_utf8_lossy(&bytes), "http-notification", message);
    }
}
