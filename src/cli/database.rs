//! Where the history is, and which of its runs are meant.

use std::path::{Path, PathBuf};

use super::{
    args::{HistoryFile, SuiteChoice},
    environment::expand_home,
    failure::Failure,
};
use crate::{
    discover,
    history::{History, Suite},
    parse::{self, Project},
    text::sanitize,
};

/// The history where nobody says otherwise; that of mcp-eval-runner.
pub const DEFAULT: &str = "~/.mcp/evals.db";

/// The history that a project file asks for: relative to its own folder.
pub fn of_project(project: &Project) -> Option<PathBuf> {
    let settings = project.history.as_ref()?;
    let db = expand_home(Path::new(settings.db.as_deref().unwrap_or(DEFAULT)));
    let file = project
        .source
        .as_ref()
        .map(|source| PathBuf::from(source.path().as_ref()));
    Some(file.and_then(|file| Some(file.parent()?.join(&db))).unwrap_or(db))
}

/// The history to read from; an error where there is none.
pub fn open(file: &HistoryFile) -> Result<History, Failure> {
    let path = match &file.db {
        Some(path) => expand_home(path),
        None => here()
            .and_then(|project| of_project(&project))
            .unwrap_or_else(|| expand_home(Path::new(DEFAULT))),
    };
    match History::open_existing(&path)? {
        Some(history) => Ok(history),
        None => Err(Failure::Surroundings(format!(
            "no run is recorded in `{}`; runs are recorded by `mcpvals run --db`",
            path.display()
        ))),
    }
}

/// The project file that a run would use, as far as it can be read.
fn here() -> Option<Project> {
    let source = discover::read(&discover::project_file()?).ok()?;
    parse::project(&source).value
}

/// The suite that is meant: by name, or the one that was last run from this folder, preferably as a whole. Suites of other
/// folders are meant only where there is no other choice, so that unrelated runs are never mixed.
pub fn suite(history: &History, choice: &SuiteChoice) -> Result<Suite, Failure> {
    let known = history.suites()?;
    let named: Vec<&Suite> = match choice.suite.as_deref() {
        None => known.iter().collect(),
        Some(text) if known.iter().any(|suite| suite.name == text) => {
            known.iter().filter(|suite| suite.name == text).collect()
        }
        Some(text) => known.iter().filter(|suite| suite.name.contains(text)).collect(),
    };
    let folder = folder();
    let here: Vec<&Suite> = named
        .iter()
        .copied()
        .filter(|suite| Path::new(&suite.folder) == folder)
        .collect();
    let candidates = if here.is_empty() { named } else { here };
    let is_open = choice.suite.is_none() && candidates.iter().all(|suite| suite.folder == candidates[0].folder);
    match candidates[..] {
        [] => Err(Failure::Surroundings(none(history, choice, &known))),
        [only] => Ok(only.clone()),
        [newest, ..] if is_open => {
            let whole = candidates.iter().find(|suite| suite.is_whole);
            Ok((*whole.unwrap_or(&newest)).clone())
        }
        _ => Err(Failure::Usage(format!(
            "several suites may be meant; name one with --suite, or run this from its folder: {}",
            listed(&candidates)
        ))),
    }
}

/// The folder that runs from here are recorded under.
pub fn folder() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    here.canonicalize().unwrap_or(here)
}

fn none(history: &History, choice: &SuiteChoice, known: &[Suite]) -> String {
    let path = history.path().display();
    match &choice.suite {
        Some(text) if !known.is_empty() => {
            let known: Vec<&Suite> = known.iter().collect();
            format!(
                "no run of a suite `{text}` is recorded in `{path}`; known are {}",
                listed(&known)
            )
        }
        _ => format!("no run is recorded in `{path}`; runs are recorded by `mcpvals run --db`"),
    }
}

fn listed(suites: &[&Suite]) -> String {
    let names = suites.iter().map(|suite| {
        format!(
            "`{}` (from {})",
            sanitize::line(&suite.name),
            sanitize::line(&suite.folder)
        )
    });
    names.collect::<Vec<_>>().join(", ")
}
