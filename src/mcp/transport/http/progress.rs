//! How far each open request has come, for the moment when a limit runs out.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// More open requests than these are not worth listing.
const LISTED: usize = 3;

/// All open requests.
#[derive(Debug, Default)]
pub(super) struct Progress(Mutex<BTreeMap<u64, Stage>>);

#[derive(Debug, Default)]
struct Stage {
    head: Option<String>,
    bytes: usize,
}

/// One open request; it is taken off the list when this is dropped.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    progress: &'a Progress,
    id: u64,
}

impl Progress {
    /// Lists a request.
    pub(super) fn enter(&self, id: u64) -> Entry<'_> {
        self.stages().insert(id, Stage::default());
        Entry { progress: self, id }
    }

    /// One line for each of the first open requests.
    pub(super) fn lines(&self) -> Vec<String> {
        self.stages()
            .iter()
            .take(LISTED)
            .map(|(id, stage)| stage.line(*id))
            .collect()
    }

    fn stages(&self) -> MutexGuard<'_, BTreeMap<u64, Stage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stage {
    fn line(&self, id: u64) -> String {
        match &self.head {
            None => format!("request {id}: no HTTP response yet"),
            Some(head) => format!(
                "request {id}: {head}, {} bytes so far, no whole answer in them",
                self.bytes
            ),
        }
    }
}

impl Entry<'_> {
    /// The head of a response came.
    pub(super) fn head(&self, head: String) {
        self.update(|stage| stage.head = Some(head));
    }

    /// More of its body came.
    pub(super) fn body(&self, bytes: usize) {
        self.update(|stage| stage.bytes += bytes);
    }

    /// The answer came; whatever follows in the body is of no account.
    pub(super) fn answered(&self) {
        self.progress.stages().remove(&self.id);
    }

    fn update(&self, change: impl FnOnce(&mut Stage)) {
        if let Some(stage) = self.progress.stages().get_mut(&self.id) {
            change(stage);
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.answered();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_request_tells_how_far_it_came() {
        let progress = Progress::default();
        let entry = progress.enter(4);
        assert_eq!(progress.lines(), ["request 4: no HTTP response yet"]);
        entry.head("HTTP 200 `application/json`".to_owned());
        entry.body(10);
        entry.body(5);
        assert_eq!(
            progress.lines(),
            ["request 4: HTTP 200 `application/json`, 15 bytes so far, no whole answer in them"]
        );
        entry.answered();
        entry.body(1);
        assert!(progress.lines().is_empty());
    }

    #[test]
    fn a_dropped_request_is_off_the_list() {
        let progress = Progress::default();
        drop(progress.enter(1));
        assert!(progress.lines().is_empty());
    }
}
