//! Judging within a limit: a pattern or a schema can take exponential time on an answer that a hostile server chose.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{task::spawn_blocking, time::timeout};

use crate::{
    judge::assertions::Assertion,
    model::{Outcome, Status, Trace},
};

/// How long one expectation may be judged.
const LIMIT: Duration = Duration::from_secs(3);

/// Where the plain answer took longer than this, finding the words for it would take far longer.
const BRIEF: Duration = Duration::from_millis(100);

/// A trace, and the same without its secrets where it holds any.
#[derive(Debug)]
pub(super) struct Judged {
    /// As it came.
    pub trace: Trace,
    /// Without secrets.
    pub clean: Option<Trace>,
}

impl Judged {
    /// The trace as it may be shown.
    pub(super) fn shown(&self) -> &Trace {
        self.clean.as_ref().unwrap_or(&self.trace)
    }
}

/// Judges the trace as it is. Where a secret is in it, the words come from a second look at the trace without secrets: a
/// message may show a part of the output, and a part of a secret cannot always be recognised.
///
/// What may take long is judged on a thread of its own, so that limits and signals go on to work. A thread cannot be
/// ended: one that is given up goes on until the process ends, but a pattern keeps nothing in memory, and a schema only
/// what it has to say, which is bounded.
pub(super) async fn judge(assertion: &Arc<dyn Assertion>, key: &'static str, judged: &Arc<Judged>) -> Outcome {
    if !assertion.is_costly() {
        return look(&judged.trace, judged.clean.as_ref(), |trace| assertion.check(trace));
    }
    let (assertion, judged) = (Arc::clone(assertion), Arc::clone(judged));
    let looking = spawn_blocking(move || {
        look(&judged.trace, judged.clean.as_ref(), |trace| {
            let began = Instant::now();
            let brief = assertion.check_briefly(trace);
            if brief.status == Status::Failed && began.elapsed() < BRIEF {
                assertion.check(trace)
            } else {
                brief
            }
        })
    });
    match timeout(LIMIT, looking).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_panicked)) => unknown(key, "it could not be judged, which is a mistake of this program"),
        Err(_elapsed) => {
            let message = format!(
                "it is not known whether it holds: judging took longer than {} s",
                LIMIT.as_secs()
            );
            unknown(key, &message)
        }
    }
}

fn unknown(key: &'static str, message: &str) -> Outcome {
    Outcome::new(key, Status::Errored, message)
}

fn look(trace: &Trace, clean: Option<&Trace>, check: impl Fn(&Trace) -> Outcome) -> Outcome {
    let outcome = check(trace);
    match clean {
        Some(clean) => reworded(outcome, check(clean)),
        None => outcome,
    }
}

/// A verdict in the words of another look at it; without words where that one came to another verdict.
fn reworded(outcome: Outcome, clean: Outcome) -> Outcome {
    if outcome.status == clean.status {
        return clean;
    }
    let message = "the details are not shown, because the output holds a secret";
    Outcome::new(outcome.assertion, outcome.status, message)
}
