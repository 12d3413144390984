//! Failures that are known: put up with until their day, and never forgotten.

use crate::model::{CaseResult, KnownFailure, Policy, Status};

/// Marks the cases of known failures, and gives what is stale about the list, one a line. A known failure that passes
/// is stale, and so is one whose day is over: both close the gate, so that the list stays true.
pub fn known_failures(cases: &mut [CaseResult], policy: &Policy) -> Vec<String> {
    let mut stale = Vec::new();
    let (expired, counting): (Vec<_>, Vec<_>) = policy
        .known_failures
        .iter()
        .partition(|known| known.is_expired(policy.today));
    for known in expired {
        let day = known.expires.unwrap_or_default();
        stale.push(format!("the known failure of {} expired on {day}", subject(known)));
    }
    for case in cases {
        let of_case = counting
            .iter()
            .filter(|known| known.is_about(case.id.as_str(), &case.name));
        let of_case: Vec<&KnownFailure> = of_case.copied().collect();
        stale.extend(
            of_case
                .iter()
                .filter(|known| passes(case, known))
                .map(|known| format!("{} is a known failure and passes now", subject(known))),
        );
        let expected = match case.status {
            Status::Failed | Status::Errored => excuse(case, &of_case).map(|known| (Status::XFailed, known)),
            Status::Passed | Status::Flaky => of_case.first().map(|known| (Status::XPassed, *known)),
            _ => None,
        };
        if let Some((status, known)) = expected {
            case.status = status;
            case.reason = Some(words(known));
        }
    }
    stale
}

/// Whether what is known to fail does not.
fn passes(case: &CaseResult, known: &KnownFailure) -> bool {
    let status = match &known.step {
        None => Some(case.status),
        Some(step) => case.steps.iter().find(|it| it.id == *step).map(|it| it.status),
    };
    matches!(status, Some(Status::Passed | Status::Flaky))
}

/// The entry that explains a failure: one about the whole case, or the first where each step that failed has its own.
fn excuse<'a>(case: &CaseResult, known: &[&'a KnownFailure]) -> Option<&'a KnownFailure> {
    if let Some(whole) = known.iter().find(|it| it.step.is_none()) {
        return Some(whole);
    }
    let bad = case
        .steps
        .iter()
        .filter(|step| !step.status.is_good() && step.status != Status::Skipped);
    let entries: Option<Vec<_>> = bad
        .map(|step| known.iter().find(|it| it.step.as_ref() == Some(&step.id)).copied())
        .collect();
    entries?.first().copied()
}

/// What an entry is about.
fn subject(known: &KnownFailure) -> String {
    match &known.step {
        Some(step) => format!("step `{step}` of `{}`", known.case),
        None => format!("`{}`", known.case),
    }
}

fn words(known: &KnownFailure) -> String {
    match &known.issue {
        Some(issue) => format!("known failure: {} ({issue})", known.reason),
        None => format!("known failure: {}", known.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};
    use crate::text::Date;

    /// A case with these steps, which is as bad as the worst of them.
    fn case(steps: &[(&str, Status)]) -> CaseResult {
        let mut case = sample::answered("a", Status::Passed, "x");
        let template = |id: &str, status| {
            let mut step = sample::answered("a", status, "x").steps.remove(0);
            id.clone_into(&mut step.id);
            step
        };
        case.steps = steps.iter().map(|(id, status)| template(id, *status)).collect();
        case.status = case
            .steps
            .iter()
            .map(|step| step.status)
            .max()
            .unwrap_or(Status::Passed);
        case
    }

    fn judged(case: CaseResult, steps: &[Option<&str>], expires: Option<&str>) -> (Status, Vec<String>) {
        let known = steps.iter().map(|step| KnownFailure {
            case: "a".to_owned(),
            step: step.map(str::to_owned),
            reason: "it is known".to_owned(),
            issue: None,
            expires: expires.and_then(Date::parse),
        });
        let policy = Policy {
            known_failures: known.collect(),
            today: Date::parse("2026-07-01").expect("a day"),
            ..Policy::default()
        };
        let mut cases = [case];
        let stale = known_failures(&mut cases, &policy);
        (cases[0].status, stale)
    }

    #[test]
    fn a_known_failure_is_expected_to_fail_until_its_day() {
        let failed = || case(&[("one", Status::Failed)]);
        assert_eq!(judged(failed(), &[None], None), (Status::XFailed, Vec::new()));
        assert_eq!(judged(failed(), &[None], Some("2026-07-01")).0, Status::XFailed);
        let stale = "the known failure of `a` expired on 2026-06-30".to_owned();
        assert_eq!(
            judged(failed(), &[None], Some("2026-06-30")),
            (Status::Failed, vec![stale])
        );
    }

    #[test]
    fn one_that_passes_is_stale() {
        let passed = case(&[("one", Status::Passed)]);
        let stale = "`a` is a known failure and passes now".to_owned();
        assert_eq!(judged(passed, &[None], None), (Status::XPassed, vec![stale]));
    }

    #[test]
    fn one_of_a_step_excuses_no_other_step() {
        let both = || case(&[("one", Status::Failed), ("two", Status::Failed)]);
        assert_eq!(judged(both(), &[Some("one")], None), (Status::Failed, Vec::new()));
        assert_eq!(judged(both(), &[Some("one"), Some("two")], None).0, Status::XFailed);
        let stale = "step `one` of `a` is a known failure and passes now".to_owned();
        let other = case(&[("one", Status::Passed), ("two", Status::Failed)]);
        assert_eq!(judged(other, &[Some("one")], None), (Status::Failed, vec![stale]));
        let mut no_server = case(&[("one", Status::Skipped)]);
        no_server.status = Status::Errored;
        assert_eq!(judged(no_server, &[Some("one")], None).0, Status::Errored);
    }
}
