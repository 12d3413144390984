//! Event streams: every message in them goes to the inbox, and one that ends before the answer is resumed.

use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::Response;
use tokio::time::{self, sleep};

use super::{
    body::{self, BodyKind},
    endpoint::{Call, Endpoint},
    envelope::Asked,
    failure, headers,
    progress::Entry,
    refusal::Refusal,
};
use crate::{
    mcp::{
        message::Message,
        quote::quoted,
        transport::sse_stream::{Event, Parser, TooLarge},
        weight,
    },
    model::{Fault, FaultKind, Phase},
};

/// How long a stream is read on after its answer, for what a server sends behind it.
const LINGER: Duration = Duration::from_millis(500);
/// Resumptions in a row that bring nothing new.
const FUTILE_LIMIT: u32 = 3;
/// Wait before a resumption where the server names none with `retry:`.
const DEFAULT_RETRY: Duration = Duration::from_millis(500);
/// Shortest wait, whatever the server names: a stream that ends at once must not become a busy loop.
const SHORTEST_RETRY: Duration = Duration::from_millis(50);

/// What is known of a stream over all connections that carried it.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// The id that a resumption would name.
    pub last_event_id: Option<String>,
    /// Messages that were delivered.
    pub messages: usize,
    retry: Option<Duration>,
    answered: bool,
}

/// How a connection that carried a stream ended.
#[derive(Debug)]
pub(super) enum End {
    /// The server closed it, with so many bytes of an event that is not complete.
    Closed(usize),
    /// It broke.
    Broken(reqwest::Error),
    /// An event was larger than what we keep.
    TooLarge,
}

impl Track {
    /// How long to wait before the next connection.
    pub(super) fn pause(&self) -> Duration {
        self.retry.unwrap_or(DEFAULT_RETRY).max(SHORTEST_RETRY)
    }

    fn note(&mut self, parser: &Parser) {
        self.last_event_id = parser.last_event_id().map(str::to_owned).or(self.last_event_id.take());
        self.retry = parser.retry().or(self.retry);
    }
}

/// Reads the stream that answers a request, over several connections where the server lets it be resumed.
pub(super) async fn answer(
    endpoint: &Endpoint,
    response: Response,
    asked: Asked,
    entry: &Entry<'_>,
) -> Result<(), Fault> {
    let mut track = Track::default();
    let mut end = read(endpoint, response, Some((asked, entry)), &mut track).await;
    let mut futile = 0;
    while !track.answered {
        let fault = unanswered(endpoint, &end, asked.phase).await;
        if matches!(end, End::TooLarge) || fault.kind == FaultKind::Exited || futile == FUTILE_LIMIT {
            return Err(fault);
        }
        let Some(id) = track.last_event_id.clone() else {
            return Err(fault);
        };
        sleep(track.pause()).await;
        let response = resume(endpoint, &id, asked.phase)
            .await
            .map_err(|reason| and_not_resumed(fault, &reason))?;
        end = read(endpoint, response, Some((asked, entry)), &mut track).await;
        futile = if track.last_event_id.as_ref() == Some(&id) {
            futile + 1
        } else {
            0
        };
    }
    Ok(())
}

/// Reads one connection's part of a stream, and after the answer a little further.
pub(super) async fn read(
    endpoint: &Endpoint,
    mut response: Response,
    awaited: Option<(Asked, &Entry<'_>)>,
    track: &mut Track,
) -> End {
    let mut parser = Parser::new(endpoint.message_limit);
    let mut until = None;
    loop {
        let bytes = match part(&mut response, until).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return End::Closed(parser.pending()),
            Err(error) => return End::Broken(error),
        };
        let (received, asked) = (Instant::now(), awaited.map(|(asked, _)| asked));
        let fed = parser.feed(&bytes, &mut |event| deliver(endpoint, &event, received, asked, track));
        track.note(&parser);
        if let Err(TooLarge) = fed {
            return End::TooLarge;
        }
        if let Some((_, entry)) = awaited {
            entry.body(bytes.len());
        }
        if track.answered && until.is_none() {
            awaited.inspect(|(_, entry)| entry.answered());
            until = Some(time::Instant::now() + LINGER);
        }
    }
}

/// The next bytes; none at the end of the stream or of the time.
async fn part(response: &mut Response, until: Option<time::Instant>) -> reqwest::Result<Option<Bytes>> {
    match until {
        None => response.chunk().await,
        Some(until) => time::timeout_at(until, response.chunk()).await.unwrap_or(Ok(None)),
    }
}

fn deliver(endpoint: &Endpoint, event: &Event, received: Instant, asked: Option<Asked>, track: &mut Track) {
    if event.data.trim().is_empty() {
        return;
    }
    if !event.is_message() {
        let kind = quoted(&event.kind);
        endpoint.remark(
            &event.data,
            "sse-event-type",
            format!("an event of type {kind} was ignored: messages come as `message`"),
        );
        return;
    }
    if event.replaced {
        endpoint.remark("", "bad-utf8", "a message held bytes that are not UTF-8");
    }
    track.messages += 1;
    if weight::is_too_heavy(&event.data) {
        endpoint.inbox.frame(&event.data, received);
        if let Some(asked) = asked.filter(|asked| asked.is_perhaps_answered_by(&event.data)) {
            let fault = failure::too_heavy(event.data.len(), asked.phase);
            endpoint.inbox.unanswerable(asked.id, fault);
            track.answered = true;
        }
        return;
    }
    match serde_json::from_str::<Message>(&event.data) {
        Ok(message) => {
            track.answered |= asked.is_some_and(|asked| asked.is_answered_by(&message.value));
            endpoint.inbox.message(&event.data, message, received);
        }
        Err(_) => endpoint.inbox.frame(&event.data, received),
    }
}

async fn resume(endpoint: &Endpoint, id: &str, phase: Phase) -> Result<Response, String> {
    if headers::last_event_id(id).is_none() {
        return Err("its event id cannot be sent in a header".to_owned());
    }
    let response = endpoint
        .exchange(&Call::Listen(Some(id.to_owned())), phase)
        .await
        .map_err(|fault| fault.message)?;
    if !response.status().is_success() {
        return Err(Refusal::read(response)
            .await
            .fault(phase, endpoint.authorized())
            .message);
    }
    if BodyKind::of(response.headers()) != BodyKind::EventStream {
        return Err(format!(
            "a GET was answered with `{}`",
            body::essence(response.headers())
        ));
    }
    let message = "an event stream ended before the answer and was resumed with `Last-Event-ID`";
    endpoint.remark(
        &format!("GET last-event-id: {}", id.escape_debug()),
        "sse-resumed",
        message,
    );
    Ok(response)
}

async fn unanswered(endpoint: &Endpoint, end: &End, phase: Phase) -> Fault {
    if let End::TooLarge = end {
        return failure::too_large(endpoint.message_limit, phase);
    }
    if let Some(status) = endpoint.exit_status().await {
        return failure::exited(&status, phase);
    }
    match end {
        End::Broken(error) => failure::broken(error, phase),
        End::Closed(0) | End::TooLarge => Fault::server(
            FaultKind::Closed,
            phase,
            format!(
                "the server closed the event stream before it answered `{}`",
                phase.word()
            ),
        ),
        End::Closed(pending) => {
            let message = format!(
                "the server closed the event stream in the middle of an event: {pending} bytes without the empty line that ends it"
            );
            Fault::server(FaultKind::Closed, phase, message)
        }
    }
}

fn and_not_resumed(fault: Fault, reason: &str) -> Fault {
    Fault {
        message: format!("{}; it could not be resumed: {reason}", fault.message),
        ..fault
    }
}
