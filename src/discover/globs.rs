//! The globs of the project file that narrow what is found.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs that say which files below a folder are fixtures.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    root: PathBuf,
    include: GlobSet,
    exclude: GlobSet,
}

impl Filter {
    /// Globs relative to `root`, the folder of the project file. Without any `include`, every file is included.
    pub fn new(root: &Path, include: &[String], exclude: &[String]) -> Result<Self, globset::Error> {
        Ok(Self {
            root: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
            include: set(include)?,
            exclude: set(exclude)?,
        })
    }

    /// Whether a file, by its canonical path, is kept. Files outside of the root are, for no glob speaks of them.
    pub(super) fn keeps(&self, canonical: &Path) -> bool {
        let Ok(relative) = canonical.strip_prefix(&self.root) else {
            return true;
        };
        (self.include.is_empty() || self.include.is_match(relative)) && !self.exclude.is_match(relative)
    }
}

fn set(globs: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        // As in `.gitignore`, a single star stays within one folder.
        let glob = glob.strip_prefix("./").unwrap_or(glob);
        set.add(GlobBuilder::new(glob).literal_separator(true).build()?);
    }
    set.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(include: &[&str], exclude: &[&str]) -> Filter {
        let owned = |globs: &[&str]| globs.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        Filter::new(Path::new("/no/such/root"), &owned(include), &owned(exclude)).unwrap()
    }

    fn keeps(filter: &Filter, path: &str) -> bool {
        filter.keeps(&Path::new("/no/such/root").join(path))
    }

    #[test]
    fn keeps_everything_without_globs() {
        assert!(keeps(&filter(&[], &[]), "evals/a.yaml"));
        assert!(keeps(&Filter::default(), "evals/a.yaml"));
    }

    #[test]
    fn includes_and_excludes() {
        let filter = filter(&["./evals/**/*.yaml"], &["evals/data/**"]);
        assert!(keeps(&filter, "evals/a.yaml"));
        assert!(keeps(&filter, "evals/x/y/a.yaml"));
        assert!(!keeps(&filter, "evals/a.json"));
        assert!(!keeps(&filter, "evals/data/a.yaml"));
        assert!(keeps(&filter, "/elsewhere/a.txt"));
    }

    #[test]
    fn a_single_star_stays_within_a_folder() {
        let filter = filter(&[], &["evals/*.yaml"]);
        assert!(!keeps(&filter, "evals/a.yaml"));
        assert!(keeps(&filter, "evals/x/a.yaml"));
    }
}
