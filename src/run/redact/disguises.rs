//! The forms in which a secret shows up: encoded or escaped.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use serde_json::Value;

/// Base64 of less than this could be anything.
const SHORTEST_BASE64: usize = 8;

/// What writers of URLs leave as it is beside the unreserved characters of RFC 3986 §2.3: nothing, the slash (Python's
/// `quote`, most writers of paths), or the marks that JavaScript's `encodeURIComponent` keeps.
const KEPT_IN_URLS: [&str; 3] = ["", "/", "!'()*"];

/// The digits of an escape.
#[derive(Clone, Copy)]
enum Hex {
    Lower,
    Upper,
}

/// The forms in which a secret shows up, itself first; some may be the same.
pub(super) fn disguises(secret: &str) -> Vec<String> {
    let mut disguises = vec![
        secret.to_owned(),
        BASE64_STANDARD.encode(secret),
        secret.escape_debug().to_string(),
        // How a diff shows blanks where nothing else differs.
        secret.replace(' ', "·"),
    ];
    disguises.extend(base64_forms(secret));
    for hex in [Hex::Lower, Hex::Upper] {
        disguises.extend(KEPT_IN_URLS.map(|kept| percent_encoded(secret, kept, hex)));
        disguises.extend(json_forms(secret, hex));
    }
    disguises
}

/// A secret in base64, by itself and inside of longer text such as `user:secret`: the digits that depend on nothing
/// but the secret, for each of the three ways it can lie across the groups of three bytes.
fn base64_forms(secret: &str) -> impl Iterator<Item = String> {
    let digits = |before: usize| {
        let padded = [&vec![0; before], secret.as_bytes()].concat();
        let (first, bits) = ((before * 8).div_ceil(6), padded.len() * 8);
        [
            BASE64_STANDARD_NO_PAD.encode(&padded),
            BASE64_URL_SAFE_NO_PAD.encode(&padded),
        ]
        .map(|digits| digits[first..bits / 6].to_owned())
    };
    let inside = (0..3).flat_map(digits).filter(|digits| digits.len() >= SHORTEST_BASE64);
    [
        BASE64_STANDARD_NO_PAD.encode(secret),
        BASE64_URL_SAFE_NO_PAD.encode(secret),
    ]
    .into_iter()
    .chain(inside)
}

fn percent_encoded(text: &str, kept: &str, hex: Hex) -> String {
    text.bytes()
        .map(|byte| match (char::from(byte), hex) {
            (c, _) if c.is_ascii_alphanumeric() || "-._~".contains(c) || kept.contains(c) => c.to_string(),
            (_, Hex::Lower) => format!("%{byte:02x}"),
            (_, Hex::Upper) => format!("%{byte:02X}"),
        })
        .collect()
}

/// A secret as it stands in a JSON text. The slash is escaped by PHP's `json_encode`, the marks of HTML by Go's
/// `encoding/json`, all that is not ASCII by Python's `json.dumps`; flags of PHP's combine them.
fn json_forms(secret: &str, hex: Hex) -> Vec<String> {
    let text = Value::from(secret).to_string();
    let json = &text[1..text.len() - 1];
    // .NET's `System.Text.Json` escapes all that could mean something anywhere.
    let bare = json.replace("\\\"", "\"");
    let mut forms = vec![unicode_escaped(&bare, hex, |c| !c.is_ascii() || "<>&'\"+`".contains(c))];
    for json in [json, &json.replace('/', "\\/")] {
        for marks in ["", "<>&"] {
            forms.push(unicode_escaped(json, hex, |c| marks.contains(c)));
            forms.push(unicode_escaped(json, hex, |c| marks.contains(c) || !c.is_ascii()));
        }
    }
    forms
}

/// A text with some of its characters as `\uXXXX`, two of them for a character beyond 16 bits (RFC 8259 §7).
fn unicode_escaped(text: &str, hex: Hex, is_escaped: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_escaped(c) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let digits = match hex {
                Hex::Lower => format!("{unit:04x}"),
                Hex::Upper => format!("{unit:04X}"),
            };
            escaped.push_str("\\u");
            escaped.push_str(&digits);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(secret: &str, form: &str) {
        let forms = disguises(secret);
        assert!(forms.iter().any(|known| known == form), "{form} is none of {forms:#?}");
    }

    #[test]
    fn json_in_the_spelling_of_other_languages() {
        let secret = "a/b&c<d>\"pä😀+";
        for form in [
            r#"a/b&c<d>\"pä😀+"#,
            r#"a\/b&c<d>\"pä😀+"#,
            r#"a/b&c<d>\"p\u00e4\ud83d\ude00+"#,
            r#"a/b&c<d>\"p\u00E4\uD83D\uDE00+"#,
            r#"a\/b&c<d>\"p\u00e4\ud83d\ude00+"#,
            r#"a\/b\u0026c\u003Cd\u003E\"p\u00E4\uD83D\uDE00+"#,
            r#"a/b\u0026c\u003cd\u003e\"pä😀+"#,
            r"a/b\u0026c\u003Cd\u003E\u0022p\u00E4\uD83D\uDE00\u002B",
        ] {
            has(secret, form);
        }
        has("ends\\in\"", r#"ends\\in\""#);
    }

    #[test]
    fn addresses_in_the_spelling_of_other_languages() {
        let secret = "a/b?ö!~";
        for form in [
            "a%2Fb%3F%C3%B6%21~",
            "a%2fb%3f%c3%b6%21~",
            "a/b%3F%C3%B6%21~",
            "a/b%3f%c3%b6%21~",
            "a%2Fb%3F%C3%B6!~",
        ] {
            has(secret, form);
        }
    }
}
