//! Where the project file is.

use std::path::{Path, PathBuf};

use super::path::depth_in_repository;

/// Its names, in the order they are looked for.
const NAMES: [&str; 2] = ["mcpvals.yaml", "mcpvals.yml"];

/// The project file of the working directory: here, or in a folder above as far as the repository goes. Outside of a
/// repository only here, so that a file in a shared folder such as `/tmp` never decides what is started.
pub fn project_file() -> Option<PathBuf> {
    let mut folder = PathBuf::new();
    let absolute = std::path::absolute(".").ok()?;
    for _ in 0..=depth_in_repository(&absolute) {
        if let Some(found) = named_in(&folder) {
            return Some(found);
        }
        folder.push("..");
    }
    None
}

fn named_in(folder: &Path) -> Option<PathBuf> {
    NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}
