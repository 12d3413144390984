//! One step: fill the placeholders, call the tool, judge the answer.

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{Redactor, bounds};
use crate::{
    judge::assertions::Assertion,
    mcp::{Limit, Session},
    model::{
        Fault, FaultKind, Finding, Heard, Mode, Outcome, Output, Phase, Reply, Status, StepResult, ToolResult, Trace,
    },
    plan::{CompiledAssertion, PlannedAssertion, PlannedStep, Scope, StepValue, fill},
    source::{did_you_mean, nearest},
    text::cut,
};

/// The limit for a `tools/list` that is asked for only to give a hint.
const HINT_LIMIT: Duration = Duration::from_secs(2);

/// A finished step, and what later steps refer to, if they do.
pub(super) struct StepDone {
    pub result: StepResult,
    pub value: Option<StepValue>,
    /// Something about the step that makes its verdict doubtful.
    pub remark: Option<Finding>,
}

/// Runs the steps of one case.
pub(super) struct StepRunner<'a> {
    /// The server; absent in simulation.
    pub session: Option<&'a Session>,
    pub redactor: &'a Redactor,
}

impl StepRunner<'_> {
    /// Runs one step.
    pub(super) async fn run(&self, step: &PlannedStep, scope: &Scope<'_>) -> StepDone {
        let began = Instant::now();
        match self.try_run(step, scope).await {
            Ok(done) => done,
            Err(fault) => {
                let mut result = blank(step, Status::Errored);
                result.duration = began.elapsed();
                result.error = Some(Box::new(bounds::fault(self.redactor.fault(fault))));
                StepDone {
                    result,
                    value: None,
                    remark: None,
                }
            }
        }
    }

    async fn try_run(&self, step: &PlannedStep, scope: &Scope<'_>) -> Result<StepDone, Fault> {
        let prepared = Prepared::new(step, scope)?;
        let wants_list = prepared.needs_tool_list(step);
        let Prepared { input, waiting } = prepared;
        let trace = self.trace(step, &input, wants_list).await?;
        if let Some(fault) = protocol_fault(step, &waiting, &trace) {
            return Err(self.with_hint(fault, step).await);
        }
        let clean = self.redactor.trace(&trace);
        let mut outcomes = Vec::with_capacity(step.assertions.len() + 1);
        let shown = clean.as_ref().unwrap_or(&trace);
        let slip = self.slip(step, &trace.reply).await;
        let unexpected = unexpected_error(step, &waiting, shown, slip.as_deref());
        let remark = slip.filter(|_| unexpected.is_none()).map(|slip| {
            let message = format!("step `{}` got an error, but {slip}", step.id);
            Finding::new("unlisted-tool", message)
        });
        // First, because it is why others do not hold.
        outcomes.extend(unexpected);
        outcomes.extend(judge(step, &waiting, &trace, clean.as_ref()));
        let output = bounds::output(&shown.reply);
        Ok(StepDone {
            remark,
            ..self.judged(step, trace, output, outcomes)
        })
    }

    async fn trace(&self, step: &PlannedStep, arguments: &RawValue, wants_list: bool) -> Result<Trace, Fault> {
        let Some(session) = self.session else {
            return Ok(simulated(step));
        };
        let limit = Limit::from(step.timeout);
        // The list is asked for before the call, so that it says what was there to be called.
        let listed_tools = if wants_list {
            Some(session.tool_names(limit).await?)
        } else {
            None
        };
        let answer = session.call_tool(&step.tool, arguments, limit).await?;
        Ok(Trace {
            tool: step.tool.clone(),
            mode: Mode::Live,
            reply: answer.reply,
            latency: answer.latency,
            listed_tools,
            heard: answer.heard,
        })
    }

    fn judged(&self, step: &PlannedStep, trace: Trace, output: Output, outcomes: Vec<Outcome>) -> StepDone {
        let status = outcomes
            .iter()
            .map(|outcome| outcome.status)
            .max()
            .map_or(Status::Passed, |worst| worst.max(Status::Passed));
        let mut result = blank(step, status);
        result.duration = trace.latency;
        result.outcomes = outcomes
            .into_iter()
            .map(|outcome| bounds::outcome(self.redactor.outcome(outcome)))
            .collect();
        result.output = Some(output);
        result.heard = self.redactor.heard(trace.heard);
        let value = step.is_referenced.then(|| step_value(trace.reply, trace.latency));
        StepDone {
            result,
            value,
            remark: None,
        }
    }

    /// Where the answer is an error: whether the tool is none of the server's, but nearly one of them.
    async fn slip(&self, step: &PlannedStep, reply: &Reply) -> Option<String> {
        if matches!(reply, Reply::Result(result) if !result.is_error) {
            return None;
        }
        let session = self.session.filter(|session| session.is_open())?;
        let names = session.tool_names(HINT_LIMIT).await.ok()?;
        if names.contains(&step.tool) {
            return None;
        }
        let near = nearest(&step.tool, names.iter().map(String::as_str))?;
        Some(format!(
            "the server lists no tool `{}`; did you mean `{near}`?",
            step.tool
        ))
    }

    /// Where a call was refused, says so if the server does not even list the tool.
    async fn with_hint(&self, fault: Fault, step: &PlannedStep) -> Fault {
        let Some(session) = self.session.filter(|session| session.is_open()) else {
            return fault;
        };
        match session.tool_names(HINT_LIMIT).await {
            Ok(names) if !names.contains(&step.tool) => fault.help(format!(
                "the server lists no tool `{}`; {}",
                step.tool,
                did_you_mean(&step.tool, names.iter().map(String::as_str).take(30))
            )),
            _ => fault,
        }
    }
}

/// A step whose placeholders are filled.
struct Prepared<'s> {
    input: Cow<'s, RawValue>,
    /// Assertions that had to wait for values, in the order of the step's waiting ones.
    waiting: Vec<Box<dyn Assertion>>,
}

impl<'s> Prepared<'s> {
    fn new(step: &'s PlannedStep, scope: &Scope<'_>) -> Result<Self, Fault> {
        let missing = |message: String| Fault::server(FaultKind::MissingValue, Phase::Call, message);
        let input = if step.input.get().contains("{{") {
            let written: Value = serde_json::from_str(step.input.get()).expect("JSON was kept");
            let filled = fill(&written, scope).map_err(missing)?;
            Cow::Owned(to_raw_value(&filled).expect("JSON values can be written as JSON"))
        } else {
            Cow::Borrowed(&*step.input)
        };
        let waiting = step
            .assertions
            .iter()
            .filter_map(|planned| match &planned.compiled {
                CompiledAssertion::Ready(_) => None,
                CompiledAssertion::Waiting(argument) => Some((planned, argument)),
            })
            .map(|(planned, argument)| {
                let argument = fill(argument, scope).map_err(missing)?;
                (planned.kind.compile)(&argument).map_err(|problems| {
                    let problems: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
                    let message = format!("`{}`: {}", planned.kind.key, problems.join("; "));
                    Fault::server(FaultKind::MissingValue, Phase::Judge, message)
                })
            })
            .collect::<Result<_, Fault>>()?;
        Ok(Self { input, waiting })
    }

    fn needs_tool_list(&self, step: &PlannedStep) -> bool {
        assertions(step, &self.waiting).any(|(_, assertion)| assertion.needs_tool_list())
    }
}

/// The step's assertions in the order written, ready or made ready.
fn assertions<'a>(
    step: &'a PlannedStep,
    waiting: &'a [Box<dyn Assertion>],
) -> impl Iterator<Item = (&'a PlannedAssertion, &'a dyn Assertion)> {
    let mut waiting = waiting.iter();
    step.assertions.iter().filter_map(move |planned| {
        let assertion = match &planned.compiled {
            CompiledAssertion::Ready(assertion) => assertion,
            CompiledAssertion::Waiting(_) => waiting.next()?,
        };
        Some((planned, assertion.as_ref()))
    })
}

/// Judges the trace as it is. Where a secret is in it, the words come from a second look at the trace without secrets: a
/// message may show a part of the output, and a part of a secret cannot always be recognised.
fn judge(step: &PlannedStep, waiting: &[Box<dyn Assertion>], trace: &Trace, clean: Option<&Trace>) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(step.assertions.len());
    outcomes.extend(assertions(step, waiting).map(|(planned, assertion)| {
        let outcome = assertion.check(trace);
        let outcome = match clean {
            Some(clean) => reworded(outcome, assertion.check(clean)),
            None => outcome,
        };
        Outcome {
            location: Some(planned.location.clone()),
            ..outcome
        }
    }));
    outcomes
}

/// A verdict in the words of another look at it; without words where that one came to another verdict.
fn reworded(outcome: Outcome, clean: Outcome) -> Outcome {
    if outcome.status == clean.status {
        return clean;
    }
    let message = "the details are not shown, because the output holds a secret";
    Outcome::new(outcome.assertion, outcome.status, message)
}

fn expects_error(step: &PlannedStep, waiting: &[Box<dyn Assertion>]) -> bool {
    assertions(step, waiting).any(|(_, assertion)| assertion.expects_error())
}

/// `isError: true` fails a step that does not ask for it.
fn unexpected_error(
    step: &PlannedStep,
    waiting: &[Box<dyn Assertion>],
    shown: &Trace,
    slip: Option<&str>,
) -> Option<Outcome> {
    let Reply::Result(result) = &shown.reply else {
        return None;
    };
    if !result.is_error || step.assertions.iter().any(|one| one.kind.key == "is_error") || expects_error(step, waiting)
    {
        return None;
    }
    let output = result.output.trim();
    let text = if output.is_empty() {
        "without a word".into()
    } else {
        cut(output, 300)
    };
    let slip = slip.map_or(String::new(), |slip| format!("\n{slip}"));
    let mut outcome = Outcome::new(
        "is_error",
        Status::Failed,
        format!("the tool reported an error: {text}{slip}"),
    );
    outcome.location = Some(step.location.clone());
    Some(outcome)
}

/// A JSON-RPC error that the step does not ask for: the tool gave no result, so nothing can be judged.
fn protocol_fault(step: &PlannedStep, waiting: &[Box<dyn Assertion>], trace: &Trace) -> Option<Fault> {
    let Reply::Error(error) = &trace.reply else { return None };
    if expects_error(step, waiting) {
        return None;
    }
    let message = format!("the server answered with error {}: {}", error.code, error.message);
    let data = error.data.as_ref().map(|data| format!("data: {data}"));
    Some(Fault::server(FaultKind::ProtocolError, Phase::Call, message).evidence(data))
}

fn simulated(step: &PlannedStep) -> Trace {
    let output = step.expected_output.clone().unwrap_or_default();
    Trace {
        tool: step.tool.clone(),
        mode: Mode::Simulated,
        reply: Reply::Result(ToolResult {
            raw: Value::Null,
            is_error: false,
            output,
            structured: None,
        }),
        latency: Duration::ZERO,
        listed_tools: None,
        heard: Heard::default(),
    }
}

fn step_value(reply: Reply, latency: Duration) -> StepValue {
    let duration_ms = latency.as_secs_f64() * 1000.0;
    match reply {
        Reply::Result(result) => StepValue {
            output: result.output,
            structured: result.structured,
            content: match result.raw {
                Value::Object(mut raw) => raw.remove("content").unwrap_or_default(),
                _ => Value::Null,
            },
            is_error: result.is_error,
            duration_ms,
        },
        Reply::Error(error) => StepValue {
            output: error.message,
            is_error: true,
            duration_ms,
            ..StepValue::default()
        },
    }
}

/// A result with nothing in it yet.
pub(super) fn blank(step: &PlannedStep, status: Status) -> StepResult {
    StepResult {
        id: step.id.clone(),
        description: step.description.clone(),
        tool: step.tool.clone(),
        location: step.location.clone(),
        status,
        reason: None,
        duration: Duration::ZERO,
        output: None,
        error: None,
        heard: Heard::default(),
        outcomes: Vec::new(),
    }
}

/// Whether later steps can go on after a step: an error stops the case, a failed assertion does not.
pub(super) fn stops_the_case(result: &StepResult) -> bool {
    result.error.is_some()
}

/// Why a step without a value for a placeholder need not be explained: an earlier step failed, which is what matters.
pub(super) fn follows_from(result: &StepResult, earlier: &[StepResult]) -> Option<String> {
    let fault = result.error.as_deref()?;
    let is_missing = fault.kind == FaultKind::MissingValue && fault.phase == Phase::Call;
    let failed = earlier.iter().find(|step| step.status == Status::Failed)?;
    is_missing.then(|| format!("not run: step `{}` failed, and {}", failed.id, fault.message))
}

/// The fault of a step that was under way when the run was stopped.
pub(super) fn interrupted(why: &str) -> Fault {
    Fault::surroundings(
        FaultKind::Interrupted,
        Phase::Call,
        format!("the run was stopped: {why}"),
    )
}
