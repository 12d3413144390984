//! Each case of a run against the same case of a baseline.

use std::collections::{HashMap, HashSet};

use super::{latency, normal::normal};
use crate::{
    model::{
        Baseline, BaselineCase, BaselineStep, CaseChange, CaseComparison, CaseId, CaseResult, Definition, Difference,
        LatencyChange, Mode, Origin, OutputChange, Status, StepResult,
    },
    text::digest,
};

/// Compares case by case: those of the run in its order, then those that are gone. Where only a part of the cases was
/// run, a case that is missing is not gone.
pub fn cases(run: &[CaseResult], baseline: &Baseline, is_whole: bool) -> Vec<CaseComparison> {
    let before: HashMap<&CaseId, &BaselineCase> = baseline.cases.iter().map(|case| (&case.id, case)).collect();
    let ids: HashSet<&CaseId> = run.iter().map(|case| &case.id).collect();
    let gone: Vec<&BaselineCase> = if is_whole {
        baseline.cases.iter().filter(|case| !ids.contains(&case.id)).collect()
    } else {
        Vec::new()
    };
    let mut renamed: HashMap<Definition, Vec<&BaselineCase>> = HashMap::new();
    for case in &gone {
        renamed.entry(case.definition).or_default().push(case);
    }
    let mut comparisons: Vec<_> = run
        .iter()
        .map(|case| match before.get(&case.id) {
            Some(was) => compared(case, was),
            None => new(case, renamed.get(&case.definition)),
        })
        .collect();
    let taken: HashSet<CaseId> = comparisons.iter().filter_map(|one| one.renamed_from.clone()).collect();
    comparisons.extend(gone.into_iter().filter(|case| !taken.contains(&case.id)).map(removed));
    comparisons
}

/// Cases of which nothing can be said, for a reason that all of them share.
pub fn incomparable(run: &[CaseResult], reason: &str) -> Vec<CaseComparison> {
    let comparison = |case| CaseComparison {
        change: CaseChange::NotComparable,
        reason: Some(reason.to_owned()),
        ..bare(case)
    };
    run.iter().map(comparison).collect()
}

fn compared(case: &CaseResult, was: &BaselineCase) -> CaseComparison {
    let mut comparison = CaseComparison {
        was: Some(was.status),
        ..bare(case)
    };
    if let Some(reason) = obstacle(case, was) {
        comparison.change = CaseChange::NotComparable;
        comparison.reason = Some(reason);
        return comparison;
    }
    comparison.latencies = latencies(case, was);
    comparison.change = match (holds(was.status), holds(case.status)) {
        // What is known to fail is no news.
        (true, false) if case.status == Status::XFailed => CaseChange::StillFailing,
        (true, false) => CaseChange::Regressed,
        (false, true) => CaseChange::Fixed,
        (false, false) => CaseChange::StillFailing,
        (true, true) => {
            comparison.outputs = outputs(case, was);
            if comparison.outputs.is_empty() {
                CaseChange::Unchanged
            } else {
                CaseChange::Changed
            }
        }
    };
    comparison
}

/// Whether the expectations of a case held, announced or not.
const fn holds(status: Status) -> bool {
    matches!(status, Status::Passed | Status::Flaky | Status::XPassed)
}

/// Why a case says nothing about what changed.
fn obstacle(case: &CaseResult, was: &BaselineCase) -> Option<String> {
    if !case.is_reached {
        return Some("it was not run".to_owned());
    }
    if case.definition != was.definition {
        return Some("its definition changed".to_owned());
    }
    if case.status == Status::Skipped {
        let reason = case.reason.as_deref().unwrap_or("without a reason");
        return Some(format!("it is skipped now: {reason}"));
    }
    if was.status == Status::Skipped {
        return Some("it was skipped in the baseline".to_owned());
    }
    if surroundings_failed(case) {
        return Some("it could not be told, and not for the server's fault".to_owned());
    }
    None
}

/// Whether a case is errored, and nothing of it is the fault of the server: that says nothing about the server.
pub(super) fn surroundings_failed(case: &CaseResult) -> bool {
    let of_steps = case.steps.iter().filter_map(|step| step.error.as_deref());
    let mut faults = case.fault.as_deref().into_iter().chain(of_steps);
    case.status == Status::Errored
        && faults.all(|fault| fault.origin == Origin::Surroundings)
        && !case
            .steps
            .iter()
            .any(|step| step.status == Status::Failed || has_failed(step))
}

fn has_failed(step: &StepResult) -> bool {
    step.outcomes.iter().any(|outcome| outcome.status == Status::Failed)
}

fn new(case: &CaseResult, same: Option<&Vec<&BaselineCase>>) -> CaseComparison {
    let mut comparison = bare(case);
    // A simulated case is in no baseline, so it is new in no run.
    if case.mode == Mode::Simulated && case.status.is_good() {
        comparison.change = CaseChange::Unchanged;
        return comparison;
    }
    comparison.change = CaseChange::New;
    if let Some([same]) = same.map(Vec::as_slice) {
        comparison = CaseComparison {
            renamed_from: Some(same.id.clone()),
            ..compared(case, same)
        };
    }
    comparison
}

fn removed(case: &BaselineCase) -> CaseComparison {
    CaseComparison {
        id: case.id.clone(),
        change: CaseChange::Removed,
        was: Some(case.status),
        now: None,
        reason: None,
        renamed_from: None,
        outputs: Vec::new(),
        latencies: Vec::new(),
    }
}

fn bare(case: &CaseResult) -> CaseComparison {
    CaseComparison {
        id: case.id.clone(),
        change: CaseChange::Unchanged,
        was: None,
        now: Some(case.status),
        reason: None,
        renamed_from: None,
        outputs: Vec::new(),
        latencies: Vec::new(),
    }
}

fn outputs(case: &CaseResult, was: &BaselineCase) -> Vec<OutputChange> {
    let pairs = pairs(case, was);
    pairs.filter_map(|(now, before)| output(now, before)).collect()
}

fn output(now: &StepResult, before: &BaselineStep) -> Option<OutputChange> {
    let (now, was) = (now.output.as_ref()?, before.output.as_ref()?);
    let actual = normal(&now.text);
    if digest(actual.as_bytes()) == was.digest {
        return None;
    }
    let difference = was.is_whole.then(|| Difference::Text {
        expected: was.excerpt.clone(),
        actual: actual.into_owned(),
    });
    Some(OutputChange {
        step: before.id.clone(),
        difference,
    })
}

fn latencies(case: &CaseResult, was: &BaselineCase) -> Vec<LatencyChange> {
    let change = |(step, before): (&StepResult, &BaselineStep)| {
        let (was, now) = latency::change(&before.latencies, &step.samples)?;
        let step = step.id.clone();
        Some(LatencyChange { step, was, now })
    };
    pairs(case, was).filter_map(change).collect()
}

fn pairs<'a>(case: &'a CaseResult, was: &'a BaselineCase) -> impl Iterator<Item = (&'a StepResult, &'a BaselineStep)> {
    case.steps.iter().filter_map(|now| {
        let before = was.steps.iter().find(|before| before.id == now.id)?;
        Some((now, before))
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{record, sample},
        *,
    };

    const EVERY: [Status; 7] = [
        Status::Skipped,
        Status::Passed,
        Status::XFailed,
        Status::Flaky,
        Status::XPassed,
        Status::Failed,
        Status::Errored,
    ];

    fn baseline(cases: Vec<CaseResult>) -> Baseline {
        record::baseline(&sample::report(cases), &[], None, None)
    }

    fn changes(run: &[CaseResult], baseline: &Baseline) -> Vec<(String, CaseChange)> {
        let comparisons = cases(run, baseline, true).into_iter();
        comparisons.map(|one| (one.id.to_string(), one.change)).collect()
    }

    fn change(was: CaseResult, now: CaseResult) -> CaseComparison {
        cases(&[now], &baseline(vec![was]), true).remove(0)
    }

    #[test]
    fn a_run_against_itself_is_unchanged_in_any_order() {
        let run = || {
            let statuses = [Status::Passed, Status::Flaky].into_iter().enumerate();
            statuses
                .map(|(n, status)| sample::answered(&format!("{n}"), status, "8"))
                .collect::<Vec<_>>()
        };
        let (before, mut now) = (baseline(run()), run());
        now.reverse();
        assert!(
            changes(&now, &before)
                .iter()
                .all(|(_, change)| *change == CaseChange::Unchanged)
        );
    }

    #[test]
    fn the_other_way_round_is_the_mirror() {
        let mirror = |change| match change {
            CaseChange::Regressed => CaseChange::Fixed,
            CaseChange::Fixed => CaseChange::Regressed,
            other => other,
        };
        let told = EVERY
            .into_iter()
            .filter(|one| !matches!(one, Status::Skipped | Status::XFailed | Status::Errored));
        for was in told.clone() {
            for now in told.clone() {
                let there = change(sample::case("a", was), sample::case("a", now)).change;
                let back = change(sample::case("a", now), sample::case("a", was)).change;
                assert_eq!(back, mirror(there), "{was} {now}");
            }
        }
        let other = CaseResult {
            definition: Definition(1),
            ..sample::case("b", Status::Passed)
        };
        let told = changes(&[other], &baseline(vec![sample::case("a", Status::Failed)]));
        let told: Vec<_> = told.iter().map(|(id, change)| (id.as_str(), *change)).collect();
        assert_eq!(
            told,
            [("a.yaml › b", CaseChange::New), ("a.yaml › a", CaseChange::Removed)]
        );
    }

    #[test]
    fn an_output_that_differs_beyond_time_and_place_is_a_change() {
        let answered = |output: &str| sample::answered("a", Status::Passed, output);
        let same = change(
            answered("at 2026-01-01T00:00:00Z: 8"),
            answered("at 2027-02-03T04:05:06Z: 8"),
        );
        assert_eq!((same.change, same.outputs.len()), (CaseChange::Unchanged, 0));
        let other = change(answered("8"), answered("9"));
        assert_eq!(other.change, CaseChange::Changed);
        let Some(Difference::Text { expected, actual }) = &other.outputs[0].difference else {
            panic!("both sides are known: {other:?}")
        };
        assert_eq!((expected.as_str(), actual.as_str()), ("8", "9"));
        let large = |letter: &str| answered(&letter.repeat(20_000));
        assert_eq!(change(large("x"), large("y")).outputs[0].difference, None);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let passed = || sample::case("a", Status::Passed);
        let other = CaseResult {
            definition: Definition(1),
            ..passed()
        };
        let left_out = CaseResult {
            is_reached: false,
            ..sample::case("a", Status::Skipped)
        };
        for (now, why) in [
            (other, "its definition changed"),
            (left_out, "it was not run"),
            (
                sample::case("a", Status::Skipped),
                "it is skipped now: without a reason",
            ),
        ] {
            let one = change(passed(), now);
            assert_eq!(
                (one.change, one.reason.as_deref()),
                (CaseChange::NotComparable, Some(why))
            );
        }
    }

    #[test]
    fn a_case_with_a_new_name_is_the_same_case() {
        let asks = |name: &str, status| CaseResult {
            definition: Definition(7),
            ..sample::answered(name, status, "8")
        };
        let comparisons = cases(
            &[asks("new", Status::Failed)],
            &baseline(vec![asks("old", Status::Passed)]),
            true,
        );
        assert_eq!(comparisons.len(), 1);
        assert_eq!(
            comparisons[0].renamed_from.as_ref().map(CaseId::as_str),
            Some("a.yaml › old")
        );
        assert_eq!(comparisons[0].change, CaseChange::Regressed);
    }
}
