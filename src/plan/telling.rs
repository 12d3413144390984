//! Names that tell: whether the variable, header or key of a name holds a secret.

/// Names that tell though they are no words of longer names that do.
const TELLING_NAMES: [&str; 2] = ["key", "pass"];

/// What makes a value a secret wherever it stands in a name.
const TELLING_PARTS: [&str; 14] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "apikey",
    "api_key",
    "api-key",
    "credential",
    "authoriz",
    "authoris",
    "authent",
    "oauth",
];

/// What makes a value a secret as a word of its own: `author` holds `auth`, and `PATH` holds `pat`.
const TELLING_WORDS: [&str; 14] = [
    "auth", "private", "cookie", "cookies", "pat", "jwt", "bearer", "otp", "totp", "dsn", "pgpass", "sshpass",
    "webhook", "webhooks",
];

/// The same for two words in a row, or written as one: `accessKey`, `ACCESS_KEY_2`, `sessionid`.
const TELLING_PAIRS: [(&str, &str); 17] = [
    ("access", "key"),
    ("account", "key"),
    ("encryption", "key"),
    ("license", "key"),
    ("master", "key"),
    ("shared", "key"),
    ("signing", "key"),
    ("storage", "key"),
    ("connection", "string"),
    ("conn", "string"),
    ("conn", "str"),
    ("pass", "code"),
    ("pass", "key"),
    ("session", "id"),
    // Whoever knows the address may post to it.
    ("webhook", "url"),
    ("webhook", "uri"),
    ("webhook", "endpoint"),
];

/// Last words of a name that tell something about one of [`TELLING_WORDS`], which is no secret: `private_repo`.
const TOLD_ABOUT: [&str; 25] = [
    "algorithm",
    "audience",
    "count",
    "domain",
    "email",
    "enabled",
    "event",
    "events",
    "expiry",
    "host",
    "issuer",
    "method",
    "mode",
    "name",
    "path",
    "port",
    "repo",
    "repository",
    "scheme",
    "type",
    "uri",
    "url",
    "user",
    "version",
    "versions",
];

/// Last words of a longer name that make its value a secret.
const TELLING_ENDS: [&str; 3] = ["key", "pass", "pwd"];

/// Words before `key` in the language of tables, lists and trackers, where keys open nothing: `primaryKey`.
const KEYS_OF_NOTHING: [&str; 22] = [
    "cache",
    "column",
    "composite",
    "field",
    "foreign",
    "group",
    "idempotency",
    "index",
    "issue",
    "json",
    "lookup",
    "map",
    "object",
    "order",
    "partition",
    "primary",
    "public",
    "range",
    "routing",
    "row",
    "sort",
    "unique",
];

/// Ends of a name that make a number under it a count and no secret: `max_tokens`.
const COUNTING_ENDS: [&str; 6] = ["tokens", "count", "limit", "length", "budget", "timeout"];

/// Whether a variable or header of this name holds a secret.
pub fn is_telling(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words = words(name);
    let is_about = |rest: &[String]| rest.last().is_some_and(|last| TOLD_ABOUT.contains(&last.as_str()));
    TELLING_NAMES.contains(&lower.as_str())
        || TELLING_PARTS.iter().any(|part| lower.contains(part)) && words.last().is_none_or(|last| last != "url")
        || is_telling_at_end(&words)
        || (1..=words.len()).any(|end| has_just_told(&words[..end]) && !is_about(&words[end..]))
}

/// Whether a number under this name is a count, whatever else the name tells.
pub fn is_counting(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    COUNTING_ENDS.iter().any(|end| name.ends_with(end))
}

fn is_telling_at_end(words: &[String]) -> bool {
    let [.., before, last] = words else { return false };
    let opens_nothing = last == "key" && KEYS_OF_NOTHING.contains(&before.as_str());
    TELLING_ENDS.contains(&last.as_str()) && !opens_nothing
}

/// Whether the last word makes it a secret, by itself or with the one before.
fn has_just_told(words: &[String]) -> bool {
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    let singular = last.strip_suffix('s').unwrap_or(last);
    let is_pair = |(first, second): &(&str, &str)| {
        let is_one_word = singular
            .strip_suffix(second)
            .is_some_and(|start| start.ends_with(first));
        is_one_word || singular == *second && before.last().is_some_and(|before| before == first)
    };
    TELLING_WORDS.contains(&last.as_str()) || TELLING_PAIRS.iter().any(is_pair)
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECRETS: &str = "
        GITHUB_TOKEN Authorization x-api-key OPENAI_API_KEY DB_PASSWORD SSH_PRIVATE_KEY privateKey
        BASIC_AUTH npm_config_//registry/:_auth authHeader HTTPAuth X-Auth Proxy-Authorization
        authentication OAUTH2 Set-Cookie session.cookies GITHUB_PAT pat AZURE_DEVOPS_EXT_PAT JWT userJwt
        BEARER X-Bearer PASSCODE pass_code OTP mfaOtp SLACK_WEBHOOK SLACK_WEBHOOK_URL webhookUrl accessKey
        AWS_ACCESS_KEY_ID accesskey signingKey SIGNING_KEY_2 masterKey encryptionKey ENCRYPTION_KEY_BASE64
        sslKey signing.keys dbPass MYSQL_PWD userPwd pass PGPASS PGPASSWORD SSHPASS SESSION_ID sessionId
        JSESSIONID Mcp-Session-Id CONNECTION_STRING dbConnectionString CONN_STR SENTRY_DSN dsn accessKeys
        SIGNINGKEYS
    ";

    const NO_SECRETS: &str = "
        PATH PORT PWD CASE_URL MONKEY LOG_LEVEL TOKEN_URL tokenUrl author GIT_AUTHOR_NAME authorId
        private_repo privateRepo cookie_count auth_type authority pattern path patch keyboard keyCount
        key_count keyword primaryKey primary_key sort_key sortKeys partition-key issueKey PUBLIC_KEY session
        session_name string connection webhook_events webhookEnabled jwt_issuer JWT_ALGORITHM OTP_VERSION
        option compass bypass idle sort_keys allowed_keys required_keys
    ";

    #[test]
    fn names_tell_secrets() {
        for name in SECRETS.split_whitespace() {
            assert!(is_telling(name), "{name}");
        }
    }

    #[test]
    fn names_tell_nothing() {
        for name in NO_SECRETS.split_whitespace() {
            assert!(!is_telling(name), "{name}");
        }
    }
}
