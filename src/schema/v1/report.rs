//! The fields of `mcpvals.report/v1`. Their doc comments are the descriptions in the published JSON Schema.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{Comparison, Coverage};

/// What a run of mcpvals found.
///
/// Durations are milliseconds with up to three decimals. A value that is not known is left out, never null; a list is
/// always there, empty where there is nothing in it. Texts of the server are hostile: escape them wherever they are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "mcpvals.report/v1", rename = "Report")]
pub struct Report<'a, Cases = Vec<Case<'a>>> {
    /// Always `mcpvals.report/v1`.
    #[schemars(extend("const" = super::NAME))]
    pub schema: Cow<'a, str>,
    /// What wrote the report.
    pub tool: Tool<'a>,
    /// When the run began, as RFC 3339 in UTC.
    pub started_at: Cow<'a, str>,
    /// How long the run took.
    pub duration_ms: f64,
    /// The one answer of the run.
    pub verdict: Verdict,
    /// The answer as the exit code of the process: 0 passed, 1 failed, 2 invalid, 3 incomplete.
    pub exit_code: u8,
    /// Why, in one line.
    pub reason: Cow<'a, str>,
    /// Counts over `cases`.
    pub totals: Totals,
    /// Which part of all cases this run was.
    pub selection: Selection<'a>,
    /// What is wrong in the user's files.
    pub diagnostics: Vec<Diagnostic<'a>>,
    /// What changed against the baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison<'a>>,
    /// How far the tools of each server are covered; empty where no surface was asked for, or only a part was run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<Coverage<'a>>,
    /// Remarks about the run as a whole, one a line.
    pub notes: Vec<Cow<'a, str>>,
    /// Every selected case, in the order of files.
    pub cases: Cases,
}

/// A program and its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool<'a> {
    /// `mcpvals`.
    pub name: Cow<'a, str>,
    /// Its version.
    pub version: Cow<'a, str>,
}

/// The answer of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The gate is open.
    Passed,
    /// The gate is closed.
    Failed,
    /// The user's input is wrong.
    Invalid,
    /// It could not be told.
    Incomplete,
}

/// Counts of cases by how they ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// All of them.
    pub cases: usize,
    /// Every assertion held.
    pub passed: usize,
    /// An assertion did not hold.
    pub failed: usize,
    /// It could not be told.
    pub errored: usize,
    /// Not run, for a known reason.
    pub skipped: usize,
    /// Passed at some attempts and not at others.
    pub flaky: usize,
    /// Known failures that failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub xfailed: usize,
    /// Known failures that passed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub xpassed: usize,
    /// Those of the passed, failed and errored ones that asked no server.
    pub simulated: usize,
}

/// Which part of all cases a run was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Selection<'a> {
    /// Cases in the files.
    pub found: usize,
    /// Cases chosen by filters, tags and the shard.
    pub selected: usize,
    /// What narrowed the choice, in words; empty for a whole run.
    pub narrowed_by: Vec<Cow<'a, str>>,
}

/// One problem in the user's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic<'a> {
    /// Stable name of the kind of problem, such as `unknown-key`.
    pub code: Cow<'a, str>,
    /// Whether the file could still be used.
    pub severity: Severity,
    /// What is wrong.
    pub message: Cow<'a, str>,
    /// The file it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'a, str>>,
    /// The line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Cow<'a, str>>,
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file is used, but something in it is likely not meant so.
    Warning,
    /// The file cannot be used as it stands.
    Error,
}

/// How one case ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Case<'a> {
    /// Stable key: `file › name`.
    pub id: Cow<'a, str>,
    /// The author's name for it.
    pub name: Cow<'a, str>,
    /// The author's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Cow<'a, str>>,
    /// Words it can be selected by.
    pub tags: Vec<Cow<'a, str>>,
    /// The file it is declared in.
    pub file: Cow<'a, str>,
    /// The line it is declared at, counted from 1.
    pub line: u32,
    /// The column it is declared at in characters, counted from 1.
    pub column: u32,
    /// Equal where steps, inputs and expectations are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Cow<'a, str>>,
    /// Whether a server was asked.
    pub mode: Mode,
    /// The verdict over all attempts.
    pub status: Status,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// Whether the run came to it before it was stopped.
    pub reached: bool,
    /// Wall time over all attempts, server start included.
    pub duration_ms: f64,
    /// Start of the server and handshake, where it was started for this case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<f64>,
    /// Who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Server<'a>>,
    /// Why no step could be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault<'a>>,
    /// How often it was tried, 0 if it was skipped.
    pub attempts: usize,
    /// Attempts before the last one, oldest first.
    pub earlier_attempts: Vec<Attempt<'a>>,
    /// How many attempts passed, where the case was run several times to find out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_rate: Option<PassRate>,
    /// Remarks about the server.
    pub findings: Vec<Finding<'a>>,
    /// Steps of the last attempt, in order; those not reached are `skipped`.
    pub steps: Vec<Step<'a>>,
}

/// How many attempts passed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassRate {
    /// Those that did.
    pub passed: u32,
    /// All of them.
    pub of: u32,
    /// The lower end of the interval that holds the true rate in 95 of 100 cases.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Whether a server was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A real server answered.
    Live,
    /// Simulation: outputs were taken from `expected_output`, no server was asked.
    Simulated,
}

/// How an outcome, a step or a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing was asked of it, and the reason is known.
    Skipped,
    /// Every assertion held.
    Passed,
    /// A known failure failed, as announced.
    XFailed,
    /// Attempts disagreed; a later one passed.
    Flaky,
    /// A known failure passed: the announcement is stale.
    XPassed,
    /// An assertion did not hold.
    Failed,
    /// It could not be told.
    Errored,
}

/// What a server said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Server<'a> {
    /// `serverInfo.name`.
    pub name: Cow<'a, str>,
    /// `serverInfo.version`.
    pub version: Cow<'a, str>,
    /// The protocol version in use.
    pub protocol: Cow<'a, str>,
}

/// Why something could not be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault<'a> {
    /// Whose fault it is.
    pub origin: Origin,
    /// Stable name of the kind of fault, such as `timeout` or `cannot-start`.
    pub kind: Cow<'a, str>,
    /// What was being done: `start`, `initialize`, `tools/list`, `tools/call` or `judge`.
    pub phase: Cow<'a, str>,
    /// What happened.
    pub message: Cow<'a, str>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Cow<'a, str>>,
    /// Facts that explain it: exit status, the server's last lines on stderr, noise on stdout.
    pub evidence: Vec<Cow<'a, str>>,
}

/// Whose fault a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The server under test: it started, then exited, hung or garbled the protocol.
    Server,
    /// Everything else: command not found, address never reachable, provider down, a limit of mcpvals.
    Surroundings,
}

/// An attempt that was followed by another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt<'a> {
    /// How it ended.
    pub status: Status,
    /// How long it took.
    pub duration_ms: f64,
    /// Why it did not pass, in one line.
    pub message: Cow<'a, str>,
}

/// Something odd that a server did without breaking anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding<'a> {
    /// Stable name of the kind of remark, such as `stdout-noise`.
    pub code: Cow<'a, str>,
    /// What was seen.
    pub message: Cow<'a, str>,
}

/// How one step ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step<'a> {
    /// Name of the step in its case.
    pub id: Cow<'a, str>,
    /// The author's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Cow<'a, str>>,
    /// The tool it calls.
    pub tool: Cow<'a, str>,
    /// The file it is declared in.
    pub file: Cow<'a, str>,
    /// The line it is declared at, counted from 1.
    pub line: u32,
    /// The column it is declared at in characters, counted from 1.
    pub column: u32,
    /// The verdict.
    pub status: Status,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// Latency of the call: request written to answer read.
    pub duration_ms: f64,
    /// The latencies of all good attempts, where the case was run several times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples_ms: Vec<f64>,
    /// The text that came back; only its first part where `output_bytes` says that there was more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Cow<'a, str>>,
    /// Size of the whole output in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<usize>,
    /// Whether the server marked the output as an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Why there is no answer, or why an answer was an error nobody expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault<'a>>,
    /// Methods of the requests that the server made during the call, such as `elicitation/create`; the first 32, left out
    /// where it made none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub server_requests: Vec<Cow<'a, str>>,
    /// What the server told during the call; the first 32, left out where it told nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<Notification<'a>>,
    /// One outcome an assertion.
    pub outcomes: Vec<Outcome<'a>>,
}

/// A notification of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Notification<'a> {
    /// Its method, such as `notifications/message`.
    pub method: Cow<'a, str>,
    /// Its parameters; left out where they are longer than 1 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub params: Option<Cow<'a, Value>>,
}

/// What one assertion said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome<'a> {
    /// The assertion's key, such as `output_contains`.
    pub assertion: Cow<'a, str>,
    /// How it ended.
    pub status: Status,
    /// Expected and found; says why where it did not pass.
    pub message: Cow<'a, str>,
    /// The file the expectation is written in, where it is not the step's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'a, str>>,
    /// The line the expectation is written at, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column the expectation is written at in characters, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What was expected, where seeing both sides helps: a text as a string, JSON as it is.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub expected: Option<Cow<'a, Value>>,
    /// What came, where seeing both sides helps.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub actual: Option<Cow<'a, Value>>,
}

/// A `null` that was expected or found is a value like any other.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'static, Value>>, D::Error> {
    Value::deserialize(deserializer).map(|value| Some(Cow::Owned(value)))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands on a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
