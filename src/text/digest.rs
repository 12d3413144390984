//! Short names for long values: digests, and the one spelling of a JSON value that they are made of.

use std::fmt::Write;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in sha256(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The value with the keys of every object in order, so that equal values are spelled alike.
pub fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort_unstable();
            let sorted = keys.into_iter().map(|key| (key.clone(), canonical(&members[key])));
            Value::Object(sorted.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(canonical).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_digest_is_that_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), abc);
    }

    #[test]
    fn equal_values_are_spelled_alike() {
        let (one, other) = (
            json!({"b": [{"d": 1, "c": 2}], "a": 0}),
            json!({"a": 0, "b": [{"c": 2, "d": 1}]}),
        );
        assert_ne!(one.to_string(), other.to_string());
        assert_eq!(canonical(&one).to_string(), canonical(&other).to_string());
    }
}
