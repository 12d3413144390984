//! Which commit is checked out, from git's own files: no program is started for it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The commit and the branch of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The whole hash of the commit.
    pub commit: Option<String>,
    /// The branch; absent where a commit is checked out without one.
    pub branch: Option<String>,
}

impl Checkout {
    /// What is checked out around a folder. What cannot be read is not known, and no error.
    pub fn around(folder: &Path) -> Self {
        let git = folder.ancestors().find_map(|it| git_folder(&it.join(".git")));
        git.and_then(|git| Self::of(&git)).unwrap_or_default()
    }

    fn of(git: &Path) -> Option<Self> {
        let head = fs::read_to_string(git.join("HEAD")).ok()?;
        let head = head.trim();
        let Some(reference) = head.strip_prefix("ref: ") else {
            return Some(Self {
                commit: hash(head),
                branch: None,
            });
        };
        Some(Self {
            commit: resolve(git, reference),
            branch: reference.strip_prefix("refs/heads/").map(str::to_owned),
        })
    }
}

/// The folder with `HEAD`: `.git` itself, or where a worktree or a submodule says that it is.
fn git_folder(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let text = fs::read_to_string(git).ok()?;
    let folder = text.strip_prefix("gitdir:")?.trim();
    Some(git.parent()?.join(folder))
}

/// The commit of a reference: in a file of its own, or packed with others; a worktree shares them with its repository.
fn resolve(git: &Path, reference: &str) -> Option<String> {
    let shared = fs::read_to_string(git.join("commondir")).map_or_else(|_| git.to_owned(), |it| git.join(it.trim()));
    let loose = [git, &shared].map(|folder| fs::read_to_string(folder.join(reference)));
    if let Some(commit) = loose.into_iter().flatten().find_map(|text| hash(text.trim())) {
        return Some(commit);
    }
    let packed = fs::read_to_string(shared.join("packed-refs")).ok()?;
    let entry = packed
        .lines()
        .find_map(|line| line.split_once(' ').filter(|(_, name)| *name == reference));
    entry.and_then(|(commit, _)| hash(commit))
}

/// A text that is the name of a commit (SHA-1 or SHA-256).
fn hash(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}
