//! The smallest values that a schema accepts, and some that lie at its edges.

use serde_json::{Map, Number, Value, json};

use crate::compare::surface::schema::{Difference, Flat, Segment, Types, flatten};

/// How deep a made-up value may be.
const MOST_DEPTH: usize = 16;
/// Longest text and list that is made up.
const MOST_LENGTH: usize = 1_000;
/// Most properties of a made-up object, in all of it.
const MOST_PARTS: usize = 500;

/// Values that the one schema may accept and the other one may refuse at the place of the difference.
pub(super) fn samples(accepting: &Value, refusing: &Value, difference: &Difference) -> Vec<Value> {
    let mut place = difference.at.place.as_slice();
    let mut leaves = Vec::new();
    if let Some(value) = &difference.value {
        leaves.push(value.clone());
    }
    let (from, to) = (below(accepting, place), below(refusing, place));
    if let (Some(from), Some(to)) = (from, to) {
        let property = difference.property.as_deref();
        leaves.extend(edges(
            [&flatten(from, accepting), &flatten(to, refusing)],
            [accepting, refusing],
            property,
        ));
    }
    let mut whole = Vec::new();
    for leaf in leaves {
        whole.extend(around(accepting, accepting, place, &leaf));
    }
    place = &[];
    whole.extend(around(accepting, accepting, place, &smallest(accepting, accepting)));
    whole
}

/// The schema of a place, without going into choices.
fn below<'a>(root: &'a Value, place: &[Segment]) -> Option<&'a Value> {
    let mut schema = root;
    for segment in place {
        let flat = flatten(schema, root);
        schema = match segment {
            Segment::Key(name) => flat.properties.get(name.as_str()).copied()?,
            Segment::Item => flat.rest.get("items").copied()?,
            Segment::AnyKey => flat.rest.get("additionalProperties").copied()?,
        };
    }
    Some(schema)
}

/// The smallest value of the root that has this leaf at the place.
fn around(schema: &Value, root: &Value, place: &[Segment], leaf: &Value) -> Option<Value> {
    let Some((segment, rest)) = place.split_first() else {
        return Some(leaf.clone());
    };
    let flat = flatten(schema, root);
    let mut parts = MOST_PARTS;
    match segment {
        Segment::Key(name) => {
            let inner = around(flat.properties.get(name.as_str())?, root, rest, leaf)?;
            let mut object = object(&flat, root, MOST_DEPTH, &mut parts);
            object.insert(name.clone(), inner);
            Some(Value::Object(object))
        }
        Segment::AnyKey => {
            let inner = around(flat.rest.get("additionalProperties")?, root, rest, leaf)?;
            let mut object = object(&flat, root, MOST_DEPTH, &mut parts);
            object.insert(unknown(&flat), inner);
            Some(Value::Object(object))
        }
        Segment::Item => {
            let inner = around(flat.rest.get("items")?, root, rest, leaf)?;
            let fewest = length(&flat, "minItems").unwrap_or_default().max(1);
            (fewest <= MOST_LENGTH).then(|| Value::Array(vec![inner; fewest]))
        }
    }
}

/// A value that the schema accepts, as far as its simple keywords tell.
fn smallest(schema: &Value, root: &Value) -> Value {
    value(&flatten(schema, root), root, MOST_DEPTH, &mut MOST_PARTS.clone())
}

fn value(flat: &Flat<'_>, root: &Value, depth: usize, parts: &mut usize) -> Value {
    if let Some(value) = flat.values.as_ref().and_then(|values| values.first()) {
        return (*value).clone();
    }
    for key in ["anyOf", "oneOf"] {
        let first = flat
            .rest
            .get(key)
            .and_then(|it| it.as_array())
            .and_then(|all| all.first());
        if let Some(first) = first
            && depth > 0
            && !flat.types.allows("object")
        {
            return value(&flatten(first, root), root, depth - 1, parts);
        }
    }
    of_type(flat, flat.types, root, depth, parts)
}

fn of_type(flat: &Flat<'_>, types: Types, root: &Value, depth: usize, parts: &mut usize) -> Value {
    if types.allows("object") {
        Value::Object(object(flat, root, depth, parts))
    } else if types.allows("string") {
        text(length(flat, "minLength").unwrap_or(1).max(1))
    } else if types.allows("integer") || types.allows("number") {
        number(flat, types)
    } else if types.allows("boolean") {
        Value::Bool(true)
    } else if types.allows("array") {
        let fewest = length(flat, "minItems").unwrap_or_default().min(MOST_LENGTH);
        let item = flat.rest.get("items").filter(|_| depth > 0 && fewest > 0);
        let item = item.map_or(Value::Null, |item| value(&flatten(item, root), root, depth - 1, parts));
        Value::Array(vec![item; fewest])
    } else {
        Value::Null
    }
}

fn number(flat: &Flat<'_>, types: Types) -> Value {
    let least = bound(flat, ["minimum", "exclusiveMinimum"]);
    let most = bound(flat, ["maximum", "exclusiveMaximum"]);
    let number = match (least, most) {
        (Some(least), _) if flat.rest.contains_key("exclusiveMinimum") => least + 1.0,
        (Some(least), _) => least,
        (None, Some(most)) => most.floor().min(1.0),
        (None, None) => 1.0,
    };
    if types.allows("integer") {
        json_number(number)
    } else {
        json_number(number + 0.5)
    }
}

/// What is required of an object, and nothing else.
fn object(flat: &Flat<'_>, root: &Value, depth: usize, parts: &mut usize) -> Map<String, Value> {
    let mut object = Map::new();
    for name in &flat.required {
        if *parts == 0 || depth == 0 {
            break;
        }
        *parts -= 1;
        let inner = flat.properties.get(name);
        let inner = inner.map_or_else(
            || json!("x"),
            |schema| value(&flatten(schema, root), root, depth - 1, parts),
        );
        object.insert((*name).to_owned(), inner);
    }
    object
}

/// Values at the edges of the first schema that the second one may refuse.
fn edges([from, to]: [&Flat<'_>; 2], [root, _]: [&Value; 2], property: Option<&str>) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    values.extend(from.values.iter().flatten().map(|value| (*value).clone()));
    let parts = &mut MOST_PARTS.clone();
    for word in [
        "string",
        "integer",
        "number with a fraction",
        "boolean",
        "object",
        "array",
        "null",
    ] {
        let only = if word == "null" {
            Types::NULL
        } else {
            Types::named(word)
        };
        let types = from.types.and(only);
        if !types.is_empty() {
            values.push(of_type(from, types, root, MOST_DEPTH, parts));
        }
    }
    numbers(from, to, &mut values);
    lengths(from, to, &mut values);
    if from.types.allows("object") {
        objects(from, root, property, &mut values);
    }
    values
}

fn numbers(from: &Flat<'_>, to: &Flat<'_>, values: &mut Vec<Value>) {
    let all = [from, to].into_iter();
    let bounds = all.flat_map(|flat| {
        let of = |pair| bound(flat, pair);
        [
            of(["minimum", "exclusiveMinimum"]),
            of(["maximum", "exclusiveMaximum"]),
            of(["multipleOf", "multipleOf"]),
        ]
    });
    for at in bounds.flatten() {
        for step in [0.0, 1.0, -1.0, 0.5, -0.5] {
            values.push(json_number(at + step));
        }
    }
}

fn lengths(from: &Flat<'_>, to: &Flat<'_>, values: &mut Vec<Value>) {
    let of = |keys: [&str; 2]| -> Vec<usize> {
        let all = [from, to]
            .into_iter()
            .flat_map(|flat| keys.map(|key| length(flat, key)));
        let near = all.flatten().flat_map(|at| [at, at + 1, at.saturating_sub(1)]);
        near.filter(|at| *at <= MOST_LENGTH).collect()
    };
    values.extend(of(["minLength", "maxLength"]).into_iter().map(text));
    if from.types.allows("array") {
        let item = from.rest.get("items").map_or(json!("x"), |item| smallest(item, item));
        values.extend(
            of(["minItems", "maxItems"])
                .into_iter()
                .map(|count| Value::Array(vec![item.clone(); count])),
        );
        values.push(Value::Array(vec![item.clone(), item]));
    }
    values.extend(["", "a", "0", "A b"].map(Value::from));
}

/// Objects with one property more than they need: each known one, and one that nobody knows.
fn objects(from: &Flat<'_>, root: &Value, property: Option<&str>, values: &mut Vec<Value>) {
    let least = object(from, root, MOST_DEPTH, &mut MOST_PARTS.clone());
    let with = |name: &str, value: Value| {
        let mut object = least.clone();
        object.insert(name.to_owned(), value);
        Value::Object(object)
    };
    for (name, schema) in from.properties.iter().take(MOST_PARTS) {
        if property.is_none_or(|it| it == *name) {
            values.push(with(name, smallest_in(schema, root)));
        }
    }
    values.push(with(&unknown(from), json!("x")));
    let mut all = least.clone();
    for (name, schema) in from.properties.iter().take(MOST_PARTS) {
        all.insert((*name).to_owned(), smallest_in(schema, root));
    }
    values.push(Value::Object(all));
}

fn smallest_in(schema: &Value, root: &Value) -> Value {
    value(&flatten(schema, root), root, MOST_DEPTH, &mut MOST_PARTS.clone())
}

/// A name that no property has.
fn unknown(flat: &Flat<'_>) -> String {
    let mut name = "extra".to_owned();
    while flat.properties.contains_key(name.as_str()) {
        name.push('_');
    }
    name
}

fn bound(flat: &Flat<'_>, keys: [&str; 2]) -> Option<f64> {
    keys.iter()
        .find_map(|key| flat.rest.get(key).and_then(|it| it.as_f64()))
}

fn length(flat: &Flat<'_>, key: &str) -> Option<usize> {
    let length = flat.rest.get(key)?.as_f64()?;
    #[expect(clippy::cast_sign_loss, reason = "a length below zero is none")]
    (length >= 0.0).then_some(length as usize)
}

fn text(length: usize) -> Value {
    Value::String("x".repeat(length.min(MOST_LENGTH)))
}

/// The number as people write it: without a fraction where there is none.
fn json_number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}
