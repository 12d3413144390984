//! Why a case of a report did not pass, in one line.

use super::{Case, Outcome, Status, Step};

impl Case<'_> {
    /// The first thing that went wrong; nothing for a case that is good.
    pub fn why(&self) -> Option<String> {
        if let Some(fault) = &self.error {
            return Some(format!("{}: {}", fault.kind, fault.message));
        }
        let mut bad = self.steps.iter().filter(|step| is_bad(step.status));
        let step = bad
            .clone()
            .find(|step| step.status == self.status)
            .or_else(|| bad.next())?;
        Some(format!("step `{}`: {}", step.id, cause(step)))
    }
}

fn cause(step: &Step<'_>) -> String {
    let is_cause = |outcome: &&Outcome<'_>| outcome.status == step.status;
    match (step.outcomes.iter().find(is_cause), &step.error) {
        (Some(outcome), _) => format!("{}: {}", outcome.assertion, outcome.message),
        (None, Some(fault)) => format!("{}: {}", fault.kind, fault.message),
        (None, None) => step.reason.as_deref().unwrap_or("without a reason").to_owned(),
    }
}

fn is_bad(status: Status) -> bool {
    matches!(status, Status::Failed | Status::Errored | Status::XPassed)
}
