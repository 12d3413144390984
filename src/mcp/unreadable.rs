//! Frames that are not one JSON value, or not one that is read: what is in them all the same, and what is said of them.

use std::time::Instant;

use super::{broken, inbox::Switchboard, message::Message, pending::Delivery, quote::quoted, weight};
use crate::model::{Fault, FaultKind, Finding, Phase};

/// Messages that are read of one line: each is a remark or an answer, and a line of 16 MiB may hold millions.
pub(super) const MAX_GLUED: usize = 1000;

impl Switchboard {
    /// A frame that is not one JSON value: several on one line, or an answer that is no JSON (`NaN`, a cut string).
    pub(super) fn broken(&self, text: &str, error: &serde_json::Error, received: Instant) {
        let mut messages = serde_json::Deserializer::from_str(text).into_iter::<Message>();
        let mut end = 0;
        let mut read = 0;
        while read < MAX_GLUED
            && let Some(Ok(message)) = messages.next()
        {
            end = messages.byte_offset();
            read += 1;
            self.sort(message, received);
        }
        let rest = text[end..].trim();
        if read > 1 {
            let message = format!("several messages stood on one line of {}", self.source);
            self.findings.note(Finding::new("several-messages-on-a-line", message));
        }
        if read > 0 && !rest.is_empty() {
            let message = format!(
                "text stood behind a message on the same line of {}: {}",
                self.source,
                quoted(rest)
            );
            self.findings.note_first(Finding::new("glued-text", message));
        }
        if read > 0 {
            return;
        }
        let id = broken::id_of_answer(text);
        if let Some(id) = id {
            let fault = broken::fault(id, text, error, Phase::Call);
            self.pending.end(id, Delivery::Fault(fault));
        }
        let message = if broken::is_beyond_us(error) {
            format!(
                "a message on {} {}: {}",
                self.source,
                broken::problem(error),
                quoted(text)
            )
        } else {
            format!("not JSON on {}: {} ({error})", self.source, quoted(text))
        };
        self.findings.note_first(Finding::new("stdout-noise", message));
    }

    /// A message that is not even read: it would take more memory than anybody has use for.
    pub(super) fn too_heavy(&self, text: &str) {
        let what = weight::problem();
        if let Some(id) = broken::id_of_answer(text) {
            let message = format!("the answer with id {id} {what}: {} bytes", text.len());
            let fault = Fault::server(FaultKind::TooLarge, Phase::Call, message);
            return self.pending.end(id, Delivery::Fault(fault));
        }
        let message = format!("a message on {} {what}; it was dropped: {}", self.source, quoted(text));
        self.pending.note_instead(&message);
        self.findings.note_first(Finding::new("message-dropped", message));
    }
}
