//! Who wants to see the wire traffic as it passes.

use std::time::Instant;

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From us to the server.
    Sent,
    /// From the server to us.
    Received,
    /// From the server's standard error, or noise on its standard output.
    Noise,
}

/// Takes every message of a session as it passes, unredacted and in order. The traffic waits for it: a file that is
/// appended to is quick enough, a network is not.
pub trait Recorder: Send + Sync {
    /// One message, as it stood on the wire.
    fn record(&self, direction: Direction, text: &str, at: Instant);
}
