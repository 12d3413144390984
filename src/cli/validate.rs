//! `mcpvals validate`.

use super::{args::ValidateArguments, environment, failure::Failure, output, remarks::remarks};
use crate::{
    model::ExitCode,
    pipeline::{Request, load},
    plan::{Choice, Settings},
    source::Severity,
    text::count,
};

/// Reads and plans everything, runs nothing.
pub fn validate(arguments: &ValidateArguments) -> Result<ExitCode, Failure> {
    let request = Request {
        paths: arguments.source.paths(),
        project: arguments.source.project(),
        settings: Settings::default(),
        choice: Choice::default(),
    };
    let loaded = load(&request, &environment::snapshot());
    output::diagnostics(&loaded.diagnostics, arguments.color);
    output::remarks(&remarks(&arguments.source, &loaded));
    let of = |severity| loaded.diagnostics.iter().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    if errors == 0 && loaded.cases.is_empty() {
        output::complain("no fixture was found");
        return Ok(ExitCode::CouldNotTell);
    }
    let line = match (errors, warnings) {
        (0, 0) => format!("✓ {} valid", count(loaded.cases.len(), "case")),
        (0, warnings) => format!(
            "✓ {} valid, {}",
            count(loaded.cases.len(), "case"),
            count(warnings, "warning")
        ),
        (errors, _) => format!(
            "✗ {}, {} usable",
            count(errors, "problem"),
            count(loaded.cases.len(), "case")
        ),
    };
    output::to_stdout(|out| writeln!(out, "{line}"))?;
    Ok(match errors {
        0 => ExitCode::Open,
        _ => ExitCode::InputWrong,
    })
}
