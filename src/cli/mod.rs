//! The command line: one file a command, the one reader of the environment, the exit codes.

mod args;
mod completions;
mod demo_server;
mod diff;
mod environment;
mod failure;
mod last_run;
mod list;
mod output;
mod run;
mod schema;
mod signals;
mod start;
mod surface;
mod validate;

pub use start::main;
