//! `--transcript DIR`: the redacted wire traffic of each session, one JSON object a line.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use serde_json::json;

use super::Redactor;
use crate::mcp::{Direction, Recorder};

/// A folder of transcripts.
pub(super) struct Transcripts {
    folder: PathBuf,
    redactor: Redactor,
    taken: Mutex<HashMap<String, usize>>,
    is_broken: Arc<AtomicBool>,
}

impl Transcripts {
    /// Makes the folder.
    pub(super) fn new(folder: &Path, redactor: Redactor) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            redactor,
            taken: Mutex::default(),
            is_broken: Arc::default(),
        })
    }

    /// Whether any transcript could not be written.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// A new transcript named after a case or a shared server; a second one of the same name gets a number.
    pub(super) fn begin(&self, name: &str) -> io::Result<Arc<dyn Recorder>> {
        let slug = slug(name);
        let number = {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            let number = taken.entry(slug.clone()).or_insert(0);
            *number += 1;
            *number
        };
        let file = match number {
            1 => format!("{slug}.jsonl"),
            _ => format!("{slug}~{number}.jsonl"),
        };
        Ok(Arc::new(Transcript {
            began: Instant::now(),
            redactor: self.redactor.clone(),
            file: Mutex::new(BufWriter::new(File::create(self.folder.join(file))?)),
            is_broken: Arc::clone(&self.is_broken),
        }))
    }
}

struct Transcript {
    began: Instant,
    redactor: Redactor,
    file: Mutex<BufWriter<File>>,
    is_broken: Arc<AtomicBool>,
}

impl Recorder for Transcript {
    fn record(&self, direction: Direction, text: &str, at: Instant) {
        let (direction, text) = match direction {
            Direction::Sent => ("sent", self.redactor.text(text)),
            Direction::Received => ("received", self.redactor.text(text)),
            // A line that is too long was cut on its way here.
            Direction::Noise => ("noise", self.redactor.composed(text)),
        };
        let at_ms = at.saturating_duration_since(self.began).as_secs_f64() * 1000.0;
        let line = json!({
            "at_ms": (at_ms * 1000.0).round() / 1000.0,
            "direction": direction,
            "text": text,
        });
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if writeln!(file, "{line}").and_then(|()| file.flush()).is_err() {
            // A full disk does not change what the server did; the report says that the transcript is not whole.
            self.is_broken.store(true, Ordering::Relaxed);
        }
    }
}

/// A file name that every file system takes, near to the name.
fn slug(name: &str) -> String {
    /// Well under the 255 bytes that file systems allow, with room for a number and an ending.
    const LONGEST: usize = 120;
    let mut slug = String::new();
    for c in name.chars() {
        if slug.len() >= LONGEST {
            break;
        }
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => slug.push(c),
            // A folder's slash, told apart from a hyphen in a name.
            '/' => slug.push('+'),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_matches(['-', '.']);
    if slug.is_empty() {
        "case".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_safe_file_names() {
        assert_eq!(slug("evals/a.yaml › find it"), "evals+a.yaml-find-it");
        assert_eq!(slug("../../etc/passwd"), "+..+etc+passwd");
        assert_eq!(slug("日本"), "case");
    }
}
