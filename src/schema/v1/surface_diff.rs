//! `mcpvals.surface-diff/v1`: what changed between two surfaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model;

/// The name that a comparison of surfaces carries in `schema`.
pub const SURFACE_DIFF_NAME: &str = "mcpvals.surface-diff/v1";

/// What changed between two surfaces. Texts of the server are hostile: escape them wherever they are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "mcpvals.surface-diff/v1")]
pub struct SurfaceDiff {
    /// Always `mcpvals.surface-diff/v1`.
    #[schemars(extend("const" = SURFACE_DIFF_NAME))]
    pub schema: String,
    /// Every change, worst first.
    pub changes: Vec<SurfaceChange>,
    /// Remarks about the comparison, one a line.
    pub notices: Vec<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceChange {
    /// The rule that found it.
    pub rule: String,
    /// How bad it is.
    pub class: ChangeClass,
    /// Whether a model sees it, and may behave differently.
    pub model_visible: bool,
    /// What it is about.
    pub subject: String,
    /// The place inside of it; empty for the whole.
    pub path: String,
    /// What changed.
    pub message: String,
    /// What was fine before and is not any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Names the same change in every run.
    pub fingerprint: String,
    /// Why it is allowed, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
}

/// How bad a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeClass {
    /// Nobody's program can tell.
    Cosmetic,
    /// Everything that worked goes on working.
    Compatible,
    /// Something may break, or it cannot be decided.
    Risky,
    /// Something that worked does not any more.
    Breaking,
}

/// A value that shows a break.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// Arguments that were accepted, or a result that could not come before.
    pub value: Value,
    /// The case and step whose arguments they are; absent where the value was made up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
}

impl SurfaceDiff {
    /// The published form of these changes.
    pub fn of(changes: &[model::SurfaceChange], notices: &[String]) -> Self {
        Self {
            schema: SURFACE_DIFF_NAME.to_owned(),
            changes: changes.iter().map(SurfaceChange::from).collect(),
            notices: notices.to_vec(),
        }
    }
}

impl From<&model::SurfaceChange> for SurfaceChange {
    fn from(change: &model::SurfaceChange) -> Self {
        Self {
            rule: change.rule.clone().into_owned(),
            class: change.class.into(),
            model_visible: change.is_model_visible,
            subject: change.subject.clone(),
            path: change.path.clone(),
            message: change.message.clone(),
            witness: change.witness.as_ref().map(Witness::from),
            fingerprint: change.fingerprint.clone(),
            allowed: change.allowed.clone(),
        }
    }
}

impl From<model::ChangeClass> for ChangeClass {
    fn from(class: model::ChangeClass) -> Self {
        match class {
            model::ChangeClass::Cosmetic => Self::Cosmetic,
            model::ChangeClass::Compatible => Self::Compatible,
            model::ChangeClass::Risky => Self::Risky,
            model::ChangeClass::Breaking => Self::Breaking,
        }
    }
}

impl From<&model::Witness> for Witness {
    fn from(witness: &model::Witness) -> Self {
        Self {
            value: witness.value.clone(),
            case: witness.case.clone(),
        }
    }
}
