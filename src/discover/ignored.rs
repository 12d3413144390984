//! Files that a `.gitignore` leaves out although they look like fixtures.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, DirEntry},
    path::{Path, PathBuf},
};

use super::{names, path::tidy, report};

/// Bytes that are looked at: names, servers and variables stand before the steps.
const HEAD: u64 = 64 * 1024;

/// What a walk came upon.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The folders, by their canonical paths, with the names they are shown by.
    pub folders: BTreeMap<PathBuf, PathBuf>,
    /// The files in them, by their canonical paths.
    pub files: HashSet<PathBuf>,
}

impl Walked {
    /// The files that the walk passed over, by their canonical paths, with the names they are shown by. In a folder that
    /// was walked only a `.gitignore` can be the reason; folders that are ignored as a whole were not walked.
    pub fn ignored(&self) -> BTreeMap<PathBuf, PathBuf> {
        let mut ignored = BTreeMap::new();
        for (canonical, folder) in &self.folders {
            // What cannot be read was said by the walk.
            for entry in fs::read_dir(canonical).into_iter().flatten().flatten() {
                let path = canonical.join(entry.file_name());
                if !self.files.contains(&path) && looks_like_a_fixture(&entry) {
                    ignored.insert(path, tidy(&folder.join(entry.file_name())));
                }
            }
        }
        ignored
    }
}

/// Whether a file has the name and the one key of a fixture. For a remark that is enough, and it keeps quiet about the
/// settings and data that are ignored most.
fn looks_like_a_fixture(entry: &DirEntry) -> bool {
    let (name, path) = (entry.file_name(), entry.path());
    entry.file_type().is_ok_and(|kind| kind.is_file())
        && !name.as_encoded_bytes().starts_with(b".")
        && names::is_fixture(Path::new(&name))
        && !report::is_one(&path)
        && report::head(&path, HEAD).is_ok_and(|text| has_steps(&text))
}

fn has_steps(text: &str) -> bool {
    text.contains("steps:") || text.contains("\"steps\"")
}
