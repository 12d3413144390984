//! The listening stream: what the server says without being asked.

use std::time::Duration;

use reqwest::StatusCode;
use tokio::time::{Instant, sleep};

use super::{
    body::{self, BodyKind},
    endpoint::{Call, Endpoint},
    stream::{self, Track},
};
use crate::model::Phase;

/// Streams in a row that brought nothing and ended soon: after these no other is opened.
const FUTILE_LIMIT: u32 = 3;
/// A stream that lived so long was worth opening even if it was silent.
const WORTHWHILE: Duration = Duration::from_secs(10);

/// Listens until the transport ends, or the server shows that it has no such stream.
pub(super) async fn listen(endpoint: &Endpoint) {
    let mut track = Track::default();
    let mut futile = 0;
    while futile < FUTILE_LIMIT {
        let opened = Instant::now();
        let before = track.messages;
        if !listen_once(endpoint, &mut track).await {
            return;
        }
        let worthwhile = track.messages > before || opened.elapsed() > WORTHWHILE;
        futile = if worthwhile { 0 } else { futile + 1 };
        sleep(track.pause()).await;
    }
    endpoint.remark(
        "",
        "http-get",
        format!("the listening stream (GET) ended at once {FUTILE_LIMIT} times; it was not opened again"),
    );
}

/// Opens one stream and reads it to its end; false where another attempt is pointless.
async fn listen_once(endpoint: &Endpoint, track: &mut Track) -> bool {
    let call = Call::Listen(track.last_event_id.clone());
    // A server that is gone shows in the calls, where it matters.
    let Ok(response) = endpoint.exchange(&call, Phase::Call).await else {
        return false;
    };
    let status = response.status();
    let session_lost = status == StatusCode::NOT_FOUND && endpoint.has_session();
    if status == StatusCode::METHOD_NOT_ALLOWED || session_lost {
        return false;
    }
    let essence = body::essence(response.headers());
    if status.is_success() && BodyKind::of(response.headers()) == BodyKind::EventStream {
        stream::read(endpoint, response, None, track).await;
        return true;
    }
    let found = if essence.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{essence}`")
    };
    let message =
        format!("a GET of the endpoint was answered with HTTP {status} and {found}, expected an event stream or 405");
    endpoint.remark(&format!("HTTP {status} {essence}"), "http-get", message);
    false
}
