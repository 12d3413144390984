//! Results built by hand, for the tests of this stage.

use std::time::Duration;

use crate::{
    model::{CaseId, CaseResult, Definition, Mode, Output, Report, Selection, Status, StepResult, Totals, Verdict},
    source::{Location, Span},
};

fn location() -> Location {
    Location {
        file: "a.yaml".into(),
        span: Span::default(),
    }
}

/// A case without steps.
pub(super) fn case(name: &str, status: Status) -> CaseResult {
    CaseResult {
        id: CaseId::new("a.yaml", name),
        name: name.to_owned(),
        description: None,
        tags: Vec::new(),
        location: location(),
        definition: Definition::default(),
        mode: Mode::Live,
        status,
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

/// A case with one step that gave an output.
pub(super) fn answered(name: &str, status: Status, output: &str) -> CaseResult {
    let step = StepResult {
        id: "call".to_owned(),
        description: None,
        tool: "t".to_owned(),
        location: location(),
        status,
        reason: None,
        duration: Duration::from_millis(1),
        samples: Vec::new(),
        output: Some(Output {
            text: output.to_owned(),
            bytes: output.len(),
            is_error: false,
        }),
        heard: None,
        error: None,
        outcomes: Vec::new(),
    };
    CaseResult {
        steps: vec![step],
        ..case(name, status)
    }
}

/// A report of all of these cases.
pub(super) fn report(cases: Vec<CaseResult>) -> Report {
    Report {
        started_at: std::time::UNIX_EPOCH,
        duration: Duration::ZERO,
        verdict: Verdict {
            exit_code: crate::model::ExitCode::Open,
            reason: String::new(),
        },
        totals: Totals::default(),
        cases,
        diagnostics: Vec::new(),
        comparison: None,
        coverage: Vec::new(),
        selection: Selection::default(),
        notes: Vec::new(),
    }
}
