//! What the servers of one run may write to: a folder of its own, with git repositories in it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A folder for what the servers of one run write, with repositories for the git server in it.
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// One repository to read, and one for each fixture that writes: cases run side by side.
    const REPOSITORIES: [&str; 3] = ["GIT_HISTORY", "GIT_COMMITS", "GIT_BRANCHES"];

    /// A fresh folder below `target`, gone when this value is.
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable");
        fs::create_dir(folder.path().join("files")).expect("the folder is new");
        for name in Self::REPOSITORIES {
            repository(&folder.path().join(name));
        }
        Self { folder }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Environment variables that tell fixtures and project file where things are.
    pub fn variables(&self) -> impl Iterator<Item = (&'static str, PathBuf)> {
        let scratch = [("SCRATCH", self.path().join("files"))];
        let repositories = Self::REPOSITORIES.map(|name| (name, self.path().join(name)));
        scratch.into_iter().chain(repositories)
    }
}

/// Two commits, a second branch, and a change that is not committed.
fn repository(at: &Path) {
    fs::create_dir(at).expect("the folder is new");
    let write = |text: &str| fs::write(at.join("a.txt"), text).expect("the folder is writable");
    git(at, &["init", "--quiet", "--initial-branch=main"]);
    git(at, &["config", "user.name", "Fixture"]);
    git(at, &["config", "user.email", "fixture@example.com"]);
    write("hello\n");
    git(at, &["add", "a.txt"]);
    git(at, &["commit", "--quiet", "--message=first commit"]);
    write("hello\nmore\n");
    git(at, &["commit", "--quiet", "--all", "--message=second commit"]);
    git(at, &["branch", "feature"]);
    write("hello\nmore\nnot committed\n");
}

fn git(at: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(arguments)
        .current_dir(at)
        // The user's own settings (signing, templates, hooks) are not ours to test.
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status()
        .unwrap_or_else(|error| panic!("the fixtures of the git server need `git`: {error}"));
    assert!(status.success(), "git {arguments:?} ended with {status}");
}
