//! A schema compiled, and what a value does wrong by it.

use std::fmt::Write;

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde_json::Value;

use super::keywords::{Misspelt, misspelt};

use crate::judge::pattern::TooSlow;
use crate::text;

/// Characters of a value shown in a message.
const VALUE_CHARS: usize = 100;
/// Characters of a whole message: a schema's own texts, such as an `enum` of long strings, are in it.
const MESSAGE_CHARS: usize = 400;
/// Violations looked at before counting stops.
const MAX_COUNTED: usize = 1000;
/// Alternatives of `anyOf` and `oneOf` that are explained.
const MAX_BRANCHES: usize = 3;

/// A compiled schema. Without `$schema` it is read as draft 2020-12. `format` is asserted, as the validators of the
/// MCP SDKs do; a format that nobody knows says nothing.
pub(crate) struct Schema(jsonschema::Validator);

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SchemaError {
    /// It refers to something that is not in it.
    #[error("the schema refers to `{0}`, which is not in the schema")]
    Remote(String),
    /// A word that is no keyword, but nearly one; JSON Schema itself would ignore it.
    #[error("unknown keyword in the schema: {place}")]
    Misspelt {
        /// JSON Pointer into the schema.
        place: String,
        /// The keyword that was likely meant.
        meant: &'static str,
    },
    /// `$schema` names a draft that nobody knows.
    #[error("`{0}` is not a draft of JSON Schema")]
    UnknownDraft(String),
    /// It is not a valid schema.
    #[error("not a valid JSON Schema: {place}: {reason}")]
    Invalid {
        /// JSON Pointer into the schema.
        place: String,
        /// What is wrong there.
        reason: String,
    },
}

/// What a value does wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Violations {
    /// The first ones: the place as a JSON Pointer, and what was expected and found there.
    pub(crate) first: Vec<String>,
    /// How many there are in all.
    pub(crate) total: usize,
    /// Whether counting stopped at `total`.
    pub(crate) or_more: bool,
}

impl Schema {
    /// Compiles a schema.
    pub(crate) fn compile(schema: &Value) -> Result<Self, SchemaError> {
        if let Some(Misspelt { place, meant }) = misspelt(schema) {
            return Err(SchemaError::Misspelt { place, meant });
        }
        jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .build(schema)
            .map(Self)
            .map_err(|error| refuse(&error))
    }

    /// Everything that is wrong with a value; the first `max` in words.
    pub(crate) fn violations(&self, value: &Value, max: usize) -> Result<Violations, TooSlow> {
        let mut found = Violations::default();
        for error in self.0.iter_errors(value) {
            if let ValidationErrorKind::BacktrackLimitExceeded { .. } = error.kind() {
                return Err(TooSlow);
            }
            if found.total == MAX_COUNTED {
                found.or_more = true;
                break;
            }
            if found.total < max {
                found.first.push(describe(&error));
            }
            found.total += 1;
        }
        Ok(found)
    }
}

fn refuse(error: &ValidationError<'_>) -> SchemaError {
    use jsonschema::ReferencingError as Reference;
    match error.kind() {
        ValidationErrorKind::Referencing(Reference::Unretrievable { uri, .. }) => {
            SchemaError::Remote(uri.strip_prefix("json-schema:///").unwrap_or(uri).to_owned())
        }
        ValidationErrorKind::Referencing(Reference::UnknownSpecification { specification }) => {
            SchemaError::UnknownDraft(specification.clone())
        }
        _ => SchemaError::Invalid {
            place: place(error),
            reason: reason(error),
        },
    }
}

fn describe(error: &ValidationError<'_>) -> String {
    let mut text = format!("{}: {}", place(error), reason(error));
    if let ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } = error.kind() {
        let branches = context.iter().filter_map(|branch| branch.first());
        let mut separator = " (";
        for branch in branches.take(MAX_BRANCHES) {
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{}: {}", place(branch), reason(branch));
            separator = "; ";
        }
        if separator == "; " {
            text.push(')');
        }
    }
    text
}

/// JSON Pointer of the place in the value; the whole value has an empty one, which nobody would see.
fn place(error: &ValidationError<'_>) -> String {
    match error.instance_path().as_str() {
        "" => "the whole value".to_owned(),
        pointer => text::cut(pointer, VALUE_CHARS).into_owned(),
    }
}

fn reason(error: &ValidationError<'_>) -> String {
    let value = error.instance().to_string();
    let reason = match error.kind() {
        ValidationErrorKind::AdditionalItems { limit } => {
            format!("there are more than {}", text::count(*limit, "item"))
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            format!("unexpected {}", list(unexpected))
        }
        ValidationErrorKind::Required { property } => format!("required property {property} is missing"),
        ValidationErrorKind::FalseSchema => format!("{} is not allowed here", text::cut(&value, VALUE_CHARS)),
        ValidationErrorKind::Format { format } => {
            format!("{} is not of format \"{format}\"", text::cut(&value, VALUE_CHARS))
        }
        _ => error.masked_with(text::cut(&value, VALUE_CHARS)).to_string(),
    };
    text::cut(&reason, MESSAGE_CHARS).into_owned()
}

fn list(names: &[String]) -> String {
    let word = text::plural(names.len(), "property", "properties");
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("{word} {}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn violations(schema: &Value, value: &Value) -> Vec<String> {
        let schema = Schema::compile(schema).expect("a valid schema");
        schema.violations(value, 10).expect("quick").first
    }

    #[test]
    fn the_keywords_that_the_seed_ignored_are_honoured() {
        let table = [
            (json!({"type": "integer"}), json!(3), json!(8.5)),
            (json!({"type": "integer"}), json!(3.0), json!("3")),
            (json!({"type": ["string", "null"]}), json!(null), json!(1)),
            (json!({"enum": ["open", "closed"]}), json!("open"), json!("maybe")),
            (json!({"const": 5}), json!(5), json!(6)),
            (json!({"required": ["id"]}), json!({"id": 1}), json!({})),
            (json!({"items": {"type": "string"}}), json!(["a"]), json!([1])),
            (
                json!({"prefixItems": [{"type": "string"}]}),
                json!(["a", 1]),
                json!([1]),
            ),
            (
                json!({"additionalProperties": {"type": "string"}}),
                json!({"a": "b"}),
                json!({"a": 1}),
            ),
            (json!({"additionalProperties": false}), json!({}), json!({"a": 1})),
            (json!({"pattern": "^i-(?!x)"}), json!("i-1"), json!("i-x")),
            (json!({"minimum": 1}), json!(1), json!(0)),
            (json!({"exclusiveMaximum": 1}), json!(0), json!(1)),
            (json!({"minItems": 1}), json!([1]), json!([])),
            (json!({"uniqueItems": true}), json!([1, 2]), json!([1, 1])),
            (
                json!({"oneOf": [{"type": "string"}, {"minimum": 5}]}),
                json!(5),
                json!(4),
            ),
            (
                json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
                json!(null),
                json!(4),
            ),
            (json!({"not": {"type": "string"}}), json!(1), json!("a")),
            (
                json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}),
                json!("a"),
                json!(1),
            ),
            (
                json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
                json!({"a": 1, "b": 1}),
                json!({"a": 1}),
            ),
            (
                json!({"format": "date-time"}),
                json!("2026-11-30T10:00:00Z"),
                json!("yesterday"),
            ),
        ];
        for (schema, good, bad) in table {
            assert!(violations(&schema, &good).is_empty(), "{schema} refuses {good}");
            assert_eq!(violations(&schema, &bad).len(), 1, "{schema} and {bad}");
        }
    }

    #[test]
    fn every_draft_is_read_by_its_own_rules() {
        let tuple = |draft: &str| json!({"$schema": draft, "items": [{"type": "string"}], "additionalItems": false});
        for draft in ["04", "06", "07"] {
            let uri = format!("http://json-schema.org/draft-{draft}/schema#");
            assert_eq!(violations(&tuple(&uri), &json!(["a", "b"])).len(), 1, "{draft}");
        }
        assert_eq!(
            violations(
                &tuple("https://json-schema.org/draft/2019-09/schema"),
                &json!(["a", "b"])
            )
            .len(),
            1
        );
        let old = json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true});
        assert_eq!(violations(&old, &json!(1)).len(), 1);
    }

    #[test]
    fn violations_name_place_expected_and_found() {
        let schema = json!({
            "type": "object",
            "required": ["count", "gone"],
            "additionalProperties": false,
            "properties": {
                "count": {"type": "integer"},
                "state": {"enum": ["open", "closed"]},
                "items": {"items": {"properties": {"id": {"pattern": "^i-"}}}},
            },
        });
        let value = json!({"count": 8.5, "state": "maybe", "items": [{"id": "x-1"}], "extra": 1});
        let mut found = violations(&schema, &value);
        found.sort();
        assert_eq!(
            found,
            [
                "/count: 8.5 is not of type \"integer\"",
                "/items/0/id: \"x-1\" does not match \"^i-\"",
                "/state: \"maybe\" is not one of \"open\" or \"closed\"",
                "the whole value: required property \"gone\" is missing",
                "the whole value: unexpected property \"extra\"",
            ]
        );
        let either = json!({"anyOf": [{"type": "string"}, {"required": ["a"], "type": "object"}]});
        let found = violations(&either, &json!({"b": 1}));
        assert!(found[0].ends_with("(the whole value: {\"b\":1} is not of type \"string\"; the whole value: required property \"a\" is missing)"), "{found:?}");
    }

    #[test]
    fn messages_are_bounded() {
        let schema = Schema::compile(&json!({"items": {"type": "string"}})).unwrap();
        let found = schema.violations(&json!(vec![0; 5000]), 3).unwrap();
        assert_eq!((found.first.len(), found.total, found.or_more), (3, 1000, true));
        let long = violations(&json!({"type": "integer"}), &json!("x".repeat(10_000)));
        assert!(long[0].len() < 300, "{}", long[0]);
        let many: Vec<String> = (0..500).map(|n| format!("key {n}")).collect();
        let object: Value = many
            .iter()
            .map(|key| (key.clone(), json!(1)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert!(violations(&json!({"additionalProperties": false}), &object)[0].len() < 600);
    }

    #[test]
    fn nothing_is_fetched() {
        let error = |schema: &Value| Schema::compile(schema).err().expect("an error");
        for uri in ["http://127.0.0.1:9/a.json", "file:///etc/hostname", "other.json"] {
            assert_eq!(error(&json!({"$ref": uri})), SchemaError::Remote(uri.to_owned()));
        }
    }

    #[test]
    fn invalid_schemas_are_refused_with_the_place() {
        let error = |schema: &Value| Schema::compile(schema).err().expect("an error").to_string();
        let wrong_type = error(&json!({"properties": {"a": {"type": "strin"}}}));
        assert!(
            wrong_type.starts_with("not a valid JSON Schema: /properties/a/type: \"strin\""),
            "{wrong_type}"
        );
        let nowhere = error(&json!({"$ref": "#/$defs/a"}));
        assert!(nowhere.contains("/$defs/a"), "{nowhere}");
        let pattern = error(&json!({"pattern": "a("}));
        assert!(pattern.contains("/pattern"), "{pattern}");
        assert_eq!(
            Schema::compile(&json!({"$schema": "https://example.com/mine"})).err(),
            Some(SchemaError::UnknownDraft("https://example.com/mine".to_owned()))
        );
    }

    #[test]
    fn recursion_ends() {
        let list = json!({"properties": {"next": {"$ref": "#"}}, "type": "object"});
        let deep = (0..120).fold(json!({}), |inner, _| json!({"next": inner}));
        assert!(violations(&list, &deep).is_empty());
        let circle = Schema::compile(&json!({"$ref": "#"}));
        assert!(circle.is_err() || circle.is_ok_and(|schema| schema.violations(&json!(1), 1).is_ok()));
    }

    #[test]
    fn a_catastrophic_pattern_is_given_up() {
        let schema = Schema::compile(&json!({"pattern": r"^(a|aa|a+)+\1!x"})).unwrap();
        assert_eq!(
            schema.violations(&json!(format!("{}!", "a".repeat(28))), 1),
            Err(TooSlow)
        );
    }
}
