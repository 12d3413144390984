//! What a run found: the value that every report format renders.

use std::time::{Duration, SystemTime};

use super::{CaseId, Comparison, Coverage, Definition, Fault, Finding, Heard, Outcome, Status};
use crate::source::{Diagnostic, Location};

/// Everything a run found, redacted.
#[derive(Debug)]
pub struct Report {
    /// When the run began.
    pub started_at: SystemTime,
    /// How long it took.
    pub duration: Duration,
    /// The one answer.
    pub verdict: Verdict,
    /// Counts over `cases`.
    pub totals: Totals,
    /// Every selected case, in the order of files.
    pub cases: Vec<CaseResult>,
    /// What is wrong in the user's files.
    pub diagnostics: Vec<Diagnostic>,
    /// What changed against the baseline, if there is one.
    pub comparison: Option<Comparison>,
    /// How far the tools of each server are covered; empty where no surface was asked for, or only a part was run.
    pub coverage: Vec<Coverage>,
    /// Which part of all cases this run was.
    pub selection: Selection,
    /// Remarks about the run as a whole, one a line.
    pub notes: Vec<String>,
}

/// The one answer of a run; before anybody judged it, that it could not be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The answer as an exit code.
    pub exit_code: ExitCode,
    /// Why, in one line.
    pub reason: String,
}

/// The exit codes, stable for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// 0: the gate is open.
    Open,
    /// 1: the gate is closed.
    Closed,
    /// 2: the user's input is wrong.
    InputWrong,
    /// 3: it could not be told.
    CouldNotTell,
}

impl Default for Verdict {
    fn default() -> Self {
        Self {
            exit_code: ExitCode::CouldNotTell,
            reason: "it was not judged".to_owned(),
        }
    }
}

impl ExitCode {
    /// The number handed to the operating system.
    pub const fn number(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Closed => 1,
            Self::InputWrong => 2,
            Self::CouldNotTell => 3,
        }
    }
}

/// Which part of all cases a run was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Cases in the files.
    pub found: usize,
    /// Cases chosen by filters, tags and the shard.
    pub selected: usize,
    /// What narrowed the choice, in words; empty for a whole run.
    pub narrowed_by: Vec<String>,
}

/// Counts of cases by how they ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// All of them.
    pub cases: usize,
    /// Every assertion held.
    pub passed: usize,
    /// An assertion did not hold.
    pub failed: usize,
    /// Could not be told.
    pub errored: usize,
    /// Not run, for a known reason.
    pub skipped: usize,
    /// Passed at some attempts and not at others.
    pub flaky: usize,
    /// Known failures that failed.
    pub xfailed: usize,
    /// Known failures that passed.
    pub xpassed: usize,
    /// Those of the passed, failed and errored ones that asked no server.
    pub simulated: usize,
}

/// Whether a server was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A real server answered.
    Live,
    /// Outputs were taken from `expected_output`.
    Simulated,
}

/// How one case ended.
#[derive(Debug)]
pub struct CaseResult {
    /// Stable key.
    pub id: CaseId,
    /// The author's name for it.
    pub name: String,
    /// The author's description.
    pub description: Option<String>,
    /// Words it can be selected by.
    pub tags: Vec<String>,
    /// Where it is declared.
    pub location: Location,
    /// What it asks for.
    pub definition: Definition,
    /// Whether a server was asked.
    pub mode: Mode,
    /// The verdict over all attempts.
    pub status: Status,
    /// Why it was skipped.
    pub reason: Option<String>,
    /// Whether the run came to it before it was stopped.
    pub is_reached: bool,
    /// Wall time over all attempts, server start included.
    pub duration: Duration,
    /// Start of the server and handshake, where it was started for this case.
    pub startup: Option<Duration>,
    /// Who answered.
    pub server: Option<Box<ServerIdentity>>,
    /// Why no step could be run.
    pub fault: Option<Box<Fault>>,
    /// Steps of the last attempt, in order; those not reached are `skipped`.
    pub steps: Vec<StepResult>,
    /// Attempts before the last one, oldest first.
    pub earlier_attempts: Vec<Attempt>,
    /// How many of its attempts passed, where it was run several times to find out.
    pub passes: Option<Passes>,
    /// Remarks about the server.
    pub findings: Vec<Finding>,
}

/// How many of some attempts passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// Those that did.
    pub passed: u32,
    /// All of them.
    pub of: u32,
}

/// An attempt that was followed by another one.
#[derive(Debug)]
pub struct Attempt {
    /// How it ended.
    pub status: Status,
    /// How long it took.
    pub duration: Duration,
    /// Why it did not pass, in one line.
    pub message: String,
}

/// Who answered: what the server said of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerIdentity {
    /// `serverInfo.name`.
    pub name: String,
    /// `serverInfo.version`.
    pub version: String,
    /// The protocol version in use.
    pub protocol: String,
}

/// How one step ended.
#[derive(Debug)]
pub struct StepResult {
    /// Name of the step in its case.
    pub id: String,
    /// The author's description.
    pub description: Option<String>,
    /// The tool it calls.
    pub tool: String,
    /// Where it is declared.
    pub location: Location,
    /// The verdict.
    pub status: Status,
    /// Why it was skipped.
    pub reason: Option<String>,
    /// Latency of the call: request written to answer read.
    pub duration: Duration,
    /// The latencies of all good attempts, where the case was run several times.
    pub samples: Vec<Duration>,
    /// What came back.
    pub output: Option<Output>,
    /// Why there is no answer, or why an answer was an error nobody expected.
    pub error: Option<Box<Fault>>,
    /// What the server said besides.
    pub heard: Option<Box<Heard>>,
    /// One outcome an assertion.
    pub outcomes: Vec<Outcome>,
}

/// An output, cut to a size that can be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The first part of the text.
    pub text: String,
    /// Size of the whole text in bytes.
    pub bytes: usize,
    /// Whether the server marked it as an error.
    pub is_error: bool,
}

impl Output {
    /// Whether `text` is the whole of it.
    pub fn is_whole(&self) -> bool {
        self.text.len() == self.bytes
    }
}

impl Passes {
    /// The part that passed, and the interval that holds the true one in 95 of 100 cases (Wilson's score).
    pub fn rate(self) -> (f64, f64, f64) {
        const Z: f64 = 1.959_964;
        let n = f64::from(self.of.max(1));
        let rate = f64::from(self.passed) / n;
        let centre = rate + Z * Z / (2.0 * n);
        let margin = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let low = ((centre - margin) / scale).max(0.0);
        let high = ((centre + margin) / scale).min(1.0);
        (rate, low, high)
    }
}
