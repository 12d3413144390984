//! The integration tests: the binary as its users meet it.

mod expectations;
mod harness;
mod official;
mod running;
mod scratch;
mod selecting;
mod servers;
mod stopping;
mod verdicts;
