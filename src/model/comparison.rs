//! What changed against the baseline.

use std::time::Duration;

use super::{CaseId, Difference, Status, SurfaceChange};

/// A run against a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What the run was compared with.
    pub baseline: BaselineOrigin,
    /// One entry a case of either side: those of the run in its order, then those that are gone.
    pub cases: Vec<CaseComparison>,
    /// One entry a server of either side.
    pub surfaces: Vec<SurfaceComparison>,
    /// What keeps parts from being compared, one a line.
    pub notices: Vec<String>,
}

/// Where a baseline comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineOrigin {
    /// Where it was found: a path, or the name of an artifact or of a ref.
    pub place: String,
    /// How it was chosen, in words.
    pub chosen: String,
    /// The commit it belongs to, if that is known.
    pub commit: Option<String>,
}

/// One case, then and now.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseComparison {
    /// Stable key.
    pub id: CaseId,
    /// What became of it.
    pub change: CaseChange,
    /// How it ended in the baseline.
    pub was: Option<Status>,
    /// How it ended in this run.
    pub now: Option<Status>,
    /// Why, in one line; what keeps it from being compared, where it is not comparable.
    pub reason: Option<String>,
    /// The id of a case that is gone and does the same.
    pub renamed_from: Option<CaseId>,
    /// The steps whose output differs.
    pub outputs: Vec<OutputChange>,
    /// The steps that became faster or slower.
    pub latencies: Vec<LatencyChange>,
}

/// What became of a case against the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CaseChange {
    /// Good before and now, with the same outputs.
    Unchanged,
    /// Good before and now, but an output differs.
    Changed,
    /// Not good before, good now.
    Fixed,
    /// Only in this run.
    New,
    /// Only in the baseline.
    Removed,
    /// Not good before and now.
    StillFailing,
    /// Nothing can be said; the reason is known.
    NotComparable,
    /// Good before, not good now.
    Regressed,
}

/// An output that differs from the baseline's though the step passes.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputChange {
    /// The step.
    pub step: String,
    /// Both sides; absent where the baseline kept only the first part of its output.
    pub difference: Option<Difference>,
}

/// A step that became faster or slower beyond doubt.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyChange {
    /// The step.
    pub step: String,
    /// The median before.
    pub was: Duration,
    /// The median now.
    pub now: Duration,
}

/// The surfaces of one server, then and now.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceComparison {
    /// What the server is called in reports.
    pub server: String,
    /// What changed, worst first.
    pub changes: Vec<SurfaceChange>,
    /// What keeps it from being compared.
    pub notice: Option<String>,
}

impl CaseChange {
    /// Every one.
    pub const ALL: [Self; 8] = [
        Self::Unchanged,
        Self::Changed,
        Self::Fixed,
        Self::New,
        Self::Removed,
        Self::StillFailing,
        Self::NotComparable,
        Self::Regressed,
    ];

    /// The word used in reports, stable for ever.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Fixed => "fixed",
            Self::New => "new",
            Self::Removed => "removed",
            Self::StillFailing => "still-failing",
            Self::NotComparable => "not-comparable",
            Self::Regressed => "regressed",
        }
    }
}

impl Comparison {
    /// The cases that this became of, in order.
    pub fn with(&self, change: CaseChange) -> impl Iterator<Item = &CaseComparison> {
        self.cases.iter().filter(move |case| case.change == change)
    }

    /// All changes of all surfaces, with the name of the server.
    pub fn surface_changes(&self) -> impl Iterator<Item = (&str, &SurfaceChange)> {
        self.surfaces
            .iter()
            .flat_map(|one| one.changes.iter().map(|change| (one.server.as_str(), change)))
    }
}
