//! The gate: results in, one verdict out.

use std::collections::HashMap;

use super::cases::surroundings_failed;
use crate::{
    model::{
        CaseChange, CaseComparison, CaseId, CaseResult, ChangeClass, Comparison, ExitCode, FailOn, Mode, Policy,
        Selection, Status, SurfaceChange, Totals, Verdict,
    },
    source::{Diagnostic, Severity},
    text::{self, count},
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
        xfailed: count(Status::XFailed),
        xpassed: count(Status::XPassed),
        simulated: cases
            .iter()
            .filter(|case| case.mode == Mode::Simulated && case.status != Status::Skipped)
            .count(),
    }
}

/// What the gate looks at.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// How the cases ended.
    pub cases: &'a [CaseResult],
    /// What is wrong in the files.
    pub diagnostics: &'a [Diagnostic],
    /// How the run ended.
    pub ending: &'a Ending,
    /// Which cases it was about.
    pub selection: &'a Selection,
    /// What changed against the baseline, if there is one.
    pub comparison: Option<&'a Comparison>,
    /// What is stale in the list of known failures.
    pub stale: &'a [String],
}

/// The one answer. Wrong input comes before everything else, since a run with broken fixtures is not the run that was
/// asked for; then what closes the gate; then what could not be told.
pub fn verdict(evidence: &Evidence<'_>, policy: &Policy) -> Verdict {
    let totals = totals(evidence.cases);
    let errors = evidence
        .diagnostics
        .iter()
        .filter(|one| one.severity == Severity::Error);
    let wrong = errors.count();
    let ran = totals.cases - totals.skipped;
    let closing = closing(evidence, policy, &totals);
    let (exit_code, reason) = if wrong > 0 {
        (ExitCode::InputWrong, input_wrong(wrong, &totals))
    } else if !closing.is_empty() {
        (ExitCode::Closed, closing.join("; ") + &left_out(evidence))
    } else if let Ending::Stopped(why) = evidence.ending {
        (ExitCode::CouldNotTell, format!("the run is incomplete: {why}"))
    } else if let Some(server) = unknown_surface(evidence, policy) {
        let reason = format!("the surface of `{server}` could not be compared");
        (ExitCode::CouldNotTell, reason)
    } else if evidence.cases.iter().any(surroundings_failed) {
        (ExitCode::CouldNotTell, not_passed(&totals))
    } else if ran == 0 {
        (ExitCode::CouldNotTell, nothing_ran(evidence.selection))
    } else {
        (ExitCode::Open, open(ran, &totals, evidence.comparison))
    };
    Verdict { exit_code, reason }
}

/// A server whose surface has a say and is not known.
fn unknown_surface<'a>(evidence: &Evidence<'a>, policy: &Policy) -> Option<&'a str> {
    let has_a_say = policy
        .fail_on
        .as_ref()
        .is_some_and(|words| words.contains(&FailOn::BreakingSurface));
    let mut surfaces = evidence.comparison.filter(|_| has_a_say)?.surfaces.iter();
    surfaces.find(|it| it.notice.is_some()).map(|it| it.server.as_str())
}

/// Every reason to close the gate.
fn closing(evidence: &Evidence<'_>, policy: &Policy, totals: &Totals) -> Vec<String> {
    let default = match evidence.comparison {
        Some(_) => [FailOn::Regressions],
        None => [FailOn::Failures],
    };
    let fail_on = policy.fail_on.as_deref().unwrap_or(&default);
    if fail_on.contains(&FailOn::Never) {
        return Vec::new();
    }
    let mut reasons: Vec<String> = fail_on
        .iter()
        .filter_map(|one| match (one, evidence.comparison) {
            (FailOn::Regressions, Some(comparison)) => regressions(evidence.cases, comparison),
            (FailOn::Regressions | FailOn::Failures, _) => {
                evidence.cases.iter().any(closes_the_gate).then(|| not_passed(totals))
            }
            (FailOn::BreakingSurface, Some(comparison)) => breaking(comparison),
            (FailOn::Removed, Some(comparison)) => some(
                comparison.with(CaseChange::Removed).count(),
                "case was removed",
                "cases were removed",
            ),
            (FailOn::BreakingSurface | FailOn::Removed | FailOn::Never, _) => None,
        })
        .collect();
    reasons.extend(rates(totals, policy));
    reasons.extend(evidence.stale.iter().cloned());
    reasons.dedup();
    reasons
}

/// Cases that were good before, and those about which nothing is known from before.
fn regressions(cases: &[CaseResult], comparison: &Comparison) -> Option<String> {
    let by_id: HashMap<&CaseId, &CaseResult> = cases.iter().map(|case| (&case.id, case)).collect();
    let closes = |one: &&CaseComparison| by_id.get(&one.id).is_some_and(|case| closes_the_gate(case));
    let count = |change| comparison.with(change).filter(closes).count();
    let regressed = count(CaseChange::Regressed);
    let fresh = count(CaseChange::New) + count(CaseChange::NotComparable);
    let of = text::count(cases.len(), "case");
    match (regressed, fresh) {
        (0, 0) => None,
        (0, fresh) => Some(format!("{fresh} of {of} failed that cannot be compared")),
        (regressed, 0) => Some(format!("{} in {of}", text::count(regressed, "regression"))),
        (regressed, fresh) => Some(format!(
            "{} in {of}, {fresh} failed that cannot be compared",
            text::count(regressed, "regression")
        )),
    }
}

fn breaking(comparison: &Comparison) -> Option<String> {
    let is_breaking = |change: &SurfaceChange| change.class == ChangeClass::Breaking && change.allowed.is_none();
    let count = comparison
        .surface_changes()
        .filter(|(_, change)| is_breaking(change))
        .count();
    some(
        count,
        "breaking change of the surface",
        "breaking changes of the surface",
    )
}

fn some(count: usize, one: &str, many: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    }
}

/// Skipped cases and known failures are no part of a rate.
fn rates(totals: &Totals, policy: &Policy) -> Vec<String> {
    let (good, bad) = (totals.passed + totals.flaky, totals.failed + totals.errored);
    let all = good + bad;
    if all == 0 {
        return Vec::new();
    }
    let rate = |part: usize| part as f64 / all as f64;
    let percent = |rate: f64| format!("{} %", (rate * 1000.0).round() / 10.0);
    let too_low = policy.min_pass_rate.filter(|least| rate(good) < *least);
    let too_high = policy.max_error_rate.filter(|most| rate(totals.errored) > *most);
    let low = too_low.map(|least| format!("{} passed, less than {}", percent(rate(good)), percent(least)));
    let high = too_high.map(|most| {
        let rate = percent(rate(totals.errored));
        format!("{rate} errored, more than {}", percent(most))
    });
    low.into_iter().chain(high).collect()
}

/// What a run that was stopped did not come to.
fn left_out(evidence: &Evidence<'_>) -> String {
    let missing = evidence.cases.iter().filter(|case| !case.is_reached).count();
    match evidence.ending {
        Ending::Stopped(why) if missing > 0 => format!(", {missing} not run ({why})"),
        _ => String::new(),
    }
}

/// A failure closes the gate, and so does an error of the server under test.
fn closes_the_gate(case: &CaseResult) -> bool {
    match case.status {
        Status::Failed => true,
        Status::Errored => !surroundings_failed(case),
        Status::Skipped | Status::Passed | Status::XFailed | Status::Flaky | Status::XPassed => false,
    }
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

fn open(ran: usize, totals: &Totals, comparison: Option<&Comparison>) -> String {
    let bad = totals.failed + totals.errored;
    let mut parts = match comparison {
        Some(_) => vec![format!("no regressions in {}", count(ran, "case"))],
        None if bad > 0 => vec![format!(
            "{bad} of {} not passed, and nothing closes the gate",
            count(ran, "case")
        )],
        None => vec![format!("{} passed", count(totals.passed + totals.flaky, "case"))],
    };
    let still = comparison.map_or(0, |_| bad);
    for (number, word) in [
        (still, "still failing"),
        (totals.xfailed, "known to fail"),
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
    use super::{super::sample, *};
    use crate::model::{Fault, FaultKind, Origin, Outcome, Phase};

    fn case(status: Status) -> CaseResult {
        sample::case("a", status)
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
        let evidence = Evidence {
            cases,
            diagnostics,
            ending,
            selection: &selection,
            comparison: None,
            stale: &[],
        };
        let verdict = verdict(&evidence, &Policy::default());
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
    fn an_expectation_that_could_not_be_judged_cannot_tell() {
        let mut unjudged = sample::answered("a", Status::Errored, "8");
        unjudged.steps[0].outcomes = vec![Outcome::new("llm_judge", Status::Errored, "not available yet")];
        assert_eq!(complete(std::slice::from_ref(&unjudged)).0, 3);
        unjudged.steps[0]
            .outcomes
            .push(Outcome::new("output_equals", Status::Failed, "no"));
        assert_eq!(complete(&[unjudged]).0, 1);
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
        let evidence = Evidence {
            cases: &[],
            diagnostics: &[],
            ending: &Ending::Complete,
            selection: &narrowed,
            comparison: None,
            stale: &[],
        };
        let verdict = super::verdict(&evidence, &Policy::default());
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
