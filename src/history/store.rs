//! A history file: opened, created and brought to the newest format.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Result};

use super::{
    HistoryError,
    format::{self, Kind, MIGRATIONS},
};

/// How long another process may write before we give up: a large run takes well under a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often we try what SQLite does not wait for by itself.
const PAUSE: Duration = Duration::from_millis(10);

/// An open history.
#[derive(Debug)]
pub struct History {
    pub(super) connection: Connection,
    path: PathBuf,
}

impl History {
    /// Opens a history for writing; it is created where there is none.
    pub fn open(path: &Path) -> Result<Self, HistoryError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|source| HistoryError::Folder {
                path: path.to_owned(),
                source,
            })?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let (mut history, kind) = Self::connect(path, flags)?;
        if kind != Kind::Ours(MIGRATIONS.len()) {
            // The header of a new file is written by it, which two processes cannot do at once.
            history
                .patiently(|connection| connection.pragma_update(None, "journal_mode", "wal"))
                .and_then(|()| format::migrate(&mut history.connection, MIGRATIONS))
                .map_err(|error| history.error(error))?;
        }
        Ok(history)
    }

    /// Opens a history for reading; nothing where there is none.
    pub fn open_existing(path: &Path) -> Result<Option<Self>, HistoryError> {
        if !path.exists() {
            return Ok(None);
        }
        let (mut history, kind) = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if kind == Kind::Empty {
            return Ok(None);
        }
        if kind != Kind::Ours(MIGRATIONS.len()) {
            format::migrate(&mut history.connection, MIGRATIONS).map_err(|error| history.error(error))?;
        }
        Ok(Some(history))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What an error of SQLite means for this history.
    pub(super) fn error(&self, error: Error) -> HistoryError {
        HistoryError::of(&self.path, error)
    }

    /// A connection to a database that is ours, or may become ours; nothing is changed yet.
    fn connect(path: &Path, flags: OpenFlags) -> Result<(Self, Kind), HistoryError> {
        let failed = |error| HistoryError::of(path, error);
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        let history = Self {
            connection,
            path: path.to_owned(),
        };
        let configured = history.connection.busy_timeout(PATIENCE);
        let kind = configured
            .and_then(|()| history.connection.pragma_update(None, "foreign_keys", true))
            .and_then(|()| history.patiently(kind_at_once))
            .map_err(failed)?;
        match kind {
            Kind::Foreign => Err(HistoryError::Foreign { path: history.path }),
            Kind::Ours(found) if found > MIGRATIONS.len() => Err(HistoryError::Newer {
                path: history.path,
                found,
                known: MIGRATIONS.len(),
            }),
            kind => Ok((history, kind)),
        }
    }

    /// SQLite does not wait where waiting could be for ever: for the change of the journal, and for a recovery.
    fn patiently<T>(&self, act: impl Fn(&Connection) -> Result<T>) -> Result<T> {
        let began = Instant::now();
        loop {
            match act(&self.connection) {
                Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => thread::sleep(PAUSE),
                done => return done,
            }
        }
    }
}

/// All of it is seen as it stood at one moment.
fn kind_at_once(connection: &Connection) -> Result<Kind> {
    let moment = connection.unchecked_transaction()?;
    format::kind(&moment)
}

fn is_busy(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
