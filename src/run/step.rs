//! One step: fill the placeholders, call the tool, judge the answer.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    Redactor, bounds,
    judging::{self, Judged},
};
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
                StepDone { result, value: None }
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
        let judged = Arc::new(Judged { trace, clean });
        let mut outcomes = judge(step, &waiting, &judged).await;
        let unexpected = unexpected_error(step, &waiting, judged.shown());
        let is_error = match &judged.trace.reply {
            Reply::Result(result) => result.is_error,
            Reply::Error(_) => true,
        };
        let slip = if is_error { self.slip(step).await } else { None };
        match (unexpected, slip) {
            (Some(mut outcome), slip) => {
                if let Some(slip) = slip {
                    outcome.message = format!("{} ({slip})", outcome.message);
                }
                // An error nobody expected stands first: it is why others do not hold.
                outcomes.insert(0, outcome);
            }
            (None, Some(slip)) => self.remark(slip),
            (None, None) => {}
        }
        let output = bounds::output(&judged.shown().reply);
        // A judge that was given up still has the trace.
        let trace = Arc::try_unwrap(judged).map_or_else(|shared| shared.trace.clone(), |judged| judged.trace);
        Ok(self.judged(step, trace, output, outcomes))
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

    fn remark(&self, message: String) {
        if let Some(session) = self.session {
            session.remark(Finding::new("unlisted-tool", message));
        }
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
        if !trace.heard.is_empty() {
            result.heard = Some(Box::new(self.redactor.heard(trace.heard)));
        }
        let value = step.is_referenced.then(|| step_value(trace.reply, trace.latency));
        StepDone { result, value }
    }

    /// Where a call was refused, says so if the server does not even list the tool.
    async fn with_hint(&self, fault: Fault, step: &PlannedStep) -> Fault {
        match self.unlisted(step).await {
            Some(names) => fault.help(format!(
                "the server lists no tool `{}`; {}",
                step.tool,
                did_you_mean(&step.tool, names.iter().map(String::as_str).take(30))
            )),
            None => fault,
        }
    }

    /// A slip in the name of a tool makes a step green that expects an error. So where an error came, and the server
    /// lists no such tool but one of nearly that name, that is said.
    async fn slip(&self, step: &PlannedStep) -> Option<String> {
        let names = self.unlisted(step).await?;
        let near = nearest(&step.tool, names.iter().map(String::as_str))?;
        Some(format!(
            "the server lists no tool `{}`; did you mean `{near}`?",
            step.tool
        ))
    }

    /// The tools of the server, if that of the step is not among them.
    async fn unlisted(&self, step: &PlannedStep) -> Option<Arc<[String]>> {
        let session = self.session.filter(|session| session.is_open())?;
        let names = session.tool_names(HINT_LIMIT).await.ok()?;
        (!names.contains(&step.tool)).then_some(names)
    }
}

/// A step whose placeholders are filled.
struct Prepared<'s> {
    input: Cow<'s, RawValue>,
    /// Assertions that had to wait for values, in the order of the step's waiting ones.
    waiting: Vec<Arc<dyn Assertion>>,
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
    waiting: &'a [Arc<dyn Assertion>],
) -> impl Iterator<Item = (&'a PlannedAssertion, &'a Arc<dyn Assertion>)> {
    let mut waiting = waiting.iter();
    step.assertions.iter().filter_map(move |planned| {
        let assertion = match &planned.compiled {
            CompiledAssertion::Ready(assertion) => assertion,
            CompiledAssertion::Waiting(_) => waiting.next()?,
        };
        Some((planned, assertion))
    })
}

async fn judge(step: &PlannedStep, waiting: &[Arc<dyn Assertion>], judged: &Arc<Judged>) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(step.assertions.len());
    for (planned, assertion) in assertions(step, waiting) {
        let outcome = judging::judge(assertion, planned.kind.key, judged).await;
        outcomes.push(Outcome {
            location: Some(planned.location.clone()),
            ..outcome
        });
    }
    outcomes
}

fn expects_error(step: &PlannedStep, waiting: &[Arc<dyn Assertion>]) -> bool {
    assertions(step, waiting).any(|(_, assertion)| assertion.expects_error())
}

/// `isError: true` fails a step that does not ask for it.
fn unexpected_error(step: &PlannedStep, waiting: &[Arc<dyn Assertion>], shown: &Trace) -> Option<Outcome> {
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
    let mut outcome = Outcome::new(
        "is_error",
        Status::Failed,
        format!("the tool reported an error: {text}"),
    );
    outcome.location = Some(step.location.clone());
    Some(outcome)
}

/// A JSON-RPC error that the step does not ask for: the tool gave no result, so nothing can be judged.
fn protocol_fault(step: &PlannedStep, waiting: &[Arc<dyn Assertion>], trace: &Trace) -> Option<Fault> {
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
        samples: Vec::new(),
        output: None,
        error: None,
        heard: None,
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
