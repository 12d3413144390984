//! What a run tells while it goes on.

use crate::model::{CaseId, CaseResult};

/// One thing that happened.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The plan is made; this many cases are about to be run.
    RunStarted {
        /// Cases selected.
        cases: usize,
        /// How many run at a time.
        concurrency: usize,
    },
    /// A case began.
    CaseStarted {
        /// Which one.
        id: &'a CaseId,
    },
    /// A case is over; its result is redacted.
    CaseFinished {
        /// How it ended.
        result: &'a CaseResult,
    },
    /// All cases are over, or the run was stopped.
    RunFinished,
}

/// Told of events as they happen, on the task that runs the case; must be quick.
pub trait Observer: Send + Sync {
    /// One event.
    fn on_event(&self, event: Event<'_>);
}
