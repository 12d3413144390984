//! Server-sent events: bytes in, events out.
//!
//! The rules are those of the [WHATWG specification](https://html.spec.whatwg.org/multipage/server-sent-events.html):
//! CR, LF and CRLF end a line, a leading byte order mark is dropped, fields nobody knows are ignored, an event that the
//! stream's end cuts off is discarded. The crate `sse-stream` was weighed and left: an unknown field, a repeated `id` or
//! a bad byte ends its stream, and nothing bounds an event.

use std::{borrow::Cow, time::Duration};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The longest event id that is of use, in bytes: a resumption names it in a header, and servers take some 8 KiB of
/// headers in all.
pub(crate) const LONGEST_EVENT_ID: usize = 4 * 1024;

/// One event that carries data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The value of `event:`; empty for an ordinary message.
    pub kind: String,
    /// The values of all `data:` lines, joined by a line feed.
    pub data: String,
    /// Whether bytes that are not UTF-8 were replaced in `data`.
    pub replaced: bool,
}

impl Event {
    /// Whether it is of the kind that carries protocol messages.
    pub(crate) fn is_message(&self) -> bool {
        self.kind.is_empty() || self.kind == "message"
    }
}

/// An event or a line grew past the limit; the stream cannot be read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// An incremental parser for one stream.
#[derive(Debug)]
pub(crate) struct Parser {
    limit: usize,
    line: Vec<u8>,
    after_carriage_return: bool,
    at_start: bool,
    kind: String,
    data: Option<Vec<u8>>,
    id: Option<String>,
    last_event_id: Option<String>,
    retry: Option<Duration>,
}

impl Parser {
    /// A parser that keeps at most `limit` bytes of one event.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            after_carriage_return: false,
            at_start: true,
            kind: String::new(),
            data: None,
            id: None,
            last_event_id: None,
            retry: None,
        }
    }

    /// Takes the next bytes of the stream and hands on every event that they complete.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], on_event: &mut impl FnMut(Event)) -> Result<(), TooLarge> {
        if self.after_carriage_return && !bytes.is_empty() {
            self.after_carriage_return = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.keep(&bytes[..end])?;
            let line = std::mem::take(&mut self.line);
            self.end_line(&line, on_event)?;
            self.line = line;
            self.line.clear();
            bytes = self.skip_line_end(&bytes[end..]);
        }
        self.keep(bytes)
    }

    /// The id of the last complete event, if one had an id that is not empty: what a reconnection names.
    pub(crate) fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref().filter(|id| !id.is_empty())
    }

    /// How long the server asks us to wait before a reconnection.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Bytes of an event that is not complete yet.
    pub(crate) fn pending(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    fn skip_line_end<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let rest = &bytes[1..];
        if bytes[0] == b'\n' {
            return rest;
        }
        self.after_carriage_return = rest.is_empty();
        rest.strip_prefix(b"\n").unwrap_or(rest)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        if self.pending() + bytes.len() > self.limit {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, line: &[u8], on_event: &mut impl FnMut(Event)) -> Result<(), TooLarge> {
        let at_start = std::mem::take(&mut self.at_start);
        let line = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| at_start).unwrap_or(line);
        if line.is_empty() {
            self.dispatch(on_event);
            return Ok(());
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        self.field(&line[..colon], value.strip_prefix(b" ").unwrap_or(value));
        if self.pending() > self.limit {
            Err(TooLarge)
        } else {
            Ok(())
        }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            },
            b"event" => self.kind = lossy(value).into_owned(),
            b"id" if !value.contains(&0) => {
                // One byte more tells that it is too long.
                let kept = value.len().min(LONGEST_EVENT_ID + 1);
                self.id = Some(lossy(&value[..kept]).into_owned());
            }
            b"retry" => self.retry = milliseconds(value).or(self.retry),
            _ => {}
        }
    }

    fn dispatch(&mut self, on_event: &mut impl FnMut(Event)) {
        self.last_event_id.clone_from(&self.id);
        let kind = std::mem::take(&mut self.kind);
        if let Some(data) = self.data.take() {
            let text = lossy(&data);
            let replaced = matches!(text, Cow::Owned(_));
            on_event(Event {
                kind,
                data: text.into_owned(),
                replaced,
            });
        }
    }
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn milliseconds(value: &[u8]) -> Option<Duration> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(value).ok().filter(|_| digits)?;
    number.parse().ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(stream: &[u8]) -> Vec<Event> {
        parse_in_parts(&[stream]).0
    }

    fn parse_in_parts(parts: &[&[u8]]) -> (Vec<Event>, Parser) {
        let (mut events, mut parser) = (Vec::new(), Parser::new(1000));
        for part in parts {
            parser.feed(part, &mut |event| events.push(event)).unwrap();
        }
        (events, parser)
    }

    fn data(stream: &[u8]) -> Vec<String> {
        parse(stream).into_iter().map(|event| event.data).collect()
    }

    #[test]
    fn every_line_end_is_understood() {
        for end in ["\n", "\r\n", "\r"] {
            let stream = ["data: one", "data:two", "", "event: x", "data", "", ""].join(end);
            let events = parse(stream.as_bytes());
            assert_eq!(events.len(), 2, "{end:?}");
            assert_eq!((events[0].data.as_str(), events[0].kind.as_str()), ("one\ntwo", ""));
            assert_eq!((events[1].data.as_str(), events[1].kind.as_str()), ("", "x"));
        }
    }

    #[test]
    fn chunks_may_be_cut_at_every_byte() {
        let stream = "\u{feff}: keep-alive\r\n\r\nevent: message\r\nid: 7\r\ndata:{\r\ndata:\"größe 数 ✅\"}\r\n\r\n\
                      retry: 250\rdata: b\r\rid: 8\n\n";
        let whole = parse(stream.as_bytes());
        assert_eq!(whole.len(), 2);
        assert_eq!(whole[0].data, "{\n\"größe 数 ✅\"}");
        for cut in 0..=stream.len() {
            let (head, tail) = stream.as_bytes().split_at(cut);
            let (events, parser) = parse_in_parts(&[head, tail]);
            assert_eq!(events, whole, "cut at byte {cut}");
            assert_eq!(parser.last_event_id(), Some("8"));
            assert_eq!(parser.retry(), Some(Duration::from_millis(250)));
        }
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(parse_in_parts(&bytes).0, whole);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_only_at_the_start() {
        assert_eq!(data(b"\xEF\xBB\xBFdata: a\n\n"), ["a"]);
        assert!(data(b"\n\xEF\xBB\xBFdata: a\n\n").is_empty());
    }

    #[test]
    fn one_space_after_the_colon_is_dropped_and_no_more() {
        assert_eq!(data(b"data:  a \n\n"), [" a "]);
        assert_eq!(data(b"data:a:b\n\n"), ["a:b"]);
    }

    #[test]
    fn comments_unknown_fields_and_events_without_data_give_nothing() {
        assert!(data(b": ping\n\n:\n\nfoo: bar\nData: x\n data: x\n\nevent: x\n\nid: 3\n\n").is_empty());
    }

    #[test]
    fn a_kind_does_not_outlive_its_event() {
        let events = parse(b"event: ping\n\ndata: a\n\nevent: message\ndata: b\n\n");
        assert_eq!(events.iter().map(Event::is_message).collect::<Vec<_>>(), [true, true]);
        assert!(!parse(b"event: ping\ndata: a\n\n")[0].is_message());
    }

    #[test]
    fn an_event_that_the_end_cuts_off_is_pending_and_moves_no_id() {
        let (events, parser) = parse_in_parts(&[b"id: 1\ndata: a\n\nid: 2\ndata: b\n"]);
        assert_eq!(events.len(), 1);
        assert_eq!(parser.last_event_id(), Some("1"));
        assert_eq!(parser.pending(), 1);
    }

    #[test]
    fn a_priming_event_sets_the_id_and_an_empty_id_takes_it_back() {
        assert_eq!(parse_in_parts(&[b"id: p\ndata: \n\n"]).1.last_event_id(), Some("p"));
        assert_eq!(parse_in_parts(&[b"id: p\n\nid\n\n"]).1.last_event_id(), None);
        assert_eq!(parse_in_parts(&[b"id: p\n\nid: a\0b\n\n"]).1.last_event_id(), Some("p"));
        assert_eq!(parse_in_parts(&[b"id: p\n\ndata: x\n\n"]).1.last_event_id(), Some("p"));
    }

    #[test]
    fn only_digits_make_a_retry() {
        assert_eq!(
            parse_in_parts(&[b"retry: 40\n"]).1.retry(),
            Some(Duration::from_millis(40))
        );
        assert_eq!(
            parse_in_parts(&[b"retry: 40\nretry: +5\nretry: 1s\nretry\n"]).1.retry(),
            Some(Duration::from_millis(40))
        );
        assert_eq!(parse_in_parts(&[b"retry: 99999999999999999999999\n"]).1.retry(), None);
    }

    #[test]
    fn bad_utf8_is_replaced_and_said() {
        let event = &parse(b"data: a\xFFb\n\n")[0];
        assert_eq!((event.data.as_str(), event.replaced), ("a\u{fffd}b", true));
        assert!(!parse("data: \u{fffd}\n\n".as_bytes())[0].replaced);
    }

    #[test]
    fn an_event_is_bounded_however_it_is_cut() {
        let feed = |parts: &[&[u8]]| {
            let mut parser = Parser::new(10);
            parts.iter().try_for_each(|part| parser.feed(part, &mut |_| ()))
        };
        assert_eq!(feed(&[b"data:12345"]), Ok(()));
        assert_eq!(feed(&[b"data:123456"]), Err(TooLarge));
        assert_eq!(feed(&[b"data:1", b"2345", b"6"]), Err(TooLarge));
        assert_eq!(feed(&[b"data:1\n", b"data:2\n", b"data:3\ndata:45678"]), Err(TooLarge));
        assert_eq!(feed(&[b"data:1\n\n", b"data:2\n\n", b"data:3\n\n"]), Ok(()));
    }
}
