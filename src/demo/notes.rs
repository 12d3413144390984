//! The notebook: notes in memory, numbered from one so that fixtures can name them.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rmcp::schemars;
use schemars::JsonSchema;
use serde::Serialize;

/// Most notes that are kept; a demo that is left running must not grow for ever.
const CAPACITY: usize = 10_000;

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Note {
    /// `n_1`, `n_2`, … in the order of creation; never used again.
    pub id: String,
    /// First line.
    pub title: String,
    /// Everything else.
    pub body: String,
}

/// All notes of one server.
#[derive(Debug, Default)]
pub(super) struct Notebook(Mutex<Pages>);

#[derive(Debug, Default)]
struct Pages {
    created: u64,
    notes: BTreeMap<u64, Note>,
}

impl Notebook {
    /// Writes a note, or says why it cannot be kept.
    pub fn create(&self, title: String, body: String) -> Result<Note, String> {
        let mut pages = self.pages();
        if pages.notes.len() == CAPACITY {
            return Err(format!("the notebook is full: it holds {CAPACITY} notes"));
        }
        pages.created += 1;
        let number = pages.created;
        let id = format!("n_{number}");
        let note = Note { id, title, body };
        pages.notes.insert(number, note.clone());
        Ok(note)
    }

    /// The note with this id, or a message that there is none.
    pub fn find(&self, id: &str) -> Result<Note, String> {
        let pages = self.pages();
        number(id)
            .and_then(|number| pages.notes.get(&number).cloned())
            .ok_or_else(|| missing(id))
    }

    /// Every note that contains `words` in title or body, whatever the case; all of them if `words` is empty.
    pub fn search(&self, words: &str) -> Vec<Note> {
        let words = words.to_lowercase();
        let contains = |text: &str| text.to_lowercase().contains(&words);
        self.pages()
            .notes
            .values()
            .filter(|note| contains(&note.title) || contains(&note.body))
            .cloned()
            .collect()
    }

    /// Tears a note out.
    pub fn delete(&self, id: &str) -> Result<Note, String> {
        let mut pages = self.pages();
        number(id)
            .and_then(|number| pages.notes.remove(&number))
            .ok_or_else(|| missing(id))
    }

    /// A note is written whole or not at all, so a panic elsewhere leaves nothing half done.
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn number(id: &str) -> Option<u64> {
    id.strip_prefix("n_")?.parse().ok()
}

fn missing(id: &str) -> String {
    format!("no note with id `{id}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(titles: &[&str]) -> Notebook {
        let notebook = Notebook::default();
        for title in titles {
            notebook
                .create((*title).to_owned(), String::new())
                .expect("there is room");
        }
        notebook
    }

    #[test]
    fn ids_count_from_one_and_are_never_used_again() {
        let notebook = notebook(&["a", "b"]);
        notebook.delete("n_2").expect("it exists");
        let next = notebook.create("c".into(), String::new()).expect("there is room");
        assert_eq!(next.id, "n_3");
        assert_eq!(notebook.find("n_2"), Err("no note with id `n_2`".to_owned()));
    }

    #[test]
    fn search_ignores_case_and_keeps_the_order_of_creation() {
        let notebook = notebook(&["Milk", "bread", "buttermilk"]);
        let titles: Vec<String> = notebook.search("MILK").into_iter().map(|note| note.title).collect();
        assert_eq!(titles, ["Milk", "buttermilk"]);
        assert_eq!(notebook.search("").len(), 3);
        assert_eq!(notebook.search("cheese"), []);
    }
}
