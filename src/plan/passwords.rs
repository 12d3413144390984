//! Passwords inside of addresses, as in `postgres://user:password@host/database`.

use std::ops::Range;

use percent_encoding::percent_decode_str;

/// What ends the part of an address that names the host (RFC 3986 §3.2), and what no address holds.
const ENDS: [char; 11] = ['/', '?', '#', ' ', '\t', '\n', '\r', '"', '\'', '<', '>'];

/// Where passwords stand in the addresses of a text, in bytes.
pub fn passwords(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices("://")
        .filter_map(|(at, mark)| password(text, at, at + mark.len()))
}

/// The password of the address whose scheme ends and whose host or user begins here. What is the user's name or the
/// scheme once more is none: to hide every `postgres` in a report because of `postgres://postgres:postgres@localhost`
/// would keep nothing from anybody.
fn password(text: &str, scheme_end: usize, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let authority = &rest[..rest.find(ENDS).unwrap_or(rest.len())];
    // Passwords hold an `@` that should have been escaped more often than hosts do.
    let (credentials, _) = authority.rsplit_once('@')?;
    let (user, password) = credentials.split_once(':')?;
    let is_known = password == user || text[..scheme_end].ends_with(password);
    let start = start + user.len() + 1;
    (!is_known).then(|| start..start + password.len())
}

/// The password as its reader understands it.
pub(super) fn decoded(password: &str) -> Option<String> {
    let decoded = percent_decode_str(password).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        passwords(text).map(|place| &text[place]).collect()
    }

    #[test]
    fn the_password_alone_is_found() {
        assert_eq!(found("postgres://user:hunter22@host:5432/db"), ["hunter22"]);
        assert_eq!(found("redis://:hunter22@host"), ["hunter22"]);
        assert_eq!(
            found("--url=https://u:p@ss:w@h/x?y=a:b@c and amqp://a:b2@h"),
            ["p@ss:w", "b2"]
        );
    }

    #[test]
    fn other_parts_are_none() {
        for text in [
            "https://host:8080/a:b@c",
            "https://host?x=a:b@c",
            "https://user@host",
            "mailto:a@b",
            "https://host and a:b@c",
            "postgres://postgres:postgres@localhost",
            "mongodb://root:mongodb@localhost",
            "",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
