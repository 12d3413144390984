//! One case: a server, its steps in order, and another attempt where the author allows one.

use std::time::{Duration, Instant};

use super::{
    Redactor, Stop, bounds,
    servers::{Asking, CaseServer, Lease, NotOpened, Servers},
    step::{StepDone, StepRunner, blank, follows_from, interrupted, stops_the_case},
};
use crate::{
    model::{Attempt, CaseResult, Fault, FaultKind, Finding, Passes, ServerIdentity, Status, StepResult},
    plan::{Environment, PlannedCase, PlannedStep, Scope, StepValue},
};

/// A server that is being opened, or has been.
pub(super) type Opened = Result<Option<Lease>, NotOpened>;

/// Runs cases.
pub(super) struct CaseRunner<'a> {
    pub servers: &'a Servers,
    pub environment: &'a Environment,
    pub redactor: &'a Redactor,
    pub stop: &'a Stop,
    /// How often each case is run.
    pub repeat: u32,
}

/// What one attempt gave.
struct AttemptDone {
    status: Status,
    duration: Duration,
    startup: Option<Duration>,
    server: Option<Box<ServerIdentity>>,
    fault: Option<Box<Fault>>,
    steps: Vec<StepResult>,
    findings: Vec<Finding>,
}

impl CaseRunner<'_> {
    /// Runs a case with the server that was opened for its first attempt.
    pub(super) async fn run(&self, case: PlannedCase, opened: Opened) -> CaseResult {
        if let Some(reason) = case.skip.clone() {
            return skipped_case(case, reason);
        }
        let began = Instant::now();
        let server = CaseServer::of(&case);
        // The first server was opened before the case began.
        let opening = match &opened {
            Ok(lease) => lease.as_ref().and_then(|lease| lease.startup).unwrap_or_default(),
            Err(failure) => failure.took,
        };
        let mut attempts = vec![self.attempt(&case, opened).await];
        while self.goes_on(&case, &attempts) {
            let another = self.servers.lease(&server, Asking::Again);
            let Some(opened) = self.stop.unless_abandoned(another).await else {
                break;
            };
            attempts.push(self.attempt(&case, opened).await);
        }
        CaseResult {
            duration: opening + began.elapsed(),
            ..self.concluded(case, attempts)
        }
    }

    /// Whether there is another attempt: until one is good, or as many as are asked for to find out how many are.
    fn goes_on(&self, case: &PlannedCase, attempts: &[AttemptDone]) -> bool {
        let is_good = attempts.last().is_some_and(|last| last.status.is_good());
        let made = attempts.len();
        let wants_more = match self.repeat {
            0 | 1 => !is_good && made <= case.retries as usize,
            all => made < all as usize,
        };
        wants_more && !self.stop.is_stopped()
    }

    /// The result of a case: the last attempt, or the last good one where attempts disagree.
    fn concluded(&self, case: PlannedCase, mut attempts: Vec<AttemptDone>) -> CaseResult {
        let good = attempts.iter().filter(|one| one.status == Status::Passed).count();
        let passes = (self.repeat > 1).then_some(Passes {
            passed: good as u32,
            of: attempts.len() as u32,
        });
        let samples = if self.repeat > 1 {
            samples(&attempts)
        } else {
            Vec::new()
        };
        let shown = attempts.iter().rposition(|one| one.status == Status::Passed);
        let mut done = attempts.remove(shown.unwrap_or(attempts.len() - 1));
        for (step, samples) in done.steps.iter_mut().zip(samples) {
            step.samples = samples;
        }
        let status = match done.status {
            Status::Passed if attempts.iter().any(|one| one.status != Status::Passed) => Status::Flaky,
            status => status,
        };
        let earlier = attempts.iter().map(|one| Attempt {
            status: one.status,
            duration: one.duration,
            message: why(one),
        });
        CaseResult {
            status,
            startup: done.startup,
            server: done.server,
            fault: done.fault,
            steps: done.steps,
            earlier_attempts: earlier.collect(),
            passes,
            findings: done.findings,
            ..bare(case)
        }
    }

    async fn attempt(&self, case: &PlannedCase, opened: Opened) -> AttemptDone {
        let began = Instant::now();
        let lease = match opened {
            Ok(lease) => lease,
            Err(failure) => return self.not_opened(case, failure),
        };
        let steps = self.steps(case, lease.as_ref()).await;
        let status = steps.iter().map(|step| step.status).max().unwrap_or(Status::Skipped);
        let mut done = AttemptDone {
            status,
            duration: began.elapsed(),
            startup: None,
            server: None,
            fault: None,
            steps,
            findings: Vec::new(),
        };
        if let Some(mut lease) = lease {
            done.duration += lease.startup.unwrap_or_default();
            done.startup = lease.startup;
            done.server = Some(Box::new(self.identity(lease.session.identity())));
            let mut findings = std::mem::take(&mut lease.findings);
            findings.extend(lease.session.findings());
            if !done.steps.iter().any(has_lost_its_server) {
                findings.extend(lease.session.crash());
            }
            done.findings = bounds::findings(self.redactor.findings(findings));
            self.servers.give_back(lease).await;
        }
        done
    }

    fn not_opened(&self, case: &PlannedCase, failure: NotOpened) -> AttemptDone {
        let NotOpened { error, took } = failure;
        AttemptDone {
            status: Status::Errored,
            duration: took,
            startup: None,
            server: None,
            fault: Some(Box::new(bounds::fault(self.redactor.fault(error.fault)))),
            steps: skipped(&case.steps, "the server could not be used"),
            findings: bounds::findings(self.redactor.findings(error.findings)),
        }
    }

    async fn steps(&self, case: &PlannedCase, lease: Option<&Lease>) -> Vec<StepResult> {
        let runner = StepRunner {
            session: lease.map(|lease| lease.session.as_ref()),
            redactor: self.redactor,
        };
        let mut results = Vec::with_capacity(case.steps.len());
        let mut values: Vec<(&str, StepValue)> = Vec::new();
        for (index, step) in case.steps.iter().enumerate() {
            if let Some(reason) = &step.skip {
                results.push(skipped_step(step, reason));
                continue;
            }
            let scope = Scope {
                steps: &values,
                vars: &case.vars,
                environment: self.environment,
            };
            let StepDone { result, value } = match self.stop.unless_abandoned(runner.run(step, &scope)).await {
                Some(done) => done,
                None => self.abandoned(step),
            };
            values.extend(value.map(|value| (step.id.as_str(), value)));
            if let Some(reason) = follows_from(&result, &results) {
                results.push(skipped_step(step, &reason));
                continue;
            }
            let stops = stops_the_case(&result);
            results.push(result);
            if stops {
                let reason = format!("not run: step `{}` gave no result", step.id);
                results.extend(skipped(&case.steps[index + 1..], &reason));
                break;
            }
        }
        results
    }

    fn abandoned(&self, step: &PlannedStep) -> StepDone {
        let why = self.stop.reason().map_or_else(String::new, super::StopReason::words);
        let mut result = blank(step, Status::Errored);
        result.error = Some(Box::new(interrupted(&why)));
        StepDone { result, value: None }
    }

    fn identity(&self, identity: &ServerIdentity) -> ServerIdentity {
        ServerIdentity {
            name: bounds::name(&self.redactor.composed(&identity.name)),
            version: bounds::name(&self.redactor.composed(&identity.version)),
            protocol: bounds::name(&self.redactor.composed(&identity.protocol)),
        }
    }
}

/// The latencies of each step in the attempts that passed.
fn samples(attempts: &[AttemptDone]) -> Vec<Vec<Duration>> {
    let good: Vec<_> = attempts.iter().filter(|one| one.status == Status::Passed).collect();
    let steps = good.first().map_or(0, |one| one.steps.len());
    let of_step = |step: usize| {
        good.iter()
            .filter_map(|one| Some(one.steps.get(step)?.duration))
            .collect()
    };
    (0..steps).map(of_step).collect()
}

/// A case that the run was stopped before, and why.
pub(super) fn not_reached(case: PlannedCase, reason: String) -> CaseResult {
    CaseResult {
        is_reached: false,
        ..skipped_case(case, reason)
    }
}

fn skipped_case(case: PlannedCase, reason: String) -> CaseResult {
    let steps = skipped(&case.steps, &reason);
    CaseResult {
        reason: Some(reason),
        steps,
        ..bare(case)
    }
}

/// A case whose server was being opened when the run was abandoned.
pub(super) fn abandoned(case: PlannedCase, why: &str) -> CaseResult {
    let steps = skipped(&case.steps, "the run was stopped");
    CaseResult {
        status: Status::Errored,
        fault: Some(Box::new(interrupted(why))),
        mode: case.mode,
        steps,
        ..bare(case)
    }
}

/// A skipped result with everything that is known of the case itself.
fn bare(case: PlannedCase) -> CaseResult {
    CaseResult {
        mode: case.mode,
        id: case.id,
        name: case.name,
        description: case.description,
        tags: case.tags,
        location: case.location,
        definition: case.definition,
        status: Status::Skipped,
        reason: None,
        is_reached: true,
        duration: Duration::ZERO,
        startup: None,
        server: None,
        fault: None,
        steps: Vec::new(),
        earlier_attempts: Vec::new(),
        passes: None,
        findings: Vec::new(),
    }
}

fn skipped(steps: &[PlannedStep], reason: &str) -> Vec<StepResult> {
    steps.iter().map(|step| skipped_step(step, reason)).collect()
}

fn skipped_step(step: &PlannedStep, reason: &str) -> StepResult {
    StepResult {
        reason: Some(reason.to_owned()),
        ..blank(step, Status::Skipped)
    }
}

/// Whether the step tells of the end of the server.
fn has_lost_its_server(step: &StepResult) -> bool {
    let fault = step.error.as_ref();
    fault.is_some_and(|fault| matches!(fault.kind, FaultKind::Exited | FaultKind::Closed))
}

/// Why an attempt did not pass, in one line.
fn why(done: &AttemptDone) -> String {
    let of_step = |step: &StepResult| {
        let fault = step.error.as_ref().map(|fault| fault.message.clone());
        let outcome = step.outcomes.iter().find(|outcome| !outcome.status.is_good());
        let text = fault.or_else(|| outcome.map(|outcome| format!("{}: {}", outcome.assertion, outcome.message)))?;
        Some(format!("step `{}`: {text}", step.id))
    };
    let fault = done.fault.as_ref().map(|fault| fault.message.clone());
    fault
        .or_else(|| done.steps.iter().find_map(of_step))
        .unwrap_or_else(|| done.status.word().to_owned())
}
