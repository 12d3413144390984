//! What a run leaves behind for later: a record in the history, a line in the audit log.

use std::{
    collections::HashMap,
    fs,
    path::{Component, Path, PathBuf},
};

use super::{
    args::RunArguments,
    database,
    environment::{expand_home, variable},
    failure::Failure,
};
use crate::{
    history::{self, Checkout, Circumstances, DEFAULT_KEEP, History},
    model::{Report, Selection},
    pipeline::Loaded,
    schema::v1::audit::Entry,
    text::digest,
};

/// Variables of CI systems that hold the commit.
const COMMITS: &[&str] = &["GITHUB_SHA", "CI_COMMIT_SHA"];

/// Variables of CI systems that hold the branch; in a pull request, GitHub's ref is `7/merge` and the branch elsewhere.
const BRANCHES: &[&str] = &["GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME"];

/// What is kept of a run, settled before it begins.
#[derive(Debug)]
pub struct Keeping {
    history: Option<PathBuf>,
    keep: usize,
    audit_log: Option<PathBuf>,
    circumstances: Circumstances,
}

impl Keeping {
    /// What the command line and the project file ask for.
    pub fn settled(arguments: &RunArguments, loaded: &Loaded) -> Result<Self, Failure> {
        let asked = arguments
            .db
            .as_ref()
            .map(|path| path.as_deref().unwrap_or(Path::new(database::DEFAULT)));
        let history = asked.map(expand_home).or_else(|| database::of_project(&loaded.project));
        let audit_log = arguments.audit_log.as_deref().map(expand_home);
        if let Some(path) = history.as_deref().filter(|path| path.is_dir()) {
            return Err(Failure::Usage(format!(
                "--db wants a file, and `{}` is a folder; a path after --db is always the history's",
                path.display()
            )));
        }
        if let Some(path) = audit_log
            .as_deref()
            .filter(|path| path.is_dir() || *path == Path::new("-"))
        {
            return Err(Failure::Usage(format!(
                "--audit-log wants a file, and `{}` is none",
                path.display()
            )));
        }
        let keep = loaded.project.history.as_ref().and_then(|settings| settings.keep);
        let mut keeping = Self {
            history,
            keep: keep.unwrap_or(DEFAULT_KEEP),
            audit_log,
            circumstances: Circumstances::default(),
        };
        if keeping.history.is_some() || keeping.audit_log.is_some() {
            keeping.circumstances = circumstances(&arguments.source.paths(), &loaded.selection, &loaded.files);
        }
        Ok(keeping)
    }

    /// The files that are written, with the flags that ask for them.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("db", &self.history), ("audit-log", &self.audit_log)];
        files
            .into_iter()
            .filter_map(|(flag, path)| Some((flag, path.as_deref()?)))
    }

    /// Keeps what is to be kept of a run; what could not be kept is told.
    pub fn keep(&self, report: &Report) -> Vec<String> {
        let recorded = self.history.as_deref().map(|path| {
            let recorded = History::open(path).and_then(|mut it| it.record(report, &self.circumstances, self.keep));
            recorded.map(drop).map_err(|error| error.to_string())
        });
        let logged = self.audit_log.as_deref().map(|path| {
            let Circumstances { suite, checkout, .. } = &self.circumstances;
            let entry = Entry::of(report, suite, checkout.commit.as_deref(), checkout.branch.as_deref());
            history::append(path, &entry)
                .map_err(|error| format!("the audit log `{}` could not be written: {error}", path.display()))
        });
        [recorded, logged]
            .into_iter()
            .flatten()
            .filter_map(Result::err)
            .collect()
    }
}

fn circumstances(paths: &[PathBuf], selection: &Selection, files: &[PathBuf]) -> Circumstances {
    let folder = database::folder();
    Circumstances {
        suite: suite(&folder, paths, &selection.narrowed_by),
        checkout: checkout(&folder),
        fixtures: fixtures(files),
        folder,
    }
}

/// The commit that is checked out, if that is known.
pub(super) fn commit() -> Option<String> {
    checkout(&database::folder()).commit
}

/// What CI says is checked out, else what git says.
fn checkout(folder: &Path) -> Checkout {
    let first = |names: &[&str]| names.iter().find_map(|name| variable(name));
    let known = Checkout::around(folder);
    Checkout {
        commit: first(COMMITS).or(known.commit),
        branch: first(BRANCHES).or(known.branch),
    }
}

fn fixtures(files: &[PathBuf]) -> HashMap<String, String> {
    let hashed = |file: &PathBuf| Some((file.to_string_lossy().into_owned(), digest(&fs::read(file).ok()?)));
    files.iter().filter_map(hashed).collect()
}

/// The name that runs of the same choice have in common: `notes/evals --tag smoke`.
fn suite(folder: &Path, paths: &[PathBuf], narrowed_by: &[String]) -> String {
    let name = folder.file_name().map(PathBuf::from).unwrap_or_default();
    let paths = paths.iter().map(|path| {
        let path: PathBuf = path
            .components()
            .filter(|it| !matches!(it, Component::CurDir))
            .collect();
        let below = path.strip_prefix(folder).map_or_else(|_| path.clone(), Path::to_owned);
        // A path that ends with a separator is another text.
        let whole: PathBuf = name.join(below).components().collect();
        whole.to_string_lossy().into_owned()
    });
    let words: Vec<String> = paths.chain(narrowed_by.iter().cloned()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_choice_has_the_same_name() {
        let named = |paths: &[&str], narrowed: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let narrowed: Vec<String> = narrowed.iter().map(|&it| it.to_owned()).collect();
            suite(Path::new("/home/me/notes"), &paths, &narrowed)
        };
        for path in ["evals", "./evals/", "/home/me/notes/evals"] {
            assert_eq!(named(&[path], &[]), "notes/evals");
        }
        assert_eq!(named(&["."], &[]), "notes");
        assert_eq!(named(&["/srv/evals"], &[]), "/srv/evals");
        assert_eq!(
            named(&["a", "b"], &["--tag x", "--shard 1/2"]),
            "notes/a notes/b --tag x --shard 1/2"
        );
    }
}
