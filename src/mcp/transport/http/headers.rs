//! Request headers: the user's own, and those that the protocol keeps for itself.

use reqwest::header::{ACCEPT, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::{
    mcp::transport::sse_stream::LONGEST_EVENT_ID,
    model::{Fault, FaultKind, Finding, Phase},
};

/// The session a message belongs to.
pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// The version that the handshake settled on.
pub(super) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// Where a broken stream is to be resumed.
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

const RESERVED: [HeaderName; 8] = [
    ACCEPT,
    CONTENT_TYPE,
    SESSION_ID,
    PROTOCOL_VERSION,
    LAST_EVENT_ID,
    CONTENT_LENGTH,
    TRANSFER_ENCODING,
    CONNECTION,
];

/// The value that names an event id; none where HTTP cannot carry it.
pub(super) fn last_event_id(id: &str) -> Option<HeaderValue> {
    let value = HeaderValue::from_str(id).ok();
    value.filter(|value| value.len() <= LONGEST_EVENT_ID)
}

/// Takes the user's headers; a reserved one is left out with a remark.
pub(super) fn from_user(headers: &[(String, String)]) -> Result<(HeaderMap, Vec<Finding>), Fault> {
    let (mut map, mut findings) = (HeaderMap::new(), Vec::new());
    for (name, value) in headers {
        let header = HeaderName::try_from(name).map_err(|_ignored| unusable(name, "is not a header name"))?;
        if RESERVED.contains(&header) {
            findings.push(Finding::new(
                "reserved-header",
                format!("the header `{name}` was left out: the protocol sets it itself"),
            ));
            continue;
        }
        let mut value = HeaderValue::try_from(value.trim())
            .map_err(|_ignored| unusable(name, "has a value that HTTP cannot carry"))?;
        value.set_sensitive(true);
        map.append(header, value);
    }
    Ok((map, findings))
}

fn unusable(name: &str, problem: &str) -> Fault {
    let message = format!("the request header `{}` {problem}", name.escape_debug());
    Fault::surroundings(FaultKind::CannotStart, Phase::Start, message)
        .help("a header value is one line of printable characters; check `headers` in the server block")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(name: &str, value: &str) -> Result<(HeaderMap, Vec<Finding>), Fault> {
        from_user(&[(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn the_users_headers_are_kept_and_never_printed() {
        let (map, findings) = take("X-Api-Key", " secret\n").unwrap();
        assert_eq!(map["x-api-key"], "secret");
        assert!(!format!("{map:?}").contains("secret"));
        assert!(findings.is_empty());
    }

    #[test]
    fn a_reserved_header_is_left_out_with_a_remark() {
        for name in ["accept", "ACCEPT", "Mcp-Session-Id", "content-length"] {
            let (map, findings) = take(name, "x").unwrap();
            assert!(map.is_empty());
            assert!(findings[0].message.contains(name));
        }
        assert!(take("Accept-Language", "de").unwrap().1.is_empty());
    }

    #[test]
    fn what_http_cannot_carry_is_refused_without_showing_it() {
        let fault = take("Authorization", "a\nhidden").unwrap_err();
        assert!(fault.message.contains("Authorization") && !fault.message.contains("hidden"));
        assert!(take("two words", "x").is_err());
    }
}
