//! Whether two JSON texts say the same to the last digit, which parsed values cannot tell: they keep 17 digits of a
//! number and one of several equal keys.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Whether two JSON texts differ in nothing but white space, escapes and the order of keys.
pub fn same_json(a: &str, b: &str) -> bool {
    matches!((serde_json::from_str(a), serde_json::from_str(b)), (Ok(a), Ok(b)) if same(a, b))
}

fn same(a: &RawValue, b: &RawValue) -> bool {
    let (a, b) = (a.get(), b.get());
    match (a.as_bytes().first(), b.as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => both(a, b, |a: &Members<'_>, b| {
            a.0.len() == b.0.len()
                && a.0
                    .iter()
                    .zip(&b.0)
                    .all(|((a_key, a), (b_key, b))| a_key == b_key && same(a, b))
        }),
        (Some(b'['), Some(b'[')) => both(a, b, |a: &Vec<&RawValue>, b| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }),
        (Some(b'"'), Some(b'"')) => both(a, b, |a: &String, b| a == b),
        _ => a == b,
    }
}

fn both<'a, T: Deserialize<'a>>(a: &'a str, b: &'a str, compare: impl FnOnce(&T, &T) -> bool) -> bool {
    matches!((serde_json::from_str(a), serde_json::from_str(b)), (Ok(a), Ok(b)) if compare(&a, &b))
}

/// All members of an object, sorted by key; equal keys stay in their order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Deserialize<'a> for Members<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'a> Visitor<'a> for MembersVisitor {
    type Value = Members<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        members.sort_by(|(a, _): &(String, _), (b, _)| a.cmp(b));
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_and_order_of_keys_do_not_matter() {
        assert!(same_json(
            r#"{"a": [1, "é"], "b": null}"#,
            "{\"b\":null,\n\"a\":[1,\"\\u00e9\"]}"
        ));
    }

    #[test]
    fn everything_else_does() {
        for (a, b) in [
            ("[12345678901234567890123]", "[12345678901234567890124]"),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#),
            (r#"[{"a":[1]}]"#, r#"[{"a":["1"]}]"#),
            ("[1,2]", "[2,1]"),
            ("[1]", "[1"),
        ] {
            assert!(!same_json(a, b), "{a} and {b}");
        }
    }
}
