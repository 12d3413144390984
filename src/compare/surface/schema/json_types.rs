//! The types that a schema allows.

use serde_json::Value;

/// A set of JSON types, where a number is an integer or has a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::compare::surface) struct Types(u8);

/// Names and bits; `number` comes before what it is made of, so that it is named first.
const NAMES: [(&str, u8); 8] = [
    ("array", 1),
    ("boolean", 2),
    ("number", 4 | 8),
    ("integer", 4),
    ("number with a fraction", 8),
    ("null", 16),
    ("object", 32),
    ("string", 64),
];

impl Types {
    /// All of them.
    pub(in crate::compare::surface) const ALL: Self = Self(127);
    /// `null` alone.
    pub(in crate::compare::surface) const NULL: Self = Self(16);
    /// None of them.
    pub(in crate::compare::surface) const NONE: Self = Self(0);

    /// What a `type` keyword allows; a word that is no type allows nothing.
    pub(in crate::compare::surface) fn of_keyword(keyword: &Value) -> Self {
        match keyword {
            Value::String(word) => Self::named(word),
            Value::Array(words) => words
                .iter()
                .filter_map(Value::as_str)
                .fold(Self::NONE, |all, word| all.or(Self::named(word))),
            _ => Self::ALL,
        }
    }

    /// The type of one value.
    pub(in crate::compare::surface) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self(2),
            Value::Number(number) => match number.as_f64() {
                Some(float) if float.fract() != 0.0 => Self(8),
                _ => Self(4),
            },
            Value::String(_) => Self(64),
            Value::Array(_) => Self(1),
            Value::Object(_) => Self(32),
        }
    }

    /// A type by its name in JSON Schema.
    pub(in crate::compare::surface) fn named(word: &str) -> Self {
        let found = NAMES.iter().find(|(name, _)| *name == word);
        found.map_or(Self::NONE, |(_, bits)| Self(*bits))
    }

    /// Those of both.
    pub(in crate::compare::surface) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of either.
    pub(in crate::compare::surface) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of this set that the other one has not.
    pub(in crate::compare::surface) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it allows nothing.
    pub(in crate::compare::surface) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it allows some of these.
    pub(in crate::compare::surface) fn allows(self, word: &str) -> bool {
        !self.and(Self::named(word)).is_empty()
    }

    /// Their names, in a fixed order.
    pub(in crate::compare::surface) fn words(self) -> String {
        if self == Self::ALL {
            return "any type".to_owned();
        }
        let (mut rest, mut words) = (self.0, Vec::new());
        for (name, bits) in NAMES {
            if rest & bits == bits {
                words.push(name);
                rest &= !bits;
            }
        }
        if words.is_empty() {
            "nothing".to_owned()
        } else {
            words.join(" or ")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_is_an_integer_or_has_a_fraction() {
        let (number, integer) = (Types::named("number"), Types::named("integer"));
        assert!(integer.without(number).is_empty());
        assert_eq!(number.without(integer).words(), "number with a fraction");
        assert_eq!(
            Types::of_keyword(&json!(["null", "integer", "number"])).words(),
            "number or null"
        );
        assert_eq!(Types::of_value(&json!(1.0)), integer);
    }
}
