//! The stdio transport: one JSON message a line over a child's standard streams.

/// A child process that speaks MCP over its standard streams.
#[derive(Debug)]
pub(crate) struct StdioTransport {}
