//! What an HTTP status that is no success says: a fault with the status, the server's own words and what to do.

use std::{sync::LazyLock, time::Duration};

use regex::Regex;
use reqwest::{
    Response, StatusCode,
    header::{HeaderMap, RETRY_AFTER, WWW_AUTHENTICATE},
};
use serde_json::Value;

use super::{body, envelope};
use crate::model::{Fault, FaultKind, Phase};

/// Bytes of an error page that are read; the first words are all that is shown.
const PAGE_LIMIT: usize = 256 * 1024;
/// How long an error page may take; its status is known already.
const PAGE_TIME: Duration = Duration::from_secs(1);
/// Characters of a server's text that go into a message.
const EXTRACT_LIMIT: usize = 200;

static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?is)<!--.*?(?:-->|$)|<script\b.*?(?:</script\s*>|$)|<style\b.*?(?:</style\s*>|$)|<[/!a-z][^>]*>?")
        .expect("the pattern is a constant")
});
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)(?:^|[\s,])(error|error_description)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))"#)
        .expect("the pattern is a constant")
});

/// A response that is no success.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Refusal {
    /// Reads the beginning of the body.
    pub(super) async fn read(mut response: Response) -> Self {
        let bytes = body::beginning(&mut response, PAGE_LIMIT, PAGE_TIME).await;
        Self {
            status: response.status(),
            headers: response.headers().clone(),
            body: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// The body as it came.
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// The HTTP status.
    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    /// The fault it is for a message sent in `phase`; `authorized` when the user gave an `Authorization` header.
    pub(super) fn fault(&self, phase: Phase, authorized: Authorized) -> Fault {
        let words = self.challenge_words().or_else(|| self.body_words());
        let message = match words {
            Some(words) => format!("HTTP {}: {words}", self.status),
            None => format!("HTTP {}", self.status),
        };
        let mut fault = Fault::server(FaultKind::HttpStatus, phase, message);
        fault.help = self.advice(phase, authorized);
        fault.evidence(
            self.challenge()
                .map(|challenge| format!("www-authenticate: {}", extract(challenge))),
        )
    }

    fn advice(&self, phase: Phase, authorized: Authorized) -> Option<String> {
        let advice = match self.status.as_u16() {
            401 if authorized == Authorized::Yes => {
                "the `Authorization` header in the fixture's server block was not accepted: is the token right and still valid?"
            }
            401 => "set `headers.Authorization` in the fixture's server block",
            403 => "the server refuses this client or its credentials: check `headers` in the fixture's server block",
            404 | 405 if phase == Phase::Initialize => {
                "this address takes no streamable HTTP: check the path in `url`, and where it is a legacy SSE endpoint write `transport: sse`"
            }
            429 => return Some(self.rate_limit_advice()),
            502..=504 => "a proxy answered in place of the server: look at the server's own log",
            _ => return None,
        };
        Some(advice.to_owned())
    }

    fn rate_limit_advice(&self) -> String {
        let wait = match self.header(RETRY_AFTER.as_str()) {
            Some(wait) if wait.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("the server asks to wait {wait} s; ")
            }
            Some(wait) => format!("the server asks to wait until {}; ", extract(wait)),
            None => String::new(),
        };
        format!("{wait}ask less at once: a lower `--concurrency`, or one server for all cases with `server_scope: run`")
    }

    fn challenge(&self) -> Option<&str> {
        self.header(WWW_AUTHENTICATE.as_str())
    }

    fn challenge_words(&self) -> Option<String> {
        let challenge = self.challenge()?;
        let mut words: Vec<_> = PARAMETER
            .captures_iter(challenge)
            .filter_map(|found| {
                Some((
                    found[1].len(),
                    found.get(2).or(found.get(3))?.as_str().replace('\\', ""),
                ))
            })
            .collect();
        // The longer name is `error_description`: the sentence first, then the code.
        words.sort_by_key(|(name_length, _)| std::cmp::Reverse(*name_length));
        let words: Vec<_> = words.into_iter().map(|(_, value)| value).collect();
        (!words.is_empty()).then(|| extract(&words.join(", ")))
    }

    fn body_words(&self) -> Option<String> {
        let text = match serde_json::from_str::<Value>(&self.body) {
            Ok(json) => envelope::error(&self.body).map_or_else(|| json_words(&json), |(_, message)| message),
            Err(_) => plain(&self.body),
        };
        let words = extract(self.without_status(&text));
        (!words.is_empty()).then_some(words)
    }

    /// Error pages repeat the status, often twice: in the title and as a heading.
    fn without_status<'a>(&self, mut text: &'a str) -> &'a str {
        let reason = self.status.canonical_reason().filter(|reason| !reason.is_empty());
        let is_word = |rest: &&str| !rest.starts_with(char::is_alphanumeric);
        let without = |text: &'a str, words: &str| text.strip_prefix(words).filter(is_word);
        loop {
            text = text.trim_start();
            let shorter = without(text, self.status.as_str()).or_else(|| without(text, reason?));
            match shorter {
                Some(rest) => text = rest.trim_start_matches([':', '-', ' ']),
                None => return text,
            }
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Whether the user's headers hold credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Authorized {
    /// An `Authorization` header is sent.
    Yes,
    /// None is.
    No,
}

/// The first words of a server's text, on one line and without control characters.
pub(super) fn extract(text: &str) -> String {
    let words = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty());
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(EXTRACT_LIMIT) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

/// The text of a page without its markup.
pub(super) fn plain(text: &str) -> String {
    if !text.trim_start().starts_with('<') {
        return text.to_owned();
    }
    let text = MARKUP.replace_all(text, " ");
    let entities = [
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    entities.iter().fold(text.into_owned(), |text, (entity, meaning)| {
        text.replace(entity, meaning)
    })
}

fn json_words(json: &Value) -> String {
    let keys = ["error_description", "message", "detail", "title", "error"];
    let named = keys.iter().find_map(|key| json.get(key)?.as_str());
    named.map_or_else(|| json.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, headers: &[(&'static str, &str)], body: &str) -> Refusal {
        Refusal {
            status: StatusCode::from_u16(status).unwrap(),
            headers: headers
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect(),
            body: body.to_owned(),
        }
    }

    fn fault(status: u16, headers: &[(&'static str, &str)], body: &str) -> Fault {
        refusal(status, headers, body).fault(Phase::Initialize, Authorized::No)
    }

    #[test]
    fn a_page_is_reduced_to_its_first_words() {
        let page = format!(
            "<!DOCTYPE html><html><head><style>b {{}}</style><script>a < b</script></head><body><h1>Bad &amp; ugly</h1>\n\
             upstream unavailable{}</body></html>",
            "<!-- pad -->".repeat(2000)
        );
        assert_eq!(
            fault(502, &[], &page).message,
            "HTTP 502 Bad Gateway: Bad & ugly upstream unavailable"
        );
    }

    #[test]
    fn a_page_that_repeats_the_status_is_not_repeated() {
        let page = "<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx";
        assert_eq!(fault(502, &[], page).message, "HTTP 502 Bad Gateway: nginx");
        assert_eq!(
            fault(405, &[], "Method Not Allowed").message,
            "HTTP 405 Method Not Allowed"
        );
        assert_eq!(
            fault(400, &[], r#"{"message":"Bad Request: session required"}"#).message,
            "HTTP 400 Bad Request: session required"
        );
        assert_eq!(
            fault(404, &[], "404 - Not Foundry has no 4049").message,
            "HTTP 404 Not Found: Not Foundry has no 4049"
        );
    }

    #[test]
    fn a_long_text_is_cut_and_control_characters_go() {
        let message = fault(500, &[], &format!("a\u{1b}[31mb {}", "x".repeat(1000))).message;
        assert!(
            message.starts_with("HTTP 500 Internal Server Error: a [31mb xxx"),
            "{message}"
        );
        assert!(message.ends_with('…') && message.chars().count() < 250);
    }

    #[test]
    fn json_bodies_speak_through_their_message() {
        let rpc = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session required"}}"#;
        assert_eq!(fault(400, &[], rpc).message, "HTTP 400 Bad Request: Session required");
        assert_eq!(
            fault(400, &[], r#"{"detail":"no"}"#).message,
            "HTTP 400 Bad Request: no"
        );
        assert_eq!(
            fault(400, &[], r#"{"a":1}"#).message,
            r#"HTTP 400 Bad Request: {"a":1}"#
        );
        assert_eq!(fault(500, &[], " ").message, "HTTP 500 Internal Server Error");
    }

    #[test]
    fn a_challenge_is_told_with_what_to_do() {
        let challenge = r#"Bearer realm="a, b", error="invalid_token", error_description="Missing \"API\" key""#;
        let fault = fault(401, &[("www-authenticate", challenge)], r#"{"error":"unauthorized"}"#);
        assert_eq!(
            fault.message,
            r#"HTTP 401 Unauthorized: Missing "API" key, invalid_token"#
        );
        assert!(fault.help.unwrap().contains("headers.Authorization"));
        assert!(fault.evidence[0].starts_with("www-authenticate: Bearer realm"));
    }

    #[test]
    fn a_bare_challenge_leaves_the_word_to_the_body() {
        let refusal = refusal(401, &[("www-authenticate", "Bearer")], r#"{"error":"unauthorized"}"#);
        let fault = refusal.fault(Phase::Call, Authorized::Yes);
        assert_eq!(fault.message, "HTTP 401 Unauthorized: unauthorized");
        assert!(fault.help.unwrap().contains("not accepted"));
    }

    #[test]
    fn the_wrong_transport_is_suspected_only_when_the_session_opens() {
        assert!(fault(405, &[], "").help.unwrap().contains("transport: sse"));
        assert_eq!(refusal(405, &[], "").fault(Phase::Call, Authorized::No).help, None);
    }

    #[test]
    fn a_rate_limit_tells_how_long() {
        assert!(
            fault(429, &[("retry-after", "30")], "")
                .help
                .unwrap()
                .contains("wait 30 s")
        );
        assert!(fault(429, &[], "").help.unwrap().starts_with("ask less"));
    }
}
