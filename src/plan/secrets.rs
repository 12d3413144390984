//! Values that must not appear in any report.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    passwords::{decoded, passwords},
    telling::{is_counting, is_telling},
};

/// Words before the secret part of a header.
const SCHEMES: [&str; 8] = [
    "bearer",
    "basic",
    "token",
    "digest",
    "negotiate",
    "apikey",
    "api-key",
    "oauth",
];

/// Shorter values are left alone where only a name tells that they are secret: replacing `1` or `abc` everywhere would
/// make reports unreadable and hide nothing.
pub(super) const SHORTEST: usize = 6;

/// The secret values known to this run, longest first.
#[derive(Clone, Default)]
pub struct Secrets(BTreeSet<(std::cmp::Reverse<usize>, String)>);

impl Secrets {
    /// Adds a value; each line of a value of several lines counts too.
    pub fn add(&mut self, value: &str) {
        for part in std::iter::once(value).chain(value.lines()) {
            let part = part.trim();
            if part.len() >= SHORTEST {
                self.insert(part);
            }
        }
    }

    /// Adds a value that the user calls secret, however short it is.
    pub fn add_declared(&mut self, value: &str) {
        self.insert(value.trim());
        self.add(value);
        self.add_passwords(value);
    }

    /// Adds the passwords of addresses in a text, as they are written and as they are meant.
    pub fn add_passwords(&mut self, text: &str) {
        for password in passwords(text).map(|place| &text[place]) {
            self.add(password);
            if let Some(meant) = decoded(password) {
                self.add(&meant);
            }
        }
    }

    /// Adds a value if its name tells that it is a secret; if it does not, only the passwords of addresses in it.
    pub fn add_named(&mut self, name: &str, value: &str) {
        self.add_passwords(value);
        if is_telling(name) {
            self.add(value);
            self.add(credentials(value));
        }
    }

    /// Adds every text and number at any depth of a value that stands under a name that tells that it is a secret.
    pub fn add_named_value(&mut self, name: &str, value: &Value) {
        match value {
            Value::String(text) => self.add_named(name, text),
            Value::Number(number) if !is_counting(name) => self.add_named(name, &number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.add_named_value(name, item)),
            Value::Object(map) => {
                for (key, item) in map {
                    let name = if is_telling(key) { key } else { name };
                    self.add_named_value(name, item);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A text in which nobody can read a secret.
    pub fn hide(&self, text: &str) -> String {
        self.values()
            .fold(text.to_owned(), |text, value| text.replace(value, "***"))
    }

    fn insert(&mut self, value: &str) {
        if !value.is_empty() {
            self.0.insert((std::cmp::Reverse(value.len()), value.to_owned()));
        }
    }

    /// The values, longest first, so that a secret inside another one does not leave its ends behind.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, value)| value.as_str())
    }
}

/// What follows the scheme in `Basic YTpi`.
pub(super) fn credentials(value: &str) -> &str {
    match value.trim().split_once(char::is_whitespace) {
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        _ => value,
    }
}

/// Whether this is what stands before the secret part of a header.
pub(super) fn is_scheme(word: &str) -> bool {
    SCHEMES.contains(&word.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_values_come_first_and_short_ones_are_left_out() {
        let mut secrets = Secrets::default();
        secrets.add("abcdef");
        secrets.add("abcdefgh");
        secrets.add("abc");
        assert_eq!(secrets.values().collect::<Vec<_>>(), ["abcdefgh", "abcdef"]);
    }

    #[test]
    fn a_bearer_header_hides_the_token_alone_too() {
        let mut secrets = Secrets::default();
        secrets.add_named("Authorization", "Bearer s3cr3t-value");
        assert_eq!(
            secrets.values().collect::<Vec<_>>(),
            ["Bearer s3cr3t-value", "s3cr3t-value"]
        );
    }

    #[test]
    fn the_credentials_of_every_scheme_are_hidden_alone_too() {
        for header in ["Basic dXNlcjpwYXNz", "bearer dXNlcjpwYXNz", "Token  dXNlcjpwYXNz"] {
            let mut secrets = Secrets::default();
            secrets.add_named("Authorization", header);
            assert_eq!(secrets.hide("<dXNlcjpwYXNz>"), "<***>", "{header}");
        }
        let mut secrets = Secrets::default();
        secrets.add_named("password", "correct horse battery");
        assert_eq!(secrets.hide("horse battery"), "horse battery");
    }

    #[test]
    fn passwords_of_addresses_are_secrets_whatever_the_name() {
        let mut secrets = Secrets::default();
        secrets.add_named("DATABASE_URL", "postgres://user:correct%2Fhorse@host/db");
        secrets.add_named_value("config", &serde_json::json!({"replicas": ["amqp://a:battery-1@b"]}));
        secrets.add_declared("redis://:staple-77@b");
        secrets.add_named("SHORT", "redis://:abc@b");
        assert_eq!(
            secrets.values().collect::<Vec<_>>(),
            [
                "redis://:staple-77@b",
                "correct%2Fhorse",
                "correct/horse",
                "battery-1",
                "staple-77"
            ]
        );
    }

    #[test]
    fn what_the_user_calls_secret_is_hidden_however_short() {
        let mut secrets = Secrets::default();
        secrets.add_declared(" x7\n");
        secrets.add_declared(" ");
        assert_eq!(secrets.values().collect::<Vec<_>>(), ["x7"]);
        assert_eq!(secrets.hide("pin x7"), "pin ***");
    }

    #[test]
    fn numbers_and_nested_values_under_telling_names_are_secrets() {
        let mut secrets = Secrets::default();
        let value = serde_json::json!({
            "x": {"password": "in-the-deep", "name": "plain text"},
            "token": [98_765_432, {"id": "under-a-token"}],
            "max_tokens": 200_000,
        });
        secrets.add_named_value("user", &value);
        assert_eq!(
            secrets.values().collect::<Vec<_>>(),
            ["under-a-token", "in-the-deep", "98765432"]
        );
    }
}
