//! The gate: results in, one verdict out.

use crate::{
    model::{CaseResult, ExitCode, Fault, Mode, Origin, Selection, Status, Totals, Verdict},
    source::{Diagnostic, Severity},
    text::count,
};

/// How the run came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Every selected case was run.
    Complete,
    /// It was stopped before, for this reason.
    Stopped(String),
}

/// Counts cases by how they ended.
pub fn totals(cases: &[CaseResult]) -> Totals {
    let count = |status: Status| cases.iter().filter(|case| case.status == status).count();
    Totals {
        cases: cases.len(),
        passed: count(Status::Passed),
        failed: count(Status::Failed),
        errored: count(Status::Errored),
        skipped: count(Status::Skipped),
        flaky: count(Status::Flaky),
        simulated: cases
            .iter()
            .filter(|case| case.mode == Mode::Simulated && case.status != Status::Skipped)
            .count(),
    }
}

/// The one answer. Wrong input comes before everything else, since a run with broken fixtures is not the run that was
/// asked for; then what closes the gate; then what could not be told.
pub fn verdict(cases: &[CaseResult], diagnostics: &[Diagnostic], ending: &Ending, selection: &Selection) -> Verdict {
    let totals = totals(cases);
    let wrong = diagnostics.iter().filter(|one| one.severity == Severity::Error).count();
    let ran = totals.cases - totals.skipped;
    let (exit_code, reason) = if wrong > 0 {
        (ExitCode::InputWrong, input_wrong(wrong, &totals))
    } else if cases.iter().any(closes_the_gate) {
        (ExitCode::Closed, not_passed(&totals))
    } else if let Ending::Stopped(why) = ending {
        (ExitCode::CouldNotTell, format!("the run is incomplete: {why}"))
    } else if totals.errored > 0 {
        (ExitCode::CouldNotTell, not_passed(&totals))
    } else if ran == 0 {
        (ExitCode::CouldNotTell, nothing_ran(selection))
    } else {
        (ExitCode::Open, passed(ran, &totals))
    };
    Verdict { exit_code, reason }
}

/// A failure closes the gate, and so does an error of the server under test.
fn closes_the_gate(case: &CaseResult) -> bool {
    match case.status {
        Status::Failed | Status::XPassed => true,
        Status::Errored => faults(case).any(|fault| fault.origin == Origin::Server) || has_failed_step(case),
        Status::Skipped | Status::Passed | Status::XFailed | Status::Flaky => false,
    }
}

fn has_failed_step(case: &CaseResult) -> bool {
    case.steps.iter().any(|step| {
        step.status == Status::Failed || step.outcomes.iter().any(|outcome| outcome.status == Status::Failed)
    })
}

fn faults(case: &CaseResult) -> impl Iterator<Item = &Fault> {
    let of_steps = case.steps.iter().filter_map(|step| step.error.as_deref());
    case.fault.as_deref().into_iter().chain(of_steps)
}

fn input_wrong(wrong: usize, totals: &Totals) -> String {
    let problems = count(wrong, "problem");
    match totals.cases - totals.skipped {
        0 => format!("{problems} in the input, nothing ran"),
        ran => format!("{problems} in the input; {}", counts(totals, ran)),
    }
}

fn not_passed(totals: &Totals) -> String {
    counts(totals, totals.cases)
}

/// `2 of 48 cases failed, 1 errored`.
fn counts(totals: &Totals, of: usize) -> String {
    let of = count(of, "case");
    match (totals.failed, totals.errored) {
        (0, 0) => format!("{of} passed"),
        (0, errored) => format!("{errored} of {of} errored"),
        (failed, 0) => format!("{failed} of {of} failed"),
        (failed, errored) => format!("{failed} of {of} failed, {errored} errored"),
    }
}

fn nothing_ran(selection: &Selection) -> String {
    match (selection.found, selection.selected) {
        (0, _) => "nothing ran: no fixture was found".to_owned(),
        (found, 0) => format!(
            "nothing ran: none of {} matches {}",
            count(found, "case"),
            selection.narrowed_by.join(" ")
        ),
        (_, skipped) => format!("nothing ran: {} skipped", count(skipped, "case")),
    }
}

fn passed(ran: usize, totals: &Totals) -> String {
    let mut parts = vec![format!("{} passed", count(ran, "case"))];
    for (number, word) in [
        (totals.flaky, "flaky"),
        (totals.simulated, "in simulation"),
        (totals.skipped, "skipped"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        model::{CaseId, FaultKind, Phase},
        source::{Location, Span},
    };

    fn case(status: Status) -> CaseResult {
        CaseResult {
            id: CaseId::new("a.yaml", "a"),
            name: "a".to_owned(),
            description: None,
            tags: Vec::new(),
            location: Location {
                file: "a.yaml".into(),
                span: Span::default(),
            },
            mode: Mode::Live,
            status,
            reason: None,
            is_reached: true,
            duration: Duration::ZERO,
            startup: None,
            server: None,
            fault: None,
            steps: Vec::new(),
            earlier_attempts: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn errored(origin: Origin) -> CaseResult {
        CaseResult {
            fault: Some(Box::new(Fault {
                origin,
                ..Fault::server(FaultKind::Timeout, Phase::Initialize, "it did not answer")
            })),
            ..case(Status::Errored)
        }
    }

    fn judged(cases: &[CaseResult], diagnostics: &[Diagnostic], ending: &Ending) -> (u8, String) {
        let selection = Selection {
            found: cases.len(),
            selected: cases.len(),
            narrowed_by: Vec::new(),
        };
        let verdict = verdict(cases, diagnostics, ending, &selection);
        (verdict.exit_code.number(), verdict.reason)
    }

    fn complete(cases: &[CaseResult]) -> (u8, String) {
        judged(cases, &[], &Ending::Complete)
    }

    #[test]
    fn passing_flaky_and_skipped_cases_keep_the_gate_open() {
        let cases = [case(Status::Passed), case(Status::Flaky), case(Status::Skipped)];
        assert_eq!(complete(&cases), (0, "2 cases passed, 1 flaky, 1 skipped".to_owned()));
    }

    #[test]
    fn a_failure_closes_it_also_beside_an_error() {
        assert_eq!(complete(&[case(Status::Failed), case(Status::Passed)]).0, 1);
        let both = [case(Status::Failed), errored(Origin::Surroundings)];
        assert_eq!(complete(&both), (1, "1 of 2 cases failed, 1 errored".to_owned()));
    }

    #[test]
    fn an_error_of_the_server_closes_it_one_of_the_surroundings_cannot_tell() {
        assert_eq!(complete(&[errored(Origin::Server)]).0, 1);
        assert_eq!(complete(&[errored(Origin::Surroundings)]).0, 3);
    }

    #[test]
    fn nothing_ran_is_never_open() {
        assert_eq!(complete(&[]), (3, "nothing ran: no fixture was found".to_owned()));
        assert_eq!(
            complete(&[case(Status::Skipped)]),
            (3, "nothing ran: 1 case skipped".to_owned())
        );
        let narrowed = Selection {
            found: 4,
            selected: 0,
            narrowed_by: vec!["--tag x".to_owned()],
        };
        let verdict = super::verdict(&[], &[], &Ending::Complete, &narrowed);
        assert_eq!(verdict.reason, "nothing ran: none of 4 cases matches --tag x");
    }

    #[test]
    fn wrong_input_comes_first_and_warnings_do_not_count() {
        let error = [Diagnostic::error("x", "y")];
        assert_eq!(judged(&[case(Status::Failed)], &error, &Ending::Complete).0, 2);
        let warning = [Diagnostic::warning("x", "y")];
        assert_eq!(judged(&[case(Status::Passed)], &warning, &Ending::Complete).0, 0);
    }

    #[test]
    fn a_stopped_run_cannot_tell_unless_something_failed() {
        let stopped = Ending::Stopped("it was interrupted".to_owned());
        assert_eq!(
            judged(&[case(Status::Passed)], &[], &stopped),
            (3, "the run is incomplete: it was interrupted".to_owned())
        );
        assert_eq!(judged(&[case(Status::Failed)], &[], &stopped).0, 1);
    }
}
