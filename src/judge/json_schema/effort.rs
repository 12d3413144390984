//! How much there is to tell of a value that is not valid. The validator goes through every alternative that fails, and
//! through what they refer to, each time anew: alternatives that refer to themselves double the work, and the memory, at
//! every level of a value, and an answer of thirty levels would take all there is.

use std::{collections::HashMap, ptr};

use jsonschema::ValidatorMap;
use serde_json::Value;

use super::formats;
use crate::source::pointer_to;

/// How often the same value may be gone through again by the same schema; each time takes some kilobytes.
const MOST_AGAIN: usize = 10_000;

/// Whether it can be told in words what is wrong with a value, within a bound of time and memory.
pub(super) fn is_affordable(schema: &Value, value: &Value) -> bool {
    // Without a reference nothing is gone through again.
    if !has_reference(schema) {
        return true;
    }
    let mut walk = Walk {
        root: schema,
        parts: formats::checked(schema).offline().build_map(schema).ok(),
        known: HashMap::new(),
    };
    let all = walk.visits(schema, "", value);
    all.saturating_sub(walk.known.len()) <= MOST_AGAIN
}

fn has_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members
            .iter()
            .any(|(word, value)| word.ends_with("Ref") || word == "$ref" || has_reference(value)),
        Value::Array(schemas) => schemas.iter().any(has_reference),
        _ => false,
    }
}

struct Walk<'s> {
    root: &'s Value,
    /// A validator for each part of the schema, by its place.
    parts: Option<ValidatorMap>,
    /// Visits below a schema and a value, by their addresses. A circle is left at once, as the validator does.
    known: HashMap<(usize, usize), usize>,
}

impl Walk<'_> {
    /// How many pairs of a schema and a value are gone through, from these on.
    fn visits(&mut self, schema: &Value, place: &str, value: &Value) -> usize {
        let Value::Object(members) = schema else { return 1 };
        let pair = (ptr::from_ref(schema).addr(), ptr::from_ref(value).addr());
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        self.known.insert(pair, 0);
        if self.is_valid(place, value) {
            return 0;
        }
        let mut all = 1_usize;
        let not_taken = if self.is_valid(&pointer_to(place, "if"), value) {
            "else"
        } else {
            "then"
        };
        for (word, below) in members.iter().filter(|(word, _)| *word != not_taken) {
            all = all.saturating_add(self.below(word, below, &pointer_to(place, word), value));
        }
        self.known.insert(pair, all);
        all
    }

    /// The same for what one keyword goes through. One too many does no harm.
    fn below(&mut self, word: &str, below: &Value, place: &str, value: &Value) -> usize {
        match (word, below, value) {
            ("$ref" | "$recursiveRef" | "$dynamicRef", Value::String(target), _) => self.reference(target, value),
            ("allOf" | "anyOf" | "oneOf" | "then" | "else", ..) => self.each(below, place, &[value]),
            ("dependencies" | "dependentSchemas", Value::Object(named), _) => {
                let schemas = named.iter();
                sum(schemas.map(|(name, schema)| self.visits(schema, &pointer_to(place, name), value)))
            }
            ("properties", Value::Object(named), Value::Object(members)) => {
                let both = named
                    .iter()
                    .filter_map(|(name, schema)| Some((name, schema, members.get(name)?)));
                sum(both.map(|(name, schema, value)| self.visits(schema, &pointer_to(place, name), value)))
            }
            ("patternProperties", Value::Object(named), Value::Object(members)) => {
                let values: Vec<&Value> = members.values().collect();
                let schemas = named.iter();
                sum(schemas.map(|(name, schema)| self.each(schema, &pointer_to(place, name), &values)))
            }
            ("additionalProperties" | "unevaluatedProperties", _, Value::Object(members)) => {
                self.each(below, place, &members.values().collect::<Vec<_>>())
            }
            ("items" | "prefixItems" | "additionalItems" | "unevaluatedItems", _, Value::Array(items)) => {
                self.each(below, place, &items.iter().collect::<Vec<_>>())
            }
            _ => 0,
        }
    }

    /// Each of the values by the schema, or by each schema of a list.
    fn each(&mut self, below: &Value, place: &str, values: &[&Value]) -> usize {
        match below {
            Value::Array(schemas) => {
                let schemas = schemas.iter().enumerate();
                sum(schemas.map(|(index, schema)| self.each(schema, &pointer_to(place, &index.to_string()), values)))
            }
            schema => sum(values.iter().map(|value| self.visits(schema, place, value))),
        }
    }

    fn reference(&mut self, target: &str, value: &Value) -> usize {
        let root = self.root;
        let found = match target.strip_prefix('#') {
            Some(name) if !name.is_empty() && !name.starts_with('/') => anchor(root, name, ""),
            Some(place) => root.pointer(place).map(|schema| (place.to_owned(), schema)),
            None => None,
        };
        found.map_or(0, |(place, schema)| self.visits(schema, &place, value))
    }

    fn is_valid(&self, place: &str, value: &Value) -> bool {
        let part = self.parts.as_ref().and_then(|parts| parts.get(&format!("#{place}")));
        part.is_some_and(|part| part.is_valid(value))
    }
}

/// The part of a schema that has this name, and its place.
fn anchor<'s>(schema: &'s Value, name: &str, place: &str) -> Option<(String, &'s Value)> {
    match schema {
        Value::Object(members) => {
            let is_named = |word: &str| members.get(word).is_some_and(|it| it == name);
            if is_named("$anchor") || is_named("$dynamicAnchor") {
                return Some((place.to_owned(), schema));
            }
            let mut members = members.iter();
            members.find_map(|(word, below)| anchor(below, name, &pointer_to(place, word)))
        }
        Value::Array(schemas) => {
            let mut schemas = schemas.iter().enumerate();
            schemas.find_map(|(index, below)| anchor(below, name, &pointer_to(place, &index.to_string())))
        }
        _ => None,
    }
}

fn sum(visits: impl Iterator<Item = usize>) -> usize {
    visits.fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A list whose links are of two kinds.
    fn links() -> Value {
        let link = |required: &str| json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/link"}}, "required": [required]});
        json!({"$ref": "#/$defs/link", "$defs": {"link": {"anyOf": [link("a"), link("b")]}}})
    }

    fn chain(length: usize, link: impl Fn(Value) -> Value) -> Value {
        (0..length).fold(json!({}), |inner, _| link(inner))
    }

    #[test]
    fn alternatives_that_refer_to_themselves_double_the_work() {
        let next = |inner| json!({ "next": inner });
        assert!(is_affordable(&links(), &chain(8, next)));
        assert!(!is_affordable(&links(), &chain(30, next)));
        assert!(!is_affordable(&links(), &chain(120, next)));
        // What is valid is not gone through.
        let valid = chain(
            30,
            |inner| json!({"a": 1, "next": if inner == json!({}) { Value::Null } else { inner }}),
        );
        let mut schema = links();
        let alternatives = schema["$defs"]["link"]["anyOf"].as_array_mut();
        alternatives.expect("a list").push(json!({"type": "null"}));
        assert!(is_affordable(&schema, &valid));
    }

    #[test]
    fn a_reference_by_name_is_one_as_well() {
        for (anchor, reference) in [("$anchor", "$ref"), ("$dynamicAnchor", "$dynamicRef")] {
            let link = |required: &str| json!({"properties": {"next": {reference: "#link"}}, "required": [required]});
            let links = json!({"anyOf": [link("a"), link("b")], anchor: "link"});
            let schema = json!({"$ref": "#/$defs/links", "$defs": {"links": links}});
            assert!(
                !is_affordable(&schema, &chain(30, |inner| json!({ "next": inner }))),
                "{anchor}"
            );
        }
    }

    #[test]
    fn of_a_condition_only_one_branch_is_gone_through() {
        let next = json!({"properties": {"next": {"$ref": "#"}}});
        let schema = json!({"if": {"required": ["a"]}, "then": next, "else": next, "required": ["a"]});
        assert!(is_affordable(&schema, &chain(60, |inner| json!({ "next": inner }))));
    }

    #[test]
    fn definitions_that_are_used_twice_by_one_another_do_as_well() {
        let mut schema = json!({"$ref": "#/$defs/0", "$defs": {"18": {"type": "string"}}});
        for n in 0..18 {
            let next = json!({"$ref": format!("#/$defs/{}", n + 1)});
            schema["$defs"][n.to_string()] = json!({"allOf": [next, next]});
        }
        assert!(!is_affordable(&schema, &json!(1)));
        assert!(is_affordable(&schema, &json!("x")));
    }

    #[test]
    fn what_is_long_is_not_therefore_too_much() {
        let schema = json!({
            "items": {"$ref": "#/$defs/item"},
            "$defs": {"item": {"anyOf": [{"type": "string"}, {"properties": {"a": {"type": "string"}}}]}},
        });
        assert!(is_affordable(&schema, &json!(vec![json!({"a": 1}); 20_000])));
        let tree = json!({"properties": {"children": {"items": {"$ref": "#"}}, "name": {"type": "string"}}});
        assert!(is_affordable(
            &tree,
            &chain(100, |inner| json!({"name": 1, "children": [inner]}))
        ));
    }
}
