//! Misspelt keywords: JSON Schema ignores what it does not know, so `requred` would assert nothing and pass.

use serde_json::Value;

use crate::source;

/// Every keyword of the drafts 4 to 2020-12, and the ones `OpenAPI` adds.
const KNOWN: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "discriminator",
    "else",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "id",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
    "xml",
];
/// Keywords whose members are schemas by name.
const NAMED_SCHEMAS: &[&str] = &[
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];
/// Keywords that hold values, in which nothing is a keyword.
const VALUES: &[&str] = &[
    "$vocabulary",
    "const",
    "default",
    "dependentRequired",
    "discriminator",
    "enum",
    "example",
    "examples",
    "externalDocs",
    "xml",
];

/// A word in the place of a keyword that is none, but nearly one.
pub(super) struct Misspelt {
    /// JSON Pointer of the word.
    pub(super) place: String,
    /// The keyword that was likely meant.
    pub(super) meant: &'static str,
}

/// The first misspelt keyword. Words that resemble no keyword are extensions and left alone.
pub(super) fn misspelt(schema: &Value) -> Option<Misspelt> {
    in_schema(schema, "")
}

fn in_schema(schema: &Value, place: &str) -> Option<Misspelt> {
    match schema {
        Value::Object(members) => members.iter().find_map(|(word, value)| {
            let place = format!("{place}/{word}");
            match word.as_str() {
                word if NAMED_SCHEMAS.contains(&word) => in_named_schemas(value, &place),
                word if VALUES.contains(&word) => None,
                word if KNOWN.contains(&word) => in_schema(value, &place),
                word => meant(word).map(|meant| Misspelt { place, meant }),
            }
        }),
        Value::Array(schemas) => schemas
            .iter()
            .enumerate()
            .find_map(|(index, schema)| in_schema(schema, &format!("{place}/{index}"))),
        _ => None,
    }
}

fn in_named_schemas(schemas: &Value, place: &str) -> Option<Misspelt> {
    schemas
        .as_object()?
        .iter()
        .find_map(|(name, schema)| in_schema(schema, &format!("{place}/{name}")))
}

/// `enumNames` begins like a keyword and is an extension; a slip is not that much longer.
fn meant(word: &str) -> Option<&'static str> {
    source::nearest(word, KNOWN.iter().copied()).filter(|known| word.len().abs_diff(known.len()) <= 2)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn slips_are_found_at_any_depth() {
        let found = |schema: Value| misspelt(&schema).map(|slip| (slip.place, slip.meant));
        assert_eq!(
            found(json!({"requred": ["a"]})),
            Some(("/requred".to_owned(), "required"))
        );
        assert_eq!(
            found(json!({"propertes": {}})),
            Some(("/propertes".to_owned(), "properties"))
        );
        let deep = json!({"properties": {"a": {"anyOf": [{"items": {"minimun": 1}}]}}});
        assert_eq!(
            found(deep),
            Some(("/properties/a/anyOf/0/items/minimun".to_owned(), "minimum"))
        );
    }

    #[test]
    fn names_values_and_extensions_are_no_slips() {
        for schema in [
            json!({"properties": {"requred": {"type": "string"}, "typ": true}}),
            json!({"const": {"requred": 1}, "enum": [{"typ": 1}], "default": {"item": 1}, "examples": [{"titel": 1}]}),
            json!({"x-go-type": "int", "enumNames": ["a"], "errorMessage": "no", "nullable": true, "example": 1}),
            json!({"discriminator": {"propertyName": "kind"}}),
            json!({"required": ["typ"], "dependentRequired": {"typ": ["itms"]}}),
        ] {
            assert!(misspelt(&schema).is_none(), "{schema}");
        }
    }
}
