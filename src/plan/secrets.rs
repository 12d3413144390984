//! Values that must not appear in any report.

use std::collections::BTreeSet;

/// Words in the name of a variable or header that make its value a secret.
const TELLING_WORDS: [&str; 12] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "api_key",
    "api-key",
    "private",
    "credential",
    "auth",
    "cookie",
];

/// Ends of a name that make its value a secret.
const TELLING_ENDS: [&str; 4] = ["_key", "-key", "_pass", "_pwd"];

/// Shorter values are left alone: replacing `1` or `abc` everywhere would make reports unreadable and hide nothing.
const SHORTEST: usize = 6;

/// The secret values known to this run, longest first.
#[derive(Clone, Default)]
pub struct Secrets(BTreeSet<(std::cmp::Reverse<usize>, String)>);

impl Secrets {
    /// Adds a value; each line of a value of several lines counts too.
    pub fn add(&mut self, value: &str) {
        for part in std::iter::once(value).chain(value.lines()) {
            let part = part.trim();
            if part.len() >= SHORTEST {
                self.0.insert((std::cmp::Reverse(part.len()), part.to_owned()));
            }
        }
    }

    /// Adds a value if its name tells that it is a secret.
    pub fn add_named(&mut self, name: &str, value: &str) {
        if is_telling(name) {
            self.add(value.strip_prefix("Bearer ").unwrap_or(value));
            self.add(value);
        }
    }

    /// The values, longest first, so that a secret inside another one does not leave its ends behind.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, value)| value.as_str())
    }
}

/// Whether a variable or header of this name holds a secret.
pub fn is_telling(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "key"
        || TELLING_WORDS.iter().any(|word| name.contains(word)) && !name.ends_with("_url")
        || TELLING_ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_secrets() {
        for name in [
            "GITHUB_TOKEN",
            "Authorization",
            "x-api-key",
            "OPENAI_API_KEY",
            "DB_PASSWORD",
            "SSH_PRIVATE_KEY",
        ] {
            assert!(is_telling(name), "{name}");
        }
        for name in ["PATH", "PORT", "CASE_URL", "MONKEY", "LOG_LEVEL", "TOKEN_URL"] {
            assert!(!is_telling(name), "{name}");
        }
    }

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
}
