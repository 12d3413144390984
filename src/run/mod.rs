//! Executes a plan: servers, cases, steps, templates, retries, redaction.

mod observer;

pub use observer::{Event, Observer};
