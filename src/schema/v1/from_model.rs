//! The model as `mcpvals.report/v1`: everything is borrowed, and cases are converted one at a time as they are written.

use std::{borrow::Cow, time::Duration};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    Attempt, Case, Comparison, Coverage, Diagnostic, Fault, Finding, Mode, NAME, Notification, Origin, Outcome,
    PassRate, Report, Selection, Server, Severity, Status, Step, Tool, Totals, Verdict,
};
use crate::model;

/// Cases that are converted while they are written, so that a large report never stands in memory twice.
#[derive(Debug, Clone, Copy)]
pub struct Lazy<'a>(&'a [model::CaseResult]);

impl Serialize for Lazy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Case::from))
    }
}

impl<'a> From<&'a model::Report> for Report<'a, Lazy<'a>> {
    fn from(report: &'a model::Report) -> Self {
        Self {
            schema: NAME.into(),
            tool: Tool::current(),
            started_at: DateTime::<Utc>::from(report.started_at)
                .to_rfc3339_opts(SecondsFormat::Millis, true)
                .into(),
            duration_ms: milliseconds(report.duration),
            verdict: report.verdict.exit_code.into(),
            exit_code: report.verdict.exit_code.number(),
            reason: text(&report.verdict.reason),
            totals: report.totals.into(),
            selection: (&report.selection).into(),
            diagnostics: report.diagnostics.iter().map(Diagnostic::from).collect(),
            comparison: report.comparison.as_ref().map(Comparison::from),
            coverage: report.coverage.iter().map(Coverage::from).collect(),
            notes: texts(&report.notes),
            cases: Lazy(&report.cases),
        }
    }
}

impl Tool<'_> {
    /// This program.
    pub fn current() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

impl From<model::ExitCode> for Verdict {
    fn from(code: model::ExitCode) -> Self {
        match code {
            model::ExitCode::Open => Self::Passed,
            model::ExitCode::Closed => Self::Failed,
            model::ExitCode::InputWrong => Self::Invalid,
            model::ExitCode::CouldNotTell => Self::Incomplete,
        }
    }
}

impl From<model::Totals> for Totals {
    fn from(totals: model::Totals) -> Self {
        let model::Totals {
            cases,
            passed,
            failed,
            errored,
            skipped,
            flaky,
            xfailed,
            xpassed,
            simulated,
        } = totals;
        Self {
            cases,
            passed,
            failed,
            errored,
            skipped,
            flaky,
            xfailed,
            xpassed,
            simulated,
        }
    }
}

impl<'a> From<&'a model::Selection> for Selection<'a> {
    fn from(selection: &'a model::Selection) -> Self {
        Self {
            found: selection.found,
            selected: selection.selected,
            narrowed_by: texts(&selection.narrowed_by),
        }
    }
}

impl<'a> From<&'a crate::source::Diagnostic> for Diagnostic<'a> {
    fn from(diagnostic: &'a crate::source::Diagnostic) -> Self {
        Self {
            code: text(&diagnostic.code),
            severity: match diagnostic.severity {
                crate::source::Severity::Warning => Severity::Warning,
                crate::source::Severity::Error => Severity::Error,
            },
            message: text(&diagnostic.message),
            file: diagnostic.source.as_ref().map(|source| text(source.path())),
            line: diagnostic.span.map(|span| span.line),
            column: diagnostic.span.map(|span| span.column),
            help: diagnostic.help.as_deref().map(text),
        }
    }
}

impl<'a> From<&'a model::CaseResult> for Case<'a> {
    fn from(case: &'a model::CaseResult) -> Self {
        Self {
            id: text(case.id.as_str()),
            name: text(&case.name),
            description: case.description.as_deref().map(text),
            tags: texts(&case.tags),
            file: text(&case.location.file),
            line: case.location.span.line,
            column: case.location.span.column,
            definition: Some(case.definition.to_string().into()),
            mode: case.mode.into(),
            status: case.status.into(),
            reason: case.reason.as_deref().map(text),
            reached: case.is_reached,
            duration_ms: milliseconds(case.duration),
            startup_ms: case.startup.map(milliseconds),
            server: case.server.as_deref().map(Server::from),
            error: case.fault.as_deref().map(Fault::from),
            attempts: case.earlier_attempts.len() + usize::from(case.status != model::Status::Skipped),
            earlier_attempts: case.earlier_attempts.iter().map(Attempt::from).collect(),
            pass_rate: case.passes.map(PassRate::from),
            findings: case.findings.iter().map(Finding::from).collect(),
            steps: case.steps.iter().map(Step::from).collect(),
        }
    }
}

impl From<model::Passes> for PassRate {
    fn from(passes: model::Passes) -> Self {
        let (_, low, high) = passes.rate();
        Self {
            passed: passes.passed,
            of: passes.of,
            low,
            high,
        }
    }
}

impl From<model::Mode> for Mode {
    fn from(mode: model::Mode) -> Self {
        match mode {
            model::Mode::Live => Self::Live,
            model::Mode::Simulated => Self::Simulated,
        }
    }
}

impl From<model::Status> for Status {
    fn from(status: model::Status) -> Self {
        match status {
            model::Status::Skipped => Self::Skipped,
            model::Status::Passed => Self::Passed,
            model::Status::XFailed => Self::XFailed,
            model::Status::Flaky => Self::Flaky,
            model::Status::XPassed => Self::XPassed,
            model::Status::Failed => Self::Failed,
            model::Status::Errored => Self::Errored,
        }
    }
}

impl From<Status> for model::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Skipped => Self::Skipped,
            Status::Passed => Self::Passed,
            Status::XFailed => Self::XFailed,
            Status::Flaky => Self::Flaky,
            Status::XPassed => Self::XPassed,
            Status::Failed => Self::Failed,
            Status::Errored => Self::Errored,
        }
    }
}

impl From<Totals> for model::Totals {
    fn from(totals: Totals) -> Self {
        let Totals {
            cases,
            passed,
            failed,
            errored,
            skipped,
            flaky,
            xfailed,
            xpassed,
            simulated,
        } = totals;
        Self {
            cases,
            passed,
            failed,
            errored,
            skipped,
            flaky,
            xfailed,
            xpassed,
            simulated,
        }
    }
}

impl<'a> From<&'a model::ServerIdentity> for Server<'a> {
    fn from(server: &'a model::ServerIdentity) -> Self {
        Self {
            name: text(&server.name),
            version: text(&server.version),
            protocol: text(&server.protocol),
        }
    }
}

impl<'a> From<&'a model::Fault> for Fault<'a> {
    fn from(fault: &'a model::Fault) -> Self {
        Self {
            origin: match fault.origin {
                model::Origin::Server => Origin::Server,
                model::Origin::Surroundings => Origin::Surroundings,
            },
            kind: fault.kind.word().into(),
            phase: fault.phase.word().into(),
            message: text(&fault.message),
            help: fault.help.as_deref().map(text),
            evidence: texts(&fault.evidence),
        }
    }
}

impl<'a> From<&'a model::Attempt> for Attempt<'a> {
    fn from(attempt: &'a model::Attempt) -> Self {
        Self {
            status: attempt.status.into(),
            duration_ms: milliseconds(attempt.duration),
            message: text(&attempt.message),
        }
    }
}

impl<'a> From<&'a model::Finding> for Finding<'a> {
    fn from(finding: &'a model::Finding) -> Self {
        Self {
            code: text(&finding.code),
            message: text(&finding.message),
        }
    }
}

impl<'a> From<&'a model::StepResult> for Step<'a> {
    fn from(step: &'a model::StepResult) -> Self {
        let output = step.output.as_ref();
        let heard = step.heard.as_deref();
        Self {
            id: text(&step.id),
            description: step.description.as_deref().map(text),
            tool: text(&step.tool),
            file: text(&step.location.file),
            line: step.location.span.line,
            column: step.location.span.column,
            status: step.status.into(),
            reason: step.reason.as_deref().map(text),
            duration_ms: milliseconds(step.duration),
            samples_ms: step.samples.iter().copied().map(milliseconds).collect(),
            output: output.map(|output| text(&output.text)),
            output_bytes: output.map(|output| output.bytes),
            is_error: output.map(|output| output.is_error),
            error: step.error.as_deref().map(Fault::from),
            server_requests: heard.map(|it| texts(&it.requests)).unwrap_or_default(),
            notifications: heard
                .iter()
                .flat_map(|it| &it.notifications)
                .map(Notification::from)
                .collect(),
            outcomes: step.outcomes.iter().map(|outcome| Outcome::of(step, outcome)).collect(),
        }
    }
}

impl<'a> From<&'a model::Notification> for Notification<'a> {
    fn from(notification: &'a model::Notification) -> Self {
        // A secret that was taken out may have been more than the inside of a text.
        let read = |json: &String| serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.clone()));
        Self {
            method: text(&notification.method),
            params: notification.params.as_ref().map(read).map(Cow::Owned),
        }
    }
}

impl<'a> Outcome<'a> {
    fn of(step: &model::StepResult, outcome: &'a model::Outcome) -> Self {
        let location = outcome.location.as_ref();
        let (expected, actual) = outcome.difference.as_deref().map(sides).unzip();
        Self {
            assertion: text(&outcome.assertion),
            status: outcome.status.into(),
            message: text(&outcome.message),
            file: location
                .filter(|location| location.file != step.location.file)
                .map(|location| text(&location.file)),
            line: location.map(|location| location.span.line),
            column: location.map(|location| location.span.column),
            expected,
            actual,
        }
    }
}

fn sides(difference: &model::Difference) -> (Cow<'_, Value>, Cow<'_, Value>) {
    match difference {
        model::Difference::Text { expected, actual } => (
            Cow::Owned(Value::String(expected.clone())),
            Cow::Owned(Value::String(actual.clone())),
        ),
        model::Difference::Json { expected, actual } => (Cow::Borrowed(expected), Cow::Borrowed(actual)),
    }
}

fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

fn texts(texts: &[String]) -> Vec<Cow<'_, str>> {
    texts.iter().map(|each| text(each)).collect()
}

/// Microseconds are the finest that the measurements mean.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}
