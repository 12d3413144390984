//! The last lines a child wrote: drained always, kept within a bound.

use std::{
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
/// Longest piece of a line that is handed on in one go; a longer line comes in several.
const MAX_PIECE: usize = 16 * 1024;

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
        let start = quote::start(line, MAX_BYTES / 4);
        let kept = if start.len() < line.len() {
            format!("{start}…")
        } else {
            line.to_owned()
        };
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
    let take = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes));
        if let Some(recorder) = &recorder {
            recorder.record(Direction::Noise, &text, Instant::now());
        }
        if !text.trim().is_empty() {
            tail.push(&text);
        }
    };
    let mut buffer = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut buffer).await {
        let mut start = 0;
        while let Some(length) = buffer[start..].iter().position(|byte| *byte == b'\n') {
            take(&buffer[start..start + length]);
            start += length + 1;
        }
        buffer.drain(..start);
        if buffer.len() > MAX_PIECE {
            take(&buffer);
            buffer.clear();
        }
    }
    if !buffer.is_empty() {
        take(&buffer);
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

    #[tokio::test]
    async fn a_line_without_end_stays_within_the_bound() {
        let lines = tail_of(&vec![b'x'; 10 * 1024 * 1024]).await;
        assert!(lines.iter().map(String::len).sum::<usize>() < 2 * MAX_BYTES);
    }
}
