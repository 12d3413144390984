//! `mcpvals history`.

use std::{cell::RefCell, io::Write, path::Path, time::Duration};

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Value, json};

use super::{
    args::{ExportArguments, HistoryArguments, HistoryCommand},
    changes::{moment, short},
    database,
    environment::expand_home,
    failure::Failure,
    output,
};
use crate::{
    history::{CaseResult, History},
    model::{ExitCode, Status},
    schema::v1::{self, Mode, Verdict, history::Run},
    text::{cut, duration, sanitize},
};

/// Characters of a reason.
const MAX_REASON: usize = 300;

/// Lists runs or the results of cases, or exports everything.
pub fn history(arguments: &HistoryArguments) -> Result<ExitCode, Failure> {
    if let Some(HistoryCommand::Export(arguments)) = &arguments.command {
        return export(arguments);
    }
    let history = database::open(&arguments.file)?;
    let is_json = arguments.format == "json";
    let path = history.path().display();
    if let Some(text) = &arguments.case {
        let results = history.results(text, arguments.limit.get())?;
        print(&results, result, is_json.then(|| results_as_json(&results)))?;
        return found(results.len(), || {
            format!("no case whose name contains `{text}` is recorded in `{path}`")
        });
    }
    let runs = history.runs(arguments.limit.get())?;
    print(&runs, run, is_json.then(|| json!({ "runs": runs })))?;
    found(runs.len(), || format!("no run is recorded in `{path}`"))
}

fn found(number: usize, otherwise: impl Fn() -> String) -> Result<ExitCode, Failure> {
    match number {
        0 => Err(Failure::Surroundings(otherwise())),
        _ => Ok(ExitCode::Open),
    }
}

/// One line each, or all as JSON.
fn print<T>(items: &[T], line: fn(&T) -> String, json: Option<Value>) -> Result<(), String> {
    output::to_stdout(|out| match json {
        Some(json) => writeln!(out, "{json:#}"),
        None => items
            .iter()
            .try_for_each(|item| writeln!(out, "{}", sanitize::line(&line(item)))),
    })
}

/// `42  2026-11-30T22:44:34Z  failed      1 of 2 cases failed (0.2 s)  notes/evals  main 1a2b3c4`.
fn run(run: &Run) -> String {
    let verdict = match run.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Invalid => "invalid",
        Verdict::Incomplete => "incomplete",
    };
    let took = duration(Duration::from_secs_f64(run.duration_ms.max(0.0) / 1000.0));
    let (id, moment, reason, suite) = (run.id, moment(&run.started_at), &run.reason, &run.suite);
    let line = format!("{id:>4}  {moment}  {verdict:<10}  {reason} ({took})  {suite}");
    let words = [
        Some(line.as_str()),
        run.branch.as_deref(),
        run.commit.as_deref().map(short),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// `42  2026-11-30T22:44:34Z  failed   evals/a.yaml › a (simulation): why`.
fn result(result: &CaseResult) -> String {
    let case = &result.case;
    let label = match case.mode {
        Mode::Live => format!(
            " ({})",
            duration(Duration::from_secs_f64(result.duration_ms.max(0.0) / 1000.0))
        ),
        Mode::Simulated => " (simulation)".to_owned(),
    };
    let why = case.why.as_deref().map(|why| format!(": {}", cut(why, MAX_REASON)));
    let commit = result.commit.as_deref().map(|commit| format!("{}  ", short(commit)));
    let (run, moment, id) = (result.run, moment(&result.started_at), &case.id);
    let (status, why, commit) = (
        Status::from(case.status),
        why.unwrap_or_default(),
        commit.unwrap_or_default(),
    );
    format!("{run:>4}  {moment}  {commit}{:<7}  {id}{label}{why}", status.word())
}

fn results_as_json(results: &[CaseResult]) -> Value {
    let result = |result: &CaseResult| {
        json!({
            "run": result.run,
            "started_at": result.started_at,
            "commit": result.commit,
            "case": result.case.id,
            "status": result.case.status,
            "mode": result.case.mode,
            "duration_ms": result.duration_ms,
            "why": result.case.why,
        })
    };
    json!({ "results": results.iter().map(result).collect::<Vec<_>>() })
}

fn export(arguments: &ExportArguments) -> Result<ExitCode, Failure> {
    let history = database::open(&arguments.file)?;
    if let Some(path) = arguments
        .output
        .as_deref()
        .filter(|path| is_same(&expand_home(path), history.path()))
    {
        return Err(Failure::Usage(format!(
            "--output would overwrite the history `{}` itself",
            path.display()
        )));
    }
    let runs = history.runs(usize::MAX)?;
    let failure = RefCell::new(None);
    let all = v1::history::History::of(Lazy {
        history: &history,
        runs: &runs,
        failure: &failure,
    });
    let write = |out: &mut dyn Write| {
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)
    };
    let written = match arguments.output.as_deref() {
        Some(path) if path != Path::new("-") => output::whole_file(&expand_home(path), write),
        _ => output::to_stdout(write),
    };
    match failure.take() {
        Some(failure) => Err(Failure::Surroundings(failure)),
        None => written.map(|()| ExitCode::Open).map_err(Failure::Surroundings),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Runs that are read while they are written, so that a large history never stands in memory.
struct Lazy<'a> {
    history: &'a History,
    runs: &'a [Run],
    failure: &'a RefCell<Option<String>>,
}

impl Serialize for Lazy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut list = serializer.serialize_seq(Some(self.runs.len()))?;
        for run in self.runs {
            match self.history.recorded(run.clone()) {
                Ok(recorded) => list.serialize_element(&recorded)?,
                Err(error) => {
                    let message = error.to_string();
                    *self.failure.borrow_mut() = Some(message.clone());
                    return Err(S::Error::custom(message));
                }
            }
        }
        list.end()
    }
}
