//! `mcpvals run`.

use std::{
    io::{self, IsTerminal},
    num::NonZeroUsize,
    path::Path,
    sync::Arc,
    time::Duration,
};

use super::{
    args::{RunArguments, Selecting},
    environment::{self, expand_home},
    last_run, output, signals,
};
use crate::{
    model::{ExitCode, Report},
    pipeline::{Evaluation, Request, evaluate, load},
    plan::{Choice, Settings},
    report::{Detail, LiveConsole, Options, Reporter, reporter},
    run::{OnFailure, RunOptions, Stop},
};

/// The limit of a server's start where nobody says otherwise: enough for `npx` and `uvx` to fetch a package first.
const DEFAULT_STARTUP_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs fixtures and reports. Reports come first, the exit code last.
pub async fn run(arguments: Box<RunArguments>) -> Result<ExitCode, String> {
    let files = report_files(&arguments)?;
    let environment = environment::snapshot();
    let request = Request {
        paths: arguments.source.paths(),
        project: arguments.source.project.as_deref().map(expand_home),
        settings: Settings {
            timeout: arguments.timeout,
            retries: arguments.retries,
            server_scope: arguments.server_scope.map(Into::into),
        },
        choice: choice(&arguments.selecting)?,
    };
    let loaded = load(&request, &environment);
    output::diagnostics(&loaded.diagnostics, arguments.color);
    let stop = Stop::default();
    let (leave, listener) =
        signals::listen(stop.clone()).map_err(|error| format!("no signal can be caught: {error}"))?;
    crate::mcp::adopt_orphans();
    let options = run_options(&arguments, &loaded.project.defaults);
    let observer = Arc::new(live_console(&arguments));
    let evaluation = tokio::select! {
        evaluation = evaluate(loaded, &environment, &options, observer, stop) => evaluation,
        () = leave.cancelled() => return Ok(ExitCode::CouldNotTell),
    };
    let Evaluation { report, servers } = evaluation.map_err(|error| format!("the run could not begin: {error}"))?;
    last_run::remember(&report.cases);
    let written = publish(&arguments, &files, &report);
    tokio::select! {
        () = servers.shut_down() => {}
        () = leave.cancelled() => {}
    }
    crate::mcp::sweep_orphans();
    listener.abort();
    match (report.verdict.exit_code, written) {
        // The gate is open, but somebody who asked for a file does not have it.
        (ExitCode::Open, Err(message)) => Err(message),
        (exit, Err(message)) => {
            output::complain(&message);
            Ok(exit)
        }
        (exit, Ok(())) => Ok(exit),
    }
}

/// What is said while the run goes on: on stderr, a bar where a person looks at it.
fn live_console(arguments: &RunArguments) -> LiveConsole {
    let options = options(arguments, &io::stderr());
    if io::stderr().is_terminal() && !environment::is_ci() {
        LiveConsole::bar(options)
    } else {
        LiveConsole::lines(Box::new(io::stderr()), options)
    }
}

fn options(arguments: &RunArguments, stream: &impl IsTerminal) -> Options {
    Options {
        detail: if arguments.verbose {
            Detail::Verbose
        } else {
            Detail::Normal
        },
        colour: output::colour(arguments.color, stream),
    }
}

/// The report files that are asked for, checked before anything runs.
fn report_files(arguments: &RunArguments) -> Result<Vec<(&'static Reporter, std::path::PathBuf)>, String> {
    [("json", &arguments.json), ("junit", &arguments.junit)]
        .into_iter()
        .filter_map(|(name, path)| Some((reporter(name)?, path.as_ref()?)))
        .map(|(reporter, path)| match path.as_path() {
            path if path == Path::new("-") => Err(format!("--{0} wants a file; stdout is --format {0}", reporter.name)),
            path => Ok((reporter, expand_home(path))),
        })
        .collect()
}

fn run_options(arguments: &RunArguments, defaults: &crate::parse::Defaults) -> RunOptions {
    let concurrency = arguments.concurrency.map(NonZeroUsize::get).or(defaults.concurrency);
    RunOptions {
        concurrency: concurrency.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get)),
        startup_timeout: arguments
            .startup_timeout
            .or(defaults.startup_timeout)
            .unwrap_or(DEFAULT_STARTUP_TIMEOUT),
        max_time: arguments.max_time,
        on_failure: if arguments.fail_fast {
            OnFailure::Stop
        } else {
            OnFailure::GoOn
        },
        transcript: arguments.transcript.as_deref().map(expand_home),
    }
}

/// What narrows the choice of cases.
pub(super) fn choice(selecting: &Selecting) -> Result<Choice, String> {
    let rerun = selecting
        .rerun_failed
        .as_ref()
        .map(|report| last_run::failed(report.as_deref()));
    Ok(Choice {
        filters: selecting.filter.clone(),
        tags: selecting.tag.clone(),
        rerun: rerun.transpose()?,
        shard: selecting.shard,
    })
}

/// Writes every report; goes on after one that could not be written.
fn publish(
    arguments: &RunArguments,
    files: &[(&'static Reporter, std::path::PathBuf)],
    report: &Report,
) -> Result<(), String> {
    let mut problems: Vec<String> = files
        .iter()
        .filter_map(|(reporter, path)| output::to_file(path, reporter, report).err())
        .collect();
    let options = options(arguments, &io::stdout());
    if let Some(reporter) = reporter(&arguments.format) {
        problems.extend(output::to_stdout(|out| (reporter.write)(report, options, out)).err());
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("; "))
    }
}
