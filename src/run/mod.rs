//! Executes a plan: servers, cases, steps, retries, redaction.

mod bounds;
mod case;
mod judging;
mod observer;
mod redact;
mod scheduler;
mod servers;
mod sharing;
mod step;
mod stop;
mod survey;
mod transcript;

pub use observer::{Event, Observer};
pub use redact::{Redactor, without_secrets};
pub use scheduler::{Executed, OnFailure, RunOptions, execute};
pub use servers::Servers;
pub use stop::{Stop, StopReason};
pub use survey::{Surfaces, survey};
