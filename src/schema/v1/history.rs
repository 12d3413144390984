//! The fields of `mcpvals.history/v1`: what is kept of earlier runs.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Fault, Mode, Selection, Status, Tool, Totals, Verdict, json_schema::schema_of};

/// The name that an export of this version carries in `schema`.
pub const NAME: &str = "mcpvals.history/v1";

/// The JSON Schema (draft 2020-12) of an export.
pub fn json_schema() -> Value {
    schema_of::<History<'static>>()
}

/// Everything that a history knows.
///
/// Durations are milliseconds. A value that is not known is left out, never null. Texts of the server are hostile: escape
/// them wherever they are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "mcpvals.history/v1", rename = "History")]
pub struct History<'a, Runs = Vec<Recorded>> {
    /// Always `mcpvals.history/v1`.
    #[schemars(extend("const" = NAME))]
    pub schema: Cow<'a, str>,
    /// What wrote the export.
    pub tool: Tool<'a>,
    /// Every run, newest first.
    pub runs: Runs,
}

/// A run with all that is kept of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// The run as a whole.
    pub run: Run,
    /// Its cases, in the order of files.
    pub cases: Vec<Case>,
}

/// A run as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Its number in this history, never used twice.
    pub id: i64,
    /// When it began, as RFC 3339 in UTC.
    pub started_at: String,
    /// How long it took.
    pub duration_ms: f64,
    /// The version of mcpvals that ran it.
    pub tool_version: String,
    /// The folder it was run from.
    pub folder: String,
    /// What was run: the name of the folder, the paths, and what narrowed the choice.
    pub suite: String,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The branch that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The one answer of the run.
    pub verdict: Verdict,
    /// The answer as an exit code.
    pub exit_code: u8,
    /// Why, in one line.
    pub reason: String,
    /// Counts over the cases.
    pub totals: Totals,
    /// Which part of all cases it was.
    pub selection: Selection<'static>,
}

/// How one case ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// Stable key: `file › name`.
    pub id: String,
    /// The author's name for it.
    pub name: String,
    /// The file it is declared in.
    pub file: String,
    /// The line it is declared at, counted from 1.
    pub line: u32,
    /// SHA-256 of the text of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixture_hash: Option<String>,
    /// Whether a server was asked.
    pub mode: Mode,
    /// The verdict over all attempts.
    pub status: Status,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it did not pass, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the run came to it before it was stopped.
    pub reached: bool,
    /// How often it was tried, 0 if it was skipped.
    pub attempts: usize,
    /// Wall time over all attempts, server start included.
    pub duration_ms: f64,
    /// Why no step could be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault<'static>>,
    /// Steps of the last attempt, in order.
    pub steps: Vec<Step>,
}

/// How one step ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Name of the step in its case.
    pub id: String,
    /// The tool it calls.
    pub tool: String,
    /// The verdict.
    pub status: Status,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Latency of the call: request written to answer read.
    pub duration_ms: f64,
    /// The text that came back; only its first part where `output_bytes` says that there was more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Size of the whole output in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<usize>,
    /// Whether the server marked the output as an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Why there is no answer, or why an answer was an error nobody expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault<'static>>,
    /// One outcome an assertion.
    pub outcomes: Vec<Outcome>,
}

/// What one assertion said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The assertion's key, such as `output_contains`.
    pub assertion: String,
    /// How it ended.
    pub status: Status,
    /// Expected and found; says why where it did not pass.
    pub message: String,
}

impl<Runs> History<'_, Runs> {
    /// These runs, written by this version.
    pub fn of(runs: Runs) -> Self {
        Self {
            schema: NAME.into(),
            tool: Tool::current(),
            runs,
        }
    }
}
