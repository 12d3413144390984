//! Replaces secrets in texts, messages and all that holds some.

use std::{borrow::Cow, ops::Range, sync::Arc};

use serde_json::Value;

use super::{known::Known, parts::is_cut, shapes};
use crate::{
    model::{Difference, Fault, Finding, Heard, Outcome, Reply, Trace},
    plan::Secrets,
};

/// What stands in for a secret.
const MASK: &str = "***";

/// Replaces secrets in texts.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Absent where there are none, as in most runs.
    known: Option<Arc<Known>>,
}

impl Redactor {
    /// A redactor for these values and their usual disguises: base64, percent-encoding, escapes.
    pub fn new(secrets: &Secrets) -> Self {
        Self {
            known: Known::new(secrets.values()).map(Arc::new),
        }
    }

    /// The text without its secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        masked(text, self.find(text))
    }

    /// A message of our own without the secrets in what it quotes, nor their parts where it cut a quotation.
    pub fn composed<'t>(&self, message: &'t str) -> Cow<'t, str> {
        let mut found = self.find(message);
        if is_cut(message) {
            found.extend(shapes::find_begun(message));
            found.extend(self.known.iter().flat_map(|known| known.find_parts(message)));
        }
        masked(message, found)
    }

    fn is_in(&self, text: &str) -> bool {
        self.known.as_ref().is_some_and(|known| known.is_in(text)) || shapes::is_in(text)
    }

    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let known = self.known.iter().flat_map(|known| known.find(text));
        known.chain(shapes::find(text)).collect()
    }

    pub(super) fn clean(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.text(text) {
            *text = clean;
        }
    }

    pub(super) fn clean_composed(&self, message: &mut String) {
        if let Cow::Owned(clean) = self.composed(message) {
            *message = clean;
        }
    }

    /// A fault without secrets.
    pub fn fault(&self, mut fault: Fault) -> Fault {
        self.clean_composed(&mut fault.message);
        for text in fault.help.iter_mut().chain(&mut fault.evidence) {
            self.clean_composed(text);
        }
        fault
    }

    /// Remarks without secrets.
    pub fn findings(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        for finding in &mut findings {
            self.clean_composed(&mut finding.message);
        }
        findings
    }

    /// An outcome without secrets.
    pub fn outcome(&self, mut outcome: Outcome) -> Outcome {
        self.clean_composed(&mut outcome.message);
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
            self.clean_composed(text);
        }
        heard
    }

    /// A trace without secrets, for messages about it; nothing where it holds none.
    pub fn trace(&self, trace: &Trace) -> Option<Trace> {
        let is_secret = match &trace.reply {
            Reply::Result(result) => {
                let structured = result.structured.as_ref();
                self.is_in(&result.output)
                    || self.is_in_value(&result.raw)
                    || structured.is_some_and(|it| self.is_in_value(it))
            }
            Reply::Error(error) => {
                self.is_in(&error.message) || error.data.as_ref().is_some_and(|it| self.is_in_value(it))
            }
        };
        is_secret.then(|| {
            let mut clean = trace.clone();
            match &mut clean.reply {
                Reply::Result(result) => {
                    self.clean(&mut result.output);
                    self.value(&mut result.raw);
                    result.structured.iter_mut().for_each(|value| self.value(value));
                }
                Reply::Error(error) => {
                    self.clean(&mut error.message);
                    error.data.iter_mut().for_each(|value| self.value(value));
                }
            }
            clean
        })
    }

    fn is_in_value(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_in(text),
            Value::Array(items) => items.iter().any(|item| self.is_in_value(item)),
            Value::Object(map) => map.iter().any(|(key, item)| self.is_in(key) || self.is_in_value(item)),
            Value::Number(number) => self.known.is_some() && self.is_in(&number.to_string()),
            Value::Null | Value::Bool(_) => false,
        }
    }

    pub(super) fn value(&self, value: &mut Value) {
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
            Value::Number(number) if self.known.is_some() => {
                let text = number.to_string();
                if let Cow::Owned(clean) = self.text(&text) {
                    *value = Value::String(clean);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// The text with the mask in place of each of these ranges, and of those together that overlap.
fn masked(text: &str, secrets: Vec<Range<usize>>) -> Cow<'_, str> {
    if secrets.is_empty() {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    let mut done = 0;
    for secret in merged(secrets) {
        clean += &text[done..secret.start];
        clean += MASK;
        done = secret.end;
    }
    clean += &text[done..];
    clean.into()
}

/// Ranges in their order, those as one that overlap.
pub(super) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
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
    fn hides_what_a_cut_left_of_a_value_in_messages_of_our_own() {
        let redactor = redactor("SuperSecretValue");
        assert_eq!(
            redactor.composed("it is `xxSuperSec…` (90 characters in all)"),
            "it is `xx***…` (90 characters in all)"
        );
        assert_eq!(redactor.composed("…SecretValue and …ue"), "…*** and …ue");
        assert_eq!(redactor.composed("…Value…Super…"), "…***…***…");
        assert_eq!(redactor.composed("near `…perSecretVal…`"), "near `…***…`");
        assert_eq!(redactor.composed("Super good… Value"), "Super good… Value");
        assert_eq!(redactor.text("Super…"), "Super…");
    }

    #[test]
    fn hides_what_a_cut_left_of_a_disguise() {
        let redactor = redactor("a&b/cä\"correct-horse-battery");
        let json = r#"`"a\u0026b/cä\"corr…`"#;
        assert_eq!(redactor.composed(json), "`\"***…`");
        let base64 = BASE64_STANDARD.encode("user:a&b/cä\"correct-horse-battery");
        assert_eq!(redactor.composed(&format!("…{}…", &base64[12..30])), "…***…");
    }

    #[test]
    fn hides_values_that_overlap() {
        let mut secrets = Secrets::default();
        for secret in ["abcdefgh", "efghijklmn", "ghijkl"] {
            secrets.add(secret);
        }
        let redactor = Redactor::new(&secrets);
        assert_eq!(redactor.text("<abcdefghijklmn>"), "<***>");
        assert_eq!(redactor.text("<abcdefghefghijklmn>"), "<******>");
        assert_eq!(redactor.text("<efghijkl>"), "<ef***>");
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
    fn hides_what_a_cut_left_of_a_token_whoever_made_it() {
        let none = Redactor::default();
        for begun in [
            "ghs_a1B2",
            "github_pat_11AB",
            "xoxb-1234",
            "sk-ant-k",
            "AKIAIOSF",
            "eyJhbGciOiJI",
            "eyJhbGciOiJIUzI1NiJ9.",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        ] {
            assert_eq!(none.composed(&format!("a `{begun}…` b")), "a `***…` b", "{begun}");
        }
        for text in ["a task-list…", "a ghs_a1B2 b…", "a sk-ant-k"] {
            assert_eq!(none.composed(text), text);
        }
    }

    #[test]
    fn a_trace_is_cleaned_wherever_the_secret_is() {
        let trace = |raw, output: &str, structured| Trace {
            tool: "t".to_owned(),
            mode: crate::model::Mode::Live,
            reply: Reply::Result(crate::model::ToolResult {
                raw,
                is_error: false,
                output: output.to_owned(),
                structured,
            }),
            latency: std::time::Duration::ZERO,
            listed_tools: None,
            heard: Heard::default(),
        };
        let redactor = redactor("12345678");
        assert!(
            redactor
                .trace(&trace(json!({"n": 1}), "x", Some(json!([null, "x"]))))
                .is_none()
        );
        for secret in [
            trace(json!({"12345678": 1}), "x", None),
            trace(json!(null), "it is 12345678", None),
            trace(json!(null), "x", Some(json!({"deep": [12_345_678]}))),
        ] {
            let clean = redactor.trace(&secret).expect("it holds a secret");
            assert!(!format!("{clean:?}").contains("12345678"), "{clean:?}");
        }
    }

    /// The time is linear in the text, however many forms there are to look for: seconds would be a hundred times more
    /// than what even this build takes.
    #[test]
    fn a_hostile_text_takes_no_long_time() {
        let mut secrets = Secrets::default();
        let line = |n: u64| BASE64_STANDARD.encode(n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes().repeat(6));
        let key: Vec<String> = (1..27).map(line).collect();
        secrets.add(&key.join("\n"));
        let redactor = Redactor::new(&secrets);
        let near = format!("{}…{}…", &key[3][..60], &key[5][2..]);
        for text in ["…", "x", &near, "eyJaaaaaaaa.", "-----BEGIN "] {
            let text = text.repeat(200_000 / text.len());
            let began = std::time::Instant::now();
            redactor.composed(&text);
            assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
        }
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
