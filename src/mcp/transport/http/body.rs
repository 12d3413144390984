//! Response bodies, read whole and within bounds.

use std::time::{Duration, Instant};

use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap},
};
use tokio::time::timeout;

/// What the body of a response is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// One JSON text.
    Json,
    /// Server-sent events.
    EventStream,
    /// Anything else, or nothing said.
    Other,
}

/// A body that was read to its end.
#[derive(Debug)]
pub(super) struct Body {
    /// The bytes, decompressed.
    pub bytes: Vec<u8>,
    /// When the last byte was read.
    pub received: Instant,
}

/// Why a body could not be read to its end.
#[derive(Debug)]
pub(super) enum BodyError {
    /// It is larger than what we keep.
    TooLarge,
    /// The connection broke, or what came was no body.
    Broken(reqwest::Error),
}

impl BodyKind {
    /// Reads `Content-Type`; parameters and capitals do not matter (RFC 9110 §8.3.1).
    pub(super) fn of(headers: &HeaderMap) -> Self {
        match essence(headers).as_str() {
            "application/json" => Self::Json,
            "text/event-stream" => Self::EventStream,
            _ => Self::Other,
        }
    }
}

/// The media type without its parameters, in small letters; empty where none is said.
pub(super) fn essence(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// Reads a body of at most `limit` bytes; `on_bytes` hears of each part.
pub(super) async fn whole(
    response: &mut Response,
    limit: usize,
    mut on_bytes: impl FnMut(usize),
) -> Result<Body, BodyError> {
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Err(BodyError::TooLarge);
    }
    let mut body = Body {
        bytes: Vec::new(),
        received: Instant::now(),
    };
    while let Some(part) = response.chunk().await.map_err(BodyError::Broken)? {
        body.received = Instant::now();
        on_bytes(part.len());
        if body.bytes.len() + part.len() > limit {
            return Err(BodyError::TooLarge);
        }
        body.bytes.extend_from_slice(&part);
    }
    Ok(body)
}

/// Reads what comes of a body within `time`, at most `limit` bytes: enough to tell what an error page says. Where
/// there may be more, `…` stands behind them.
pub(super) async fn beginning(response: &mut Response, limit: usize, time: Duration) -> Vec<u8> {
    let mut bytes = Vec::new();
    let reading = async {
        while let Ok(Some(part)) = response.chunk().await {
            let room = limit - bytes.len();
            bytes.extend_from_slice(&part[..part.len().min(room)]);
            if bytes.len() == limit {
                bytes.extend_from_slice("…".as_bytes());
                break;
            }
        }
    };
    // Whether the end or the time came first does not matter: what was read by then is what there is to show.
    let _ = timeout(time, reading).await;
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(value: &str) -> BodyKind {
        BodyKind::of(&HeaderMap::from_iter([(CONTENT_TYPE, value.parse().unwrap())]))
    }

    #[test]
    fn parameters_and_capitals_do_not_matter() {
        assert_eq!(kind("Application/JSON; charset=utf-8"), BodyKind::Json);
        assert_eq!(kind("text/event-stream;charset=UTF-8"), BodyKind::EventStream);
        assert_eq!(kind(" text/Event-Stream ;x"), BodyKind::EventStream);
    }

    #[test]
    fn anything_else_is_something_else() {
        assert_eq!(kind("application/json5"), BodyKind::Other);
        assert_eq!(kind("text/html"), BodyKind::Other);
        assert_eq!(BodyKind::of(&HeaderMap::new()), BodyKind::Other);
    }
}
