//! `mcpvals diff`.

use std::{fs, io, path::Path, time::SystemTime};

use super::{
    args::{DiffArguments, SurfaceFailOn},
    environment::expand_home,
    failure::Failure,
    output,
};
use crate::{
    compare::{
        allow,
        surface::{closing, surface_changes},
    },
    model::{ChangeClass, ExitCode, Surface, SurfaceComparison},
    pipeline,
    plan::Secrets,
    report::write_surface_diff,
    run::without_secrets,
    schema::v1::{SurfaceDiff, SurfaceFile},
    source::Diagnostic,
    text::Date,
};

/// Compares two surfaces and says what the new one breaks.
pub fn diff(arguments: &DiffArguments) -> Result<ExitCode, Failure> {
    let mut diagnostics = Vec::new();
    let path = arguments.project.as_deref().map(expand_home);
    let project = pipeline::project(path.as_deref(), &mut diagnostics);
    let diagnostics = without_secrets(diagnostics, &Secrets::default());
    output::diagnostics(&diagnostics, arguments.color);
    let sides = [read(&arguments.old), read(&arguments.new)];
    let [Ok(old), Ok(new)] = sides else {
        let problems: Vec<String> = sides.into_iter().filter_map(Result::err).collect();
        return Err(Failure::Usage(problems.join("\nmcpvals: ")));
    };
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(ExitCode::InputWrong);
    }
    let mut compared = [SurfaceComparison {
        server: new.server["name"].as_str().unwrap_or_default().to_owned(),
        changes: surface_changes(&old, &new, &[]),
        notice: None,
    }];
    let notices = allow(&mut compared, &project.allow, Date::of(SystemTime::now()));
    let [SurfaceComparison { changes, .. }] = compared;
    let fail_on = match arguments.fail_on {
        SurfaceFailOn::Breaking => Some(ChangeClass::Breaking),
        SurfaceFailOn::Risky => Some(ChangeClass::Risky),
        SurfaceFailOn::Never => None,
    };
    if arguments.format == "json" {
        let diff = SurfaceDiff::of(&changes, &notices);
        let text = serde_json::to_string_pretty(&diff).map_err(|error| error.to_string())?;
        output::to_stdout(|out| writeln!(out, "{text}"))?;
    } else {
        for notice in &notices {
            output::complain(notice);
        }
        let colour = output::colour(arguments.color, &io::stdout());
        output::to_stdout(|out| write_surface_diff(&changes, fail_on, colour, out))?;
    }
    let is_closed = closing(&changes, fail_on).next().is_some();
    Ok(if is_closed { ExitCode::Closed } else { ExitCode::Open })
}

fn read(path: &Path) -> Result<Surface, String> {
    let path = expand_home(path);
    let failed = |why: String| format!("`{}` cannot be compared: {why}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    SurfaceFile::read(&text).map_err(|error| failed(error.to_string()))
}
