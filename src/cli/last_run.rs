//! Which cases did not pass last time, for `--rerun-failed`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::environment;
use crate::model::{Report, Status};

/// Where the ids of a folder's failed cases are kept: below the user's cache folder, named after the folder.
fn file() -> Option<PathBuf> {
    let cache = environment::variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(environment::variable("HOME")?).join(".cache")))?;
    let folder = std::env::current_dir().ok()?;
    let name: String = folder
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    Some(
        cache
            .join("mcpvals/last-failed")
            .join(format!("{}.json", name.trim_matches('-'))),
    )
}

/// The ids that did not pass in the last run from this folder, or in a report.
pub fn failed(report: Option<&Path>) -> Result<BTreeSet<String>, String> {
    match report {
        Some(path) => from_report(path),
        None => file().and_then(|file| read(&file)).ok_or_else(|| {
            "no earlier run from this folder is known; name a report: --rerun-failed=report.json".to_owned()
        }),
    }
}

fn from_report(path: &Path) -> Result<BTreeSet<String>, String> {
    let failed = |why: String| format!("`{}` is not a report of mcpvals: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let cases = report["cases"]
        .as_array()
        .ok_or_else(|| failed("it has no `cases`".to_owned()))?;
    Ok(cases
        .iter()
        .filter(|case| {
            matches!(case["status"].as_str(), Some("failed" | "errored" | "xpassed")) || case["reached"] == false
        })
        .filter_map(|case| case["id"].as_str().map(str::to_owned))
        .collect())
}

fn read(file: &Path) -> Option<BTreeSet<String>> {
    serde_json::from_str(&fs::read_to_string(file).ok()?).ok()
}

/// Remembers what did not pass, or was not reached before the run was stopped. Cases that this run left out stay as
/// they were.
pub fn remember(report: &Report) {
    let Some(file) = file() else { return };
    let mut failed = read(&file).unwrap_or_default();
    for case in &report.cases {
        match case.status {
            Status::Skipped if case.is_reached => {}
            status if status.is_good() && status != Status::Skipped => {
                failed.remove(case.id.as_str());
            }
            _ => {
                failed.insert(case.id.to_string());
            }
        }
    }
    let written = serde_json::to_string(&failed).map(|text| {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&file, text)
    });
    if let Ok(Err(error)) = written {
        tracing::debug!(%error, file = %file.display(), "what failed could not be remembered");
    }
}
