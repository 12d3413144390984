//! One schema with what is spelled in several ways spelled in one: local references followed, trivial compositions merged.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Types;

/// References followed from one place, and compositions entered.
const MOST_HOPS: usize = 32;

/// Keywords that are no part of what a schema says about values.
const BOOKKEEPING: [&str; 7] = ["$defs", "definitions", "$comment", "$id", "id", "$anchor", "$schema"];

/// Keywords that say nothing about which values are valid, and of which the outermost counts.
const WORDING: [&str; 6] = [
    "description",
    "title",
    "default",
    "examples",
    "deprecated",
    "x-mcp-header",
];

static NULL: Value = Value::Null;

/// A schema, flat.
#[derive(Debug, Clone)]
pub(in crate::compare::surface) struct Flat<'a> {
    /// Whether no value is valid.
    pub(in crate::compare::surface) is_never: bool,
    /// The allowed types.
    pub(in crate::compare::surface) types: Types,
    /// The allowed values, where they are listed.
    pub(in crate::compare::surface) values: Option<Vec<&'a Value>>,
    /// Whether `const` lists the one value.
    pub(in crate::compare::surface) is_const: bool,
    /// The properties with a schema of their own.
    pub(in crate::compare::surface) properties: BTreeMap<&'a str, &'a Value>,
    /// The required properties.
    pub(in crate::compare::surface) required: BTreeSet<&'a str>,
    /// Members of `allOf` that could not be merged.
    pub(in crate::compare::surface) all_of: Vec<&'a Value>,
    /// All other keywords that have an effect.
    pub(in crate::compare::surface) rest: BTreeMap<&'a str, &'a Value>,
}

/// The flat form of a schema in its document.
pub(in crate::compare::surface) fn flatten<'a>(schema: &'a Value, root: &'a Value) -> Flat<'a> {
    let mut flat = Flattener { root, hops: 0 }.flat(schema);
    if let Some(values) = &flat.values {
        let of_values = values
            .iter()
            .fold(Types::NONE, |all, value| all.or(Types::of_value(value)));
        flat.types = flat.types.and(of_values);
    }
    flat
}

impl Flat<'_> {
    const fn anything() -> Self {
        Self {
            is_never: false,
            types: Types::ALL,
            values: None,
            is_const: false,
            properties: BTreeMap::new(),
            required: BTreeSet::new(),
            all_of: Vec::new(),
            rest: BTreeMap::new(),
        }
    }

    /// Whether nothing but these keywords and words for people stands in it.
    pub(super) fn is_nothing_but(&self, keyword: &str) -> bool {
        let is_word = |key: &&str| *key == keyword || WORDING.contains(key) || key.starts_with("x-");
        self.types == Types::ALL
            && self.values.is_none()
            && self.properties.is_empty()
            && self.required.is_empty()
            && self.all_of.is_empty()
            && self.rest.keys().all(is_word)
    }

    /// Whether properties without a schema of their own are refused.
    pub(in crate::compare::surface) fn is_closed(&self) -> bool {
        ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|key| self.rest.get(key).is_some_and(|value| **value == Value::Bool(false)))
    }

    /// Takes in another schema that must hold too; unchanged and false where the two cannot be merged for certain.
    fn merge(&mut self, other: &Self) -> bool {
        let rest_differs = other.rest.iter().any(|(key, value)| {
            let is_wording = WORDING.contains(key);
            !is_wording && self.rest.get(key).is_some_and(|own| own != value)
        });
        let property_differs = other
            .properties
            .iter()
            .any(|(name, value)| self.properties.get(name).is_some_and(|own| own != value));
        let values_differ = matches!((&self.values, &other.values), (Some(a), Some(b)) if a != b);
        let looks_beyond = |flat: &Self| {
            ["additionalProperties", "unevaluatedProperties", "patternProperties"]
                .iter()
                .any(|key| flat.rest.contains_key(key))
        };
        let is_disturbed = |one: &Self, two: &Self| looks_beyond(one) && !two.properties.is_empty();
        if rest_differs || property_differs || values_differ || is_disturbed(self, other) || is_disturbed(other, self) {
            return false;
        }
        self.is_never |= other.is_never;
        self.types = self.types.and(other.types);
        if self.values.is_none() {
            (self.values, self.is_const) = (other.values.clone(), other.is_const);
        }
        self.properties.extend(&other.properties);
        self.required.extend(&other.required);
        self.all_of.extend(&other.all_of);
        for (key, value) in &other.rest {
            self.rest.entry(key).or_insert(value);
        }
        true
    }

    /// Allows `null` as well, where it is known what is allowed besides.
    fn add_null(&mut self) -> bool {
        if self.types == Types::ALL && self.values.is_none() {
            return false;
        }
        if let Some(values) = &mut self.values {
            values.push(&NULL);
            self.is_const = false;
        }
        self.types = self.types.or(Types::NULL);
        true
    }
}

struct Flattener<'a> {
    root: &'a Value,
    hops: usize,
}

impl<'a> Flattener<'a> {
    fn flat(&mut self, schema: &'a Value) -> Flat<'a> {
        let mut flat = Flat::anything();
        let Value::Object(members) = schema else {
            flat.is_never = *schema == Value::Bool(false);
            return flat;
        };
        for (key, value) in members {
            take(&mut flat, key, value);
        }
        if let Some(Value::String(reference)) = members.get("$ref") {
            self.follow(&mut flat, reference, &members["$ref"]);
        }
        if let Some(Value::Array(all)) = members.get("allOf") {
            for one in all {
                if !self.merged(&mut flat, one) {
                    flat.all_of.push(one);
                }
            }
        }
        self.unfold(&mut flat);
        flat
    }

    fn follow(&mut self, flat: &mut Flat<'a>, reference: &str, written: &'a Value) {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(pointer));
        match target {
            Some(target) if self.merged(flat, target) => {}
            Some(target) if self.hops < MOST_HOPS => flat.all_of.push(target),
            _ => _ = flat.rest.insert("$ref", written),
        }
    }

    fn merged(&mut self, flat: &mut Flat<'a>, other: &'a Value) -> bool {
        if self.hops == MOST_HOPS {
            return false;
        }
        self.hops += 1;
        let other = self.flat(other);
        flat.merge(&other)
    }

    /// Choices that are none: one branch alone, a branch and `null`, nothing but listed values.
    fn unfold(&mut self, flat: &mut Flat<'a>) {
        for key in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = flat.rest.get(key).copied() else {
                continue;
            };
            let without = |flat: &Flat<'a>| {
                let mut without = flat.clone();
                without.rest.remove(key);
                without
            };
            let unfolded = match branches.as_slice() {
                [only] => {
                    let mut one = without(flat);
                    self.merged(&mut one, only).then_some(one)
                }
                [a, b] if is_null(a) || is_null(b) => {
                    let mut one = without(flat);
                    let other = if is_null(a) { b } else { a };
                    (one.types == Types::ALL && self.merged(&mut one, other) && one.add_null()).then_some(one)
                }
                _ if flat.values.is_none() => values_of(branches).map(|values| {
                    let mut one = without(flat);
                    one.values = Some(values);
                    one
                }),
                _ => None,
            };
            if let Some(unfolded) = unfolded {
                *flat = unfolded;
            }
        }
    }
}

fn take<'a>(flat: &mut Flat<'a>, key: &'a str, value: &'a Value) {
    match (key, value) {
        ("$ref" | "allOf", Value::String(_) | Value::Array(_)) => {}
        ("type", _) => flat.types = Types::of_keyword(value),
        ("enum", Value::Array(values)) => flat.values = Some(values.iter().collect()),
        ("const", _) => (flat.values, flat.is_const) = (Some(vec![value]), true),
        ("properties", Value::Object(properties)) => {
            flat.properties
                .extend(properties.iter().map(|(name, schema)| (name.as_str(), schema)));
        }
        ("required", Value::Array(names)) => flat.required.extend(names.iter().filter_map(Value::as_str)),
        _ if BOOKKEEPING.contains(&key) || has_no_effect(key, value) => {}
        _ => _ = flat.rest.insert(key, value),
    }
}

fn has_no_effect(key: &str, value: &Value) -> bool {
    let is_anything = || *value == Value::Bool(true) || value.as_object().is_some_and(serde_json::Map::is_empty);
    match key {
        "additionalProperties"
        | "unevaluatedProperties"
        | "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "propertyNames" => is_anything(),
        "minLength" | "minItems" | "minProperties" => value.as_f64() == Some(0.0),
        "uniqueItems" | "deprecated" => *value == Value::Bool(false),
        "patternProperties" | "dependentRequired" | "dependentSchemas" | "dependencies" => {
            value.as_object().is_some_and(serde_json::Map::is_empty)
        }
        _ => false,
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|it| it == "null")
        && schema
            .as_object()
            .is_some_and(|members| members.keys().all(|key| key == "type"))
}

/// The values of branches that list values and say nothing else.
fn values_of(branches: &[Value]) -> Option<Vec<&Value>> {
    let mut values = Vec::new();
    for branch in branches {
        let members = branch.as_object()?;
        if !members
            .keys()
            .all(|key| matches!(key.as_str(), "const" | "enum" | "type"))
        {
            return None;
        }
        match (members.get("const"), members.get("enum")) {
            (Some(value), None) => values.push(value),
            (None, Some(Value::Array(listed))) => values.extend(listed),
            _ => return None,
        }
    }
    (!values.is_empty()).then_some(values)
}
