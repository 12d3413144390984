//! What changed against the baseline, as part of `mcpvals.report/v1`.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Status;
use crate::model;

/// A run against a baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison<'a> {
    /// What the run was compared with.
    pub baseline: Origin<'a>,
    /// One entry a case of either side that is not `unchanged`.
    pub cases: Vec<CaseComparison<'a>>,
    /// One entry a server of either side.
    pub surfaces: Vec<SurfaceComparison<'a>>,
    /// What keeps parts from being compared.
    pub notices: Vec<Cow<'a, str>>,
}

/// Where a baseline comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BaselineOrigin")]
pub struct Origin<'a> {
    /// Where it was found.
    pub place: Cow<'a, str>,
    /// How it was chosen, in words.
    pub chosen: Cow<'a, str>,
    /// The commit it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Cow<'a, str>>,
}

/// One case, then and now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseComparison<'a> {
    /// Stable key: `file › name`.
    pub id: Cow<'a, str>,
    /// `regressed`, `fixed`, `still-failing`, `new`, `removed`, `changed` or `not-comparable`.
    pub change: Cow<'a, str>,
    /// How it ended in the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Status>,
    /// How it ended in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Status>,
    /// Why, where it is not comparable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// The id of a case that is gone and does the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<Cow<'a, str>>,
    /// The steps whose output differs though they pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputChange<'a>>,
    /// The steps that became faster or slower beyond doubt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latencies: Vec<LatencyChange<'a>>,
}

/// An output that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutputChange<'a> {
    /// The step.
    pub step: Cow<'a, str>,
    /// The output of the baseline, where all of it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Cow<'a, str>>,
    /// The output of this run, without what differs from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Cow<'a, str>>,
}

/// A step that became faster or slower.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyChange<'a> {
    /// The step.
    pub step: Cow<'a, str>,
    /// The median before.
    pub was_ms: f64,
    /// The median now.
    pub now_ms: f64,
}

/// The surfaces of one server, then and now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceComparison<'a> {
    /// What the server is called in reports.
    pub server: Cow<'a, str>,
    /// What changed, worst first.
    pub changes: Vec<SurfaceChange<'a>>,
    /// What keeps it from being compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Cow<'a, str>>,
}

/// One difference between two surfaces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceChange<'a> {
    /// The rule that found it.
    pub rule: Cow<'a, str>,
    /// `breaking`, `risky`, `compatible` or `cosmetic`.
    pub class: Cow<'a, str>,
    /// Whether a model sees it.
    pub is_model_visible: bool,
    /// What it is about.
    pub subject: Cow<'a, str>,
    /// The place inside of it; empty for the whole.
    pub path: Cow<'a, str>,
    /// What changed.
    pub message: Cow<'a, str>,
    /// A value that was fine before and is not any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness<'a>>,
    /// Names the same change in every run.
    pub fingerprint: Cow<'a, str>,
    /// Why it is allowed, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Cow<'a, str>>,
}

/// A value that shows a break.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Witness<'a> {
    /// The value.
    pub value: Cow<'a, Value>,
    /// The case and step whose arguments they are; absent where the value was made up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Cow<'a, str>>,
}

impl<'a> From<&'a model::Comparison> for Comparison<'a> {
    fn from(comparison: &'a model::Comparison) -> Self {
        let told = |one: &&model::CaseComparison| one.change != model::CaseChange::Unchanged;
        Self {
            baseline: Origin {
                place: text(&comparison.baseline.place),
                chosen: text(&comparison.baseline.chosen),
                commit: comparison.baseline.commit.as_deref().map(text),
            },
            cases: comparison.cases.iter().filter(told).map(CaseComparison::from).collect(),
            surfaces: comparison.surfaces.iter().map(SurfaceComparison::from).collect(),
            notices: comparison.notices.iter().map(|notice| text(notice)).collect(),
        }
    }
}

impl<'a> From<&'a model::CaseComparison> for CaseComparison<'a> {
    fn from(case: &'a model::CaseComparison) -> Self {
        Self {
            id: text(case.id.as_str()),
            change: case.change.word().into(),
            was: case.was.map(Status::from),
            now: case.now.map(Status::from),
            reason: case.reason.as_deref().map(text),
            renamed_from: case.renamed_from.as_ref().map(|id| text(id.as_str())),
            outputs: case.outputs.iter().map(OutputChange::from).collect(),
            latencies: case.latencies.iter().map(LatencyChange::from).collect(),
        }
    }
}

impl<'a> From<&'a model::OutputChange> for OutputChange<'a> {
    fn from(output: &'a model::OutputChange) -> Self {
        let (was, now) = match &output.difference {
            Some(model::Difference::Text { expected, actual }) => (Some(text(expected)), Some(text(actual))),
            Some(model::Difference::Json { expected, actual }) => {
                (Some(expected.to_string().into()), Some(actual.to_string().into()))
            }
            None => (None, None),
        };
        Self {
            step: text(&output.step),
            was,
            now,
        }
    }
}

impl<'a> From<&'a model::LatencyChange> for LatencyChange<'a> {
    fn from(latency: &'a model::LatencyChange) -> Self {
        Self {
            step: text(&latency.step),
            was_ms: latency.was.as_secs_f64() * 1e3,
            now_ms: latency.now.as_secs_f64() * 1e3,
        }
    }
}

impl<'a> From<&'a model::SurfaceComparison> for SurfaceComparison<'a> {
    fn from(surface: &'a model::SurfaceComparison) -> Self {
        Self {
            server: text(&surface.server),
            changes: surface.changes.iter().map(SurfaceChange::from).collect(),
            notice: surface.notice.as_deref().map(text),
        }
    }
}

impl<'a> From<&'a model::SurfaceChange> for SurfaceChange<'a> {
    fn from(change: &'a model::SurfaceChange) -> Self {
        Self {
            rule: text(&change.rule),
            class: change.class.word().into(),
            is_model_visible: change.is_model_visible,
            subject: text(&change.subject),
            path: text(&change.path),
            message: text(&change.message),
            witness: change.witness.as_ref().map(|witness| Witness {
                value: Cow::Borrowed(&witness.value),
                case: witness.case.as_deref().map(text),
            }),
            fingerprint: text(&change.fingerprint),
            allowed: change.allowed.as_deref().map(text),
        }
    }
}

fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
