//! What a reader of a comparison wants to know first: what broke, and what else changed.

use std::collections::{HashMap, HashSet};

use super::cause::Cause;
use crate::model::{
    BaselineOrigin, CaseChange, CaseComparison, CaseId, CaseResult, ChangeClass, Comparison, Report, Status,
    SurfaceChange,
};

/// The order in which changes of cases are counted.
const ORDER: [CaseChange; 8] = [
    CaseChange::Regressed,
    CaseChange::Fixed,
    CaseChange::StillFailing,
    CaseChange::New,
    CaseChange::Removed,
    CaseChange::Changed,
    CaseChange::NotComparable,
    CaseChange::Unchanged,
];

/// Characters of a commit that name it.
const COMMIT: usize = 7;

/// A case of this run, of the baseline or of both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// Its key.
    pub(super) id: &'a CaseId,
    /// How it ended, if it is in this run.
    pub(super) case: Option<&'a CaseResult>,
    /// What became of it, if there is a baseline.
    pub(super) change: Option<&'a CaseComparison>,
}

impl Entry<'_> {
    /// The author's name for it.
    pub(super) fn name(&self) -> &str {
        match self.case {
            Some(case) if !case.name.is_empty() => &case.name,
            _ => self.id.as_str(),
        }
    }

    /// Where to look: the broken expectation, or the case.
    pub(super) fn place(&self) -> Option<String> {
        let case = self.case?;
        let location = Cause::of(case).map_or(&case.location, |cause| cause.location);
        Some(format!("{}:{}", location.file, location.span.line))
    }

    /// How it ended: now, or in the baseline if it is gone.
    pub(super) fn status(&self) -> Status {
        let compared = self.change.and_then(|change| change.now.or(change.was));
        self.case
            .map(|case| case.status)
            .or(compared)
            .unwrap_or(Status::Skipped)
    }

    /// Then and now: `passed → failed`.
    pub(super) fn course(&self) -> Option<String> {
        let change = self.change?;
        let word = |status: Option<Status>| status.map_or("absent", Status::word);
        Some(format!("{} → {}", word(change.was), word(change.now)))
    }

    /// Why it stands where it does, in one line.
    pub(super) fn why(&self) -> String {
        let said = self.change.and_then(|change| change.reason.clone());
        let cause = self.case.and_then(Cause::of).map(|cause| cause.in_words());
        let otherwise = self
            .case
            .and_then(|case| case.reason.clone().or_else(|| in_the_end(case)));
        match (said, cause) {
            (Some(said), Some(cause)) if !said.contains(&cause) => format!("{said}; {cause}"),
            (Some(said), _) => said,
            (None, Some(cause)) => cause,
            (None, None) => otherwise.unwrap_or_default(),
        }
    }
}

/// What a case that passed in the end did before.
fn in_the_end(case: &CaseResult) -> Option<String> {
    let before = case.earlier_attempts.last()?;
    let number = case.earlier_attempts.len() + 1;
    Some(format!("passed at attempt {number}; before: {}", before.message))
}

/// Every case of the run with what became of it, then those that are gone.
pub(super) fn entries(report: &Report) -> Vec<Entry<'_>> {
    let compared = report.comparison.iter().flat_map(|comparison| &comparison.cases);
    let changes: HashMap<&CaseId, &CaseComparison> = compared.clone().map(|change| (&change.id, change)).collect();
    let here: HashSet<&CaseId> = report.cases.iter().map(|case| &case.id).collect();
    let present = report.cases.iter().map(|case| Entry {
        id: &case.id,
        case: Some(case),
        change: changes.get(&case.id).copied(),
    });
    let gone = compared
        .filter(|change| !here.contains(&change.id))
        .map(|change| Entry {
            id: &change.id,
            case: None,
            change: Some(change),
        });
    present.chain(gone).collect()
}

/// What broke: without a baseline every case that is not good, with one those of them that were not so before.
pub(super) fn broken<'a>(entries: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let is_broken = |entry: &&Entry<'_>| match entry.change {
        Some(change) => match change.change {
            CaseChange::Regressed => true,
            CaseChange::StillFailing | CaseChange::Removed => false,
            _ => !entry.status().is_good(),
        },
        None => !entry.status().is_good(),
    };
    entries.iter().filter(is_broken).copied().collect()
}

/// The cases that this became of; what broke is told elsewhere.
pub(super) fn with<'a>(entries: &[Entry<'a>], change: CaseChange) -> Vec<Entry<'a>> {
    let is_it = |entry: &&Entry<'_>| {
        entry.change.is_some_and(|it| it.change == change)
            && (entry.status().is_good() || matches!(change, CaseChange::StillFailing | CaseChange::Removed))
    };
    entries.iter().filter(is_it).copied().collect()
}

/// What cases became, in counts: `2 regressed`, `1 fixed`.
pub(super) fn tally(comparison: &Comparison) -> Vec<String> {
    let counts = ORDER.map(|change| (comparison.with(change).count(), change.word().replace('-', " ")));
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, word)| format!("{count} {word}")).collect()
}

/// Changes of the surface in counts: `1 breaking`, `2 risky`; allowed ones apart.
pub(super) fn surface_tally(changes: &[(&str, &SurfaceChange)]) -> Vec<String> {
    let count = |class: ChangeClass| {
        let of_class = changes.iter().filter(|(_, change)| change.class == class);
        of_class.filter(|(_, change)| change.allowed.is_none()).count()
    };
    let classes = [
        ChangeClass::Breaking,
        ChangeClass::Risky,
        ChangeClass::Compatible,
        ChangeClass::Cosmetic,
    ];
    let allowed = changes.iter().filter(|(_, change)| change.allowed.is_some()).count();
    let counts = classes.map(|class| (count(class), class.word()));
    let some = counts
        .into_iter()
        .chain([(allowed, "allowed")])
        .filter(|(count, _)| *count > 0);
    some.map(|(count, word)| format!("{count} {word}")).collect()
}

/// All changes of all surfaces, the worst first; those that are allowed come last.
pub(super) fn surface(comparison: &Comparison) -> Vec<(&str, &SurfaceChange)> {
    let mut changes: Vec<_> = comparison.surface_changes().collect();
    changes.sort_by_key(|(_, change)| (change.allowed.is_some(), std::cmp::Reverse(change.class)));
    changes
}

/// Whether someone has to look at a change of the surface.
pub(super) fn is_worth_a_look(change: &SurfaceChange) -> bool {
    change.class >= ChangeClass::Risky && change.allowed.is_none()
}

/// What a change of the surface is about: ``tool `search` ``, with the server where there are several.
pub(super) fn subject(server: &str, change: &SurfaceChange, comparison: &Comparison) -> String {
    let server = match comparison.surfaces.len() {
        0 | 1 => String::new(),
        _ => format!("{server}: "),
    };
    let path = match change.path.as_str() {
        "" => String::new(),
        path => format!(" {path}"),
    };
    format!("{server}{}{path}", change.subject)
}

/// The commit of the baseline, as short as it is written.
pub(super) fn commit(baseline: &BaselineOrigin) -> Option<String> {
    let commit = baseline.commit.as_deref()?;
    Some(commit.chars().take(COMMIT).collect())
}

/// How much slower or faster something became: `+158 %`.
pub(super) fn percent(was: std::time::Duration, now: std::time::Duration) -> String {
    if was.is_zero() {
        return "new".to_owned();
    }
    format!("{:+.0} %", (now.as_secs_f64() / was.as_secs_f64() - 1.0) * 100.0)
}
