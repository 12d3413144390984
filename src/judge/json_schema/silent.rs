//! What a validator would pass over in silence, though its author counts on it: JSON Schema ignores words and formats
//! that it does not know, so `requred` would assert nothing and pass. Ajv's strict mode refuses the same.

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::{
    SchemaError,
    keywords::{FORMATS, KEYWORDS, Keyword, OTHER_WORDS, Role, STORAGE_FORMATS, keyword},
    vacuous::accepts_everything,
};
use crate::source::{did_you_mean, nearest, pointer_to};

/// Everything in a schema that would have no effect.
pub(super) fn silent(schema: &Value) -> Vec<SchemaError> {
    let mut search = Search {
        // A draft that nobody knows is refused elsewhere.
        draft: Draft::default().detect(schema).min(Draft::Draft202012),
        root: schema,
        found: Vec::new(),
    };
    search.schema(schema, "");
    if search.found.is_empty() && accepts_everything(schema, search.draft) {
        let message = "nothing in the schema asserts anything, so everything is valid".to_owned();
        search.note(
            "empty-expectation",
            "",
            message,
            "say what is expected, such as `type: object`",
        );
    }
    search.found
}

fn asserts(word: &str) -> bool {
    keyword(word).is_some_and(|it| !matches!(it.role, Role::Note | Role::Definitions))
}

/// Words that do nothing unless one of the others stands beside them.
const PARTNERS: &[(&str, &[&str])] = &[
    ("if", &["then", "else"]),
    ("then", &["if"]),
    ("else", &["if"]),
    ("minContains", &["contains"]),
    ("maxContains", &["contains"]),
];

struct Search<'s> {
    draft: Draft,
    root: &'s Value,
    found: Vec<SchemaError>,
}

impl Search<'_> {
    fn schema(&mut self, schema: &Value, place: &str) {
        match schema {
            Value::Object(members) => {
                self.beside_a_reference(members, place);
                self.without_partner(members, place);
                for (word, value) in members {
                    self.member(word, value, &pointer_to(place, word));
                }
            }
            Value::Array(schemas) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.schema(schema, &pointer_to(place, &index.to_string()));
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, word: &str, value: &Value, place: &str) {
        let Some(keyword) = keyword(word) else {
            return self.unknown(word, value, place);
        };
        if self.draft < keyword.since || keyword.until < self.draft {
            self.without_effect(keyword, place);
        }
        match (keyword.role, value) {
            (Role::Schemas, _) => self.schema(value, place),
            (Role::NamedSchemas | Role::Definitions, Value::Object(schemas)) => {
                for (name, schema) in schemas.iter().filter(|(_, schema)| schema.is_object()) {
                    self.schema(schema, &pointer_to(place, name));
                }
            }
            (Role::Value, Value::String(format)) if word == "format" => self.format(format, place),
            _ => {}
        }
    }

    /// Up to draft 7, a reference stands for the whole schema: its neighbours are ignored.
    fn beside_a_reference(&mut self, members: &Map<String, Value>, place: &str) {
        if self.draft > Draft::Draft7 || !members.contains_key("$ref") {
            return;
        }
        for word in members.keys().filter(|word| *word != "$ref" && asserts(word)) {
            let message = format!("`{word}` beside `$ref` has no effect in draft {}", name(self.draft));
            let help = "put both below `allOf`, or say `$schema: https://json-schema.org/draft/2020-12/schema`";
            self.note("unknown-keyword", &pointer_to(place, word), message, help);
        }
    }

    /// Words that have an effect only beside another one.
    fn without_partner(&mut self, members: &Map<String, Value>, place: &str) {
        for (word, partners) in PARTNERS {
            let is_alone = !partners.iter().any(|partner| members.contains_key(*partner));
            if members.contains_key(*word) && is_alone {
                let partners = partners.join("` or `");
                let message = format!("`{word}` without `{partners}` has no effect");
                self.note(
                    "unknown-keyword",
                    &pointer_to(place, word),
                    message,
                    format!("add `{partners}`"),
                );
            }
        }
    }

    fn unknown(&mut self, word: &str, value: &Value, place: &str) {
        if !word.starts_with("x-") && !refers_to(self.root, place) {
            let message = format!("unknown keyword `{word}`");
            self.note("unknown-keyword", place, message, instead_of(word, value));
        }
    }

    fn without_effect(&mut self, keyword: &Keyword, place: &str) {
        let message = format!("`{}` has no effect in draft {}", keyword.name, name(self.draft));
        let help = match keyword.name {
            "additionalItems" => "`items` stands for the items that `prefixItems` does not name".to_owned(),
            _ => format!(
                "it has from draft {} to {}; `$schema` says which draft is meant",
                name(keyword.since),
                name(keyword.until)
            ),
        };
        self.note("unknown-keyword", place, message, help);
    }

    fn format(&mut self, format: &str, place: &str) {
        let is_sized = format.starts_with("int") || format.starts_with("uint");
        if !is_sized && !FORMATS.contains(&format) && !STORAGE_FORMATS.contains(&format) {
            let message = format!("unknown format `{format}`");
            self.note(
                "unknown-format",
                place,
                message,
                did_you_mean(format, FORMATS.iter().copied()),
            );
        }
    }

    fn note(&mut self, code: &'static str, place: &str, message: String, help: impl Into<String>) {
        self.found.push(SchemaError {
            code,
            place: place.to_owned(),
            message,
            help: help.into(),
        });
    }
}

/// What to write instead of an unknown word.
fn instead_of(word: &str, value: &Value) -> String {
    let near = nearest(word, KEYWORDS.iter().map(|keyword| keyword.name));
    let is_slip = |known: &&str| word.len().abs_diff(known.len()) <= 2;
    let other = OTHER_WORDS.iter().find(|(other, _)| *other == word);
    match (near, other) {
        (_, Some((_, meant))) => format!("did you mean `{meant}`?"),
        (Some(near), None) if !value.is_object() || is_slip(&near) => format!("did you mean `{near}`?"),
        _ if value.is_object() => "the names of properties stand below `properties:`".to_owned(),
        _ => "it would assert nothing; a note of your own begins with `x-`".to_owned(),
    }
}

/// Whether a `$ref` leads into the member at this place: then it holds definitions, whatever it is called.
fn refers_to(schema: &Value, place: &str) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(word, value)| match value {
            Value::String(target) if word == "$ref" => {
                let inside = target.strip_prefix('#').and_then(|pointer| pointer.strip_prefix(place));
                inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            value => refers_to(value, place),
        }),
        Value::Array(items) => items.iter().any(|item| refers_to(item, place)),
        _ => false,
    }
}

const fn name(draft: Draft) -> &'static str {
    match draft {
        Draft::Draft4 => "4",
        Draft::Draft6 => "6",
        Draft::Draft7 => "7",
        Draft::Draft201909 => "2019-09",
        _ => "2020-12",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(schema: &Value) -> Vec<(String, String)> {
        let found = silent(schema).into_iter();
        found.map(|error| (error.place, error.help)).collect()
    }

    fn meant(place: &str, meant: &str) -> (String, String) {
        (place.to_owned(), format!("did you mean `{meant}`?"))
    }

    #[test]
    fn slips_are_found_at_any_depth_and_all_of_them() {
        assert_eq!(
            found(&json!({"requred": ["a"], "propertes": {}})),
            [meant("/requred", "required"), meant("/propertes", "properties")]
        );
        let deep = json!({"properties": {"a/b": {"anyOf": [{"items": {"minimun": 1}}]}}, "typ": "object"});
        assert_eq!(
            found(&deep),
            [
                meant("/properties/a~1b/anyOf/0/items/minimun", "minimum"),
                meant("/typ", "type")
            ]
        );
    }

    #[test]
    fn words_of_other_languages_are_no_keywords() {
        for (word, keyword) in [
            ("max", "maximum"),
            ("min", "minimum"),
            ("equals", "const"),
            ("props", "properties"),
        ] {
            let schema = json!({"type": "integer", word: 3});
            assert_eq!(found(&schema), [meant(&format!("/{word}"), keyword)], "{word}");
        }
        let forgotten = found(&json!({"count": {"type": "integer"}, "user": {"type": "object"}}));
        assert_eq!(forgotten.len(), 2);
        assert!(forgotten[0].1.contains("below `properties:`"), "{forgotten:?}");
    }

    #[test]
    fn names_values_and_notes_are_no_slips() {
        for schema in [
            json!({"properties": {"requred": {"type": "string"}, "typ": true, "any": {}}}),
            json!({"const": {"requred": 1}, "enum": [{"typ": 1}], "default": {"item": 1}, "examples": [{"titel": 1}]}),
            json!({"x-go-type": "int", "enumNames": ["a"], "errorMessage": "no", "nullable": true, "type": "string"}),
            json!({"discriminator": {"propertyName": "kind"}, "oneOf": []}),
            json!({"required": ["typ"], "dependentRequired": {"typ": ["itms"]}}),
            json!({"$ref": "#/components/schemas/A", "components": {"schemas": {"A": {"type": "string"}}}}),
            json!({"items": {"description": "anything"}, "minItems": 1}),
        ] {
            assert_eq!(found(&schema), [], "{schema}");
        }
    }

    #[test]
    fn a_schema_without_assertion_is_refused() {
        for schema in [
            json!({}),
            json!({"description": "a note"}),
            json!({"$defs": {"a": {"type": "string"}}}),
            json!({"properties": {}}),
            json!({"items": {"description": "anything"}}),
        ] {
            assert_eq!(silent(&schema)[0].code, "empty-expectation", "{schema}");
        }
    }

    #[test]
    fn formats_are_known_or_refused() {
        assert_eq!(found(&json!({"format": "emial"})), [meant("/format", "email")]);
        assert_eq!(
            found(&json!({"items": {"format": "url"}})),
            [meant("/items/format", "uri")]
        );
        for known in ["uuid", "int32", "uint64", "password"] {
            assert_eq!(found(&json!({"type": "string", "format": known})), [], "{known}");
        }
    }

    #[test]
    fn what_stands_beside_a_reference_had_no_effect_once() {
        let schema =
            json!({"definitions": {"n": {"type": "number"}}, "items": {"$ref": "#/definitions/n", "minimum": 5}});
        assert_eq!(found(&schema), []);
        let mut old = schema;
        old["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        assert_eq!(found(&old)[0].0, "/items/minimum");
    }

    #[test]
    fn words_without_their_partner_have_no_effect() {
        for word in ["if", "then", "else", "minContains", "maxContains"] {
            let places: Vec<String> = found(&json!({"type": "array", word: 3}))
                .into_iter()
                .map(|it| it.0)
                .collect();
            assert_eq!(places, [format!("/{word}")]);
        }
        assert_eq!(found(&json!({"if": {"type": "string"}, "then": {"minLength": 1}})), []);
    }

    #[test]
    fn keywords_of_other_drafts_have_no_effect() {
        let tuple = json!({"prefixItems": [{}], "additionalItems": false});
        assert!(found(&tuple)[0].1.contains("`items` stands"), "{:?}", found(&tuple));
        let old =
            |word: &str| json!({"$schema": "http://json-schema.org/draft-07/schema#", word: [{"type": "string"}]});
        assert_eq!(found(&old("prefixItems")).len(), 1);
        assert_eq!(found(&old("items")), []);
    }
}
