//! A baseline in a file of its own, which may be committed.

use std::{fs, io, path::PathBuf};

use super::{Found, Store};
use crate::{
    model::{Baseline, BaselineOrigin},
    schema::v1,
};

/// A larger file is no baseline of ours.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// One file.
#[derive(Debug, Clone)]
pub struct FileStore {
    /// Where it is.
    pub path: PathBuf,
}

impl Store for FileStore {
    fn load(&self) -> Found {
        let place = self.path.display().to_string();
        let origin = |commit| BaselineOrigin {
            place: place.clone(),
            chosen: "the file that was named".to_owned(),
            commit,
        };
        let text = match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Found::Nothing(place),
            Ok(metadata) if !metadata.is_file() => Err("it is not a regular file".to_owned()),
            Ok(metadata) if metadata.len() > MAX_BYTES => Err("it is too large".to_owned()),
            _ => fs::read_to_string(&self.path).map_err(|error| format!("it cannot be read: {error}")),
        };
        match text.and_then(|text| v1::read_baseline(&text)) {
            Ok(baseline) => {
                let origin = origin(baseline.commit.clone());
                Found::Usable(Box::new(baseline), origin)
            }
            Err(why) => Found::Unusable(origin(None), why),
        }
    }

    fn save(&self, baseline: &Baseline) -> Result<(), String> {
        let failed = |error: io::Error| format!("`{}` could not be written: {error}", self.path.display());
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        // Whole or not at all: into a neighbour first, which then takes the place of the old one.
        let mut neighbour = self.path.clone().into_os_string();
        neighbour.push(format!(".{}.part", std::process::id()));
        fs::write(&neighbour, v1::write_baseline(baseline))
            .and_then(|()| fs::rename(&neighbour, &self.path))
            .map_err(|error| {
                let _ = fs::remove_file(&neighbour);
                failed(error)
            })
    }
}
