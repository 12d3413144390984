//! The audit log: one line a run, at the end of a file that is never rewritten.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use crate::schema::v1::audit::Entry;

/// Appends one line. It is handed over in a single write in append mode, so that writers at the same time do not mix;
/// a line that an earlier writer could not finish is ended first.
pub fn append(path: &Path, entry: &Entry<'_>) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    let mut log = OpenOptions::new().append(true).create(true).open(path)?;
    if is_cut_short(path) {
        line.insert(0, b'\n');
    }
    let written = log.write(&line)?;
    if written < line.len() {
        return Err(io::Error::new(
            io::ErrorKind::WriteZero,
            format!("only {written} of {} bytes were taken", line.len()),
        ));
    }
    log.flush()
}

/// Whether the file does not end with the end of a line.
fn is_cut_short(path: &Path) -> bool {
    let last = || -> io::Result<u8> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        Ok(last[0])
    };
    last().is_ok_and(|last| last != b'\n')
}
