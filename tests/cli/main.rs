//! The integration tests: the binary as its users meet it.

mod baseline;
mod expectations;
mod harness;
mod help;
mod history;
mod html;
mod installation;
mod junit;
mod markdown;
mod official;
mod readme;
mod reports;
mod running;
mod schemas;
mod scratch;
mod selecting;
mod servers;
mod sharing;
mod stopping;
mod surfaces;
mod verdicts;
