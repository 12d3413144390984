//! How paths are named, so that a file has one name however a user spells the way to it.

use std::{
    env,
    path::{Component, Path, PathBuf},
};

/// The folders that names are relative to.
#[derive(Debug, Default)]
pub(super) struct Bearings {
    /// The working directory, absolute and without symlinks.
    here: PathBuf,
    /// The repository around it, or else itself.
    home: PathBuf,
}

impl Bearings {
    /// Those of this process. Without a working directory every name is absolute.
    pub fn of_process() -> Self {
        env::current_dir()
            .and_then(|here| here.canonicalize())
            .map_or_else(|_| Self::default(), |here| Self::at(&here))
    }

    fn at(here: &Path) -> Self {
        Self {
            here: here.to_owned(),
            home: repository(here).unwrap_or(here).to_owned(),
        }
    }

    /// The one name of an existing file or folder: relative to the working directory within the repository, so that it
    /// is the same on every machine, and absolute elsewhere.
    pub fn name(&self, path: &Path, canonical: &Path) -> PathBuf {
        let absolute = normal(&self.here.join(path));
        // `link/..` is not where it seems to be.
        let absolute = match absolute.canonicalize() {
            Ok(same) if same == canonical => absolute,
            _ => canonical.to_owned(),
        };
        let name = self.relative(&absolute);
        name.or_else(|| self.relative(&without_symlinks_above(&absolute)?))
            .unwrap_or(absolute)
    }

    fn relative(&self, absolute: &Path) -> Option<PathBuf> {
        let shared = self.here.ancestors().find(|folder| absolute.starts_with(folder))?;
        if !shared.starts_with(&self.home) {
            return None;
        }
        let up = self
            .here
            .strip_prefix(shared)
            .ok()?
            .components()
            .map(|_| Component::ParentDir);
        let down = absolute.strip_prefix(shared).ok()?;
        Some(tidy(&up.collect::<PathBuf>().join(down)))
    }
}

/// The root of the repository that an absolute folder is in, if it is in one.
pub(super) fn repository(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|it| it.join(".git").exists())
}

/// The path with its `..` applied to the words before them.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = normal.pop(),
            component => normal.push(component),
        }
    }
    normal
}

/// The same place with its folder spelled without symlinks, as the shell's `$PWD` may hold some.
fn without_symlinks_above(absolute: &Path) -> Option<PathBuf> {
    Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?))
}

/// A path as messages show it: as the user gave it, without `./`, with forward slashes.
pub fn shown(path: &Path) -> String {
    let shown = tidy(path).to_string_lossy().into_owned();
    if std::path::MAIN_SEPARATOR == '/' {
        shown
    } else {
        shown.replace(std::path::MAIN_SEPARATOR, "/")
    }
}

/// A path without `./` anywhere in it; `..` stays, because a symlink may stand before it.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let tidy: PathBuf = path
        .components()
        .filter(|it| !matches!(it, Component::CurDir))
        .collect();
    if tidy.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        tidy
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// `repo/{.git,sub/evals/a.yaml}` and `outside/b.yaml`, looked at from `repo/sub`.
    fn tree() -> (tempfile::TempDir, PathBuf, Bearings) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["repo/.git", "repo/sub/evals", "repo/other", "outside"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in ["repo/sub/evals/a.yaml", "repo/other/c.yaml", "outside/b.yaml"] {
            fs::write(root.join(name), "").unwrap();
        }
        symlink(root.join("repo"), root.join("link")).unwrap();
        symlink(root.join("outside"), root.join("repo/sub/away")).unwrap();
        symlink(root.join("outside/b.yaml"), root.join("repo/sub/evals/b.yaml")).unwrap();
        let bearings = Bearings::at(&root.join("repo/sub"));
        (folder, root, bearings)
    }

    #[test]
    fn a_file_has_one_name_however_it_is_spelled() {
        let (_folder, root, bearings) = tree();
        let name = |path: &str| {
            let path = bearings.here.join(path.replace("ROOT", root.to_str().unwrap()));
            let name = bearings.name(&path, &path.canonicalize().unwrap());
            name.display().to_string().replace(root.to_str().unwrap(), "ROOT")
        };
        for (path, expected) in [
            ("evals/a.yaml", "evals/a.yaml"),
            ("./evals/../evals/./a.yaml", "evals/a.yaml"),
            ("../sub/evals/a.yaml", "evals/a.yaml"),
            ("ROOT/repo/sub/evals/a.yaml", "evals/a.yaml"),
            ("ROOT/link/sub/evals/a.yaml", "evals/a.yaml"),
            ("ROOT/repo/sub", "."),
            ("..", ".."),
            ("../other/c.yaml", "../other/c.yaml"),
            ("ROOT/repo/other/c.yaml", "../other/c.yaml"),
            ("../../outside/b.yaml", "ROOT/outside/b.yaml"),
            ("ROOT/outside/b.yaml", "ROOT/outside/b.yaml"),
            ("away/../outside/b.yaml", "ROOT/outside/b.yaml"),
            ("evals/b.yaml", "evals/b.yaml"),
            ("ROOT/link/sub/evals/b.yaml", "evals/b.yaml"),
        ] {
            assert_eq!(name(path), expected, "{path}");
        }
    }

    #[test]
    fn without_a_working_directory_names_are_absolute() {
        let (_folder, root, _) = tree();
        let path = root.join("outside/b.yaml");
        assert_eq!(Bearings::default().name(&path, &path), path);
    }

    #[test]
    fn leaves_out_the_current_folder_only() {
        for (path, expected) in [
            ("./evals/a.yaml", "evals/a.yaml"),
            ("evals/./b//c.yaml", "evals/b/c.yaml"),
            ("../evals/a.yaml", "../evals/a.yaml"),
            ("a/../b.yaml", "a/../b.yaml"),
            ("/abs/a.yaml", "/abs/a.yaml"),
            (".", "."),
            ("./", "."),
        ] {
            assert_eq!(shown(Path::new(path)), expected);
        }
    }
}
