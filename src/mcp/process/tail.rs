//! The last lines a child wrote: drained always, kept within a bound.

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::mcp::{Direction, Recorder, quote};

/// Lines kept: what fits a terminal beside the message it explains.
const MAX_LINES: usize = 20;
/// Bytes kept over all lines.
const MAX_BYTES: usize = 4 * 1024;
/// Bytes read in one go.
const READ: usize = 16 * 1024;
/// Longest line that is handed on whole, in bytes. Of a longer one only the beginning is: in pieces, a secret could
/// stand in two of them and be found in neither.
const MAX_LINE: usize = 64 * 1024;

/// The last lines of a log.
#[derive(Debug, Default)]
pub(super) struct Tail {
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    last: VecDeque<String>,
    bytes: usize,
    dropped: usize,
}

impl Tail {
    /// The lines kept, oldest first; says how many came before them.
    pub(super) fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let dropped = (lines.dropped > 0).then(|| format!("({} earlier lines)", lines.dropped));
        dropped.into_iter().chain(lines.last.iter().cloned()).collect()
    }

    fn push(&self, line: &str) {
        let kept = quote::start(line, MAX_BYTES / 4).into_owned();
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.bytes += kept.len();
        lines.last.push_back(kept);
        while lines.last.len() > MAX_LINES || lines.bytes > MAX_BYTES {
            lines.bytes -= lines.last.pop_front().map_or(0, |line| line.len());
            lines.dropped += 1;
        }
    }
}

/// Reads `stream` to its end, so that the child never blocks on a full pipe.
pub(super) async fn drain(mut stream: impl AsyncRead + Unpin, tail: Arc<Tail>, recorder: Option<Arc<dyn Recorder>>) {
    let take = |line: Line| {
        let text = line.text();
        if let Some(recorder) = &recorder {
            recorder.record(Direction::Noise, &text, Instant::now());
        }
        if !text.trim().is_empty() {
            tail.push(&text);
        }
    };
    let mut line = Line::default();
    let mut buffer = Vec::with_capacity(READ);
    while let Ok(1..) = stream.read_buf(&mut buffer).await {
        for piece in buffer.split_inclusive(|byte| *byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(rest) => {
                    line.add(rest);
                    take(std::mem::take(&mut line));
                }
                None => line.add(piece),
            }
        }
        buffer.clear();
    }
    if line.bytes > 0 {
        take(line);
    }
}

/// A line as far as it has come.
#[derive(Default)]
struct Line {
    start: Vec<u8>,
    bytes: usize,
}

impl Line {
    fn add(&mut self, piece: &[u8]) {
        self.bytes += piece.len();
        let room = MAX_LINE - self.start.len();
        self.start.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// The line; of one that is too long the words that are whole for certain.
    fn text(&self) -> Cow<'_, str> {
        let text = String::from_utf8_lossy(self.start.strip_suffix(b"\r").unwrap_or(&self.start));
        if self.bytes <= MAX_LINE {
            return text;
        }
        let whole = text.rfind(char::is_whitespace).map_or("", |end| &text[..end]);
        Cow::Owned(format!("{whole} … (a line of {} bytes)", self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn tail_of(bytes: &[u8]) -> Vec<String> {
        let tail = Arc::new(Tail::default());
        drain(bytes, Arc::clone(&tail), None).await;
        tail.lines()
    }

    #[tokio::test]
    async fn keeps_the_last_lines_and_counts_the_rest() {
        let text: Vec<String> = (0..50).map(|n| format!("line {n}")).collect();
        let lines = tail_of(text.join("\n").as_bytes()).await;
        assert_eq!(lines.len(), MAX_LINES + 1);
        assert_eq!(lines[0], "(30 earlier lines)");
        assert_eq!(lines[MAX_LINES], "line 49");
    }

    #[tokio::test]
    async fn keeps_an_unfinished_last_line_and_skips_blank_ones() {
        assert_eq!(tail_of(b"one\r\n\n\ntwo").await, ["one", "two"]);
    }

    #[derive(Default)]
    struct Tape(Mutex<Vec<String>>);

    impl Recorder for Tape {
        fn record(&self, _: Direction, text: &str, _: Instant) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    async fn recorded(pieces: &[&[u8]]) -> Vec<String> {
        let tape = Arc::new(Tape::default());
        let (mut writer, reader) = tokio::io::duplex(MAX_LINE * 4);
        let recorder = Arc::clone(&tape) as Arc<dyn Recorder>;
        let draining = tokio::spawn(drain(reader, Arc::default(), Some(recorder)));
        for piece in pieces {
            tokio::io::AsyncWriteExt::write_all(&mut writer, piece).await.unwrap();
            tokio::task::yield_now().await;
        }
        drop(writer);
        draining.await.unwrap();
        std::mem::take(&mut *tape.0.lock().unwrap())
    }

    #[tokio::test]
    async fn a_line_is_recorded_whole_however_it_comes() {
        let filler = vec![b'y'; 40 * 1024];
        let lines = recorded(&[&filler, b" sec", b"ret\nnext"]).await;
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with("yy secret") && lines[1] == "next");
    }

    #[tokio::test]
    async fn of_a_line_that_is_too_long_no_half_word_is_recorded() {
        let filler = vec![b'y'; MAX_LINE - 10];
        let lines = recorded(&[&filler, b" a secrets value\nnext"]).await;
        assert_eq!(lines[0].trim_start_matches('y'), " a … (a line of 65542 bytes)");
        assert_eq!(recorded(&[&filler, b"one-secret"]).await[0].len(), MAX_LINE);
        assert_eq!(
            recorded(&[&filler, b"one-secret-"]).await[0].trim(),
            "… (a line of 65537 bytes)"
        );
    }

    #[tokio::test]
    async fn a_line_without_end_stays_within_the_bound() {
        let lines = tail_of(&vec![b'x'; 10 * 1024 * 1024]).await;
        assert!(lines.iter().map(String::len).sum::<usize>() < 2 * MAX_BYTES);
    }
}
