//! Transports: frames in, frames out, nothing hidden. One file each.
//!
//! A transport is told where to deliver (an [`Inbox`]) when it is opened. It reads on its own task and calls the inbox
//! straight from there, so there is no queue between the wire and the session that could grow or reorder.

mod http;
mod lines;
mod reading;
mod spread;
mod sse_stream;
mod stdio;

use std::{future::Future, pin::Pin, time::Instant};

pub(super) use http::{HttpTransport, Limits};
pub(super) use stdio::StdioTransport;

use super::message::Message;
use crate::model::{Fault, Finding};

/// A boxed future, so that transports can be used behind `dyn`.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One message on its way to the server.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    /// The JSON text: one line, no line feed.
    pub text: String,
    /// What kind of message it is.
    pub kind: OutgoingKind,
}

/// What kind of message is sent; HTTP treats the three differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutgoingKind {
    /// A request of ours: an answer with this id is awaited.
    Request {
        /// Our ids are always numbers.
        id: u64,
    },
    /// A notification of ours.
    Notification,
    /// Our answer to a request of the server.
    Response,
}

/// Sends frames to a server and knows how to end the connection.
pub(crate) trait Transport: Send + Sync {
    /// Hands one message to the server. `Ok` says only that it was written; whatever comes back goes to the inbox.
    /// A request that can never be answered (HTTP status, connection refused) is either an error here or an
    /// [`Inbox::unanswerable`] call, never both.
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), Fault>>;

    /// Tells the protocol version that a handshake settled on, before anything else is sent; again after each new one.
    fn negotiated(&self, version: &str) {
        let _ = version;
    }

    /// The handshake is complete (`notifications/initialized` was sent): a listening stream may be opened.
    fn ready(&self) {}

    /// The request with this id is given up: nothing more is done for it.
    fn forget(&self, id: u64) {
        let _ = id;
    }

    /// What explains a fault at this moment, one fact a line: exit status, the last lines on stderr, pending bytes, and
    /// how far `request` has come.
    fn evidence(&self, request: Option<u64>) -> Vec<String>;

    /// How a server that lives as long as the connection has ended, if it has and not with success.
    fn crash(&self) -> Option<String> {
        None
    }

    /// Ends the connection and whatever was started for it; returns when nothing of it is left. Safe to call twice.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Where a transport delivers what comes from the server. All calls are quick and never block.
pub(crate) trait Inbox: Send + Sync {
    /// One whole frame that may be a JSON-RPC message, exactly as it came, and when its last byte was read.
    fn frame(&self, text: &str, received: Instant);

    /// Such a frame that the transport has read as JSON already, because it must know what is in it.
    fn message(&self, text: &str, message: Message, received: Instant);

    /// Something that is no frame at all: a log line on stdout, a byte order mark, bad UTF-8.
    fn noise(&self, text: &str, finding: Finding);

    /// The request with this id will not be answered.
    fn unanswerable(&self, id: u64, fault: Fault);

    /// The server ends: what is open may still be answered, but nobody should begin anything new.
    fn retired(&self);

    /// Nothing will come any more; every open request fails with this.
    fn closed(&self, fault: Fault);

    /// The server forgot the session (HTTP 404): the session layer starts a new one and repeats this request once.
    fn session_lost(&self, id: u64);
}
