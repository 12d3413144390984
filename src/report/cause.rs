//! Why a case did not pass, in one line.

use crate::{
    model::{CaseResult, Fault, Outcome, StepResult},
    source::Location,
};

/// The first thing that went wrong in a case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cause<'a> {
    /// The assertion's key or the kind of fault.
    pub(super) kind: &'a str,
    /// What happened.
    pub(super) message: &'a str,
    /// The place to look at.
    pub(super) location: &'a Location,
    /// The step it happened in.
    pub(super) step: Option<&'a StepResult>,
}

impl<'a> Cause<'a> {
    /// The cause of a case that is not good; a case without one passed, or was skipped.
    pub(super) fn of(case: &'a CaseResult) -> Option<Self> {
        match &case.fault {
            Some(fault) => Some(Self::fault(fault, &case.location, None)),
            // A failed step before the errored one is not why the case is errored.
            None => bad_steps(case)
                .find(|step| step.status == case.status)
                .or_else(|| bad_steps(case).next())
                .map(Self::of_step),
        }
    }

    /// The cause of a step that is not good.
    pub(super) fn of_step(step: &'a StepResult) -> Self {
        let broken = broken_outcomes(step).find(|outcome| outcome.status == step.status);
        match (broken, &step.error) {
            (Some(outcome), _) => Self {
                kind: &outcome.assertion,
                message: &outcome.message,
                location: outcome.location.as_ref().unwrap_or(&step.location),
                step: Some(step),
            },
            (None, Some(fault)) => Self::fault(fault, &step.location, Some(step)),
            (None, None) => Self {
                kind: step.status.word(),
                message: step.reason.as_deref().unwrap_or("without a reason"),
                location: &step.location,
                step: Some(step),
            },
        }
    }

    fn fault(fault: &'a Fault, location: &'a Location, step: Option<&'a StepResult>) -> Self {
        Self {
            kind: fault.kind.word(),
            message: &fault.message,
            location,
            step,
        }
    }

    /// Kind and message.
    pub(super) fn in_words(&self) -> String {
        format!("{}: {}", self.kind, self.message)
    }
}

/// The steps that are not good, in order.
pub(super) fn bad_steps(case: &CaseResult) -> impl Iterator<Item = &StepResult> {
    case.steps.iter().filter(|step| !step.status.is_good())
}

/// The outcomes that are not good, in order.
pub(super) fn broken_outcomes(step: &StepResult) -> impl Iterator<Item = &Outcome> {
    step.outcomes.iter().filter(|outcome| !outcome.status.is_good())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Status, report::sample};

    #[test]
    fn the_first_broken_expectation_is_the_cause_and_its_line_the_place() {
        let result = sample::failed();
        let cause = Cause::of(&result).unwrap();
        assert_eq!(cause.in_words(), "output_equals: expected and found differ in 1 line");
        assert_eq!(cause.location.to_string(), "evals/notes.yaml:14:9");
        assert_eq!(cause.step.unwrap().id, "find");
    }

    #[test]
    fn what_could_not_be_told_comes_before_what_did_not_hold() {
        let mut result = sample::failed();
        result.steps[1].status = Status::Errored;
        let unjudged = sample::outcome(
            "evals/notes.yaml",
            19,
            "llm_judge",
            Status::Errored,
            "not available yet",
        );
        result.steps[1].outcomes.push(unjudged);
        assert_eq!(Cause::of(&result).unwrap().kind, "llm_judge");
    }

    #[test]
    fn a_fault_of_the_case_points_at_the_case() {
        let result = sample::cannot_start("evals/a.yaml", "starts");
        let cause = Cause::of(&result).unwrap();
        assert_eq!((cause.kind, cause.location), ("cannot-start", &result.location));
        assert!(cause.step.is_none());
    }

    #[test]
    fn a_good_case_has_no_cause() {
        assert!(Cause::of(&sample::flaky()).is_none());
        assert!(Cause::of(&sample::skipped()).is_none());
    }
}
