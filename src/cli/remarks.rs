//! What a user may not know of the choice of files and cases.

use std::path::Path;

use super::args::Source;
use crate::{
    discover::shown,
    model::CaseId,
    pipeline::Loaded,
    text::{count, plural},
};

/// Cases that are named; who changed more of them than that knows it.
const MOST_NAMED: usize = 10;

/// A line for each thing that is not run and that may be missed.
pub fn remarks(source: &Source, loaded: &Loaded) -> Vec<String> {
    let remarks = [left_out(source, loaded), ignored(loaded), gone(source, loaded)];
    remarks.into_iter().flatten().collect()
}

/// Who names a folder may not know that the project file has a say in what is a fixture there.
fn left_out(source: &Source, loaded: &Loaded) -> Option<String> {
    let is_worth_a_word = loaded.left_out > 0 && !source.is_default();
    is_worth_a_word.then(|| {
        format!(
            "{} left out by `discovery` of the project file",
            count(loaded.left_out, "file")
        )
    })
}

/// A `.gitignore` may name files that git has nonetheless.
fn ignored(loaded: &Loaded) -> Option<String> {
    let first = shown(loaded.ignored.first()?);
    Some(match loaded.ignored.len() {
        1 => format!(
            "1 file that looks like a fixture is left out because of a `.gitignore`: `{first}`; name it to run it"
        ),
        files => format!(
            "{files} files that look like fixtures are left out because of a `.gitignore`, the first is `{first}`; name them to run them"
        ),
    })
}

/// Cases that `--rerun-failed` did not find. Where paths are given, those in other files are left out on purpose.
fn gone(source: &Source, loaded: &Loaded) -> Option<String> {
    let is_missed = |id: &&String| {
        let file = CaseId::file_in(id);
        source.is_default() || !Path::new(file).exists() || loaded.files.iter().any(|it| shown(it) == file)
    };
    let gone: Vec<&str> = loaded.gone.iter().filter(is_missed).map(String::as_str).collect();
    let named = gone.get(..MOST_NAMED).unwrap_or(&gone).join(", ");
    let more = match gone.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (cases, are) = (count(gone.len(), "case"), plural(gone.len(), "is", "are"));
    (!gone.is_empty()).then(|| format!("{cases} that did not pass last time {are} not found any more: {named}{more}"))
}
