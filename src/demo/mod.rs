//! The embedded demo server: a small calculator and notes server to try everything on.

mod calculator;
mod content;
mod note_tools;
mod notes;
mod prompts;
mod resources;
mod serve;
mod server;
mod trouble;

pub use serve::{ServeError, serve_http, serve_stdio};

use server::DemoServer;
