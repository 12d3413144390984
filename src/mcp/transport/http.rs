//! The streamable HTTP transport: one POST a message, answers as JSON or as an event stream.

/// A streamable HTTP endpoint.
#[derive(Debug)]
pub(crate) struct HttpTransport {}
