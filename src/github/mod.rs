//! GitHub from outside in: what the runner tells a job, what the API answers, and the files and lines it reads from us.

mod client;
mod context;
mod error;
mod event;
mod pace;
mod secret;
mod sha;

pub use client::{Answer, Client};
pub use context::{Context, Repository, RunId};
pub use error::{ApiError, Refusal};
pub use event::{Event, MergeGroup, PullRequest, Push, WorkflowRun};
pub use secret::Secret;
pub use sha::Sha;
