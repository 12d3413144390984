//! The integration tests: the binary as its users meet it.

mod official;
mod scratch;
mod servers;
