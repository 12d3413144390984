//! Protocol eras: how a connection is opened and what a request looks like. One file an era.

mod legacy;

use serde_json::{Map, Value};

pub(super) use legacy::Legacy;

use super::link::{Limit, Link};
use crate::{
    mcp::transport::BoxFuture,
    model::{Fault, ServerIdentity},
};

/// One era of the protocol.
pub(super) trait Era: Send + Sync {
    /// Opens the connection: everything that must be said before the first request.
    fn open<'a>(&'a self, link: &'a Link, limit: Limit) -> BoxFuture<'a, Result<Greeting, Fault>>;

    /// The `_meta` that every request of this era carries.
    fn request_meta(&self) -> Option<&Map<String, Value>> {
        None
    }
}

/// What a server said when the connection was opened.
#[derive(Debug)]
pub(super) struct Greeting {
    /// Who it is.
    pub(super) identity: ServerIdentity,
    /// `serverInfo` as it was sent; null where it was not.
    pub(super) server: Value,
    /// `capabilities` as they were sent.
    pub(super) capabilities: Map<String, Value>,
    /// The instructions for the model, if there are any.
    pub(super) instructions: Option<String>,
}

impl Greeting {
    /// Whether a capability was announced.
    pub(super) fn has(&self, capability: &str) -> bool {
        self.capabilities.get(capability).is_some_and(|it| !it.is_null())
    }
}
