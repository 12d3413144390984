//! The globs of the project file that narrow what is found.

use std::path::{Path, PathBuf};

use globset::GlobSet;

/// Globs that say which files below a folder are fixtures.
#[derive(Debug, Clone, Default)]
pub struct Globs {
    root: PathBuf,
    include: GlobSet,
    exclude: GlobSet,
}

impl Globs {
    /// Globs relative to `root`, the folder of the project file. Without any `include`, every file is included.
    pub fn new(root: &Path, include: GlobSet, exclude: GlobSet) -> Self {
        Self {
            root: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
            include,
            exclude,
        }
    }

    /// Whether a file, by its canonical path, is kept. Files outside of the root are, for no glob speaks of them.
    pub(super) fn keeps(&self, canonical: &Path) -> bool {
        let Ok(relative) = canonical.strip_prefix(&self.root) else {
            return true;
        };
        (self.include.is_empty() || self.include.is_match(relative)) && !self.exclude.is_match(relative)
    }
}

#[cfg(test)]
mod tests {
    use globset::Glob;

    use super::*;

    fn set(glob: &str) -> GlobSet {
        GlobSet::new([Glob::new(glob).unwrap()]).unwrap()
    }

    #[test]
    fn includes_and_excludes() {
        let globs = Globs::new(Path::new("/no/such/root"), set("evals/**/*.yaml"), set("evals/data/**"));
        let keeps = |path: &str| globs.keeps(&Path::new("/no/such/root").join(path));
        assert!(keeps("evals/a.yaml"));
        assert!(keeps("evals/x/y/a.yaml"));
        assert!(!keeps("evals/a.json"));
        assert!(!keeps("evals/data/a.yaml"));
        assert!(keeps("/elsewhere/a.txt"));
    }

    #[test]
    fn keeps_everything_without_globs() {
        let globs = Globs::new(Path::new("/no/such/root"), GlobSet::empty(), GlobSet::empty());
        assert!(globs.keeps(Path::new("/no/such/root/evals/a.yaml")));
        assert!(Globs::default().keeps(Path::new("evals/a.yaml")));
    }
}
