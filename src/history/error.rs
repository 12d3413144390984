//! Why a history cannot be read or written, and what to do.

use std::path::{Path, PathBuf};

use rusqlite::{Error, ErrorCode};

/// What stands between us and a history.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// It has a format that is not known yet.
    #[error(
        "the history `{}` is of a newer mcpvals (format {found}, this one knows {known}): update mcpvals, or name another file with --db",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: usize,
        /// The newest format that is known.
        known: usize,
    },
    /// It is a database of something else.
    #[error(
        "`{}` is a database, but no history of mcpvals; it was left as it is: name another file with --db",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read as a database.
    #[error(
        "`{}` is no SQLite database, or a damaged one; it was left as it is: move it away, or name another file with --db",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Error,
    },
    /// No room is left.
    #[error("the history `{}` could not be written: the disk is full", path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Error,
    },
    /// It may not be written.
    #[error("the history `{}` could not be written: the file or its folder is read-only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Error,
    },
    /// It cannot be opened at all.
    #[error(
        "the history `{}` could not be opened: is it a file that may be read and written, and its folder too?",
        path.display()
    )]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Error,
    },
    /// Others were writing for too long.
    #[error("the history `{}` is in use by another process, try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Error,
    },
    /// The folder for it cannot be made.
    #[error("the folder of the history `{}` could not be made: {source}", path.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// Something else.
    #[error("the history `{}` could not be used: {source}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Error,
    },
}

impl HistoryError {
    /// What an error of SQLite means for this file.
    pub(super) fn of(path: &Path, source: Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Damaged { path, source },
            Some(ErrorCode::DiskFull) => Self::Full { path, source },
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { path, source },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path, source },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path, source },
            _ => Self::Other { path, source },
        }
    }
}
