//! How paths are shown.

use std::path::{Component, Path, PathBuf};

/// A path as messages show it: as the user gave it, without `./`, with forward slashes.
pub(super) fn shown(path: &Path) -> String {
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
    use super::*;

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
