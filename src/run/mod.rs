//! Executes a plan: servers, cases, steps, retries, redaction.

mod bounds;
mod case;
mod disguises;
mod known;
mod observer;
mod parts;
mod redact;
mod scheduler;
mod servers;
mod shapes;
mod sharing;
mod step;
mod stop;
mod transcript;

pub use observer::{Event, Observer};
pub use redact::Redactor;
pub use scheduler::{Executed, OnFailure, RunOptions, execute};
pub use servers::Servers;
pub use stop::{Stop, StopReason};
