//! `mcpvals compare` and `mcpvals regression-report`.

use std::path::Path;

use super::{
    args::{CompareArguments, HistoryFile, RegressionArguments, RunName, SuiteChoice},
    changes::{self, Changes, Side},
    database,
    environment::expand_home,
    failure::Failure,
    output,
};
use crate::{
    history::{CaseRecord, History},
    model::ExitCode,
    schema::v1::{self, history::Run},
    text::count,
};

/// Compares two runs that the user names.
pub fn compare(arguments: &CompareArguments) -> Result<ExitCode, Failure> {
    let CompareArguments {
        before,
        after,
        suite,
        file,
    } = arguments;
    show(&side(before, suite, file)?, &side(after, suite, file)?)
}

/// Compares the newest run of a suite with the one before it.
pub fn regression_report(arguments: &RegressionArguments) -> Result<ExitCode, Failure> {
    let history = database::open(&arguments.file)?;
    let suite = database::suite(&history, &arguments.suite)?;
    let runs = history.runs_of(&suite, 2)?;
    let [after, before] = &runs[..] else {
        return Err(Failure::Surroundings(format!(
            "nothing to compare: only one run of `{}` is recorded in `{}`",
            suite.name,
            history.path().display()
        )));
    };
    show(&recorded(&history, before)?, &recorded(&history, after)?)
}

fn show(before: &Side, after: &Side) -> Result<ExitCode, Failure> {
    let changes = Changes::between(before, after);
    output::to_stdout(|out| changes.write(out))?;
    if changes.exit_code() == ExitCode::CouldNotTell {
        output::complain("nothing can be compared: the two runs have no case in common that ran in both");
    }
    Ok(changes.exit_code())
}

fn side(name: &RunName, suite: &SuiteChoice, file: &HistoryFile) -> Result<Side, Failure> {
    match name {
        RunName::File(path) => reported(&expand_home(path)),
        RunName::Number(id) => {
            let history = database::open(file)?;
            let run = history.run(*id)?;
            let run = run.ok_or_else(|| missing(&history, &format!("there is no run {id}")))?;
            recorded(&history, &run)
        }
        RunName::Latest(back) => {
            let history = database::open(file)?;
            let suite = database::suite(&history, suite)?;
            let runs = history.runs_of(&suite, back.saturating_add(1))?;
            let run = runs.get(*back).ok_or_else(|| {
                let found = count(runs.len(), "run");
                missing(
                    &history,
                    &format!("no `latest~{back}`: only {found} of `{}`", suite.name),
                )
            })?;
            recorded(&history, run)
        }
    }
}

fn missing(history: &History, what: &str) -> Failure {
    Failure::Usage(format!("{what} in `{}`", history.path().display()))
}

fn recorded(history: &History, run: &Run) -> Result<Side, Failure> {
    Ok(Side::recorded(run, history.cases(run.id)?))
}

/// A run by the report it wrote.
fn reported(path: &Path) -> Result<Side, Failure> {
    let failed = |why: String| Failure::Usage(format!("`{}` is no report of mcpvals: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::Usage(format!(
            "`{}` is neither a number, `latest`, nor a file that can be read: {error}",
            path.display()
        ))
    })?;
    let report: v1::Report<'static> = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    if report.schema != v1::NAME {
        return Err(failed(format!("its `schema` is not `{}`", v1::NAME)));
    }
    let record = |case: &v1::Case<'_>| CaseRecord {
        id: case.id.clone().into_owned(),
        status: case.status,
        mode: case.mode,
        why: case.why().or_else(|| case.reason.clone().map(Into::into)),
    };
    Ok(Side {
        label: format!("{} ({})", path.display(), changes::moment(&report.started_at)),
        suite: None,
        extent: changes::extent(report.verdict, &report.selection.narrowed_by),
        cases: report.cases.iter().map(record).collect(),
    })
}
