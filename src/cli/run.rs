//! `mcpvals run`.

use std::{
    collections::HashSet,
    io::{self, IsTerminal},
    mem,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{
    against,
    args::{ReportFiles, RunArguments, Selecting},
    environment::{self, expand_home},
    failure::Failure,
    keeping::Keeping,
    last_run::{self, Earlier},
    output,
    remarks::remarks,
    reports, signals,
};
use tokio_util::sync::CancellationToken;

use crate::{
    model::{ExitCode, TimeLimit},
    pipeline::{Evaluation, Loaded, Request, evaluate, load},
    plan::{Choice, Settings},
    report::LiveConsole,
    run::{OnFailure, RunOptions, Stop},
    source::Diagnostic,
};

/// The limit of a server's start where nobody says otherwise: enough for `npx` and `uvx` to fetch a package first.
const DEFAULT_STARTUP_TIMEOUT: TimeLimit = TimeLimit::new(
    Duration::from_secs(30),
    "the default; `startup_timeout` of the server, or --startup-timeout, sets another",
);

/// How long a run that is told twice to stop may take to hand over what it has.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Runs fixtures and reports. Reports come first, the exit code last.
pub async fn run(arguments: Box<RunArguments>) -> Result<ExitCode, Failure> {
    refuse_no_file(&arguments)?;
    let environment = environment::snapshot();
    let request = Request {
        paths: arguments.source.paths(),
        project: arguments.source.project(),
        settings: Settings {
            timeout: arguments.timeout,
            retries: arguments.retries,
            server_scope: arguments.server_scope.map(Into::into),
        },
        choice: choice(&arguments.selecting)?,
    };
    let mut loaded = load(&request, &environment);
    loaded.notes.extend(remarks(&arguments.source, &loaded));
    let keeping = Keeping::settled(&arguments, &loaded)?;
    refuse_to_overwrite(&arguments.reports.files, &keeping, &loaded)?;
    output::diagnostics(&loaded.diagnostics, arguments.reports.color);
    let stop = Stop::default();
    let (leave, listener) =
        signals::listen(stop.clone()).map_err(|error| format!("no signal can be caught: {error}"))?;
    crate::mcp::adopt_orphans();
    let options = run_options(&arguments, &loaded.project.defaults);
    let against = against::against(&arguments.against, &loaded.project);
    let earlier = earlier(&arguments, &loaded);
    let unusable = mem::take(&mut loaded.unusable);
    let observer = Arc::new(live_console(&arguments));
    let evaluation = tokio::select! {
        evaluation = evaluate(loaded, &environment, &options, &against, observer, stop) => Some(evaluation),
        () = last_words(&leave) => None,
    };
    let exit = match evaluation {
        Some(Ok(Evaluation {
            report,
            surveyed,
            servers,
        })) => {
            last_run::remember(&report, earlier, unusable);
            let mut problems = reports::publish(&arguments.reports, &report);
            problems.extend(keeping.keep(&report));
            problems.extend(against::keep(&arguments.against, &report, &surveyed, &against).err());
            tokio::select! {
                () = servers.shut_down() => {}
                () = leave.cancelled() => {}
            }
            problems.extend(servers.broken_transcript());
            // What was not ended in good order is killed here.
            drop(servers);
            concluded(report.verdict.exit_code, &problems)
        }
        Some(Err(error)) => Err(format!("the run could not begin: {error}").into()),
        None => Ok(ExitCode::CouldNotTell),
    };
    crate::mcp::sweep_orphans();
    listener.abort();
    exit
}

async fn last_words(leave: &CancellationToken) {
    leave.cancelled().await;
    tokio::time::sleep(LAST_WORDS).await;
}

/// The exit code, once the reports are written or not.
fn concluded(exit: ExitCode, problems: &[String]) -> Result<ExitCode, Failure> {
    match (exit, problems) {
        (exit, []) => Ok(exit),
        // The gate is open, but somebody who asked for a file does not have it.
        (ExitCode::Open, problems) => Err(problems.join("; ").into()),
        (exit, problems) => {
            output::complain(&problems.join("; "));
            Ok(exit)
        }
    }
}

/// What is said while the run goes on: on stderr, a bar where a person looks at it.
fn live_console(arguments: &RunArguments) -> LiveConsole {
    let options = reports::options(&arguments.reports, &io::stderr());
    if io::stderr().is_terminal() && !environment::is_ci() {
        LiveConsole::bar(options)
    } else {
        LiveConsole::lines(Box::new(io::stderr()), options)
    }
}

/// What is wrong with the files and folders that are asked for, said before anything runs.
fn refuse_no_file(arguments: &RunArguments) -> Result<(), Failure> {
    reports::refuse_no_file(&arguments.reports)?;
    match arguments.transcript.as_deref().map(expand_home) {
        Some(folder) if folder.exists() && !folder.is_dir() => Err(Failure::Usage(format!(
            "--transcript wants a folder, and `{}` is none",
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// A file to write that is one of the files we read is a forgotten file name, as in `--json evals/a.yaml`.
fn refuse_to_overwrite(ReportFiles(files): &ReportFiles, keeping: &Keeping, loaded: &Loaded) -> Result<(), Failure> {
    let project = loaded.project.source.iter().map(|it| Path::new(it.path().as_ref()));
    let inputs: HashSet<PathBuf> = loaded
        .files
        .iter()
        .map(PathBuf::as_path)
        .chain(project)
        .map(resolved)
        .collect();
    let reports = files.iter().map(|file| (file.reporter.name, file.path.as_path()));
    let mut taken = HashSet::new();
    for (flag, path) in reports.chain(keeping.files()) {
        let (shown, path) = (path.display(), resolved(path));
        if inputs.contains(&path) {
            let message = format!("--{flag} would overwrite `{shown}`, which is read here");
            return Err(Failure::Usage(message));
        }
        if !taken.insert(path) {
            let message = format!("`{shown}` is asked for twice, each report needs a file of its own");
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}

/// One spelling of a path that may not be there yet.
fn resolved(path: &Path) -> PathBuf {
    let in_its_folder = || {
        let absolute = std::path::absolute(path).ok()?;
        Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?))
    };
    let there = path.canonicalize().ok().or_else(in_its_folder);
    there.unwrap_or_else(|| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// A run of everything, in which every file could be read, knows of all that can fail.
fn earlier(arguments: &RunArguments, loaded: &Loaded) -> Earlier {
    let is_whole = arguments.source.is_default() && loaded.selection.narrowed_by.is_empty();
    if is_whole && !loaded.diagnostics.iter().any(Diagnostic::is_error) {
        Earlier::Forgotten
    } else {
        Earlier::Kept
    }
}

fn run_options(arguments: &RunArguments, defaults: &crate::parse::Defaults) -> RunOptions {
    let concurrency = arguments.concurrency.or(defaults.concurrency);
    RunOptions {
        concurrency: concurrency.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get)),
        startup_timeout: startup_timeout(arguments.startup_timeout, defaults.startup_timeout),
        max_time: arguments.max_time,
        repeat: arguments.repeat,
        on_failure: if arguments.fail_fast {
            OnFailure::Stop
        } else {
            OnFailure::GoOn
        },
        has_surfaces: arguments.against.baseline.is_some() || arguments.against.write_baseline.is_some(),
        transcript: arguments.transcript.as_deref().map(expand_home),
    }
}

/// The limit of the start of servers that set none of their own, with the setting it comes from.
fn startup_timeout(flag: Option<Duration>, project: Option<Duration>) -> TimeLimit {
    let of = |length: Option<Duration>, set_by| length.map(|length| TimeLimit::new(length, set_by));
    of(flag, "--startup-timeout")
        .or(of(project, "`defaults.startup_timeout` of mcpvals.yaml"))
        .unwrap_or(DEFAULT_STARTUP_TIMEOUT)
}

/// What narrows the choice of cases.
pub(super) fn choice(selecting: &Selecting) -> Result<Choice, Failure> {
    let rerun = selecting
        .rerun_failed
        .as_ref()
        .map(|report| last_run::failed(report.as_deref().map(expand_home).as_deref()));
    Ok(Choice {
        filters: selecting.filter.clone(),
        tags: selecting.tag.clone(),
        rerun: rerun.transpose().map_err(Failure::Usage)?,
        shard: selecting.shard,
    })
}
