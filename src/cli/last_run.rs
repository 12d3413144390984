//! Which cases did not pass last time, for `--rerun-failed`.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::environment;
use crate::{
    model::{Report, Status},
    plan::Rerun,
};

/// Where what failed in a folder is kept: below the user's cache folder, named after the folder.
fn file() -> Option<PathBuf> {
    let cache = environment::variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(environment::variable("HOME")?).join(".cache")))?;
    let folder = std::env::current_dir().ok()?;
    let name = name_of(folder.as_os_str().as_encoded_bytes());
    Some(cache.join("mcpvals/last-failed").join(format!("{name}.json")))
}

/// A file name for a path, another one for each: every byte that is no letter or digit is written in hexadecimal.
fn name_of(path: &[u8]) -> String {
    let mut name = String::with_capacity(path.len());
    for byte in path {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(name, "-{byte:02x}");
        }
    }
    name
}

/// What did not pass in the last run from this folder, or in a report.
pub fn failed(report: Option<&Path>) -> Result<Rerun, String> {
    match report {
        Some(path) => from_report(path),
        None => file().and_then(|file| read(&file)).ok_or_else(|| {
            "no earlier run from this folder is known; name a report: --rerun-failed=report.json".to_owned()
        }),
    }
}

fn from_report(path: &Path) -> Result<Rerun, String> {
    let failed = |why: String| format!("`{}` is not a report of mcpvals: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let cases = report["cases"]
        .as_array()
        .ok_or_else(|| failed("it has no `cases`".to_owned()))?;
    let ids = cases
        .iter()
        .filter(|case| {
            matches!(case["status"].as_str(), Some("failed" | "errored" | "xpassed")) || case["reached"] == false
        })
        .filter_map(|case| case["id"].as_str());
    let problems = report["diagnostics"].as_array().into_iter().flatten();
    let files = problems
        .filter(|problem| problem["severity"] == "error")
        .filter_map(|problem| problem["file"].as_str());
    Ok(Rerun {
        cases: ids.map(str::to_owned).collect(),
        files: files.map(str::to_owned).collect(),
    })
}

fn read(file: &Path) -> Option<Rerun> {
    serde_json::from_str(&fs::read_to_string(file).ok()?).ok()
}

/// What becomes of the memory of earlier runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// Cases that this run left out stay as they were.
    Kept,
    /// This run was about everything: what it did not come upon is gone.
    Forgotten,
}

/// Remembers what did not pass, was not reached before the run was stopped, or could not be run as its file stands.
pub fn remember(report: &Report, earlier: Earlier, unusable: BTreeSet<String>) {
    let Some(file) = file() else { return };
    let mut failed = match earlier {
        Earlier::Kept => read(&file).unwrap_or_default(),
        Earlier::Forgotten => Rerun::default(),
    };
    failed.files.extend(unusable);
    for case in &report.cases {
        failed.files.remove(&*case.location.file);
        match case.status {
            Status::Skipped if case.is_reached => {}
            status if status.is_good() && status != Status::Skipped => {
                failed.cases.remove(case.id.as_str());
            }
            _ => {
                failed.cases.insert(case.id.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_has_a_name_of_its_own() {
        assert_eq!(name_of(b"/home/me/k-a"), "-2fhome-2fme-2fk-2da");
        let names: BTreeSet<String> = ["k/a", "k-a", "k-2fa", "k a"].map(|it| name_of(it.as_bytes())).into();
        assert_eq!(names.len(), 4);
    }
}
