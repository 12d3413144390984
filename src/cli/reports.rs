//! Reports on their way out.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use super::{
    args::{ReportArguments, ReportFile},
    failure::Failure,
    output,
};
use crate::{
    model::Report,
    report::{Detail, Options, reporter},
};

/// A `-` where a file is wanted: somebody who means stdout.
pub fn refuse_no_file(arguments: &ReportArguments) -> Result<(), Failure> {
    let wrong = arguments.files.0.iter().find(|file| file.path == Path::new("-"));
    match wrong {
        Some(ReportFile { reporter, .. }) => {
            let name = reporter.name;
            Err(Failure::Usage(format!(
                "--{name} wants a file; stdout is --format {name}"
            )))
        }
        None => Ok(()),
    }
}

/// What whoever reads the stream wants.
pub fn options(arguments: &ReportArguments, stream: &impl IsTerminal) -> Options {
    Options {
        detail: if arguments.verbose {
            Detail::Verbose
        } else {
            Detail::Normal
        },
        colour: output::colour(arguments.color, stream),
    }
}

/// Writes every report; goes on after one that could not be written, and tells of it.
pub fn publish(arguments: &ReportArguments, report: &Report) -> Vec<String> {
    let files = arguments.files.0.iter();
    let mut problems: Vec<String> = files
        .filter_map(|ReportFile { reporter, path }| output::to_file(path, reporter, report).err())
        .collect();
    let options = options(arguments, &io::stdout());
    if let Some(reporter) = reporter(&arguments.format) {
        problems.extend(output::to_stdout(|out| (reporter.write)(report, options, out)).err());
    }
    problems
}
