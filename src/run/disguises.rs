//! The forms in which a secret shows up: encoded or escaped.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use serde_json::Value;

/// Base64 of less than this could be anything.
const SHORTEST_BASE64: usize = 8;

/// The forms in which a secret shows up, itself first.
pub(super) fn disguises(secret: &str) -> Vec<String> {
    let escaped = Value::from(secret).to_string();
    let mut disguises = vec![
        secret.to_owned(),
        percent_encoded(secret),
        BASE64_STANDARD.encode(secret),
        BASE64_STANDARD_NO_PAD.encode(secret),
        BASE64_URL_SAFE_NO_PAD.encode(secret),
        escaped.trim_matches('"').to_owned(),
        secret.escape_debug().to_string(),
        // How a diff shows blanks where nothing else differs.
        secret.replace(' ', "·"),
    ];
    disguises.extend(base64_forms(secret));
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
    (0..3).flat_map(digits).filter(|digits| digits.len() >= SHORTEST_BASE64)
}

fn percent_encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}
