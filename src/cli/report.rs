//! `mcpvals report`.

use std::{fs, path::Path};

use super::{args::FromArguments, environment::expand_home, failure::Failure, reports};
use crate::{
    model::{ExitCode, Report},
    schema::v1::read_report,
};

/// Renders a report that was written earlier. The gate was answered then: here it is only shown.
pub fn report(arguments: &FromArguments) -> Result<ExitCode, Failure> {
    reports::refuse_no_file(&arguments.reports)?;
    let report = read(&expand_home(&arguments.from))?;
    match reports::publish(&arguments.reports, &report)[..] {
        [] => Ok(ExitCode::Open),
        ref problems => Err(problems.join("; ").into()),
    }
}

fn read(path: &Path) -> Result<Report, Failure> {
    let failed = |why: String| Failure::Usage(format!("`{}` cannot be rendered: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    read_report(&text).map_err(failed)
}
