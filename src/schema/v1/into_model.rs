//! `mcpvals.report/v1` as the model: a report that was written can be rendered again. What is read may be damaged or
//! hostile; nothing of it is trusted beyond its form, and what is counted is counted anew.

use std::{sync::Arc, time::Duration};

use chrono::DateTime;
use serde_json::Value;

use super::{
    Attempt, Case, Coverage, Diagnostic, Fault, Finding, Mode, NAME, Notification, Origin, Outcome, Report, Severity,
    Step,
};
use crate::{
    model::{self, CaseId, Definition, FaultKind, Phase},
    source::{self, Location, SourceFile, Span},
};

/// Reads a report. The error says why the text is none that can be used, as a lowercase fragment.
pub fn read_report(text: &str) -> Result<model::Report, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    match value.get("schema").and_then(Value::as_str) {
        Some(NAME) => {}
        Some(other) => {
            let other = crate::text::quote(other, 60);
            return Err(format!("it is of the schema {other}, and this version reads `{NAME}`"));
        }
        None => return Err("it does not say which schema it is of".to_owned()),
    }
    let report: Report<'static> = serde_json::from_value(value).map_err(|error| format!("it is damaged: {error}"))?;
    report.try_into()
}

impl TryFrom<Report<'_>> for model::Report {
    type Error = String;

    fn try_from(report: Report<'_>) -> Result<Self, String> {
        let cases = report.cases.into_iter().map(model::CaseResult::try_from);
        let cases: Vec<model::CaseResult> = cases.collect::<Result<_, _>>()?;
        let started_at = DateTime::parse_from_rfc3339(&report.started_at)
            .map_err(|error| format!("it is damaged: `started_at` is no time: {error}"))?;
        let comparison = report.comparison.map(|comparison| comparison.into_model(&cases));
        Ok(Self {
            started_at: started_at.into(),
            duration: duration(report.duration_ms)?,
            verdict: model::Verdict {
                exit_code: exit_code(report.exit_code)?,
                reason: report.reason.into_owned(),
            },
            totals: report.totals.into(),
            diagnostics: report.diagnostics.into_iter().map(source::Diagnostic::from).collect(),
            comparison: comparison.transpose()?,
            coverage: report.coverage.into_iter().map(model::Coverage::from).collect(),
            selection: model::Selection {
                found: report.selection.found,
                selected: report.selection.selected,
                narrowed_by: owned(report.selection.narrowed_by),
            },
            notes: owned(report.notes),
            cases,
        })
    }
}

fn exit_code(number: u8) -> Result<model::ExitCode, String> {
    use model::ExitCode::{Closed, CouldNotTell, InputWrong, Open};
    let all = [Open, Closed, InputWrong, CouldNotTell];
    let found = all.into_iter().find(|code| code.number() == number);
    found.ok_or_else(|| format!("it is damaged: {number} is no exit code"))
}

impl From<Diagnostic<'_>> for source::Diagnostic {
    fn from(diagnostic: Diagnostic<'_>) -> Self {
        let place = diagnostic.line.map(|line| span(line, diagnostic.column.unwrap_or(1)));
        Self {
            code: diagnostic.code.into_owned().into(),
            severity: match diagnostic.severity {
                Severity::Warning => source::Severity::Warning,
                Severity::Error => source::Severity::Error,
            },
            message: diagnostic.message.into_owned(),
            source: diagnostic.file.map(|file| SourceFile::new(file.into_owned(), "")),
            span: place,
            label: None,
            help: diagnostic.help.map(Into::into),
        }
    }
}

impl From<Coverage<'_>> for model::Coverage {
    fn from(coverage: Coverage<'_>) -> Self {
        Self {
            server: coverage.server.into_owned(),
            // There are at least as many as are named.
            tools: coverage.tools.max(coverage.added.len() + coverage.uncovered.len()),
            added: owned(coverage.added),
            uncovered: owned(coverage.uncovered),
        }
    }
}

impl TryFrom<Case<'_>> for model::CaseResult {
    type Error = String;

    fn try_from(case: Case<'_>) -> Result<Self, String> {
        let definition = case.definition.map(|it| u64::from_str_radix(&it, 16)).transpose();
        let definition =
            definition.map_err(|_not_a_number| format!("it is damaged: the `definition` of {:?}", case.id))?;
        let steps = case.steps.into_iter().map(model::StepResult::try_from);
        let earlier = case.earlier_attempts.into_iter().map(model::Attempt::try_from);
        Ok(Self {
            id: CaseId::from(case.id.into_owned()),
            name: case.name.into_owned(),
            description: case.description.map(Into::into),
            tags: owned(case.tags),
            location: location(&case.file, case.line, case.column),
            definition: Definition(definition.unwrap_or_default()),
            mode: match case.mode {
                Mode::Live => model::Mode::Live,
                Mode::Simulated => model::Mode::Simulated,
            },
            status: case.status.into(),
            reason: case.reason.map(Into::into),
            is_reached: case.reached,
            duration: duration(case.duration_ms)?,
            startup: case.startup_ms.map(duration).transpose()?,
            server: case.server.map(|server| {
                Box::new(model::ServerIdentity {
                    name: server.name.into_owned(),
                    version: server.version.into_owned(),
                    protocol: server.protocol.into_owned(),
                })
            }),
            fault: fault(case.error)?,
            steps: steps.collect::<Result<_, _>>()?,
            earlier_attempts: earlier.collect::<Result<_, _>>()?,
            passes: case.pass_rate.map(|it| model::Passes {
                passed: it.passed,
                of: it.of,
            }),
            findings: case.findings.into_iter().map(model::Finding::from).collect(),
        })
    }
}

impl TryFrom<Attempt<'_>> for model::Attempt {
    type Error = String;

    fn try_from(attempt: Attempt<'_>) -> Result<Self, String> {
        Ok(Self {
            status: attempt.status.into(),
            duration: duration(attempt.duration_ms)?,
            message: attempt.message.into_owned(),
        })
    }
}

impl From<Finding<'_>> for model::Finding {
    fn from(finding: Finding<'_>) -> Self {
        Self {
            code: finding.code.into_owned().into(),
            message: finding.message.into_owned(),
        }
    }
}

fn fault(fault: Option<Fault<'_>>) -> Result<Option<Box<model::Fault>>, String> {
    let Some(fault) = fault else { return Ok(None) };
    let kind = FaultKind::ALL.into_iter().find(|kind| kind.word() == fault.kind);
    let phase = Phase::ALL.into_iter().find(|phase| phase.word() == fault.phase);
    Ok(Some(Box::new(model::Fault {
        origin: match fault.origin {
            Origin::Server => model::Origin::Server,
            Origin::Surroundings => model::Origin::Surroundings,
        },
        kind: kind.ok_or_else(|| format!("it is damaged: no fault is called {:?}", fault.kind))?,
        phase: phase.ok_or_else(|| format!("it is damaged: no phase is called {:?}", fault.phase))?,
        message: fault.message.into_owned(),
        help: fault.help.map(Into::into),
        evidence: owned(fault.evidence),
    })))
}

impl TryFrom<Step<'_>> for model::StepResult {
    type Error = String;

    fn try_from(step: Step<'_>) -> Result<Self, String> {
        let place = location(&step.file, step.line, step.column);
        let outcomes = step.outcomes.into_iter().map(|outcome| outcome.into_model(&place));
        let samples = step.samples_ms.into_iter().map(duration);
        let heard = model::Heard {
            requests: owned(step.server_requests),
            notifications: step.notifications.into_iter().map(model::Notification::from).collect(),
        };
        Ok(Self {
            id: step.id.into_owned(),
            description: step.description.map(Into::into),
            tool: step.tool.into_owned(),
            status: step.status.into(),
            reason: step.reason.map(Into::into),
            duration: duration(step.duration_ms)?,
            samples: samples.collect::<Result<_, _>>()?,
            output: step.output.map(|output| model::Output {
                bytes: step.output_bytes.unwrap_or(output.len()),
                is_error: step.is_error.unwrap_or_default(),
                text: output.into_owned(),
            }),
            error: fault(step.error)?,
            heard: (!heard.is_empty()).then(|| Box::new(heard)),
            outcomes: outcomes.collect(),
            location: place,
        })
    }
}

impl From<Notification<'_>> for model::Notification {
    fn from(notification: Notification<'_>) -> Self {
        Self {
            method: notification.method.into_owned(),
            params: notification.params.map(|params| params.to_string()),
        }
    }
}

impl Outcome<'_> {
    fn into_model(self, step: &Location) -> model::Outcome {
        let file = self
            .file
            .map_or_else(|| Arc::clone(&step.file), |file| Arc::from(&*file));
        let difference = match (self.expected, self.actual) {
            (Some(expected), Some(actual)) => Some(Box::new(difference(expected.into_owned(), actual.into_owned()))),
            _ => None,
        };
        model::Outcome {
            assertion: self.assertion.into_owned().into(),
            status: self.status.into(),
            message: self.message.into_owned(),
            difference,
            location: self.line.map(|line| Location {
                file,
                span: span(line, self.column.unwrap_or(1)),
            }),
        }
    }
}

fn difference(expected: Value, actual: Value) -> model::Difference {
    match (expected, actual) {
        (Value::String(expected), Value::String(actual)) => model::Difference::Text { expected, actual },
        (expected, actual) => model::Difference::Json { expected, actual },
    }
}

fn location(file: &str, line: u32, column: u32) -> Location {
    Location {
        file: Arc::from(file),
        span: span(line, column),
    }
}

/// A place of which only the line and the column are known.
fn span(line: u32, column: u32) -> Span {
    Span {
        line,
        column,
        ..Span::default()
    }
}

pub(super) fn owned(texts: Vec<std::borrow::Cow<'_, str>>) -> Vec<String> {
    texts.into_iter().map(std::borrow::Cow::into_owned).collect()
}

pub(super) fn duration(milliseconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(milliseconds / 1e3)
        .map_err(|_out_of_range| format!("it is damaged: {milliseconds} ms is no time"))
}
