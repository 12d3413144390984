//! Secrets leave here and no further: every text of a result passes this before anything else sees it.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;
use serde_json::Value;

use super::disguises::{disguises, without_parts};
use crate::{
    model::{Difference, Fault, Finding, Heard, Outcome, Reply, Trace},
    plan::Secrets,
};

/// What stands in for a secret.
pub(super) const MASK: &str = "***";

/// Shapes that are secrets whoever made them: GitHub and Slack tokens, API keys of LLM providers, AWS key ids, JSON web
/// tokens, private keys. GitHub's installation tokens have no fixed length (github-actions.md §1.3).
static SHAPES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x-u)
        gh[oprsu]_[A-Za-z0-9_.\-]{20,} | github_pat_[A-Za-z0-9_]{20,} | xox[abeoprs]-[A-Za-z0-9\-]{10,}
        | \bsk-[A-Za-z0-9_\-]{20,} | \bAKIA[0-9A-Z]{16}\b
        | \beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*
        | -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----(?su:.)*?(?:-----END\ [A-Z\ ]*PRIVATE\ KEY-----|\z)",
    )
    .expect("the pattern is constant and compiles")
});

/// Replaces secrets in texts.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Longest first.
    values: Vec<String>,
}

impl Redactor {
    /// A redactor for these values and their usual disguises: base64, percent-encoding, escapes.
    pub fn new(secrets: &Secrets) -> Self {
        let mut values: Vec<String> = secrets.values().flat_map(disguises).collect();
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Self { values }
    }

    /// Whether a text holds a secret.
    pub fn finds(&self, text: &str) -> bool {
        self.values.iter().any(|value| text.contains(value.as_str())) || SHAPES.is_match(text)
    }

    /// The text without its secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for value in &self.values {
            if text.contains(value.as_str()) {
                text = Cow::Owned(text.replace(value, MASK));
            }
        }
        if let Cow::Owned(clean) = SHAPES.replace_all(&text, MASK) {
            text = Cow::Owned(clean);
        }
        for value in &self.values {
            if let Some(clean) = without_parts(&text, value) {
                text = Cow::Owned(clean);
            }
        }
        text
    }

    /// A text that is kept: changed in place where it has to be.
    pub fn clean(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.text(text) {
            *text = clean;
        }
    }

    /// A fault without secrets.
    pub fn fault(&self, mut fault: Fault) -> Fault {
        self.clean(&mut fault.message);
        for text in fault.help.iter_mut().chain(&mut fault.evidence) {
            self.clean(text);
        }
        fault
    }

    /// Remarks without secrets.
    pub fn findings(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        for finding in &mut findings {
            self.clean(&mut finding.message);
        }
        findings
    }

    /// An outcome without secrets.
    pub fn outcome(&self, mut outcome: Outcome) -> Outcome {
        self.clean(&mut outcome.message);
        match outcome.difference.as_deref_mut() {
            Some(Difference::Text { expected, actual }) => {
                self.clean(expected);
                self.clean(actual);
            }
            Some(Difference::Json { expected, actual }) => {
                self.value(expected);
                self.value(actual);
            }
            None => {}
        }
        outcome
    }

    /// What a server said, without secrets.
    pub fn heard(&self, mut heard: Heard) -> Heard {
        let notifications = heard.notifications.iter_mut();
        let texts = notifications.flat_map(|one| [Some(&mut one.method), one.params.as_mut()]);
        for text in heard.requests.iter_mut().chain(texts.flatten()) {
            self.clean(text);
        }
        heard
    }

    /// A trace without secrets, for messages about it.
    pub fn trace(&self, trace: &Trace) -> Trace {
        let mut clean = trace.clone();
        match &mut clean.reply {
            Reply::Result(result) => {
                self.clean(&mut result.output);
                self.value(&mut result.raw);
                result.structured.iter_mut().for_each(|value| self.value(value));
            }
            Reply::Error(error) => self.clean(&mut error.message),
        }
        clean
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.clean(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(map) => {
                let clean = std::mem::take(map).into_iter().map(|(key, mut item)| {
                    self.value(&mut item);
                    (self.text(&key).into_owned(), item)
                });
                *map = clean.collect();
            }
            Value::Number(number) => {
                let text = number.to_string();
                if let Cow::Owned(clean) = self.text(&text) {
                    *value = Value::String(clean);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_STANDARD};
    use serde_json::json;

    use super::*;

    fn redactor(secret: &str) -> Redactor {
        let mut secrets = Secrets::default();
        secrets.add(secret);
        Redactor::new(&secrets)
    }

    #[test]
    fn hides_a_value_and_its_disguises() {
        let redactor = redactor("p@ss\"word!");
        let base64 = BASE64_STANDARD.encode("p@ss\"word!");
        for text in ["p@ss\"word!", "p%40ss%22word%21", "p@ss\\\"word!", base64.as_str()] {
            assert_eq!(redactor.text(&format!("<{text}>")), "<***>", "{text}");
        }
    }

    #[test]
    fn hides_a_value_inside_of_longer_base64() {
        let redactor = redactor("correct-horse-battery");
        for user in ["u", "us", "use", "user"] {
            let encoded = BASE64_STANDARD.encode(format!("{user}:correct-horse-battery!"));
            assert!(redactor.text(&encoded).contains("***"), "{encoded}");
        }
    }

    #[test]
    fn hides_what_a_cut_left_of_a_value() {
        let redactor = redactor("SuperSecretValue");
        assert_eq!(
            redactor.text("it is `xxSuperSec…` (90 characters in all)"),
            "it is `xx***…` (90 characters in all)"
        );
        assert_eq!(redactor.text("…SecretValue and …ue"), "…*** and …ue");
        assert_eq!(redactor.text("…Value…Super…"), "…***…***…");
        assert_eq!(redactor.text("Super good… Value"), "Super good… Value");
    }

    #[test]
    fn hides_what_looks_like_a_token_whoever_made_it() {
        let none = Redactor::default();
        for token in [
            format!("ghs_{}", "a1B2".repeat(130)),
            format!("github_pat_{}", "x".repeat(30)),
            format!("sk-ant-{}", "k".repeat(30)),
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl".to_owned(),
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----".to_owned(),
        ] {
            assert_eq!(none.text(&format!("a {token} b")), "a *** b", "{token}");
        }
        assert_eq!(none.text("task-list and skip_unless"), "task-list and skip_unless");
    }

    #[test]
    fn hides_secrets_inside_both_sides_of_a_difference() {
        let outcome = Outcome::new("output_equals", crate::model::Status::Failed, "got hunter22");
        let outcome = outcome.difference(Difference::Json {
            expected: json!({"a": 1}),
            actual: json!({"deep": ["hunter22"]}),
        });
        let clean = redactor("hunter22").outcome(outcome);
        assert_eq!(clean.message, "got ***");
        let Some(Difference::Json { actual, .. }) = clean.difference.as_deref() else {
            panic!("the difference is gone")
        };
        assert_eq!(*actual, json!({"deep": ["***"]}));
    }
}
