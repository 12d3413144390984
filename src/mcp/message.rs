//! JSON as the server wrote it, read once: its value, and the keys that stood twice in one object, of which a value keeps
//! the last only. "An object whose names are all unique is interoperable" (RFC 8259 §4); of another, each reader takes
//! what it likes.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};

/// What stood in a frame.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Message {
    /// Its value; of equal keys, the last.
    pub(super) value: Value,
    /// What its value does not show.
    pub(super) repeated: Repeated,
}

/// Keys that stood more than once in one object. A batch counts as a whole.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Repeated {
    /// The first in a message itself or in its `result` or `error`: what such a message means is anybody's guess.
    pub(super) deciding: Option<String>,
    /// The first further inside.
    pub(super) inside: Option<String>,
    /// The values of `id` before the last.
    pub(super) ids: Vec<Value>,
}

impl Repeated {
    /// The first key that stood more than once, the graver one before.
    pub(super) fn any(&self) -> Option<&str> {
        self.deciding.as_ref().or(self.inside.as_ref()).map(String::as_str)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut repeated = Repeated::default();
        let value = Reader {
            place: Place::Message,
            repeated: &mut repeated,
        }
        .deserialize(deserializer)?;
        Ok(Self { value, repeated })
    }
}

/// Where in a message a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Message,
    Payload,
    Inside,
}

impl Place {
    fn of_member(self, key: &str) -> Self {
        match (self, key) {
            (Self::Message, "result" | "error") => Self::Payload,
            _ => Self::Inside,
        }
    }

    /// The items of a list on the outside are the messages of a batch.
    fn of_item(self) -> Self {
        match self {
            Self::Message => Self::Message,
            _ => Self::Inside,
        }
    }
}

/// Reads a value as `serde_json` does, but for the keys.
struct Reader<'r> {
    place: Place,
    repeated: &'r mut Repeated,
}

impl Reader<'_> {
    fn at(&mut self, place: Place) -> Reader<'_> {
        Reader {
            place,
            repeated: self.repeated,
        }
    }

    fn note(&mut self, key: &str, earlier: Value) {
        let first = match self.place {
            Place::Inside => &mut self.repeated.inside,
            _ => &mut self.repeated.deciding,
        };
        first.get_or_insert_with(|| key.to_owned());
        if self.place == Place::Message && key == "id" {
            self.repeated.ids.push(earlier);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let place = self.place.of_item();
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.at(place))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let place = self.place.of_member(&key);
            let value = members.next_value_seed(self.at(place))?;
            match object.entry(key) {
                Entry::Vacant(free) => {
                    free.insert(value);
                }
                Entry::Occupied(mut known) => {
                    let earlier = known.insert(value);
                    self.note(known.key(), earlier);
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Message {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_value_is_what_serde_json_reads() {
        for text in [
            r#"{"a":[null,true,-1,18446744073709551615,1.5,1e23,"x\né",{}],"":{"b":[[]]}}"#,
            r#"[{"id":1},{"id":2}]"#,
            "12345678901234567890123",
            "-0.0",
        ] {
            assert_eq!(
                read(text).value.to_string(),
                serde_json::from_str::<Value>(text).unwrap().to_string()
            );
            assert_eq!(read(text).repeated, Repeated::default(), "{text}");
        }
        for text in ["[1", "{\"a\":}", "[NaN]", "1e400", &"[".repeat(128), "{} x"] {
            let ours = serde_json::from_str::<Message>(text).unwrap_err();
            let theirs = serde_json::from_str::<Value>(text).unwrap_err();
            assert_eq!(ours.to_string(), theirs.to_string(), "{text}");
        }
    }

    #[test]
    fn a_key_twice_is_told_by_its_place() {
        for text in [
            r#"{"id":3,"key":1,"key":2}"#,
            r#"{"id":3,"result":{"key":true,"key":false}}"#,
            r#"{"id":3,"error":{"key":1,"key":1}}"#,
            r#"[{"id":2},{"id":3,"key":1,"key":2}]"#,
            r#"{"id":3,"result":{"key":1,"\u006bey":2}}"#,
        ] {
            assert_eq!(read(text).repeated.deciding.as_deref(), Some("key"), "{text}");
        }
        for text in [
            r#"{"id":3,"result":{"content":[{"key":1,"key":2}]}}"#,
            r#"{"id":3,"result":{"structuredContent":{"key":1,"key":2}}}"#,
            r#"{"id":3,"result":{"result":{"key":1,"key":2}}}"#,
            r#"{"method":"x","params":{"key":1,"key":2}}"#,
        ] {
            let repeated = read(text).repeated;
            assert_eq!(
                (repeated.deciding, repeated.inside.as_deref()),
                (None, Some("key")),
                "{text}"
            );
        }
    }

    #[test]
    fn the_last_value_counts_and_every_id_is_kept() {
        let message = read(r#"{"id":3,"result":{"id":7,"id":8},"id":"4","id":5}"#);
        assert_eq!(message.value, json!({"id": 5, "result": {"id": 8}}));
        assert_eq!(message.repeated.ids, [json!(3), json!("4")]);
    }
}
