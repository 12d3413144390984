//! The streamable HTTP transport: one POST a message, answers as JSON or as an event stream.

mod body;
mod client;
mod connection;
mod endpoint;
mod envelope;
mod exchange;
mod failure;
mod headers;
mod listen;
mod post;
mod progress;
mod redirect;
mod refusal;
mod start;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use connection::HttpTransport;
pub(crate) use endpoint::Limits;
