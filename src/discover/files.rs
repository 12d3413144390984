//! Which files are fixtures: recursive, sorted, symlink-safe, aware of `.gitignore`.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use ignore::{DirEntry, WalkBuilder};

use super::{
    globs::Globs,
    ignored::Walked,
    names,
    path::{Bearings, repository, shown, tidy},
    project, read, report,
};
use crate::source::Diagnostic;

/// What was found below the given paths.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Files to parse, sorted by path, each once; read one at a time by [`read`](super::read()).
    pub files: Vec<PathBuf>,
    /// Paths that do not exist, folders that cannot be read, files that are no fixtures.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files the globs left out.
    pub left_out: usize,
    /// Files that look like fixtures and were passed over because of a `.gitignore`, sorted.
    pub ignored: Vec<PathBuf>,
}

/// Finds fixtures (`.yaml`, `.yml`, `.json`) below each path; a path that is a file is taken as it is.
///
/// Hidden files, `node_modules`, our own reports and what a `.gitignore` names are left out, with or without a
/// repository around them.
/// A symlink to a file is followed, and the file counted once. A symlink to a folder is not: what lies below the given
/// paths is found without it, and for what lies elsewhere there is a warning.
pub fn discover(paths: &[PathBuf], globs: &Globs) -> Discovery {
    let mut search = Search {
        globs,
        bearings: Bearings::of_process(),
        found: Vec::new(),
        foreign: Vec::new(),
        roots: Vec::new(),
        diagnostics: Vec::new(),
        left_out: 0,
        walked: Walked::default(),
    };
    for path in paths {
        search.path(path);
    }
    search.finish()
}

struct Search<'g> {
    globs: &'g Globs,
    bearings: Bearings,
    found: Vec<Found>,
    /// Symlinks to folders, with where they lead.
    foreign: Vec<(PathBuf, PathBuf)>,
    /// The folders that were walked.
    roots: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
    left_out: usize,
    walked: Walked,
}

struct Found {
    path: PathBuf,
    canonical: PathBuf,
    is_symlink: bool,
}

impl Search<'_> {
    fn path(&mut self, path: &Path) {
        match path
            .canonicalize()
            .and_then(|canonical| Ok((fs::metadata(path)?, canonical)))
        {
            Err(error) => self.diagnostics.push(read::missing(path, &error)),
            Ok((metadata, canonical)) if metadata.is_dir() => {
                self.walk(&self.bearings.name(path, &canonical), canonical);
            }
            Ok((metadata, _)) if !metadata.is_file() => self.diagnostics.push(read::special(&shown(path))),
            Ok((_, canonical)) => match no_fixture(path) {
                Some(problem) => self.diagnostics.push(problem),
                None => self.found.push(Found {
                    path: self.bearings.name(path, &canonical),
                    canonical,
                    is_symlink: path.is_symlink(),
                }),
            },
        }
    }

    fn walk(&mut self, root: &Path, canonical: PathBuf) {
        // Only what is in the repository counts: a user's own ignore files must not change what is tested. And only
        // with a repository required does the walker heed none above its root.
        let walk = WalkBuilder::new(root)
            .require_git(repository(&canonical).is_some())
            .git_global(false)
            .git_exclude(false)
            .ignore(false)
            .filter_entry(|entry| !names::is_left_out(&entry.file_name().to_string_lossy()) || entry.depth() == 0)
            .build();
        for entry in walk {
            match entry {
                Ok(entry) => self.entry(&entry, root, &canonical),
                Err(error) => self.diagnostics.push(unwalkable(&error, root)),
            }
        }
        self.roots.push(canonical);
    }

    fn entry(&mut self, entry: &DirEntry, root: &Path, canonical_root: &Path) {
        let Some(kind) = entry.file_type() else { return };
        let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let canonical: PathBuf = canonical_root.join(relative).components().collect();
        if kind.is_dir() {
            self.walked.folders.insert(canonical, entry.path().to_owned());
        } else if kind.is_symlink() {
            self.symlink(entry.path());
        } else if kind.is_file() {
            self.walked.files.insert(canonical.clone());
            if is_fixture(entry.path()) {
                self.keep(entry.path(), canonical, false);
            }
        }
    }

    fn symlink(&mut self, path: &Path) {
        match path
            .canonicalize()
            .and_then(|canonical| Ok((fs::metadata(path)?, canonical)))
        {
            Ok((metadata, target)) if metadata.is_dir() => self.foreign.push((tidy(path), target)),
            Ok((metadata, target)) if metadata.is_file() && is_fixture(path) => self.keep(path, target, true),
            Err(error) if names::is_fixture(path) => self.diagnostics.push(read::missing(path, &error)),
            _ => {}
        }
    }

    fn keep(&mut self, path: &Path, canonical: PathBuf, is_symlink: bool) {
        if self.globs.keeps(&canonical) {
            self.found.push(Found {
                path: tidy(path),
                canonical,
                is_symlink,
            });
        } else {
            self.left_out += 1;
        }
    }

    /// Sorts by the bytes of the paths; of several names of one file the real one stays.
    fn finish(mut self) -> Discovery {
        let bytes = |path: &PathBuf| path.as_os_str().as_encoded_bytes().to_vec();
        self.found.sort_by_cached_key(|it| (it.is_symlink, bytes(&it.path)));
        let ignored = self.walked.ignored().into_iter();
        let known: HashSet<&PathBuf> = self.found.iter().map(|it| &it.canonical).collect();
        let mut ignored: Vec<PathBuf> = ignored
            .filter(|(canonical, _)| self.globs.keeps(canonical) && !known.contains(canonical))
            .map(|(_, name)| name)
            .collect();
        ignored.sort_by_cached_key(bytes);
        let mut seen = HashSet::new();
        let once = self.found.into_iter().filter(|it| seen.insert(it.canonical.clone()));
        let mut files: Vec<PathBuf> = once.map(|it| it.path).collect();
        files.sort_by_cached_key(bytes);
        self.foreign.sort();
        for (path, target) in self.foreign {
            if !self.roots.iter().any(|root| target.starts_with(root)) {
                self.diagnostics.push(not_followed(&path));
            }
        }
        Discovery {
            files,
            diagnostics: self.diagnostics,
            left_out: self.left_out,
            ignored,
        }
    }
}

/// Why a file that was named is certainly no fixture.
fn no_fixture(path: &Path) -> Option<Diagnostic> {
    let name = shown(path);
    let problem = if project::is_named_like_one(path) {
        let problem = Diagnostic::error("no-fixture", format!("`{name}` is the project file, not a fixture"));
        problem.help("it is read by itself; another one is named with `--project`")
    } else if report::is_one(path) {
        let problem = Diagnostic::error("no-fixture", format!("`{name}` is a report, not a fixture"));
        problem.help("`--rerun-failed=FILE` takes it with `=`")
    } else {
        return None;
    };
    Some(read::at_file(&name, problem))
}

/// Whether a file that a walk came upon is taken for a fixture.
fn is_fixture(path: &Path) -> bool {
    names::is_fixture(path) && !report::is_one(path)
}

fn not_followed(path: &Path) -> Diagnostic {
    let message = format!(
        "the symlink `{}` leads out of the given folders and is not followed",
        shown(path)
    );
    Diagnostic::warning("symlink-not-followed", message)
        .help("give its target as a path of its own to run what is there")
}

fn unwalkable(error: &ignore::Error, root: &Path) -> Diagnostic {
    let place = path_of(error).unwrap_or(root);
    match error.io_error() {
        Some(reason) => read::unreadable(&shown(place), reason),
        None => read::unreadable(&shown(place), &io::Error::other(error.to_string())),
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use tempfile::TempDir;

    use super::*;

    /// A folder with empty files in it; the paths are relative to it in everything that is compared.
    struct Tree(TempDir);

    impl Tree {
        fn of(files: &[&str]) -> Self {
            let tree = Self(tempfile::tempdir().unwrap());
            for file in files {
                tree.write(file, "");
            }
            tree
        }

        fn path(&self, relative: &str) -> PathBuf {
            self.0.path().join(relative)
        }

        fn write(&self, file: &str, text: &str) {
            let path = self.path(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn find(&self, paths: &[&str]) -> (Vec<String>, Vec<String>) {
            self.find_with(paths, &Globs::default())
        }

        fn find_with(&self, paths: &[&str], globs: &Globs) -> (Vec<String>, Vec<String>) {
            let paths: Vec<PathBuf> = paths.iter().map(|it| self.path(it)).collect();
            let found = discover(&paths, globs);
            let prefix = format!("{}/", self.0.path().display());
            let files = found.files.iter().map(|it| shown(it).replace(&prefix, "")).collect();
            let said = found
                .diagnostics
                .iter()
                .map(|it| it.message.replace(&prefix, ""))
                .collect();
            (files, said)
        }
    }

    #[test]
    fn finds_fixtures_at_any_depth_sorted_by_bytes() {
        let tree = Tree::of(&[
            "e/b.yaml",
            "e/a/z.yml",
            "e/a.json",
            "e/B.YAML",
            "e/a-b.yaml",
            "e/readme.md",
            "f/x.yaml",
        ]);
        let (files, said) = tree.find(&["e", "f"]);
        assert_eq!(
            files,
            [
                "e/B.YAML",
                "e/a-b.yaml",
                "e/a.json",
                "e/a/z.yml",
                "e/b.yaml",
                "f/x.yaml"
            ]
        );
        assert!(said.is_empty(), "{said:?}");
    }

    #[test]
    fn takes_each_file_once() {
        let tree = Tree::of(&["e/a.yaml", "e/x/b.yaml"]);
        let (files, said) = tree.find(&["e/x", "e", "e/a.yaml", "./e/./a.yaml", "e"]);
        assert_eq!(files, ["e/a.yaml", "e/x/b.yaml"]);
        assert!(said.is_empty(), "{said:?}");
    }

    #[test]
    fn names_do_not_depend_on_the_spelling_of_the_path() {
        let here = std::env::current_dir().unwrap();
        let spelled = ["tests/fixtures/good", "./tests/../tests/fixtures/good/."].map(PathBuf::from);
        for folder in spelled.iter().chain([&here.join("tests/fixtures/good")]) {
            let found = discover(std::slice::from_ref(folder), &Globs::default());
            let first = shown(&found.files[0]);
            assert_eq!(first, "tests/fixtures/good/everything.yaml", "{}", folder.display());
        }
    }

    #[test]
    fn leaves_out_hidden_and_foreign_files_unless_they_are_named() {
        let files = [
            "e/.hidden.yaml",
            "e/.git/x.yaml",
            "e/node_modules/p/a.json",
            "e/package.json",
            "e/mcpvals.yaml",
            "e/a.yaml",
        ];
        let tree = Tree::of(&files);
        assert_eq!(tree.find(&["e"]).0, ["e/a.yaml"]);
        let named = tree.find(&["e/package.json", "e/.hidden.yaml", "e/node_modules/p"]);
        assert_eq!(named.0, ["e/.hidden.yaml", "e/node_modules/p/a.json", "e/package.json"]);
    }

    #[test]
    fn leaves_out_reports_and_says_so_where_they_are_named() {
        let tree = Tree::of(&["e/a.json"]);
        tree.write("e/r.json", include_str!("../../tests/schema/report-v1.json"));
        tree.write("e/compact.json", r#"{"schema":"mcpvals.report/v1","cases":[]}"#);
        tree.write("e/typo.json", r#"{"schema": "my own", "name": "a"}"#);
        tree.write("e/named.json", r#"{"name": "reads mcpvals.report/v1", "steps": []}"#);
        assert_eq!(tree.find(&["e"]).0, ["e/a.json", "e/named.json", "e/typo.json"]);
        assert_eq!(tree.find(&["e/r.json"]).0, [] as [&str; 0]);
        assert_eq!(tree.find(&["e/r.json"]).1.len(), 1);
    }

    #[test]
    fn heeds_gitignore_with_and_without_a_repository() {
        let tree = Tree::of(&["e/a.yaml", "e/tmp/b.yaml", "e/x/c.yaml", "e/x/keep.yaml"]);
        tree.write("e/.gitignore", "tmp/\n");
        tree.write("e/x/.gitignore", "*.yaml\n!keep.yaml\n");
        assert_eq!(tree.find(&["e"]).0, ["e/a.yaml", "e/x/keep.yaml"]);
        assert_eq!(
            tree.find(&["e/x/c.yaml"]).0,
            ["e/x/c.yaml"],
            "a named file is always taken"
        );
        fs::create_dir(tree.path("e/.git")).unwrap();
        tree.write(".gitignore", "*.yaml\n");
        assert_eq!(
            tree.find(&["e"]).0,
            ["e/a.yaml", "e/x/keep.yaml"],
            "what is above the repository is not asked"
        );
    }

    #[test]
    fn names_ignored_files_that_look_like_fixtures_in_walked_folders_only() {
        let tree = Tree::of(&["e/a.yaml", "e/empty.yaml", "e/x/notes.md"]);
        let fixture = "name: a\nsteps: []\n";
        let files = [
            "b.yaml",
            "x/c.json",
            "x/out.yaml",
            "x/.hidden.yaml",
            "node_modules/d.yaml",
            "target/e.yaml",
        ];
        for file in files {
            tree.write(&format!("e/{file}"), fixture);
        }
        tree.write("e/r.json", include_str!("../../tests/schema/report-v1.json"));
        tree.write(
            "e/.gitignore",
            "target/\nnode_modules/\nempty.yaml\n*.json\nb.yaml\nout.yaml\n",
        );
        let ignored = |paths: &[&str], globs: &Globs| -> Vec<String> {
            let paths: Vec<PathBuf> = paths.iter().map(|it| tree.path(it)).collect();
            let prefix = format!("{}/", tree.0.path().display());
            let ignored = discover(&paths, globs).ignored.into_iter();
            ignored.map(|it| shown(&it).replace(&prefix, "")).collect()
        };
        let all = Globs::default();
        assert_eq!(ignored(&["e"], &all), ["e/b.yaml", "e/x/c.json", "e/x/out.yaml"]);
        assert_eq!(ignored(&["e", "e/x", "e/b.yaml"], &all), ["e/x/c.json", "e/x/out.yaml"]);
        assert_eq!(ignored(&["e/target"], &all), [] as [&str; 0]);
        let set = |glob: &str| globset::GlobSet::new([globset::Glob::new(glob).unwrap()]).unwrap();
        let globs = Globs::new(tree.0.path(), set("**"), set("e/x/**"));
        assert_eq!(ignored(&["e"], &globs), ["e/b.yaml"]);
    }

    #[test]
    fn heeds_the_globs_of_the_project() {
        let tree = Tree::of(&["e/a.yaml", "e/data/b.yaml", "e/c.json"]);
        let set = |glob: &str| globset::GlobSet::new([globset::Glob::new(glob).unwrap()]).unwrap();
        let globs = Globs::new(tree.0.path(), set("e/**/*.yaml"), set("**/data/**"));
        assert_eq!(tree.find_with(&["e"], &globs).0, ["e/a.yaml"]);
        assert_eq!(
            tree.find_with(&["e/c.json"], &globs).0,
            ["e/c.json"],
            "a named file is always taken"
        );
    }

    #[test]
    fn follows_symlinks_to_files_and_counts_them_once() {
        let tree = Tree::of(&["e/real.yaml", "o/other.yaml"]);
        symlink(tree.path("e/real.yaml"), tree.path("e/a-link.yaml")).unwrap();
        symlink(tree.path("o/other.yaml"), tree.path("e/other-link.yaml")).unwrap();
        symlink(tree.path("o/none.yaml"), tree.path("e/broken.yaml")).unwrap();
        let (files, said) = tree.find(&["e"]);
        assert_eq!(files, ["e/other-link.yaml", "e/real.yaml"]);
        assert_eq!(tree.find(&["e/a-link.yaml", "e/real.yaml"]).0, ["e/real.yaml"]);
        assert_eq!(tree.find(&["e/a-link.yaml"]).0, ["e/a-link.yaml"]);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("the symlink `e/broken.yaml` leads nowhere"),
            "{said:?}"
        );
    }

    #[test]
    fn never_follows_symlinks_to_folders() {
        let tree = Tree::of(&["e/x/a.yaml", "o/b.yaml"]);
        symlink(tree.path("e"), tree.path("e/x/loop")).unwrap();
        symlink(tree.path("o"), tree.path("e/out")).unwrap();
        let (files, said) = tree.find(&["e"]);
        assert_eq!(files, ["e/x/a.yaml"]);
        assert_eq!(
            said,
            ["the symlink `e/out` leads out of the given folders and is not followed"]
        );
        assert_eq!(
            tree.find(&["e", "o"]),
            (vec!["e/x/a.yaml".into(), "o/b.yaml".into()], vec![])
        );
        assert_eq!(
            tree.find(&["e/out"]).0,
            ["e/out/b.yaml"],
            "a named folder may be a symlink"
        );
    }

    #[test]
    fn says_what_is_not_there() {
        let tree = Tree::of(&["e/a.yaml"]);
        let (files, said) = tree.find(&["none", "e", "e/none.yaml"]);
        assert_eq!(files, ["e/a.yaml"]);
        assert_eq!(
            said,
            [
                "there is no file or folder `none`",
                "there is no file or folder `e/none.yaml`"
            ]
        );
    }

    #[test]
    fn passes_over_pipes() {
        let tree = Tree::of(&["e/a.yaml"]);
        nix::unistd::mkfifo(&tree.path("e/pipe.yaml"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(tree.find(&["e"]), (vec!["e/a.yaml".into()], vec![]));
    }

    #[test]
    fn says_which_folder_cannot_be_read() {
        let tree = Tree::of(&["e/a.yaml", "e/closed/b.yaml"]);
        let closed = tree.path("e/closed");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let is_root = fs::read_dir(&closed).is_ok();
        let (files, said) = tree.find(&["e"]);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
        if is_root {
            assert_eq!(files, ["e/a.yaml", "e/closed/b.yaml"], "root may read everything");
        } else {
            assert_eq!(files, ["e/a.yaml"]);
            assert_eq!(said, ["cannot read `e/closed`: permission denied"]);
        }
    }
}
