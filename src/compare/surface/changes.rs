//! The changes found so far.

use std::cmp::Reverse;

use serde_json::Value;

use super::Rule;
use crate::{
    model::{ChangeClass, SurfaceChange},
    text::digest,
};

/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 12;

/// Gathers what the rules find.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<SurfaceChange>);

impl Changes {
    /// Notes a change of its rule's class.
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        subject: &str,
        path: &str,
        message: impl Into<String>,
    ) -> &mut SurfaceChange {
        let message = message.into();
        let change = SurfaceChange {
            rule: rule.id.into(),
            class: rule.class,
            is_model_visible: rule.is_model_visible,
            subject: subject.to_owned(),
            path: path.to_owned(),
            witness: None,
            fingerprint: fingerprint(rule.id, subject, path, &message),
            message,
            allowed: None,
        };
        self.0.push(change);
        self.0.last_mut().expect("one was pushed")
    }

    /// The worst class so far.
    pub(super) fn worst(&self) -> Option<ChangeClass> {
        self.0.iter().map(|change| change.class).max()
    }

    /// All of them, worst first; what two rules say alike is said once.
    pub(super) fn into_sorted(mut self) -> Vec<SurfaceChange> {
        let key = |it: &SurfaceChange| (Reverse(it.class), it.subject.clone(), it.path.clone(), it.rule.clone());
        self.0.sort_by_cached_key(key);
        self.0.dedup_by(|one, other| one.fingerprint == other.fingerprint);
        self.0
    }
}

/// What is gone although it was there; that is expected where it was deprecated before.
pub(super) fn softened(change: &mut SurfaceChange, was_deprecated: bool) {
    if was_deprecated {
        change.class = change.class.min(ChangeClass::Risky);
    }
}

fn fingerprint(rule: &str, subject: &str, path: &str, message: &str) -> String {
    let whole = Value::from(vec![rule, subject, path, message]).to_string();
    digest(whole.as_bytes())[..DIGITS].to_owned()
}
