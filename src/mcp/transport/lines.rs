//! Bytes in, lines out, within a bound.

use bytes::{Buf, BufMut, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Room for one read at first; grows with what comes.
const SMALL_READ: usize = 8 * 1024;
/// Room for one read of a long message: what a Linux pipe holds.
const LARGE_READ: usize = 64 * 1024;
/// A buffer that grew beyond this for one message is not kept for the next.
const KEPT: usize = 1024 * 1024;

/// The part of a byte stream that is not a line yet.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: BytesMut,
    /// Bytes at the front that hold no line feed.
    scanned: usize,
}

impl Lines {
    /// Reads once; tells how many bytes came, none at the end. Cancel-safe.
    pub(super) async fn read(&mut self, stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<usize> {
        if self.buffer.is_empty() && self.buffer.capacity() > KEPT {
            self.buffer = BytesMut::new();
        }
        let room = if self.buffer.len() < SMALL_READ {
            SMALL_READ
        } else {
            LARGE_READ
        };
        self.buffer.reserve(room);
        stream.read_buf(&mut (&mut self.buffer).limit(room)).await
    }

    /// Hands the next whole line to `take`, without its line feed; tells whether there was one.
    pub(super) fn next(&mut self, take: impl FnOnce(&[u8])) -> bool {
        let Some(at) = self.buffer[self.scanned..].iter().position(|byte| *byte == b'\n') else {
            self.scanned = self.buffer.len();
            return false;
        };
        let end = self.scanned + at;
        take(&self.buffer[..end]);
        self.buffer.advance(end + 1);
        self.scanned = 0;
        true
    }

    /// What came after the last line feed.
    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer
    }

    /// Forgets everything that is not a line yet.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn splits_at_line_feeds_wherever_reads_end() {
        let text = format!("one\r\n\n{}\nrest", "é".repeat(100_000));
        let mut stream = text.as_bytes();
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        while lines.read(&mut stream).await.unwrap() > 0 {
            while lines.next(|line| found.push(String::from_utf8(line.to_vec()).unwrap())) {}
        }
        let lengths: Vec<usize> = found.iter().map(String::len).collect();
        assert_eq!(lengths, [4, 0, 200_000]);
        assert_eq!(lines.rest(), b"rest");
    }
}
