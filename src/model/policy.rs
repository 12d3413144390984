//! What closes the gate.

use crate::text::Date;

/// The rules of the gate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Policy {
    /// What closes it; regressions where there is a baseline, failures where there is none.
    pub fail_on: Option<Vec<FailOn>>,
    /// The least part of the cases that must pass, from 0 to 1.
    pub min_pass_rate: Option<f64>,
    /// The largest part of the cases that may be errored, from 0 to 1.
    pub max_error_rate: Option<f64>,
    /// Failures that are known and do not close it.
    pub known_failures: Vec<KnownFailure>,
    /// The day of the run.
    pub today: Date,
}

/// One reason to close the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailOn {
    /// A case that was good in the baseline is not any more, or one that could not be compared is not good.
    Regressions,
    /// A case is not good.
    Failures,
    /// The surface of a server broke.
    BreakingSurface,
    /// A case of the baseline is gone.
    Removed,
    /// Nothing but broken input.
    Never,
}

/// A failure that somebody knows of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFailure {
    /// The id of the case, or its name.
    pub case: String,
    /// The only step of it that may fail; any, where it is absent.
    pub step: Option<String>,
    /// Why it is put up with.
    pub reason: String,
    /// Where it is followed up.
    pub issue: Option<String>,
    /// The last day it counts.
    pub expires: Option<Date>,
}

impl FailOn {
    /// Every word, with what it means.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (
            Self::Regressions,
            "regressions",
            "a case that was good in the baseline, or is new, is not good",
        ),
        (Self::Failures, "failures", "a case is not good"),
        (
            Self::BreakingSurface,
            "breaking-surface",
            "a server's tools, resources or prompts changed in a breaking way",
        ),
        (Self::Removed, "removed", "a case of the baseline is gone"),
        (Self::Never, "never", "nothing closes the gate"),
    ];
}

impl KnownFailure {
    /// Whether it is about the case with this id and name.
    pub fn is_about(&self, id: &str, name: &str) -> bool {
        self.case == id || self.case == name
    }

    /// Whether it counts no more.
    pub fn is_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }
}
