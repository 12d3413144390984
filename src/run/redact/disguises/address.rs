//! A secret in addresses and forms: percent-encoded.

use super::Hex;

/// What writers of addresses leave as it is beside letters and digits: the unreserved characters of RFC 3986 §2.3, with
/// the slash (Python's `quote`, most writers of paths), with what JavaScript's `encodeURIComponent` or `encodeURI` keeps.
const KEPT_IN_ADDRESSES: [&str; 4] = ["-._~", "-._~/", "-._~!'()*", "-._~!'()*;,/?:@&=+$#"];

/// What writers of forms, for which a blank is a `+`, leave as it is: Go and Python, PHP, and who follows the URL standard
/// (`application/x-www-form-urlencoded`).
const KEPT_IN_FORMS: [&str; 3] = ["-._~", "-._", "-._*"];

pub(super) fn forms(secret: &str) -> impl Iterator<Item = String> {
    Hex::BOTH.into_iter().flat_map(move |hex| {
        let in_addresses = KEPT_IN_ADDRESSES.map(|kept| percent_encoded(secret, kept, hex));
        let in_forms = KEPT_IN_FORMS.map(|kept| percent_encoded(secret, kept, hex).replace("%20", "+"));
        in_addresses.into_iter().chain(in_forms)
    })
}

fn percent_encoded(text: &str, kept: &str, hex: Hex) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let c = char::from(byte);
        if c.is_ascii_alphanumeric() || kept.contains(c) {
            encoded.push(c);
        } else {
            encoded.push('%');
            encoded.push_str(&hex.digits(byte.into(), 2));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::super::tests::has;

    #[test]
    fn addresses_in_the_spelling_of_other_languages() {
        has(
            "a/b?ö!~",
            &[
                "a%2Fb%3F%C3%B6%21~",
                "a%2fb%3f%c3%b6%21~",
                "a/b%3F%C3%B6%21~",
                "a/b%3f%c3%b6%21~",
                "a%2Fb%3F%C3%B6!~",
                "a/b?%C3%B6!~",
            ],
        );
    }

    #[test]
    fn a_blank_in_a_form_is_a_plus() {
        has(
            "a b+c ~*%20",
            &[
                "a+b%2Bc+~%2A%2520",
                "a+b%2bc+~%2a%2520",
                "a+b%2Bc+%7E%2A%2520",
                "a+b%2Bc+%7E*%2520",
            ],
        );
    }
}
