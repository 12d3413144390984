//! How far each open request has come, for the moment when a limit runs out.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// All open requests.
#[derive(Debug, Default)]
pub(super) struct Progress(Mutex<HashMap<u64, Stage>>);

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

    /// How far an open request has come, in a line.
    pub(super) fn line(&self, id: u64) -> Option<String> {
        self.stages().get(&id).map(|stage| stage.line(id))
    }

    fn stages(&self) -> MutexGuard<'_, HashMap<u64, Stage>> {
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
        assert_eq!(progress.line(4).unwrap(), "request 4: no HTTP response yet");
        entry.head("HTTP 200 `application/json`".to_owned());
        entry.body(10);
        entry.body(5);
        assert_eq!(
            progress.line(4).unwrap(),
            "request 4: HTTP 200 `application/json`, 15 bytes so far, no whole answer in them"
        );
        entry.answered();
        entry.body(1);
        assert_eq!(progress.line(4), None);
    }

    #[test]
    fn a_dropped_request_is_off_the_list() {
        let progress = Progress::default();
        let other = progress.enter(2);
        drop(progress.enter(1));
        assert_eq!(progress.line(1), None);
        assert!(progress.line(2).is_some());
        drop(other);
    }
}
