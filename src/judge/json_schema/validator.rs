//! A schema compiled, and what a value does wrong by it.

use std::fmt::Write;

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde_json::Value;

use super::{effort, formats, silent::silent};
use crate::{source::did_you_mean, text};

/// Characters of a value shown in a message.
const VALUE_CHARS: usize = 100;
/// Characters of a whole message: a schema's own texts, such as an `enum` of long strings, are in it.
const MESSAGE_CHARS: usize = 400;
/// Violations looked at before counting stops.
const MAX_COUNTED: usize = 1000;
/// Alternatives of `anyOf` and `oneOf` that are explained.
const MAX_BRANCHES: usize = 3;

const REMOTE_HELP: &str = "nothing is fetched or read for a `$ref`: copy it below `$defs` and refer to `#/$defs/…`";
const DRAFT_HELP: &str = "known are the drafts 4, 6, 7, 2019-09 and 2020-12; without `$schema` it is 2020-12";
/// What `type` can be.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// A compiled schema. Without `$schema` it is read as draft 2020-12. `format` is asserted, as the validators of the
/// MCP SDKs do.
pub(crate) struct Schema {
    pub(super) validator: jsonschema::Validator,
    pub(super) text: Value,
}

/// Why it is not told what a value does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Untold {
    /// A pattern takes too many steps, so that it is not known.
    TooSlow,
    /// The value is not valid, but saying why would take too much time and memory.
    TooMuch,
}

/// One reason why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", at(.place))]
pub(crate) struct SchemaError {
    /// Stable code for the diagnostic.
    pub(crate) code: &'static str,
    /// JSON Pointer into the schema.
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: String,
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
    /// Compiles a schema; everything that is wrong with it, else.
    pub(crate) fn compile(schema: &Value) -> Result<Self, Vec<SchemaError>> {
        let mut errors = silent(schema);
        let built = formats::checked(schema).offline().build(schema);
        match built {
            Ok(validator) if errors.is_empty() => {
                return Ok(Self {
                    validator,
                    text: schema.clone(),
                });
            }
            Ok(_) => {}
            Err(first) => errors.extend(refusals(schema, &first)),
        }
        Err(errors)
    }

    /// Whether a value is valid; takes no memory. A pattern that takes too many steps makes it invalid.
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Everything that is wrong with a value; the first `max` in words.
    pub(crate) fn violations(&self, value: &Value, max: usize) -> Result<Violations, Untold> {
        if !effort::is_affordable(&self.text, value) {
            return Err(Untold::TooMuch);
        }
        let mut found = Violations::default();
        for error in self.validator.iter_errors(value) {
            if let ValidationErrorKind::BacktrackLimitExceeded { .. } = error.kind() {
                return Err(Untold::TooSlow);
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

/// All places where the schema breaks the rules for schemas; else the one error that was met in using it.
fn refusals(schema: &Value, first: &ValidationError<'_>) -> Vec<SchemaError> {
    let rules = jsonschema::meta::validator_for(schema).ok();
    let broken: Vec<SchemaError> = rules
        .iter()
        .flat_map(|rules| rules.iter_errors(schema).take(MAX_COUNTED))
        .map(|error| refusal(&error))
        .collect();
    if broken.is_empty() {
        vec![refusal(first)]
    } else {
        broken
    }
}

fn refusal(error: &ValidationError<'_>) -> SchemaError {
    use jsonschema::ReferencingError as Reference;
    let place = error.instance_path().as_str().to_owned();
    let (code, message, help) = match error.kind() {
        ValidationErrorKind::Referencing(Reference::Unretrievable { uri, .. }) => {
            let target = uri.strip_prefix("json-schema:///").unwrap_or(uri);
            let message = format!("the schema refers to `{target}`, which is not in the schema");
            ("remote-ref", message, REMOTE_HELP.to_owned())
        }
        ValidationErrorKind::Referencing(Reference::UnknownSpecification { specification }) => {
            let message = format!("`{specification}` is not a draft of JSON Schema");
            ("invalid-schema", message, DRAFT_HELP.to_owned())
        }
        _ => {
            let (message, help) = breach(error, &place);
            ("invalid-schema", message, help)
        }
    };
    SchemaError {
        code,
        place,
        message,
        help,
    }
}

/// A breach of the rules for schemas, and what to do about it.
fn breach(error: &ValidationError<'_>, place: &str) -> (String, String) {
    match error.instance().as_str() {
        Some(word) if place.ends_with("/type") => {
            let message = format!("`{}` is no type", text::cut(word, VALUE_CHARS));
            (message, did_you_mean(word, TYPES))
        }
        _ => {
            let message = format!("not a valid JSON Schema: {}", reason(error));
            (
                message,
                "see https://json-schema.org/understanding-json-schema".to_owned(),
            )
        }
    }
}

/// The place of what is not at the top, where it is seen.
fn at(place: &str) -> String {
    match place.rfind('/') {
        None | Some(0) => String::new(),
        Some(_) => format!(" at {}", text::cut(place, VALUE_CHARS)),
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

    fn errors(schema: &Value) -> Vec<SchemaError> {
        Schema::compile(schema).err().expect("an error")
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
        for uri in ["http://127.0.0.1:9/a.json", "file:///etc/hostname", "other.json"] {
            let errors = errors(&json!({"$ref": uri}));
            assert_eq!(errors[0].code, "remote-ref");
            assert!(errors[0].message.contains(uri), "{errors:?}");
        }
    }

    #[test]
    fn invalid_schemas_are_refused_with_every_place() {
        let all = |schema: &Value| errors(schema).iter().map(ToString::to_string).collect::<Vec<_>>();
        let schema = json!({"properties": {"a": {"type": "strin"}}, "minLength": "3", "requird": []});
        assert_eq!(
            all(&schema),
            [
                "unknown keyword `requird`",
                "`strin` is no type at /properties/a/type",
                "not a valid JSON Schema: \"3\" is not of type \"integer\"",
            ]
        );
        assert_eq!(errors(&schema)[1].help, "did you mean `string`?");
        let nowhere = all(&json!({"$ref": "#/$defs/a"}));
        assert!(nowhere[0].contains("/$defs/a"), "{nowhere:?}");
        let pattern = errors(&json!({"pattern": "a("}));
        assert_eq!(pattern[0].place, "/pattern");
        let draft = all(&json!({"$schema": "https://example.com/mine", "type": "object"}));
        assert_eq!(draft, ["`https://example.com/mine` is not a draft of JSON Schema"]);
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
            Err(Untold::TooSlow)
        );
    }
}
