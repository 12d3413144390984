//! A run as the baseline of later ones.

use std::collections::BTreeMap;

use super::{Surveyed, normal::normal};
use crate::{
    model::{
        Baseline, BaselineCase, BaselineOutput, BaselineStep, CaseResult, Mode, Output, Report, Status, StepResult,
        Surface,
    },
    source::Diagnostic,
    text::digest,
};

/// Bytes of an output that are kept: what a diff can show.
const EXCERPT: usize = 8 * 1024;

/// The baseline that a run leaves. Simulated cases and those that were not run are no part of it; where only a part of
/// the cases was run, or could be, the others stay as they were before. So does a surface that could not be had.
pub fn baseline(report: &Report, surveyed: &[Surveyed], commit: Option<String>, before: Option<&Baseline>) -> Baseline {
    let ran = report.cases.iter().filter(|case| is_kept(case));
    let mut cases: Vec<BaselineCase> = ran.map(case).collect();
    if is_partial(report) {
        let earlier = before.into_iter().flat_map(|before| &before.cases);
        let others = earlier.filter(|case| !report.cases.iter().any(|ran| ran.id == case.id && is_kept(ran)));
        let others: Vec<_> = others.cloned().collect();
        cases.extend(others);
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Baseline {
        commit,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        servers: servers(surveyed, is_partial(report), before),
        cases,
    }
}

fn servers(surveyed: &[Surveyed], is_partial: bool, before: Option<&Baseline>) -> BTreeMap<String, Surface> {
    let mut servers = before.map(|before| before.servers.clone()).unwrap_or_default();
    servers.retain(|label, _| is_partial || surveyed.iter().any(|it| it.label == *label));
    for server in surveyed {
        if let Ok(surface) = &server.surface {
            servers.insert(server.label.clone(), surface.clone());
        }
    }
    servers
}

fn is_kept(case: &CaseResult) -> bool {
    case.mode == Mode::Live && case.is_reached && case.status != Status::Skipped
}

fn is_partial(report: &Report) -> bool {
    !report.selection.narrowed_by.is_empty()
        || report.cases.iter().any(|case| !case.is_reached)
        || report.diagnostics.iter().any(Diagnostic::is_error)
}

fn case(case: &CaseResult) -> BaselineCase {
    BaselineCase {
        id: case.id.clone(),
        definition: case.definition,
        status: case.status,
        attempts: case.earlier_attempts.len() + 1,
        protocol: case.server.as_ref().map(|server| server.protocol.clone()),
        steps: case.steps.iter().map(step).collect(),
    }
}

fn step(step: &StepResult) -> BaselineStep {
    let outcomes = step.outcomes.iter();
    BaselineStep {
        id: step.id.clone(),
        status: step.status,
        output: step.output.as_ref().map(output),
        latencies: step.samples.clone(),
        outcomes: outcomes
            .map(|outcome| (outcome.assertion.to_string(), outcome.status))
            .collect(),
    }
}

fn output(output: &Output) -> BaselineOutput {
    let normal = normal(&output.text);
    BaselineOutput {
        excerpt: normal[..normal.floor_char_boundary(EXCERPT)].to_owned(),
        is_whole: output.is_whole() && normal.len() <= EXCERPT,
        digest: digest(normal.as_bytes()),
    }
}
