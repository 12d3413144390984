//! Stopping a run before its end: by a signal, by a limit, by the first failure.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

/// Why a run is stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// Somebody asked for it: Ctrl-C, or the runner that cancels the job.
    Interrupted,
    /// `--max-time` ran out.
    MaxTime(String),
    /// `--fail-fast`: this case did not pass.
    FailFast(String),
}

/// A handle that stops a run. Clones stop the same run.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    reason: OnceLock<StopReason>,
    no_new_cases: CancellationToken,
    now: CancellationToken,
}

impl Stop {
    /// Stops the run; the first reason counts. After a failure the cases under way are finished, for every other
    /// reason they are abandoned.
    pub fn stop(&self, reason: StopReason) {
        let is_gentle = matches!(reason, StopReason::FailFast(_));
        // A reason that is there already stays: it is what stopped the run.
        let _ = self.0.reason.set(reason);
        self.0.no_new_cases.cancel();
        if !is_gentle {
            self.0.now.cancel();
        }
    }

    /// Why the run was stopped, if it was.
    pub fn reason(&self) -> Option<&StopReason> {
        self.0.reason.get()
    }

    /// Whether no further case is to be begun.
    pub(super) fn is_stopped(&self) -> bool {
        self.0.no_new_cases.is_cancelled()
    }

    /// Runs `work` unless the cases under way are to be abandoned.
    pub async fn unless_abandoned<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.0.now.run_until_cancelled(work).await
    }
}

impl StopReason {
    /// The reason as a lowercase fragment.
    pub fn words(&self) -> String {
        match self {
            Self::Interrupted => "it was interrupted".to_owned(),
            Self::MaxTime(limit) => format!("--max-time {limit} ran out"),
            Self::FailFast(case) => format!("--fail-fast after `{case}`"),
        }
    }
}
