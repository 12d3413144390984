//! What the lines of a server's stdout are: messages, noise, or signs of another framing.

use std::borrow::Cow;

use serde::{Deserialize, de::IgnoredAny};

use super::spread::{Spread, Step};
use crate::{
    mcp::{
        broken,
        quote::{around, quoted},
    },
    model::{Fault, FaultKind, Finding, Phase},
};

/// How many places of a line are tried as the start of a message that text is glued to.
const MAX_TRIES: usize = 16;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A piece of the output.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// What may be a message.
    Frame(&'a str),
    /// What is none, with what to say about it.
    Noise(&'a str, Finding),
    /// An answer with this id that cannot be read.
    Unreadable(u64, Fault),
    /// The output as a whole cannot be read.
    Fatal(Fault),
}

/// Reads line after line.
#[derive(Debug, Default)]
pub(super) struct Reading {
    has_begun: bool,
    /// A `Content-Length` header stood before this line.
    after_header: bool,
    spread: Option<Spread>,
}

impl Reading {
    /// Takes one line without its line feed and hands on what it is.
    pub(super) fn line(&mut self, line: &[u8], out: &mut dyn FnMut(Piece<'_>)) {
        let mut line = line.strip_suffix(b"\r").unwrap_or(line);
        if !std::mem::replace(&mut self.has_begun, true)
            && let Some(rest) = line.strip_prefix(BYTE_ORDER_MARK)
        {
            line = rest;
            out(Piece::Noise(
                "\u{feff}",
                Finding::new("byte-order-mark", "stdout begins with a byte order mark"),
            ));
        }
        match std::str::from_utf8(line) {
            Ok(text) => self.text(text, out),
            Err(error) => bad_utf8(line, error, out),
        }
    }

    /// Takes what came after the last line feed once the output has ended.
    pub(super) fn end(&mut self, rest: &[u8], out: &mut dyn FnMut(Piece<'_>)) {
        let text = String::from_utf8_lossy(rest);
        let is_message = is_json(&text);
        if let Some(spread) = self.spread.take_if(|_| !is_message) {
            return unfinished(&format!("{}\n{text}", spread.text()), out);
        }
        if text.trim().is_empty() {
            return;
        }
        if is_message {
            let message = "the last message on stdout has no line end; messages must end with a newline";
            out(Piece::Noise("", Finding::new("missing-line-end", message)));
        } else if text.trim_start().starts_with('{') {
            return unfinished(&text, out);
        }
        self.line(rest, out);
    }

    /// Bytes of a message that stands on several lines and is not complete yet.
    pub(super) fn gathered(&self) -> Option<&str> {
        self.spread.as_ref().map(Spread::text)
    }

    /// Whether what begins like this, without a line end so far, belongs to another framing.
    pub(super) fn is_foreign_framing(&self, rest: &[u8]) -> Option<Fault> {
        (self.after_header && rest.trim_ascii_start().starts_with(b"{")).then(content_length)
    }

    fn text(&mut self, text: &str, out: &mut dyn FnMut(Piece<'_>)) {
        let trimmed = text.trim();
        if self.spread.is_some() && self.continue_spread(text, out) {
            return;
        }
        if trimmed.is_empty() {
            return;
        }
        let is_object = trimmed.starts_with('{');
        if is_object && self.after_header {
            return out(Piece::Fatal(content_length()));
        }
        if (is_object && trimmed.ends_with('}')) || (trimmed.starts_with("[{") && trimmed.ends_with("}]")) {
            return out(Piece::Frame(text));
        }
        if is_header(trimmed, "content-length:") {
            self.after_header = true;
            return out(Piece::Noise(
                text,
                Finding::new("content-length-framing", content_length().message),
            ));
        }
        if self.after_header && is_header(trimmed, "content-type:") {
            return;
        }
        self.after_header = false;
        match Spread::start(text) {
            Some(Step::More(spread)) => self.spread = Some(spread),
            Some(Step::Complete(_)) => out(Piece::Frame(text)),
            None => noise(text, out),
        }
    }

    /// Tells whether the line was part of a message on several lines.
    fn continue_spread(&mut self, text: &str, out: &mut dyn FnMut(Piece<'_>)) -> bool {
        let Some(spread) = self.spread.take() else { return false };
        if is_message(text) {
            stdout_noise(&spread.into_text(), out);
            return false;
        }
        match spread.add(text) {
            Ok(Step::More(spread)) => self.spread = Some(spread),
            Ok(Step::Complete(whole)) => {
                let message = "messages stood on several lines of stdout; each must be on one line (newline-delimited)";
                out(Piece::Noise("", Finding::new("message-on-several-lines", message)));
                out(Piece::Frame(&whole));
            }
            Err(broken) => stdout_noise(&broken, out),
        }
        true
    }
}

#[derive(Deserialize)]
struct Peek {
    jsonrpc: Option<IgnoredAny>,
}

/// Whether a text is a whole message by itself.
fn is_message(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<Peek>(text).is_ok_and(|peek| peek.jsonrpc.is_some())
}

fn is_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_header(line: &str, name: &str) -> bool {
    line.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Text that is no message; a message that stands behind it on the same line is found all the same.
fn noise(text: &str, out: &mut dyn FnMut(Piece<'_>)) {
    let starts = text
        .match_indices('{')
        .map(|(at, _)| at)
        .filter(|at| text[at + 1..].trim_start().starts_with('"'));
    match starts.take(MAX_TRIES).find(|at| is_message(&text[*at..])) {
        Some(at) => {
            let message = format!(
                "text stood before a message on the same line of stdout: {}",
                quoted(&text[..at])
            );
            out(Piece::Noise(&text[..at], Finding::new("glued-text", message)));
            out(Piece::Frame(&text[at..]));
        }
        None => stdout_noise(text, out),
    }
}

fn stdout_noise(text: &str, out: &mut dyn FnMut(Piece<'_>)) {
    let message = format!("text that is not the protocol on stdout: {}", quoted(text));
    out(Piece::Noise(text, Finding::new("stdout-noise", message)));
}

fn unfinished(text: &str, out: &mut dyn FnMut(Piece<'_>)) {
    let message = format!("stdout ended in the middle of a message: {}", quoted(text));
    out(Piece::Noise(text, Finding::new("unfinished-message", message)));
}

fn bad_utf8(line: &[u8], error: std::str::Utf8Error, out: &mut dyn FnMut(Piece<'_>)) {
    let text: Cow<'_, str> = String::from_utf8_lossy(line);
    let at = error.valid_up_to();
    let what = format!(
        "not valid UTF-8 (byte 0x{:02x} at offset {at})",
        line.get(at).copied().unwrap_or_default()
    );
    let shown = quoted(&around(&text, at));
    let finding = Finding::new("bad-utf8", format!("a line of stdout is {what}: {shown}"));
    out(Piece::Noise(&text, finding));
    if let Some(id) = broken::id_of_answer(&text) {
        let fault = Fault::server(
            FaultKind::Garbled,
            Phase::Call,
            format!("the answer with id {id} is {what}"),
        );
        out(Piece::Unreadable(
            id,
            fault.help("the server must write UTF-8, whatever its locale"),
        ));
    }
}

fn content_length() -> Fault {
    let message = "the server frames its messages with `Content-Length` headers, as language servers do";
    Fault::server(FaultKind::Garbled, Phase::Call, message)
        .help("MCP over stdio wants each message as JSON on one line, ended by a newline")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

    /// What a stream is read as, each piece in short.
    fn read(stream: &[u8]) -> Vec<String> {
        let (mut reading, mut pieces) = (Reading::default(), Vec::new());
        let mut out = |piece: Piece<'_>| {
            pieces.push(match piece {
                Piece::Frame(text) => text.replace([' ', '\n'], ""),
                Piece::Noise(_, finding) => finding.code.into_owned(),
                Piece::Unreadable(id, _) => format!("unreadable {id}"),
                Piece::Fatal(fault) => fault.kind.word().to_owned(),
            });
        };
        let mut lines: Vec<&[u8]> = stream.split(|byte| *byte == b'\n').collect();
        let rest = lines.pop().unwrap();
        for line in lines {
            reading.line(line, &mut out);
        }
        reading.end(rest, &mut out);
        pieces
    }

    #[test]
    fn a_byte_order_mark_carriage_returns_and_blank_lines_do_no_harm() {
        let stream = format!("\u{feff}{MESSAGE}\r\n\r\n \n{MESSAGE}\r\n");
        assert_eq!(read(stream.as_bytes()), ["byte-order-mark", MESSAGE, MESSAGE]);
    }

    #[test]
    fn log_lines_are_noise_whatever_they_begin_with() {
        for line in [
            "Server v1 🚀",
            "[INFO] started",
            "[2026-01-01 starting",
            "{starting",
            "(1) {\"a\": 1}",
        ] {
            assert_eq!(
                read(format!("{line}\n{MESSAGE}\n").as_bytes()),
                ["stdout-noise", MESSAGE],
                "{line}"
            );
        }
    }

    #[test]
    fn finds_a_message_behind_text() {
        assert_eq!(
            read(format!("Loading {{x}} {{\"a\"}}... {MESSAGE}\n").as_bytes()),
            ["glued-text", MESSAGE]
        );
    }

    #[test]
    fn puts_pretty_printed_messages_together() {
        let stream = format!(
            "{{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {{\n    \"text\": \"a }} \\\" {{\"\n  }}\n}}\n{MESSAGE}\n"
        );
        let whole = r#"{"jsonrpc":"2.0","id":1,"result":{"text":"a}\"{"}}"#;
        assert_eq!(read(stream.as_bytes()), ["message-on-several-lines", whole, MESSAGE]);
    }

    #[test]
    fn a_brace_that_is_never_closed_swallows_no_message() {
        assert_eq!(
            read(format!("{{\n\"open\": 1,\n{MESSAGE}\n").as_bytes()),
            ["stdout-noise", MESSAGE]
        );
        assert_eq!(
            read(format!("{{\"text\": \"cut\n{MESSAGE}\n").as_bytes()),
            ["stdout-noise", MESSAGE]
        );
    }

    #[test]
    fn names_content_length_framing() {
        let stream = format!("Content-Length: 37\r\n\r\n{MESSAGE}\n");
        assert_eq!(read(stream.as_bytes()), ["content-length-framing", "garbled"]);
        let log = format!("content-length: 5 bytes served\nhello\n{MESSAGE}\n");
        assert_eq!(
            read(log.as_bytes()),
            ["content-length-framing", "stdout-noise", MESSAGE]
        );
    }

    #[test]
    fn foreign_framing_is_seen_before_its_line_ends() {
        let mut reading = Reading::default();
        reading.line(b"Content-Length: 37\r", &mut |_| ());
        assert!(reading.is_foreign_framing(b"").is_none());
        assert!(reading.is_foreign_framing(b"{\"json").is_some());
    }

    #[test]
    fn bad_utf8_ends_the_request_it_answers() {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"text\":\"caf\xe9\"}}\n";
        assert_eq!(read(line), ["bad-utf8", "unreadable 7"]);
        assert_eq!(read(b"caf\xe9\n"), ["bad-utf8"]);
        assert_eq!(
            read(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"caf\xe9\"}\n"),
            ["bad-utf8"]
        );
    }

    #[test]
    fn the_end_without_a_line_feed() {
        assert_eq!(read(MESSAGE.as_bytes()), ["missing-line-end", MESSAGE]);
        assert_eq!(read(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"resu"), ["unfinished-message"]);
        assert_eq!(read(b"{\n\"jsonrpc\":\"2.0\",\n"), ["unfinished-message"]);
        assert_eq!(read(b"bye"), ["stdout-noise"]);
        assert_eq!(read(b"  "), [""; 0]);
    }
}
