//! What differs between two JSON values, place by place.

use serde_json::{Map, Value};

/// The differences of two values: the first ones, and how many more there are.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonDiff<'a> {
    /// The first differences, in the order of the expected value.
    pub changes: Vec<JsonChange<'a>>,
    /// Differences beyond those.
    pub more: usize,
}

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonChange<'a> {
    /// Where it is, as a `JSONPath` (RFC 9535): `$.items[0].id`; an index counts in the list that has the item, the
    /// actual one if both have.
    pub path: String,
    /// What happened there.
    pub kind: JsonChangeKind<'a>,
}

/// What happened at one place.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonChangeKind<'a> {
    /// Only the actual value has it.
    Added(&'a Value),
    /// Only the expected value has it.
    Removed(&'a Value),
    /// Both have it, with different values.
    Changed {
        /// The expected value.
        expected: &'a Value,
        /// The value that came.
        actual: &'a Value,
    },
}

/// Compares two values; keeps the first `max` differences. The order of object keys does not matter. Lists are
/// compared item by item after what is equal at both ends is set aside, so that one item more is one difference.
pub fn json_diff<'a>(expected: &'a Value, actual: &'a Value, max: usize) -> JsonDiff<'a> {
    let mut walk = Walk {
        path: "$".to_owned(),
        max,
        diff: JsonDiff {
            changes: Vec::new(),
            more: 0,
        },
    };
    walk.values(expected, actual);
    walk.diff
}

struct Walk<'a> {
    path: String,
    max: usize,
    diff: JsonDiff<'a>,
}

impl<'a> Walk<'a> {
    fn values(&mut self, expected: &'a Value, actual: &'a Value) {
        match (expected, actual) {
            (Value::Object(expected), Value::Object(actual)) => self.objects(expected, actual),
            (Value::Array(expected), Value::Array(actual)) => self.lists(expected, actual),
            _ if expected == actual => {}
            _ => self.found(JsonChangeKind::Changed { expected, actual }),
        }
    }

    fn objects(&mut self, expected: &'a Map<String, Value>, actual: &'a Map<String, Value>) {
        for (key, value) in expected {
            self.at(&key_segment(key), |walk| match actual.get(key) {
                Some(other) => walk.values(value, other),
                None => walk.found(JsonChangeKind::Removed(value)),
            });
        }
        for (key, value) in actual.iter().filter(|(key, _)| !expected.contains_key(*key)) {
            self.at(&key_segment(key), |walk| walk.found(JsonChangeKind::Added(value)));
        }
    }

    fn lists(&mut self, expected: &'a [Value], actual: &'a [Value]) {
        let start = equal_items(expected.iter(), actual.iter());
        let (expected, actual) = (&expected[start..], &actual[start..]);
        let end = equal_items(expected.iter().rev(), actual.iter().rev());
        let (expected, actual) = (&expected[..expected.len() - end], &actual[..actual.len() - end]);
        let both = expected.len().min(actual.len());
        for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
            self.at(&format!("[{}]", start + index), |walk| walk.values(expected, actual));
        }
        for (index, value) in expected.iter().enumerate().skip(both) {
            self.at(&format!("[{}]", start + index), |walk| {
                walk.found(JsonChangeKind::Removed(value));
            });
        }
        for (index, value) in actual.iter().enumerate().skip(both) {
            self.at(&format!("[{}]", start + index), |walk| {
                walk.found(JsonChangeKind::Added(value));
            });
        }
    }

    fn at(&mut self, segment: &str, visit: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(segment);
        visit(self);
        self.path.truncate(length);
    }

    fn found(&mut self, kind: JsonChangeKind<'a>) {
        if self.diff.changes.len() < self.max {
            let path = self.path.clone();
            self.diff.changes.push(JsonChange { path, kind });
        } else {
            self.diff.more += 1;
        }
    }
}

fn equal_items<'a>(a: impl Iterator<Item = &'a Value>, b: impl Iterator<Item = &'a Value>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

fn key_segment(key: &str) -> String {
    let is_name = !key.starts_with(|c: char| c.is_ascii_digit())
        && !key.is_empty()
        && key.chars().all(|c| c == '_' || c.is_alphanumeric());
    if is_name {
        format!(".{key}")
    } else {
        format!("['{}']", key.replace('\\', "\\\\").replace('\'', "\\'"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(expected: &Value, actual: &Value) -> Vec<String> {
        let diff = json_diff(expected, actual, 10);
        assert_eq!(diff.more, 0);
        let show = |change: JsonChange<'_>| match change.kind {
            JsonChangeKind::Added(value) => format!("+ {} {value}", change.path),
            JsonChangeKind::Removed(value) => format!("- {} {value}", change.path),
            JsonChangeKind::Changed { expected, actual } => format!("~ {} {expected} {actual}", change.path),
        };
        diff.changes.into_iter().map(show).collect()
    }

    #[test]
    fn equal_values_have_no_difference() {
        assert!(shown(&json!({"a": 1, "b": [1, {}]}), &json!({"b": [1, {}], "a": 1})).is_empty());
    }

    #[test]
    fn every_place_is_named() {
        let expected = json!({"items": [{"id": 1, "odd key": true}], "gone": null});
        let actual = json!({"items": [{"id": 2, "odd key": false}], "new": "x"});
        assert_eq!(
            shown(&expected, &actual),
            [
                "~ $.items[0].id 1 2",
                "~ $.items[0]['odd key'] true false",
                "- $.gone null",
                "+ $.new \"x\""
            ]
        );
    }

    #[test]
    fn one_item_more_or_less_is_one_difference() {
        assert_eq!(shown(&json!([1, 2, 3]), &json!([1, 9, 2, 3])), ["+ $[1] 9"]);
        assert_eq!(shown(&json!([1, 2, 3]), &json!([1, 3])), ["- $[1] 2"]);
        assert_eq!(shown(&json!([1, 1]), &json!([1])), ["- $[1] 1"]);
        assert_eq!(
            shown(&json!([1, 2]), &json!([3, 4, 5])),
            ["~ $[0] 1 3", "~ $[1] 2 4", "+ $[2] 5"]
        );
    }

    #[test]
    fn another_type_is_a_change_of_the_whole() {
        assert_eq!(shown(&json!({"a": []}), &json!({"a": {}})), ["~ $.a [] {}"]);
        assert_eq!(shown(&json!("1"), &json!(1)), ["~ $ \"1\" 1"]);
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let numbers = |offset: u32| Value::from((0..1000).map(|n| n + offset).collect::<Vec<_>>());
        let (expected, actual) = (numbers(0), numbers(5000));
        let diff = json_diff(&expected, &actual, 3);
        assert_eq!((diff.changes.len(), diff.more), (3, 997));
    }
}
