//! Values that must not appear in any report.

use std::collections::BTreeSet;

use serde_json::Value;

/// What makes a value a secret wherever it stands in the name of its variable or header.
const TELLING_PARTS: [&str; 13] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "api_key",
    "api-key",
    "credential",
    "authoriz",
    "authoris",
    "authent",
    "oauth",
];

/// What makes a value a secret as a word of its own: `author` holds `auth`.
const TELLING_WORDS: [&str; 4] = ["auth", "private", "cookie", "cookies"];

/// Last words of a name that tell something about one of [`TELLING_WORDS`], which is no secret: `private_repo`.
const TOLD_ABOUT: [&str; 16] = [
    "count",
    "domain",
    "email",
    "enabled",
    "host",
    "method",
    "mode",
    "name",
    "path",
    "port",
    "repo",
    "repository",
    "type",
    "uri",
    "url",
    "user",
];

/// Ends of a name that make its value a secret.
const TELLING_ENDS: [&str; 4] = ["_key", "-key", "_pass", "_pwd"];

/// Ends of a name that make a number under it a count and no secret: `max_tokens`.
const COUNTING_ENDS: [&str; 6] = ["tokens", "count", "limit", "length", "budget", "timeout"];

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
                self.insert(part);
            }
        }
    }

    /// Adds a value that the user calls secret, however short it is.
    pub fn add_declared(&mut self, value: &str) {
        self.insert(value.trim());
        self.add(value);
    }

    /// Adds a value if its name tells that it is a secret.
    pub fn add_named(&mut self, name: &str, value: &str) {
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

/// Whether a variable or header of this name holds a secret.
pub fn is_telling(name: &str) -> bool {
    let words = words(name);
    let name = name.to_ascii_lowercase();
    name == "key"
        || TELLING_PARTS.iter().any(|part| name.contains(part)) && !name.ends_with("_url")
        || TELLING_ENDS.iter().any(|end| name.ends_with(end))
        || words.iter().any(|word| TELLING_WORDS.contains(&word.as_str()))
            && words.last().is_none_or(|last| !TOLD_ABOUT.contains(&last.as_str()))
}

/// The words of a name in small letters: what stands between `_`, `-`, `.`, blanks, and before a capital letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_last_capital = before.is_uppercase() && rest.peek().is_some_and(|after| after.is_lowercase());
        if c.is_uppercase() && (before.is_lowercase() || is_last_capital) {
            words.push(String::new());
        }
        match words.last_mut() {
            Some(word) if c.is_alphanumeric() => word.extend(c.to_lowercase()),
            _ => words.push(String::new()),
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_counting(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    COUNTING_ENDS.iter().any(|end| name.ends_with(end))
}

/// What follows the scheme in `Basic YTpi`.
fn credentials(value: &str) -> &str {
    match value.trim().split_once(char::is_whitespace) {
        Some((scheme, rest)) if SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => rest,
        _ => value,
    }
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
            "privateKey",
            "BASIC_AUTH",
            "npm_config_//registry/:_auth",
            "authHeader",
            "HTTPAuth",
            "X-Auth",
            "Proxy-Authorization",
            "authentication",
            "OAUTH2",
            "Set-Cookie",
            "session.cookies",
        ] {
            assert!(is_telling(name), "{name}");
        }
        for name in [
            "PATH",
            "PORT",
            "CASE_URL",
            "MONKEY",
            "LOG_LEVEL",
            "TOKEN_URL",
            "author",
            "GIT_AUTHOR_NAME",
            "authorId",
            "private_repo",
            "privateRepo",
            "cookie_count",
            "auth_type",
            "authority",
        ] {
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
