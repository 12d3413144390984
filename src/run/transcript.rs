//! `--transcript DIR`: the redacted wire traffic of each session, one JSON object a line.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
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
    broken: Arc<OnceLock<String>>,
}

impl Transcripts {
    /// Makes the folder.
    pub(super) fn new(folder: &Path, redactor: Redactor) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            redactor,
            taken: Mutex::default(),
            broken: Arc::default(),
        })
    }

    /// The first transcript that could not be written, and why.
    pub(super) fn broken(&self) -> Option<String> {
        self.broken.get().cloned()
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
        let path = self.folder.join(file);
        Ok(Arc::new(Transcript {
            began: Instant::now(),
            redactor: self.redactor.clone(),
            file: Mutex::new(BufWriter::new(File::create(&path)?)),
            path,
            broken: Arc::clone(&self.broken),
        }))
    }
}

struct Transcript {
    began: Instant,
    redactor: Redactor,
    path: PathBuf,
    file: Mutex<BufWriter<File>>,
    /// What [`Transcripts::broken`] tells.
    broken: Arc<OnceLock<String>>,
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
        if let Err(error) = writeln!(file, "{line}").and_then(|()| file.flush()) {
            // A full disk does not change what the server did: the run goes on, and its end tells of the first one.
            self.broken.get_or_init(|| {
                let path = self.path.display();
                format!("the transcript `{path}` could not be written to its end: {error}")
            });
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
