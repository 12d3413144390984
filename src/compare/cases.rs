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

/// Whether all that went wrong is the fault of the surroundings.
pub(super) fn surroundings_failed(case: &CaseResult) -> bool {
    let mut faults = case
        .fault
        .as_deref()
        .into_iter()
        .chain(case.steps.iter().filter_map(|step| step.error.as_deref()))
        .peekable();
    case.status == Status::Errored
        && faults.peek().is_some()
        && faults.all(|fault| fault.origin == Origin::Surroundings)
        && !case.steps.iter().any(|step| step.status == Status::Failed)
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
