//! The command line: one file a command, the one reader of the environment, the exit codes.

mod against;
mod args;
mod changes;
mod compare;
mod completions;
mod database;
mod demo_server;
mod diff;
mod environment;
mod failure;
mod gate;
mod history;
mod keeping;
mod last_run;
mod list;
mod output;
mod remarks;
mod report;
mod reports;
mod run;
mod schema;
mod signals;
mod start;
mod surface;
mod validate;

pub use start::main;
