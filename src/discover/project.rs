//! Where the project file is.

use std::path::{Path, PathBuf};

use super::path::repository;

/// Its names, in the order they are looked for.
const NAMES: [&str; 2] = ["mcpvals.yaml", "mcpvals.yml"];

/// The project file of the working directory: here, or in a folder above as far as the repository goes. Outside of a
/// repository only here, so that a file in a shared folder such as `/tmp` never decides what is started.
pub fn project_file() -> Option<PathBuf> {
    let here = std::path::absolute(".").ok()?;
    let root = repository(&here).unwrap_or(&here);
    let within = here.ancestors().take_while(|folder| folder.starts_with(root));
    let folders = within.scan(PathBuf::new(), |up, _| {
        let folder = up.clone();
        up.push("..");
        Some(folder)
    });
    folders.into_iter().find_map(|folder| named_in(&folder))
}

/// Whether a file has the name of a project file.
pub(super) fn is_named_like_one(path: &Path) -> bool {
    NAMES.iter().any(|name| path.file_name().is_some_and(|it| it == *name))
}

/// Whatever has the name, be it a symlink that leads nowhere: what it would say must not be passed over in silence.
fn named_in(folder: &Path) -> Option<PathBuf> {
    let paths = NAMES.iter().map(|name| folder.join(name));
    paths.into_iter().find(|path| path.symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn whatever_has_the_name_is_found() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(named_in(folder.path()), None);
        let (first, second) = (folder.path().join("mcpvals.yaml"), folder.path().join("mcpvals.yml"));
        fs::create_dir(&second).unwrap();
        assert_eq!(named_in(folder.path()), Some(second));
        symlink("nowhere", &first).unwrap();
        assert_eq!(named_in(folder.path()), Some(first));
    }
}
