//! What was odd about a server, each thing once, within a bound.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::Finding;

/// Remarks kept for a session.
const MAX_FINDINGS: usize = 20;

/// Codes of remarks that may explain why an answer did not come; they stand beside a fault as evidence.
const EXPLAINING: [&str; 12] = [
    "stdout-noise",
    "glued-text",
    "bad-utf8",
    "content-length-framing",
    "unfinished-message",
    "unknown-id",
    "error-without-id",
    "server-request",
    "replies-dropped",
    "message-dropped",
    "oversized-id",
    "answer-refused",
];

/// The remarks of a session, in the order they came up.
#[derive(Debug, Default)]
pub(super) struct Findings {
    log: Mutex<Log>,
}

/// A moment in the life of a session: what was noted before it is somebody else's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark(usize);

#[derive(Debug, Default)]
struct Log {
    seen: Vec<Seen>,
    now: Mark,
}

#[derive(Debug)]
struct Seen {
    finding: Finding,
    more: usize,
    last: Mark,
}

impl Findings {
    /// A remark that is the same each time: kept once.
    pub(super) fn note(&self, finding: Finding) {
        self.keep(finding, |seen, new| seen == new);
    }

    /// A remark that quotes what was seen: the first of its code is kept, the rest is counted.
    pub(super) fn note_first(&self, finding: Finding) {
        self.keep(finding, |seen, new| seen.code == new.code);
    }

    /// This moment.
    pub(super) fn mark(&self) -> Mark {
        self.log().now
    }

    /// All remarks; says how often one came up again.
    pub(super) fn list(&self) -> Vec<Finding> {
        self.list_since(Mark::default())
    }

    /// The remarks that came up, perhaps again, since then.
    pub(super) fn list_since(&self, since: Mark) -> Vec<Finding> {
        let log = self.log();
        let new = log.seen.iter().filter(|seen| seen.last >= since);
        new.map(Seen::told).collect()
    }

    /// Those remarks that may explain why an answer did not come.
    pub(super) fn evidence(&self, since: Mark) -> Vec<String> {
        let mut list = self.list_since(since);
        list.retain(|finding| EXPLAINING.contains(&finding.code.as_ref()));
        list.into_iter().map(|finding| finding.message).collect()
    }

    fn keep(&self, finding: Finding, is_same: impl Fn(&Finding, &Finding) -> bool) {
        let mut log = self.log();
        let Log { seen, now } = &mut *log;
        if let Some(known) = seen.iter_mut().find(|seen| is_same(&seen.finding, &finding)) {
            known.more += 1;
            known.last = *now;
        } else if seen.len() < MAX_FINDINGS {
            seen.push(Seen {
                finding,
                more: 0,
                last: *now,
            });
        }
        now.0 += 1;
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn told(&self) -> Finding {
        match self.more {
            0 => self.finding.clone(),
            more => Finding {
                message: format!("{} (and {more} more)", self.finding.message),
                code: self.finding.code.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_comes_again() {
        let findings = Findings::default();
        findings.note(Finding::new("a", "one"));
        findings.note(Finding::new("a", "two"));
        findings.note(Finding::new("a", "one"));
        findings.note_first(Finding::new("stdout-noise", "first"));
        findings.note_first(Finding::new("stdout-noise", "second"));
        let list = findings.list();
        let messages: Vec<&str> = list.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["one (and 1 more)", "two", "first (and 1 more)"]);
        assert_eq!(findings.evidence(Mark::default()), ["first (and 1 more)"]);
    }

    #[test]
    fn is_bounded() {
        let findings = Findings::default();
        (0..100).for_each(|n| findings.note(Finding::new("a", n.to_string())));
        assert_eq!(findings.list().len(), MAX_FINDINGS);
    }

    #[test]
    fn what_came_up_before_is_told_only_if_it_came_up_again() {
        let findings = Findings::default();
        findings.note_first(Finding::new("stdout-noise", "first"));
        findings.note(Finding::new("glued-text", "once"));
        let since = findings.mark();
        assert!(findings.list_since(since).is_empty() && findings.evidence(since).is_empty());
        findings.note_first(Finding::new("stdout-noise", "second"));
        assert_eq!(findings.evidence(since), ["first (and 1 more)"]);
        assert_eq!(findings.list().len(), 2);
    }
}
