//! `mcpvals list`.

use std::io::{self, Write};

use serde_json::json;

use super::{args::ListArguments, environment, failure::Failure, output, remarks::remarks, run};
use crate::{
    model::{ExitCode, Mode},
    pipeline::{Loaded, Request, load},
    plan::{Plan, PlannedCase, Settings},
    source::Diagnostic,
    text::{count, sanitize},
};

/// Lists what a run would run.
pub fn list(arguments: &ListArguments) -> Result<ExitCode, Failure> {
    let request = Request {
        paths: arguments.source.paths(),
        project: arguments.source.project(),
        settings: Settings::default(),
        choice: run::choice(&arguments.selecting)?,
    };
    let loaded = load(&request, &environment::snapshot());
    output::diagnostics(&loaded.diagnostics, arguments.color);
    output::remarks(&remarks(&arguments.source, &loaded));
    let exit = exit_code(&loaded);
    if exit == ExitCode::CouldNotTell {
        output::complain(match loaded.selection.found {
            0 => "no fixture was found",
            _ => "no case is selected",
        });
    }
    match arguments.format.as_str() {
        "json" => output::to_stdout(|out| writeln!(out, "{:#}", as_json(&loaded.cases)))?,
        _ => output::to_stdout(|out| as_text(&loaded, out))?,
    }
    Ok(exit)
}

fn exit_code(loaded: &Loaded) -> ExitCode {
    match loaded.cases.len() {
        _ if loaded.diagnostics.iter().any(Diagnostic::is_error) => ExitCode::InputWrong,
        0 => ExitCode::CouldNotTell,
        _ => ExitCode::Open,
    }
}

fn as_text(loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    for case in &loaded.cases {
        let mode = match (&case.skip, case.mode) {
            (Some(reason), _) => format!(" (skipped: {reason})"),
            (None, Mode::Simulated) => " (simulation)".to_owned(),
            (None, Mode::Live) => String::new(),
        };
        let steps = count(case.steps.len(), "step");
        let tags = match case.tags.as_slice() {
            [] => String::new(),
            tags => format!(" [{}]", tags.join(", ")),
        };
        writeln!(
            out,
            "{} — {steps}{}{}",
            sanitize::line(case.id.as_str()),
            sanitize::line(&tags),
            sanitize::line(&mode)
        )?;
        if let Some(description) = &case.description {
            writeln!(out, "    {}", sanitize::line(description))?;
        }
        for step in &case.steps {
            let description = step
                .description
                .as_deref()
                .map(|text| format!("  {text}"))
                .unwrap_or_default();
            writeln!(
                out,
                "    {} → {}{}",
                sanitize::line(&step.id),
                sanitize::line(&step.tool),
                sanitize::line(&description)
            )?;
        }
    }
    match (loaded.selection.found, loaded.cases.len()) {
        (found, chosen) if found == chosen => writeln!(out, "{}", count(found, "case")),
        (found, chosen) => writeln!(out, "{chosen} of {}", count(found, "case")),
    }
}

fn as_json(cases: &Plan) -> serde_json::Value {
    let case = |case: &PlannedCase| {
        let steps: Vec<_> = case
            .steps
            .iter()
            .map(|step| json!({ "id": step.id, "description": step.description, "tool": step.tool }))
            .collect();
        json!({
            "id": case.id.as_str(),
            "name": case.name,
            "description": case.description,
            "tags": case.tags,
            "file": &*case.location.file,
            "line": case.location.span.line,
            "skip": case.skip,
            "simulated": case.mode == Mode::Simulated,
            "steps": steps,
        })
    };
    json!({ "cases": cases.iter().map(|it| case(it)).collect::<Vec<_>>() })
}
