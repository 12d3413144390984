//! The fields of `mcpvals.audit/v1`: one line a run, for those who have to show what was run when.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Report, Selection, Tool, Totals, Verdict, json_schema::schema_of};
use crate::model;

/// The name that each line of this version carries in `schema`.
pub const NAME: &str = "mcpvals.audit/v1";

/// The JSON Schema (draft 2020-12) of one line.
pub fn json_schema() -> Value {
    schema_of::<Entry<'static>>()
}

/// One line of the audit log: one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "mcpvals.audit/v1", rename = "Entry")]
pub struct Entry<'a> {
    /// Always `mcpvals.audit/v1`.
    #[schemars(extend("const" = NAME))]
    pub schema: Cow<'a, str>,
    /// What ran.
    pub tool: Tool<'a>,
    /// When the run began, as RFC 3339 in UTC.
    pub started_at: Cow<'a, str>,
    /// How long the run took.
    pub duration_ms: f64,
    /// What was run: the name of the folder, the paths, and what narrowed the choice.
    pub suite: Cow<'a, str>,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Cow<'a, str>>,
    /// The branch that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Cow<'a, str>>,
    /// The one answer of the run.
    pub verdict: Verdict,
    /// The answer as an exit code.
    pub exit_code: u8,
    /// Why, in one line.
    pub reason: Cow<'a, str>,
    /// Counts over the cases.
    pub totals: Totals,
    /// Which part of all cases it was.
    pub selection: Selection<'a>,
}

impl<'a> Entry<'a> {
    /// The line of a run.
    pub fn of(report: &'a model::Report, suite: &'a str, commit: Option<&'a str>, branch: Option<&'a str>) -> Self {
        let Report {
            tool,
            started_at,
            duration_ms,
            verdict,
            exit_code,
            reason,
            totals,
            selection,
            ..
        } = Report::from(report);
        Self {
            schema: NAME.into(),
            tool,
            started_at,
            duration_ms,
            suite: suite.into(),
            commit: commit.map(Into::into),
            branch: branch.map(Into::into),
            verdict,
            exit_code,
            reason,
            totals,
            selection,
        }
    }
}
