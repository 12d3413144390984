//! The one reader of environment variables.

use std::path::{Path, PathBuf};

use crate::plan::Environment;

/// All variables that are valid text.
pub fn snapshot() -> Environment {
    Environment::new(
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    )
}

/// One variable, if it is set and not empty.
pub fn variable(name: &str) -> Option<String> {
    snapshot().non_empty(name).map(str::to_owned)
}

/// Whether this is a CI job, where a progress bar would fill the log.
pub fn is_ci() -> bool {
    variable("CI").is_some_and(|value| value != "false")
}

/// `~` and `~/…` as the home folder; everything else as it is.
pub fn expand_home(path: &Path) -> PathBuf {
    let Ok(rest) = path.strip_prefix("~") else {
        return path.to_owned();
    };
    variable("HOME").map_or_else(|| path.to_owned(), |home| Path::new(&home).join(rest))
}
