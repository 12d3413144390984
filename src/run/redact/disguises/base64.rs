//! Base64 of a secret.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};

/// Base64 of less than this could be anything.
const SHORTEST: usize = 8;

/// A secret in base64, by itself and inside of longer text such as `user:secret`: the digits that depend on nothing
/// but the secret, for each of the three ways it can lie across the groups of three bytes.
pub(super) fn forms(secret: &str) -> impl Iterator<Item = String> {
    let digits = |before: usize| {
        let padded = [&vec![0; before], secret.as_bytes()].concat();
        let (first, bits) = ((before * 8).div_ceil(6), padded.len() * 8);
        [
            BASE64_STANDARD_NO_PAD.encode(&padded),
            BASE64_URL_SAFE_NO_PAD.encode(&padded),
        ]
        .map(|digits| digits[first..bits / 6].to_owned())
    };
    let inside = (0..3).flat_map(digits).filter(|digits| digits.len() >= SHORTEST);
    [
        BASE64_STANDARD.encode(secret),
        BASE64_STANDARD_NO_PAD.encode(secret),
        BASE64_URL_SAFE_NO_PAD.encode(secret),
    ]
    .into_iter()
    .chain(inside)
}
